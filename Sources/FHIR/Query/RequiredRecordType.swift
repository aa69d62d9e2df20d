public import JSON

/// A type of record that a card is asked for (`--record-type`; SHC "$health-cards-issue", `credentialType`).
///
/// It is judged by what the Bundle holds, never by the card's `vc.type`, which is deprecated and often wrong.
public enum RequiredRecordType: Sendable, Hashable {
    /// That somebody was immunized: an Immunization that is `completed` and not subpotent.
    case immunization
    /// A laboratory's result: an Observation or DiagnosticReport of the laboratory.
    case laboratory
    /// Anything about COVID-19, by its codes (`CodeNames.isCOVID19`): a vaccination, a test whatever came out of it.
    case covid19
    /// That somebody had COVID-19: a final positive result of a test for it, or a Condition of it that is resolved.
    ///
    /// The framework does not define it; HealthKit has the word for the EU's certificate of recovery, which states a
    /// first positive test. As there, how many days have to have passed is for the verifier to say
    /// (`--until`): yesterday's positive test meets it.
    case recovery
    /// A resource of this FHIR type.
    case resource(UTF8Text)

    /// What stands before the word in HealthKit's and the framework's names.
    private static let prefixes = ["https://smarthealth.cards#", "#"]

    /// Reads `immunization`, `laboratory`, `covid19` or `recovery`, which `#` or `https://smarthealth.cards#` may
    /// precede, or the exact name of a FHIR resource type of R4 or DSTU2.
    ///
    /// - Throws: `RecordQueryError.unknownRecordType` for anything else.
    public init(_ text: String) throws(RecordQueryError) {
        let prefix = Self.prefixes.first { text.hasPrefix($0) }
        switch text.dropFirst(prefix?.count ?? 0) {
        case "immunization": self = .immunization
        case "laboratory": self = .laboratory
        case "covid19": self = .covid19
        case "recovery": self = .recovery
        default:
            guard prefix == nil, CodeTable.resourceTypes.contains(UTF8Text(text)) else {
                throw .unknownRecordType(text)
            }
            self = .resource(UTF8Text(text))
        }
    }

    /// The word, as the command line takes it.
    public var name: String {
        switch self {
        case .immunization: "immunization"
        case .laboratory: "laboratory"
        case .covid19: "covid19"
        case .recovery: "recovery"
        case .resource(let type): type.description
        }
    }

    /// What is nearest to a word that is none, but for its case: what was meant.
    static func nearest(to text: String) -> String? {
        let wanted = text.split(separator: "#").last?.lowercased()
        return ["immunization", "laboratory", "covid19", "recovery"].first { $0 == wanted }
            ?? CodeTable.resourceTypes.codes.first { $0.lowercased() == wanted }
    }
}
