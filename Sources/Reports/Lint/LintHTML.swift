import Conformance
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
            input(source, findings, to: &writer)
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

    private func input(_ source: String, _ findings: [Finding], to writer: inout HTMLWriter) {
        writer.element(.article) { writer in
            writer.element(.h2) { $0.isolated(TerminalText.printable(source, upTo: 300)) }
            if findings.isEmpty { writer.element(.p, text: "No departures found.") }
            for group in Finding.byCard(findings) {
                writer.element(.section) { writer in
                    if let card = group.first?.card { writer.element(.h3, text: "Card \(card)") }
                    let heading: HTMLWriter.Element = group.first?.card == nil ? .h3 : .h4
                    var explained: Set<String> = []
                    for finding in group {
                        let isExplained = !explained.insert(finding.rule.id).inserted
                        write(finding, as: heading, isExplained: isExplained, to: &writer)
                    }
                }
            }
        }
    }

    /// - Parameters:
    ///   - heading: the level of the heading.
    ///   - isExplained: whether an earlier finding has the explanation of this rule.
    private func write(
        _ finding: Finding, as heading: HTMLWriter.Element, isExplained: Bool, to writer: inout HTMLWriter
    ) {
        let rule = finding.rule
        writer.element(.div, .style("finding")) { writer in
            writer.element(heading) { writer in
                writer.element(.span, .style(finding.severity.style.name)) { writer in
                    writer.element(.span, .style("tone"), text: finding.severity.words)
                }
                writer.element(.code, text: rule.id)
            }
            if let place = finding.place {
                writer.element(.p, .style("note")) { writer in
                    writer.text("at ")
                    writer.isolated(place)
                }
            }
            writer.element(.p) { $0.quoting(finding.message) }
            guard !isExplained else { return }
            writer.element(.p, .style("note")) { writer in
                if rule.citation.url.hasPrefix("https://") {
                    writer.element(.a, .toSource(rule.citation)) { $0.text(rule.citation.number) }
                } else {
                    writer.text("\(rule.citation.number) (\(rule.citation.url))")
                }
                writer.text(": \(rule.requirement)")
            }
            writer.element(.p, text: "To do: \(rule.remedy)")
        }
    }
}
