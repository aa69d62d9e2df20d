package import Conformance
package import CredentialReports
import Encodings

/// The formats of the list of all rules.
package enum RuleListFormat: String, ReportFormat {
    case text, json

    package var summary: String {
        switch self {
        case .text: "a list for people"
        case .json: "one JSON document"
        }
    }

    /// A list in this format.
    ///
    /// - Parameter destination: the output that the list is written to.
    package func report(to destination: Destination) -> any Report<Rule> {
        switch self {
        case .text: RuleListText(to: destination)
        case .json: RuleListJSON(to: destination)
        }
    }
}

/// The rules of `lint` as text for people.
private struct RuleListText: Report {
    private let destination: Destination
    private var part = ReportPart()
    private var count = 0

    init(to destination: Destination) {
        self.destination = destination
    }

    mutating func add(_ rule: Rule, to sink: ReportSink) throws {
        count += 1
        let name: Words = "\(rule.id, .tone(.heading))  \(rule.citation.number), \(rule.subject)"
        let blocks: [Block] = [
            .line("\(TextWidth.padded(rule.severity.rawValue, to: 8))\(name)"),
            .indented(8, [.paragraph(Words(rule.requirement))]),
        ]
        try part.add(TextRenderer.bytes(blocks, to: destination), to: sink)
    }

    mutating func finish(to sink: ReportSink) throws {
        try part.add(TextRenderer.bytes([.line(Words(count.counted("rule")))]), to: sink)
        try part.flush(to: sink)
    }
}
