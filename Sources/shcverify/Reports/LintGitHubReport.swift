import Conformance

/// `lint --format github`: a workflow command for each finding, which annotates the file it is in.
struct LintGitHubReport: LintReport {
    func bytes(_ outcome: LintOutcome) -> [UInt8] {
        var lines = outcome.findings.map { line($0) }
        lines += outcome.unreadable.map { source, failure in
            GitHubCommand(
                name: "error", properties: [("file", source), ("title", "unreadable-input")], message: failure
            )
            .line
        }
        return Array(lines.joined().utf8)
    }

    private static func command(for severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .unchecked: "notice"
        }
    }

    private func line(_ finding: Finding) -> String {
        let rule = finding.rule
        var first = finding.message
        if let place = finding.place { first = "\(place): \(first)" }
        if let card = finding.card { first = "card \(card): \(first)" }
        return GitHubCommand(
            name: Self.command(for: finding.severity),
            properties: [
                ("file", finding.source),
                ("line", finding.isInInput ? finding.line.map { String($0) } : nil),
                ("col", finding.isInInput ? finding.column.map { String($0) } : nil),
                ("title", rule.id),
            ],
            message: [first, "\(rule.citation.number): \(rule.requirement)", rule.remedy, rule.citation.url]
                .joined(separator: "\n")
        ).line
    }
}
