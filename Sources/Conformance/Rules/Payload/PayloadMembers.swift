import Credentials
import Encodings
import FHIR
import SMARTHealthCards

extension Rule {
    /// The rule that an object of the payload has a member of a JSON type.
    ///
    /// - Parameter path: the members that lead to the object; empty for the payload itself.
    static func payloadMember(
        _ member: String, _ kind: JSONValue.Kind, of path: [String], name: String
    ) -> Rule {
        let owner = path.isEmpty ? "the payload" : "`\(path.joined(separator: "."))`"
        let place = (path + [member]).joined(separator: ".")
        return Rule("schema-error/\(name)", RuleCheck.payload) { payload in
            let object = path.reduce(payload.claims?.payload) { object, name in object?[name] }
            guard let object, object.kind == .object else { return [] }
            guard let value = object[member] else {
                return .found("\(owner) has no member `\(member)`", at: object, member: member)
            }
            return value.kind == kind
                ? [] : .found("`\(place)` is not \(kind.described) but \(value.described)", at: value)
        }
    }

    // MARK: Issuer and time of issue

    static let issuerMember = payloadMember("iss", .string, of: [], name: "iss")

    static let issuerURL = Rule("invalid-issuer-url/iss", RuleCheck.payload) { payload in
        guard let value = payload.value?["iss"], case .failure(let failure)? = payload.issuer else { return [] }
        return .found(failure.message, at: value)
    }

    static let issuerURLForm = Rule("invalid-issuer-url/iss-form", RuleCheck.payload) { payload in
        guard let value = payload.value?["iss"], case .success(let issuer)? = payload.issuer else { return [] }
        return problems(ofFormOf: issuer, "`iss`", at: value)
    }

    /// What is unusual in the URL of an issuer, though it is a valid one.
    ///
    /// - Parameter name: what the URL is called.
    static func problems(ofFormOf issuer: Issuer, _ name: String, at value: JSONValue? = nil) -> [Problem] {
        // Hardly any issuer has a problem, so the words are made only then.
        var shown: String { issuer.url.quoted(upTo: 300) }
        let url = issuer.url.utf8
        let authority = url.dropFirst("https://".utf8.count).prefix { $0 != UInt8(ascii: "/") }
        let ending = "/.well-known/jwks.json".utf8
        var problems: [Problem] = []
        let isLetterOf = { (byte: UInt8, letter: UInt8) in
            byte == letter || (0x41...0x5A).contains(byte) && byte | 0x20 == letter
        }
        if url.suffix(ending.count).elementsEqual(ending, by: isLetterOf) {
            problems.add(
                "\(name) ends with /.well-known/jwks.json, so verifiers look for the keys at "
                    + "\(issuer.keySetURL.quoted(upTo: 300))", at: value,
                remedy: "Leave /.well-known/jwks.json out of `iss`: verifiers append it.")
        }
        if authority.contains(where: { (0x41...0x5A).contains($0) }) {
            problems.add(
                "\(name) has capital letters in its host, \(shown), and matches no directory that has it in small letters",
                at: value)
        }
        if authority.suffix(4).elementsEqual(":443".utf8) {
            problems.add(
                "\(name) has the port 443, which https has anyway, \(shown), and matches no directory that leaves it out",
                at: value)
        }
        return problems
    }

    static let issuedMember = payloadMember("nbf", .number, of: [], name: "nbf")

    // MARK: The credential

    static let credential = payloadMember("vc", .object, of: [], name: "vc")

    static let credentialContext = Rule("schema-error/vc-context", RuleCheck.payload) { payload in
        payload.credential?["@context"].map {
            [Problem("`vc` has `@context`; health cards leave it out", at: $0)]
        } ?? []
    }

    static let revocationIdentifier = Rule("schema-error/rid", RuleCheck.payload) { payload in
        guard let rid = payload.credential?["rid"] else { return [] }
        guard let text = rid.stringBytes else {
            return .found("`vc.rid` is not a string but \(rid.described)", at: rid)
        }
        return RevocationID.isWellFormed(text)
            ? [] : .found("`vc.rid` is not 1 to 24 base64url characters: \(rid.excerpt)", at: rid)
    }

    static let credentialSubject = payloadMember("credentialSubject", .object, of: ["vc"], name: "credential-subject")

    static let subjectMember = Rule("schema-error/subject-member", RuleCheck.payload) { payload in
        payload.credentialSubject.map { unknownMembers(of: $0, named: "`credentialSubject`", subjectMembers) } ?? []
    }

    /// Everyone who scans the card reads the member.
    static let unknownMember = Rule("schema-error/unknown-member", RuleCheck.payload) { payload in
        guard let value = payload.value else { return [] }
        return unknownMembers(of: value, named: "the payload", payloadMembers)
            + (payload.credential.map { unknownMembers(of: $0, named: "`vc`", credentialMembers) } ?? [])
    }

    private static func unknownMembers(of object: JSONValue, named name: String, _ known: NameTable) -> [Problem] {
        object.members?.named.compactMap { member, value in
            guard known.index(of: member) == nil else { return nil }
            return Problem(
                "\(name) has the member \((member.string ?? "").quoted(upTo: 40)), which the specification does not define",
                at: value)
        } ?? []
    }

    private static let payloadMembers = NameTable(["iss", "nbf", "exp", "vc"])
    /// `@context` has a rule of its own.
    private static let credentialMembers = NameTable(["type", "credentialSubject", "rid", "@context"])
    private static let subjectMembers = NameTable(["fhirVersion", "fhirBundle"])

    // MARK: FHIR

    static let fhirVersion = payloadMember(
        "fhirVersion", .string, of: ["vc", "credentialSubject"], name: "fhir-version")

    static let unknownFHIRVersion = Rule("unknown-fhir-version/fhir-version", RuleCheck.payload) { payload in
        guard let value = payload.credentialSubject?["fhirVersion"], let version = value.stringBytes else { return [] }
        let parts = version.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isRelease = version.starts(with: "4.0.".utf8) || version.starts(with: "1.0.".utf8)
        let hasNumber = parts.count == 3 && !parts[2].isEmpty && parts[2].allSatisfy { (0x30...0x39).contains($0) }
        return isRelease && hasNumber
            ? [] : .found("`fhirVersion` is \(value.excerpt), neither 4.0.x nor 1.0.x", at: value)
    }

    static let fhirBundle = payloadMember("fhirBundle", .object, of: ["vc", "credentialSubject"], name: "fhir-bundle")
}

extension Rule {
    /// The rules of the payload.
    static let payloadRules: [Rule] = [
        payloadJSON, payloadByteOrderMark, payloadMinified, payloadObject, issuerMember, issuerURL, issuerURLForm,
        issuedMember, issuedRange, notYetValid, expiresMember, expiresRange, expired, credential, credentialContext,
        credentialType, cardTypes, cardTypeText, healthCardType, unknownCardType, applicableType, inapplicableType,
        repeatedType, revocationIdentifier, credentialSubject, fhirVersion, unknownFHIRVersion, fhirBundle,
        subjectMember, unknownMember,
    ]

    static let payloadJSON = Rule("json-parse-error/payload", RuleCheck.payload) { payload in
        guard let error = payload.json.error, error.reason != .byteOrderMark else { return [] }
        return .found("the payload is not acceptable JSON: \(error)", offset: error.offset)
    }

    static let payloadByteOrderMark = Rule("json-parse-error/payload-byte-order-mark", RuleCheck.payload) { payload in
        payload.json.error?.reason == .byteOrderMark
            ? .found("the payload begins with a byte-order mark", offset: 0) : []
    }

    static let payloadMinified = Rule("payload-not-minified/white-space", RuleCheck.payload) { payload in
        // A payload that is an input of its own was formatted for people to read.
        guard payload.isSigned, let value = payload.value, !value.isMinified else { return [] }
        let before = value.byteRange.lowerBound
        let after = value.text.count - value.byteRange.upperBound
        return .found(
            before + after > 0
                ? "the payload has white space in it or around it" : "the payload has white space in it", at: value)
    }

    static let payloadObject = Rule("schema-error/payload-object", RuleCheck.payload) { payload in
        guard let value = payload.value, value.kind != .object else { return [] }
        return .found("the payload is not a JSON object but \(value.described)", at: value)
    }
}

extension Rule {
    static let issuedRange = Rule("not-yet-valid/nbf-range", RuleCheck.payload) { payload in
        guard let value = payload.value?["nbf"], let number = value.number else { return [] }
        return dateProblem("nbf", number, at: value).map { [$0] } ?? []
    }

    /// Why a member's number cannot be a date in seconds; nil if it can.
    private static func dateProblem(_ member: String, _ number: JSONNumber, at value: JSONValue) -> Problem? {
        let date = NumericDate(number)
        if let date, NumericDate.range.contains(date) { return nil }
        guard let date, date.isPlausiblyMilliseconds else {
            return Problem("`\(member)` is \(value.excerpt), which is not a time from 1970 to 9999", at: value)
        }
        let meant = NumericDate(sinceEpoch: date.sinceEpoch / 1000)
        return Problem("`\(member)` is \(value.excerpt), which makes sense only in milliseconds (\(meant))", at: value)
    }

    /// A warning, because it depends on the day.
    static let notYetValid = Rule("not-yet-valid/nbf-future", RuleCheck.payload) { payload in
        guard let value = payload.value?["nbf"], let date = payload.claims?.issued,
            NumericDate.range.contains(date),
            date > payload.policy.now
        else { return [] }
        return .found(
            "the card is valid only from \(date) (`nbf`); it was checked for \(payload.policy.now)", at: value)
    }

    static let expiresMember = Rule("schema-error/exp", RuleCheck.payload) { payload in
        guard let date = payload.value?["exp"], date.kind != .number else { return [] }
        return .found("`exp` is not a number but \(date.described)", at: date)
    }

    static let expiresRange = Rule("expiration-error/exp-range", RuleCheck.payload) { payload in
        guard let value = payload.value?["exp"], let number = value.number else { return [] }
        if let problem = dateProblem("exp", number, at: value) { return [problem] }
        guard let issued = payload.claims?.issued, NumericDate.range.contains(issued),
            let expires = NumericDate(number), expires <= issued
        else { return [] }
        return .found("the card expires at \(expires) (`exp`), not later than it becomes valid (\(issued))", at: value)
    }

    /// A warning, because it depends on the day and no requirement is violated.
    static let expired = Rule("expiration-error/expired", RuleCheck.payload) { payload in
        guard let value = payload.value?["exp"], let date = payload.claims?.expires,
            NumericDate.range.contains(date), date <= payload.policy.now
        else { return [] }
        return .found("the card expired at \(date) (`exp`); it was checked for \(payload.policy.now)", at: value)
    }
}

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
