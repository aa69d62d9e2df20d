import Conformance
import CredentialReports
import Credentials
import Encodings

/// Findings for people, as text or as a page: input by input and card by card what is wrong, where, and what to do about it. The
/// totals are at the end of text, and at the head of a page.
struct LintDocument: Report {
    let summary: LintSummary
    let now: NumericDate
    let destination: Destination
    let tool: Tool
    let isPage: Bool
    var findings: [Finding] = []

    mutating func add(_ finding: Finding, to sink: ReportSink) throws { findings.append(finding) }

    func finish(to sink: ReportSink) throws {
        guard isPage else {
            let blocks = summary.bySource(findings).flatMap { Finding.blocks($1) } + [.line(summary.totals)]
            return try sink(TextRenderer.bytes(blocks, to: destination))
        }
        let page = HTMLPage(
            headline: summary.result + summary.rest, style: summary.style,
            isWarning: summary.errors == 0 && summary.warnings > 0,
            lead: summary.chosenProfiles.map { "The contents have chosen the profile \($0.rawValue)." }
                + summary.waivedWords,
            foot: "Linted at \(now.toTheSecond) by \(tool.name) \(tool.version).")
        let unreadable = summary.unreadable.map { "\(from: $0, upTo: 300): \(message: $1)" as Words }
        let articles = summary.bySource(findings).map { Finding.article("\(from: $0, upTo: 300)", $1) }
        try page.write(
            (unreadable.isEmpty ? [] : [.article("Could not be read", [.list(unreadable)])]) + articles, to: sink)
    }
}

extension LintSummary {
    /// The line at the end of text.
    var totals: Words { "\(result, .tone(style))\(rest)\(profiles, .tone(.faint))" }

    /// How many rules were excluded; empty if none was.
    var waivedWords: [Words] { waived > 0 ? ["Excluded: \(waived.counted("rule"))."] : [] }
}

extension Finding {
    /// What a page says of one input, or of one issuer.
    ///
    /// - Parameters:
    ///   - part: the number of the part, if something links to it.
    ///   - more: what follows the findings.
    static func article(_ title: Words, part: Int? = nil, _ findings: [Finding], more: [Block] = []) -> Block {
        .article(title, part: part, (findings.isEmpty ? [.line("No violations found.")] : blocks(findings)) + more)
    }

    /// Findings card by card. What a rule requires is said once for each card.
    static func blocks(_ findings: [Finding]) -> [Block] {
        findings.grouped(by: \.card).map { findings in
            var explained: Set<[String]> = []
            let card = findings[0].card
            return .group(
                card == nil ? "Input" : "Card", "\(from: findings[0].subject, upTo: 300)",
                title: card.map { "Card \($0)" },
                findings.map { finding in
                    let isNew = explained.insert([finding.rule.id, finding.remedy]).inserted
                    return finding.block(level: card == nil ? 3 : 4, explains: isNew)
                })
        }
    }

    private func block(level: Int, explains: Bool) -> Block {
        let citation = rule.citation
        let explanation: [Block] = [
            .paragraph("\(citation.number, .source(citation.url)): \(prose: rule.requirement)", isNote: true),
            .paragraph("To do: \(prose: remedy)"),
        ]
        return .finding(
            severity.words, severity.style, rule: rule.id, level: level, at: place.map { "\(from: $0)" },
            [.paragraph("\(message: message)")] + (explains ? explanation : []))
    }
}
