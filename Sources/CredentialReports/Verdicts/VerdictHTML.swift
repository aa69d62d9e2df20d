import Credentials
import FHIR

/// Verdicts as a page. The verdict comes first, then card by card what a person asks: whose it is, what it records, who issued it
/// and why that issuer is trusted. What developers ask is folded away: codes, the checks, the key, the Bundle.
///
/// A page is printed and passed on. So it names files without their folders, and what is folded is not printed. It begins with
/// the totals, so the written cards wait in memory, compressed if they are many.
struct VerdictHTML: Report {
    private let time: VerificationTime
    private let names: CodeNames
    private let tool: Tool
    private let lists: [String]
    private var tally: VerdictTally
    /// The number of cards.
    private var count = 0
    /// The check-in of the last card.
    private var checkIn: CheckIn?
    /// The first card, which is shown in another way if it is the only one.
    private var first: Card?
    /// The rows of the list of all cards.
    private var rows = WaitingPieces()
    /// The cards' parts of the page.
    private var parts = WaitingPieces()

    /// A card whose part of the page is written.
    private struct Card {
        let headline: String
        let style: Palette.Style
        /// The name of the card.
        let source: String
        let content: [UInt8]
    }

    init(time: VerificationTime, names: CodeNames, by tool: Tool, trusting lists: [String]) {
        self.time = time
        tally = VerdictTally(time)
        self.names = names
        self.tool = tool
        self.lists = lists
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        tally.add(verdict)
        var writer = HTMLWriter()
        write(verdict, to: &writer)
        checkIn = verdict.examined.presented.checkIn?.checkIn
        let headline = Headline(verdict, time)
        let card = Card(
            headline: headline.words, style: headline.style,
            source: HTMLPage.fileName(verdict.examined.presented.source), content: writer.bytes)
        if count == 0 { first = card }
        var row = HTMLWriter()
        self.row(card, number: count, to: &row)
        rows.add(row.bytes)
        var part = HTMLWriter()
        part.element(.article, .part(count)) { writer in
            head(card, to: &writer)
            writer.add(card.content)
        }
        parts.add(part.bytes)
        count += 1
    }

    func finish(to sink: ReportSink) throws {
        let single = count == 1 ? first : nil
        let page = HTMLPage(
            headline: single?.headline ?? tally.counts + tally.notes, style: single?.style ?? tally.style,
            origin: "\(time.words), by \(tool.name) \(tool.version). \(names.listsInWords)")
        var part = ReportPart()
        var writer = HTMLWriter()
        page.begin(to: &writer) { writer in
            if let single {
                writer.element(.p) { $0.isolated(single.source) }
            }
            HTMLPage.date(time, lists: lists, to: &writer)
        }
        if let single {
            writer.element(.article, .part(0)) { $0.add(single.content) }
        } else if count > 1 {
            try overview(to: &writer)
        }
        try part.add(writer.bytes, to: sink)
        if single == nil { try parts.each { try part.add($0, to: sink) } }
        writer = HTMLWriter()
        page.end(to: &writer, note: HTMLPage.caution)
        try part.add(writer.bytes, to: sink)
        try part.flush(to: sink)
    }

    /// Writes a list of all cards with their verdicts.
    private func overview(to writer: inout HTMLWriter) throws {
        var all: [UInt8] = []
        try rows.each { all += $0 }
        writer.element(.article) { writer in
            writer.element(.h2, text: "Cards")
            writer.table("short", columns: ["Card", "Verdict"]) { $0.element(.tbody) { $0.add(all) } }
        }
    }

    private func row(_ card: Card, number: Int, to writer: inout HTMLWriter) {
        writer.element(.tr) { writer in
            writer.element(.td) { writer in
                writer.element(.a, .toPart(number)) { $0.isolated(card.source) }
            }
            writer.element(.td, .style(card.style.name)) { writer in
                HTMLPage.sign(card.style, to: &writer)
                writer.text(" ")
                writer.element(.span, .style("tone"), text: card.headline)
            }
        }
    }

    private func head(_ card: Card, to writer: inout HTMLWriter) {
        writer.element(.header, .style(card.style.name)) { writer in
            HTMLPage.sign(card.style, to: &writer)
            writer.element(.div) { writer in
                writer.element(.h2, text: card.headline)
                writer.element(.p) { $0.isolated(card.source) }
            }
        }
    }

    private func write(_ verdict: Verdict, to writer: inout HTMLWriter) {
        if let link = verdict.examined.presented.link?.link {
            section("Link", to: &writer) { $0.element(.p, text: TerminalText.printable(link.words)) }
        }
        if let checkIn = verdict.examined.presented.checkIn?.checkIn {
            section("Check-in", to: &writer) { writer in
                writer.element(.p, text: TerminalText.printable(checkIn.words))
                for item in checkIn === self.checkIn ? [] : VerdictText.items(of: checkIn) {
                    writer.element(.p) { $0.isolated(TerminalText.printable(item)) }
                }
            }
        }
        if let reason = verdict.reason { write(reason, of: verdict.examined.presented.kind, to: &writer) }
        if let topic = Headline(verdict, time).topic { write(topic: topic, to: &writer) }
        let contents = verdict.claims.flatMap { CardContents($0, names: names, at: time.moment(for: $0)) }
        if let claims = verdict.claims {
            writer.element(.section, .style(verdict.claimsStyle)) { writer in
                if let notice = Headline(verdict, time).notice {
                    writer.element(.p, .style("warning"), text: notice)
                }
                write(Verdict.personLines(contents), to: &writer)
                records(contents, isSigned: verdict.isSigned, to: &writer)
                writer.element(.section) { writer in
                    write(
                        verdict.issuerLines(claims, by: tool.withoutOptions) + Verdict.timeLines(claims), to: &writer)
                }
            }
        }
        let warnings = verdict.warnings + (contents?.warnings ?? [])
        if !warnings.isEmpty {
            section("Warnings", to: &writer) { writer in
                writer.element(.ul) { writer in
                    for warning in warnings {
                        writer.element(.li) { writer in
                            writer.quoting(warning.message)
                            writer.text(" ")
                            writer.element(.code, .style("note"), text: warning.code.rawValue)
                        }
                    }
                }
            }
        }
        details(of: verdict, to: &writer)
    }

    /// Writes what developers and operators ask: the reason's code, options of the program, the checks, the key, and the Bundle or
    /// certificate. It is folded.
    private func details(of verdict: Verdict, to writer: inout HTMLWriter) {
        guard verdict.reason != nil || !verdict.checks.isEmpty || verdict.claims != nil else { return }
        writer.element(.details) { writer in
            writer.element(.summary, text: "Technical details")
            if let reason = verdict.reason {
                section("Reason", to: &writer) { writer in
                    writer.element(.p) { writer in
                        writer.element(.code, text: reason.code.rawValue)
                        writer.text(": ")
                        writer.quoting(tool.message(of: reason))
                        if let more = tool.explanation(of: reason.code.rawValue) { writer.text("; \(more)") }
                    }
                    let explanation = reason.code.explanation(for: verdict.examined.presented.kind)
                    writer.element(.p, text: explanation.remedy)
                }
            } else if let topic = Headline(verdict, time).topic {
                let words = [tool.topics?(topic)?.remedy, tool.explanation(of: topic).map { $0 + "." }].compactMap(
                    \.self)
                if !words.isEmpty {
                    section("What to do", to: &writer) { $0.element(.p, text: words.joined(separator: " ")) }
                }
            }
            if !verdict.checks.isEmpty { checks(verdict.checks, to: &writer) }
            let key = key(of: verdict)
            if !key.isEmpty { writer.element(.section) { write(key, to: &$0) } }
            if let (title, content) = verdict.signedContent {
                writer.element(.section, .style(verdict.claimsStyle)) { writer in
                    writer.element(.h3, text: title)
                    writer.element(.pre) { $0.json(content) }
                }
            }
        }
    }

    private func section(
        _ title: String, to writer: inout HTMLWriter, content: (inout HTMLWriter) -> Void
    ) {
        writer.element(.section) { writer in
            writer.element(.h3, text: title)
            content(&writer)
        }
    }

    /// Writes why the card did not verify, what that means and what to do.
    private func write(_ reason: VerificationFailure, of kind: CredentialKind?, to writer: inout HTMLWriter) {
        section("Reason", to: &writer) { writer in
            let explanation = reason.code.explanation(for: kind)
            if !reason.code.isTechnical { writer.element(.p) { $0.quoting(reason.message) } }
            writer.element(.p, text: explanation.meaning)
            writer.element(.p, text: "What to do: \(reason.code.holderAdvice)")
        }
    }

    /// Writes what the most important note on a pass means, and what the holder can do.
    private func write(topic: String, to writer: inout HTMLWriter) {
        guard let (meaning, _, holder) = tool.topics?(topic) else { return }
        section("What this means", to: &writer) { writer in
            writer.element(.p, text: meaning)
            if let holder { writer.element(.p, text: "If you hold the card: \(holder)") }
        }
    }

    /// The key that the card names and, if the card verified with it, where it comes from.
    private func key(of verdict: Verdict) -> [ClaimLine] {
        guard let key = verdict.claims?.keyID else { return [] }
        let origin =
            switch verdict.isSigned ? verdict.keyOrigin : nil {
            case .jwksFile: " (from a given key set)"
            case .directory: " (from a directory)"
            case .cache: " (from the cache)"
            case .network: " (from the issuer)"
            case nil: ""
            }
        return [ClaimLine(title: "Key", text: TerminalText.printable(key, upTo: 200), after: origin)]
    }

    private func write(_ lines: [ClaimLine], to writer: inout HTMLWriter) {
        guard !lines.isEmpty else { return }
        writer.element(.dl) { writer in
            for line in lines {
                if !line.title.description.isEmpty { writer.element(.dt, text: line.title.description) }
                writer.element(.dd) { writer in
                    writer.text(line.before)
                    writer.isolated(line.text)
                    if !line.after.isEmpty { writer.element(.span, .style("note"), text: line.after) }
                }
            }
        }
    }

    private func records(_ contents: CardContents?, isSigned: Bool, to writer: inout HTMLWriter) {
        guard let contents, !contents.records.isEmpty else { return }
        section(isSigned ? "Records" : "Records (NOT VERIFIED)", to: &writer) { writer in
            let rows = RecordRows(RecordColumn.columns(of: contents.records, subjects: contents.subjects))
            rows.table(to: &writer) { rows.group(contents.records.indices, to: &$0) }
        }
    }

    private func checks(_ checks: [Check], to writer: inout HTMLWriter) {
        section("Checks", to: &writer) { writer in
            writer.table("short", columns: ["Check", "Result", "Details"]) { writer in
                writer.element(.tbody) { writer in
                    for check in checks {
                        writer.element(.tr) { writer in
                            writer.element(.td, text: check.name.rawValue)
                            writer.element(.td, .style(check.style.name)) { writer in
                                writer.element(.span, .style("tone"), text: check.resultWords)
                            }
                            writer.element(.td) { $0.quoting(check.words) }
                        }
                    }
                }
            }
        }
    }
}

extension Verdict {
    /// The class of claims in the style sheet.
    fileprivate var claimsStyle: StaticString { verified != nil ? "claims" : isSigned ? "over" : "unverified" }
}
