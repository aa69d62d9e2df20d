import CredentialReports
import Credentials
import Inputs
import SMARTHealthCards

/// Recognizing the form of inputs, and `inspect`. 0xFF, which no UTF-8 text contains, separates one input from the next.
enum ArtifactTarget: FuzzTarget {
    static let name = "artifact"

    static func run(_ bytes: [UInt8]) {
        var reader = CredentialReader()
        for input in bytes.split(separator: 0xFF, maxSplits: 7, omittingEmptySubsequences: false) {
            reader.add(Array(input), source: "fuzz")
        }
        let cards = reader.cards()
        require(!cards.isEmpty, "an input has a card or a failure")
        require(Set(cards.map(\.source)).count == cards.count, "no two cards have the same name")
        guard
            let verifier = try? CardVerifier(policy: FixedPolicy.keysGiven, totalPayloadSize: Bounds.inputPayloadSize)
        else { return }
        let inspections = cards.map { Inspection.card(verifier.inspect($0)) }
        let report = { (format: InspectionFormat, isTerminal: Bool) in
            format.report(to: Destination(isTerminal: isTerminal)).text(of: inspections)
        }
        ReportOracle.isInert(report(.text, false))
        let document = report(.json, true)
        ReportOracle.isInert(document)
        _ = ReportOracle.json(document)
    }
}
