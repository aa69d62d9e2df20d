import FHIR
import JSON
import SMARTHealthCards

/// What a card can be about, as `vc.type` says it.
enum CardTopic: CaseIterable {
    case immunization, laboratory, covid19

    /// The type that says so.
    var type: String {
        switch self {
        case .immunization: "https://smarthealth.cards#immunization"
        case .laboratory: "https://smarthealth.cards#laboratory"
        case .covid19: "https://smarthealth.cards#covid19"
        }
    }

    /// What a payload's Bundle records; nil if there is none.
    static func contents(of payload: PayloadSubject) -> CardContents? {
        payload.claims.flatMap { CardContents($0, names: payload.policy.codeNames) }
    }

    /// Whether the card is about this, by what it records.
    func applies(to contents: CardContents, _ policy: LintPolicy) -> Bool {
        switch self {
        case .immunization: contents.records.contains { $0.resourceType == "Immunization" }
        case .laboratory: contents.records.contains { $0.type == .laboratory }
        case .covid19:
            contents.records.contains { record in
                record.codes.contains { policy.codeNames.isCOVID19($0) }
                    || record.results.contains { $0.label?.codes.contains { policy.codeNames.isCOVID19($0) } == true }
            }
        }
    }
}
