import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// The members of `vc.type`.
extension Rule {
    static let credentialType = Rule("schema-error/credential-type", RuleCheck.payload) { payload in
        payload.types.filter { $0.isString("VerifiableCredential") }.prefix(1)
            .map { Problem("`vc.type` contains VerifiableCredential; health cards leave it out", at: $0) }
    }

    static let cardTypes = payloadMember("type", .array, of: ["vc"], name: "vc-type")

    static let cardTypeText = Rule("schema-error/vc-type-text", RuleCheck.payload) { payload in
        payload.types.compactMap { type in
            type.kind == .string
                ? nil : Problem("an element of `vc.type` is not a string but \(type.described)", at: type)
        }
    }

    static let healthCardType = Rule("schema-error/health-card-type", RuleCheck.payload) { payload in
        guard let types = payload.type, types.kind == .array,
            !lists("https://smarthealth.cards#health-card", in: payload)
        else { return [] }
        return .found("`vc.type` does not contain https://smarthealth.cards#health-card", at: types)
    }

    static let unknownCardType = Rule("schema-error/unknown-type", RuleCheck.payload) { payload in
        payload.types.compactMap { type in
            guard type.kind == .string, !UnverifiedCard.knownTypes.contains(where: { type.isString($0) }) else {
                return nil
            }
            return Problem(
                "`vc.type` contains a type that the specification does not define: \(type.excerpt)", at: type)
        }
    }

    static let applicableType = Rule("schema-error/applicable-type", RuleCheck.payload) { payload in
        // A card without any of them follows the current version.
        guard let types = payload.type, let topics = payload.topics else { return [] }
        return CardTopic.allCases.filter {
            !lists($0.type, in: payload) && $0.applies(to: topics, payload.policy.codeNames)
        }
        .map { Problem("`vc.type` does not contain \($0.type), although the Bundle has such a record", at: types) }
    }

    static let inapplicableType = Rule("schema-error/inapplicable-type", RuleCheck.payload) { payload in
        guard let topics = payload.topics else { return [] }
        // Asked once for each of the three: a card may have thousands of types, and thousands of records.
        let inapplicable = CardTopic.allCases.filter {
            lists($0.type, in: payload) && !$0.mayApply(to: topics, payload.policy.codeNames)
        }
        return payload.types.compactMap { type in
            guard let topic = inapplicable.first(where: { type.isString($0.type) }) else { return nil }
            return Problem("`vc.type` contains \(topic.type), but the Bundle has no such record", at: type)
        }
    }

    static let repeatedType = Rule("schema-error/repeated-type", RuleCheck.payload) { payload in
        guard payload.types.count > 1 else { return [] }
        var seen = Set<UTF8Text>(minimumCapacity: min(payload.types.count, 16))
        return payload.types.compactMap { type in
            guard let text = type.string else { return nil }
            return seen.insert(text).inserted
                ? nil : Problem("`vc.type` contains \(type.excerpt) more than once", at: type)
        }
    }

    private static func lists(_ type: String, in payload: PayloadSubject) -> Bool {
        payload.types.contains { $0.isString(type) }
    }
}

/// What a card can be about, according to `vc.type`.
enum CardTopic: String, CaseIterable {
    case immunization = "https://smarthealth.cards#immunization"
    case laboratory = "https://smarthealth.cards#laboratory"
    case covid19 = "https://smarthealth.cards#covid19"

    /// The type for it.
    var type: String { rawValue }

    /// Whether the card has a record about this, or one of which no list has the codes.
    func mayApply(to records: [RecordTopic], _ names: CodeNames) -> Bool {
        if applies(to: records, names) { return true }
        let isLaboratory = { (record: RecordTopic) in
            record.resourceType == "Observation" && record.type == .laboratory
        }
        return self == .covid19
            && records.contains { record in
                (record.resourceType == "Immunization" || isLaboratory(record)) && !record.codes.isEmpty
                    && !record.codes.contains { names.isTold($0) }
            }
    }

    /// Whether the card has a record about this.
    func applies(to records: [RecordTopic], _ names: CodeNames) -> Bool {
        switch self {
        case .immunization: records.contains { $0.resourceType == "Immunization" }
        case .laboratory: records.contains { $0.type == .laboratory }
        case .covid19:
            records.contains { record in
                record.codes.contains { names.isCOVID19($0) } || record.partCodes.contains { names.isCOVID19($0) }
            }
        }
    }
}
