import Bytes
import Conformance
import CredentialReports
import Credentials

/// Findings as a page: the totals first, then input by input what is wrong, where, and what to do about it.
struct LintHTML: Report {
    private let summary: LintSummary
    private let now: NumericDate
    private let tool: Tool
    private var findings: [Finding] = []

    init(summary: LintSummary, now: NumericDate, by tool: Tool) {
        self.summary = summary
        self.now = now
        self.tool = tool
    }

    mutating func add(_ finding: Finding, to sink: ReportSink) throws { findings.append(finding) }

    func finish(to sink: ReportSink) throws {
        var part = ReportPart()
        var writer = HTMLWriter()
        let page = HTMLPage(
            headline: summary.result + summary.rest, style: summary.style,
            isWarning: summary.errors == 0 && summary.warnings > 0,
            origin: "Linted at \(now.toTheSecond) by \(tool.name) \(tool.version).")
        page.begin(to: &writer) { writer in
            for profile in summary.chosenProfiles {
                writer.element(.p, text: "The contents have chosen the profile \(profile.rawValue).")
            }
            if summary.waived > 0 { writer.element(.p, text: "Excluded: \(summary.waived.counted("rule")).") }
        }
        if !summary.unreadable.isEmpty { unreadable(to: &writer) }
        try part.add(writer.bytes, to: sink)
        for (source, findings) in summary.bySource(findings) {
            writer = HTMLWriter()
            FindingArticle.write(source, findings, to: &writer)
            try part.add(writer.bytes, to: sink)
        }
        writer = HTMLWriter()
        page.end(to: &writer)
        try part.add(writer.bytes, to: sink)
        try part.flush(to: sink)
    }

    private func unreadable(to writer: inout HTMLWriter) {
        writer.element(.article) { writer in
            writer.element(.h2, text: "Could not be read")
            writer.element(.ul) { writer in
                for (source, failure) in summary.unreadable {
                    writer.element(.li) { writer in
                        writer.isolated(TerminalText.printable(source, upTo: 300))
                        writer.text(": ")
                        writer.quoting(failure)
                    }
                }
            }
        }
    }
}
