import Conformance
import CredentialReports

/// Findings as text for people: card by card, and the totals at the end.
struct LintText: Report {
    private let summary: LintSummary
    private let palette: Palette
    private let width: Int?
    private var findings: [Finding] = []

    init(summary: LintSummary, to destination: Destination) {
        self.summary = summary
        palette = destination.palette
        width = destination.width
    }

    mutating func add(_ finding: Finding, to sink: ReportSink) throws { findings.append(finding) }

    func finish(to sink: ReportSink) throws {
        let lines = blocks(findings) + [totals]
        try sink(TerminalText.log(lines.joined(separator: "\n") + "\n"))
    }

    /// The lines of findings, input by input and card by card.
    func blocks(_ findings: [Finding]) -> [String] {
        var lines: [String] = []
        for (_, findings) in summary.bySource(findings) where !findings.isEmpty {
            for group in Finding.byCard(findings) { lines += self.lines(group) + [""] }
        }
        return lines
    }

    /// The line at the end.
    var totals: String {
        let profiles = summary.profiles.isEmpty ? "" : palette(.faint, summary.profiles)
        return palette(summary.style, summary.result) + summary.rest + profiles
    }

    private func lines(_ findings: [Finding]) -> [String] {
        guard let first = findings.first else { return [] }
        // No line begins with text from the input: a CI runner might execute it as a command.
        let name = TerminalText.printable(first.subject, upTo: 300)
        var lines = [palette(.heading, TextWidth.padded(first.card == nil ? "Input" : "Card", to: 7)) + name]
        var explained: Set<[String]> = []
        for finding in findings {
            lines += self.lines(finding, isExplained: !explained.insert([finding.rule.id, finding.remedy]).inserted)
        }
        return lines
    }

    /// - Parameter isExplained: whether an earlier finding has printed the explanation of this rule.
    private func lines(_ finding: Finding, isExplained: Bool) -> [String] {
        let severity = palette(finding.severity.style, TextWidth.padded(finding.severity.words, to: 8))
        let place = finding.place.map { "  at \($0)" } ?? ""
        var lines = ["  \(severity) \(finding.rule.id)\(place)"]
        lines += paragraph(TerminalText.printable(finding.message))
        guard !isExplained else { return lines }
        let citation = finding.rule.citation
        lines += paragraph("\(citation.number): \(finding.rule.requirement)").map { palette(.faint, $0) }
        lines += [palette(.faint, "    \(citation.url)")]
        return lines + paragraph("To do: \(finding.remedy)")
    }

    private func paragraph(_ text: String) -> [String] {
        TextWidth.wrapped(text, columns: width.map { $0 - 4 }).map { "    \($0)" }
    }
}
