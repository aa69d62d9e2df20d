import Conformance
import CredentialReports

/// Findings as workflow commands of GitHub Actions, which show each finding at its file.
struct LintGitHub: Report {
    private let summary: LintSummary
    private var part = ReportPart()

    init(summary: LintSummary) {
        self.summary = summary
    }

    mutating func add(_ finding: Finding, to sink: ReportSink) throws {
        try part.add(line(finding).utf8, to: sink)
    }

    mutating func finish(to sink: ReportSink) throws {
        for (source, failure) in summary.unreadable {
            let properties = [("file", source), ("title", "unreadable-input")]
            let command = GitHubCommand(name: "error", properties: properties, message: failure)
            try part.add(command.line.utf8, to: sink)
        }
        try part.flush(to: sink)
    }

    private func line(_ finding: Finding) -> String {
        let rule = finding.rule
        var first = finding.message
        if let place = finding.place { first = "\(place): \(first)" }
        if let card = finding.card { first = "card \(card): \(first)" }
        return GitHubCommand(
            name: finding.severity == .unchecked ? "notice" : finding.severity.rawValue,
            properties: [
                ("file", finding.source),
                ("line", finding.isInInput ? finding.line.map { String($0) } : nil),
                ("col", finding.isInInput ? finding.column.map { String($0) } : nil),
                ("title", rule.id),
            ],
            message: [first, "\(rule.citation.number): \(rule.requirement)", finding.remedy, rule.citation.url]
                .joined(separator: "\n")
        ).line
    }
}

/// A workflow command of GitHub Actions: a line of output that adds an annotation to a file.
///
/// The runner executes every line that begins with `::` (after optional white space), and every line that contains
/// `##[`. So a value must never begin a line, and must never end its own command.
struct GitHubCommand {
    let name: String
    let properties: [(name: String, value: String?)]
    let message: String

    /// The command as a line, with its line break.
    var line: String {
        let properties = self.properties.compactMap { property in
            // The runner misreads the properties after an empty one, so empty ones are left out.
            property.value.flatMap { $0.isEmpty ? nil : "\(property.name)=\(Self.property($0))" }
        }
        return "::\(name) \(properties.joined(separator: ","))::\(Self.data(message))\n"
    }

    private static let escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]

    // Other build servers may execute `##[` inside a line.
    private static func data(_ text: String) -> String { TerminalText.escaped(text, escapes, secondSign: " #") }

    private static func property(_ text: String) -> String {
        TerminalText.escaped(text, escapes.merging([":": "%3A", ",": "%2C"]) { $1 }, secondSign: " #")
    }
}
