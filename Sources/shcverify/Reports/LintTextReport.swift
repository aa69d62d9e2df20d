import Conformance

/// `lint --format text`: for people. What was found, card by card, then how much it is.
struct LintTextReport: LintReport {
    let palette: Palette
    /// How many columns the terminal has; nil if the report does not go to one.
    let width: Int?

    func bytes(_ outcome: LintOutcome) -> [UInt8] {
        var lines: [String] = []
        for (_, findings) in outcome.bySource where !findings.isEmpty {
            for group in Self.grouped(findings) { lines += self.lines(group) + [""] }
        }
        lines.append(summary(outcome))
        return TerminalText.log(lines.joined(separator: "\n") + "\n")
    }

    /// The findings of one input, those of a card together.
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
        // A line never begins with what somebody else wrote: where a CI runner reads along, it may be a command.
        let name = TerminalText.printable(first.subject, upTo: 300)
        var lines = [palette(.heading, TextWidth.padded(first.card == nil ? "Input" : "Card", to: 7)) + name]
        var explained: Set<String> = []
        for finding in findings {
            lines += self.lines(finding, isExplained: !explained.insert(finding.rule.id).inserted)
        }
        return lines
    }

    /// - Parameter isExplained: whether the rule is explained further up.
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

    private func summary(_ outcome: LintOutcome) -> String {
        let unreadable = outcome.unreadable.count
        let rest = unreadable == 0 ? "" : "; \(Self.counted(unreadable, "input")) could not be read"
        let unchecked = outcome.unchecked > 0 ? "; \(outcome.unchecked) not checked" : ""
        guard outcome.errors + outcome.warnings == 0 else {
            let counts = "\(Self.counted(outcome.errors, "error")), \(Self.counted(outcome.warnings, "warning"))"
            return palette(outcome.errors > 0 ? .bad : .unsure, counts) + unchecked + rest
        }
        let read = outcome.inputs.count - unreadable
        // Who has excluded rules is not to read that there is nothing.
        let waived = outcome.waived > 0 ? ", \(Self.counted(outcome.waived, "rule")) excluded" : ""
        guard read > 0 else { return palette(.bad, "Nothing was linted") + rest }
        let style: Palette.Style = outcome.findings.contains(where: outcome.fails) ? .unsure : .good
        return palette(style, "No departures found in \(Self.counted(read, "input"))\(waived)") + unchecked + rest
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
