import Conformance

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
        var lines: [String] = []
        for (_, findings) in summary.bySource(findings) where !findings.isEmpty {
            for group in Self.grouped(findings) { lines += self.lines(group) + [""] }
        }
        lines.append(lastLine + profiles)
        try sink(TerminalText.log(lines.joined(separator: "\n") + "\n"))
    }

    /// The findings of one input, grouped by card.
    private static func grouped(_ findings: [Finding]) -> [[Finding]] {
        var cards: [Int?] = []
        var groups: [Int?: [Finding]] = [:]
        for finding in findings {
            if groups[finding.card] == nil { cards.append(finding.card) }
            groups[finding.card, default: []].append(finding)
        }
        return cards.compactMap { groups[$0] }
    }

    private func lines(_ findings: [Finding]) -> [String] {
        guard let first = findings.first else { return [] }
        // No line begins with text from the input: a CI runner might execute it as a command.
        let name = TerminalText.printable(first.subject, upTo: 300)
        var lines = [palette(.heading, TextWidth.padded(first.card == nil ? "Input" : "Card", to: 7)) + name]
        var explained: Set<String> = []
        for finding in findings {
            lines += self.lines(finding, isExplained: !explained.insert(finding.rule.id).inserted)
        }
        return lines
    }

    /// - Parameter isExplained: whether an earlier finding has printed the explanation of this rule.
    private func lines(_ finding: Finding, isExplained: Bool) -> [String] {
        let style: Palette.Style = finding.severity == .error ? .bad : .unsure
        let severity = palette(style, TextWidth.padded(finding.severity.words, to: 8))
        let place = finding.place.map { "  at \($0)" } ?? ""
        var lines = ["  \(severity) \(finding.rule.id)\(place)"]
        lines += paragraph(TerminalText.printable(finding.message))
        guard !isExplained else { return lines }
        let citation = finding.rule.citation
        lines += paragraph("\(citation.number): \(finding.rule.requirement)").map { palette(.faint, $0) }
        lines += [palette(.faint, "    \(citation.url)")]
        return lines + paragraph("To do: \(finding.rule.remedy)")
    }

    private func paragraph(_ text: String) -> [String] {
        TextWidth.wrapped(text, columns: width.map { $0 - 4 }).map { "    \($0)" }
    }

    /// Which profiles the contents of cards have chosen.
    private var profiles: String {
        guard !summary.chosenProfiles.isEmpty else { return "" }
        let names = summary.chosenProfiles.map(\.rawValue).joined(separator: ", ")
        return palette(.faint, " (profile chosen by the contents: \(names))")
    }

    private var lastLine: String {
        let unreadable = summary.unreadable.count
        let rest = unreadable == 0 ? "" : "; \(Self.counted(unreadable, "input")) could not be read"
        var unchecked = summary.unchecked > 0 ? "; \(summary.unchecked) not checked" : ""
        if summary.known > 0 { unchecked += "; \(Self.counted(summary.known, "known finding")) left out (--baseline)" }
        guard summary.errors + summary.warnings == 0 else {
            let counts = "\(Self.counted(summary.errors, "error")), \(Self.counted(summary.warnings, "warning"))"
            return palette(summary.errors > 0 ? .bad : .unsure, counts) + unchecked + rest
        }
        let read = summary.inputs.count - unreadable
        // If rules were excluded, "no departures" alone would say too much.
        let waived = summary.waived > 0 ? ", \(Self.counted(summary.waived, "rule")) excluded" : ""
        guard read > 0 else { return palette(.bad, "Nothing was linted") + rest }
        let style: Palette.Style = summary.hasFailed ? .unsure : .good
        return palette(
            style, "No \(summary.known > 0 ? "new " : "")departures found in \(Self.counted(read, "input"))\(waived)")
            + unchecked + rest
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
