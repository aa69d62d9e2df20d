import Conformance
import CredentialReports
import Credentials
import Encodings

/// Findings for people, as text or as a page: for each input and each card, what is wrong, where, and what to do about it. Text has the
/// totals at the end, and a page at the top.
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

    /// How many rules were excluded; empty if none were.
    var waivedWords: [Words] { waived > 0 ? ["Excluded: \(waived.counted("rule"))."] : [] }

    /// What was found, in words.
    var result: String {
        guard errors + warnings == 0 else { return "\(errors.counted("error")), \(warnings.counted("warning"))" }
        guard read > 0 else { return "Nothing was linted" }
        // If rules were excluded, "no violations" on its own would claim too much.
        let excluded = waived > 0 ? ", \(waived.counted("rule")) excluded" : ""
        return "No \(known > 0 ? "new " : "")violations found in \(read.counted("input"))\(excluded)"
    }

    /// Whether the result is good or bad news.
    var style: Palette.Style {
        guard errors + warnings == 0 else { return errors > 0 ? .bad : .unsure }
        return read == 0 ? .bad : hasFailed || !idleProfiles.isEmpty ? .unsure : .good
    }

    /// What could not be checked, was left out or could not be read, as a continuation of the result; empty if there is nothing.
    var rest: String {
        var rest = ""
        if errors + warnings + read > 0 {
            if unchecked > 0 { rest += "; \(unchecked) not checked" }
            for name in idleProfiles { rest += "; the profile \(name) is about nothing in the input" }
            if known > 0 { rest += "; \(known.counted("known finding")) left out (--baseline)" }
        }
        if !unreadable.isEmpty { rest += "; \(unreadable.count.counted("input")) could not be read" }
        return rest
    }

    /// The number of inputs that could be read.
    private var read: Int { inputs.count - unreadable.count }

    /// The profiles that were asked for or that the contents of cards have chosen, as a continuation of the rest; empty if there are none.
    var profiles: String {
        let names = askedProfiles + chosenProfiles.map(\.rawValue)
        guard !names.isEmpty else { return "" }
        let words = askedProfiles.isEmpty ? "chosen by the contents" : "asked for"
        return " (profile \(words): \(names.joined(separator: ", ")))"
    }
}

extension Finding {
    /// What a page says about one input, or one issuer.
    ///
    /// - Parameters:
    ///   - part: the number of the part, if there is a link to it.
    ///   - more: what follows the findings.
    static func article(_ title: Words, part: Int? = nil, _ findings: [Finding], more: [Block] = []) -> Block {
        .article(title, part: part, (findings.isEmpty ? [.line("No violations found.")] : blocks(findings)) + more)
    }

    /// Findings for each card. What a rule requires is said once for each card.
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

extension Severity {
    /// How findings of this severity are marked.
    var style: Palette.Style { self == .error ? .bad : .unsure }
}

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
