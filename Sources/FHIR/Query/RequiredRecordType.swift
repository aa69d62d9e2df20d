public import Encodings

/// A type of record that a card must have (`--record-type`; SHC "$health-cards-issue", `credentialType`).
///
/// The type is decided by the Bundle, never by the card's `vc.type`, which is deprecated and often wrong.
public enum RequiredRecordType: Sendable, Hashable {
    /// A vaccination: an Immunization that is `completed` and not subpotent.
    case immunization
    /// A laboratory result: an Observation or DiagnosticReport from the laboratory.
    case laboratory
    /// Anything about COVID-19, by its codes (`CodeNames.isCOVID19`): a vaccination, or a test with any result.
    case covid19
    /// A past COVID-19 infection: a final positive test result, or a resolved Condition.
    ///
    /// The framework does not define this type. HealthKit uses the word for the EU's certificate of recovery, which
    /// states a first positive test. As with that certificate, the verifier decides how many days must have passed
    /// (`--until`): yesterday's positive test meets this type.
    case recovery
    /// A vaccination against yellow fever, by its codes (`CodeNames.isAbout(_:_:)`).
    case yellowFever
    /// A vaccination against polio, by its codes. A combined vaccine counts.
    case polio
    /// An insurance card (FHIR `Coverage`).
    case coverage
    /// A resource of this FHIR type.
    case resource(UTF8Text)

    /// The prefixes of the type in the names of HealthKit and of the framework.
    private static let prefixes = ["https://smarthealth.cards#", "#"]

    /// Reads `immunization`, `laboratory`, `covid19` or `recovery`, with or without the prefix `#` or
    /// `https://smarthealth.cards#`; `yellow-fever`, `polio` or `coverage`; or the exact name of a FHIR resource type of R4 or DSTU2.
    ///
    /// - Throws: `Malformed` for other text.
    public init(_ text: String) throws(Malformed) {
        let prefix = Self.prefixes.first { text.hasPrefix($0) }
        let word = text.dropFirst(prefix?.count ?? 0)
        let types = prefix == nil ? Self.common : Self.ofFramework
        if let type = types.first(where: { $0.name == word }) {
            self = type
            return
        }
        guard prefix == nil, CodeTable.resourceTypes.contains(UTF8Text(text)) else {
            let hint =
                Self.nearest(to: text).map { "did you mean \($0)?" }
                ?? "use \(Self.commonNames.joined(separator: ", ")), or the exact name of a FHIR resource type"
            throw Malformed("\(text.quoted(upTo: 60)) is not a type of record: \(hint)")
        }
        self = .resource(UTF8Text(text))
    }

    /// The types for which the framework has words, and all that are not types of resources.
    private static let ofFramework: [RequiredRecordType] = [.immunization, .laboratory, .covid19, .recovery]
    private static let common = ofFramework + [.yellowFever, .polio, .coverage]

    /// The names that are not those of resource types.
    public static let commonNames = common.map(\.name)

    /// The names of the resource types.
    public static var resourceNames: [String] { CodeTable.resourceTypes.codes.map(\.description) }

    /// The name, as used on the command line.
    public var name: String {
        switch self {
        case .immunization: "immunization"
        case .laboratory: "laboratory"
        case .covid19: "covid19"
        case .recovery: "recovery"
        case .yellowFever: "yellow-fever"
        case .polio: "polio"
        case .coverage: "coverage"
        case .resource(let type): type.description
        }
    }

    /// The name that differs from the text only in case, or nil if there is none.
    static func nearest(to text: String) -> String? {
        let wanted = text.split(separator: "#").last?.lowercased()
        return (commonNames + resourceNames).first { $0.lowercased() == wanted }
    }
}

extension RequiredRecordType {
    /// Whether a card's resource that is no record is of this type, such as its Patient.
    func isMet(bySupportingResourceOf contents: CardContents) -> Bool {
        if case .resource(let type) = self { return contents.attributedTypes.contains(type) }
        return false
    }

    /// Whether a record is of this type. A record that does not count (`Record.objection`), or that is of nobody on the
    /// card (`Record.isAttributed`), never is.
    func answer(about record: Record, names: CodeNames) -> Answer {
        guard record.isAttributed, record.objection == nil else { return .no }
        let isMet: Bool
        switch self {
        case .immunization: isMet = record.isVaccination
        // An observation with the status `registered` has no result yet.
        case .laboratory: isMet = record.type == .laboratory && record.status != "registered"
        case .covid19: return record.answer(about: .covid19, names)
        case .yellowFever: return record.isVaccination ? record.answer(about: .yellowFever, names) : .no
        case .polio: return record.isVaccination ? record.answer(about: .polio, names) : .no
        case .coverage: isMet = record.type == .coverage
        case .recovery: isMet = record.type == .recovery || record.showsPastCOVID19(names)
        case .resource(let type): isMet = record.resourceType == type
        }
        return isMet ? .yes : .no
    }

    /// The member of `vc.type` by which an issuer says that a card has a record of this type; nil if a type is decided by more
    /// than codes, or has no such member.
    var signedType: UTF8Text? {
        switch self {
        case .covid19: "https://smarthealth.cards#covid19"
        case .immunization, .laboratory, .recovery, .yellowFever, .polio, .coverage, .resource: nil
        }
    }

    /// Whether a record may be why the card's `vc.type` names this type: by its codes, even if it does not count.
    func explainsSignedType(_ record: Record, names: CodeNames) -> Bool {
        switch self {
        case .covid19: record.answer(about: .covid19, names) == .yes
        case .immunization, .laboratory, .recovery, .yellowFever, .polio, .coverage, .resource: false
        }
    }

    /// Whether a record is of a type.
    enum Answer: Hashable {
        case yes, no
        /// No list in use tells what any code of the record is about. The first that a list has is given, or else the first.
        case unknown(UnknownCode)
    }
}

extension Record {
    /// Whether the record is a vaccination that was completed.
    fileprivate var isVaccination: Bool {
        type == .immunization && [nil, "completed"].contains(status) && isSubpotent != true
    }

    /// Whether a code of the record or of one of its parts is about a disease. One test of a panel may be.
    ///
    /// The answer is unknown if the record is a vaccination or a laboratory observation with codes, and no list in use tells of any
    /// of them what it is about.
    fileprivate func answer(about target: TargetDisease, _ names: CodeNames) -> RequiredRecordType.Answer {
        if let disease { return target.codes.contains(disease.canonical) ? .yes : .no }
        if target == .covid19, let targets {
            return targets.contains { target.codes.contains($0.canonical) } ? .yes : .no
        }
        let all = codes + results.flatMap { $0.label?.codes ?? [] }
        if all.contains(where: { names.isAbout(target, $0) }) { return .yes }
        guard resourceType == "Immunization" || resourceType == "Observation" && type == .laboratory,
            let first = all.first, !all.contains(where: { names.isTold($0, of: target) })
        else { return .no }
        // One code that a list has is enough: then the card's type does not decide about the others.
        let listed = all.first { names.isKnown($0) }
        return .unknown(
            UnknownCode(
                code: listed ?? first,
                path: "vc.credentialSubject.fhirBundle.entry[\(entryIndex)].resource.\(pathOfFirstCode)",
                isListed: listed != nil))
    }

    /// The path from the resource to the first code of the record or of its parts.
    private var pathOfFirstCode: String {
        if let place = concept.firstCode {
            return (resourceType == "Immunization" ? "vaccineCode." : "code.") + place.path
        }
        for result in results {
            guard let place = result.label?.firstCode, let index = result.componentIndex else { continue }
            return "component[\(index)].code.\(place.path)"
        }
        return "code"
    }

    fileprivate func showsPastCOVID19(_ names: CodeNames) -> Bool {
        if let disease, disease != Code.covid19 { return false }
        switch resourceType {
        case "Observation", "DiagnosticReport":
            guard [nil, "final", "amended", "corrected", "appended"].contains(status) else { return false }
            return results.contains { result in
                (result.label?.codes ?? codes).contains { names.isCOVID19($0) } && result.isPositive(names)
            }
        case "Condition":
            return ["resolved", "inactive"].contains(status) && [nil, "confirmed"].contains(verificationStatus)
                && codes.contains { names.isInfectionWithCOVID19($0) }
        default: return false
        }
    }
}

extension RecordResult {
    /// Whether a code of the result says that it is positive, and none says that it is not.
    fileprivate func isPositive(_ names: CodeNames) -> Bool {
        let answers = coded?.codes.compactMap { names.isPositive($0) } ?? []
        return !answers.isEmpty && !answers.contains(false)
    }
}
