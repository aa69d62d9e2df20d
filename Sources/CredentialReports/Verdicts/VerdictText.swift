import Credentials
import FHIR
import StrictJSON

/// Verdicts as text for people: the verdict, the issuer and the holder, the records, the checks and the Bundle.
struct VerdictText: Report {
    private let palette: Palette
    private let names: CodeNames
    private let width: Int?
    private let repeatsReasons: Bool
    private let tool: Tool
    private let time: VerificationTime
    private var tally: VerdictTally
    /// The line that ends the report if there is only one card.
    private var lastLine = ""
    private var isEmpty = true
    /// The check-in of the last card.
    private var checkIn: CheckIn?

    init(time: VerificationTime, names: CodeNames, to destination: Destination, by tool: Tool) {
        palette = destination.palette
        width = destination.width
        repeatsReasons = !destination.showsMessages
        self.time = time
        tally = VerdictTally(time)
        self.names = names
        self.tool = tool
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        tally.add(verdict)
        // There is nothing to say on an input that was not even read, but the message on standard error.
        guard !verdict.isOfUnreadInput else { return }
        let begin = isEmpty ? "" : "\n"
        isEmpty = false
        if tally.cards == 1 { lastLine = summary(verdict) }
        try sink(TerminalText.log(begin + lines(verdict).joined(separator: "\n") + "\n"))
        checkIn = verdict.examined.presented.checkIn?.checkIn
    }

    /// Writes the verdict again as the last line, which stays on the screen after a long report.
    func finish(to sink: ReportSink) throws {
        guard !isEmpty, tally.cards > 1 || width != nil && tally.cards == 1 else { return }
        try sink(TerminalText.log("\n\(tally.cards == 1 ? lastLine : summary(tally))\n"))
    }

    private func summary(_ verdict: Verdict) -> String {
        let source = verdict.examined.presented.source
        // A single card needs no number, and an input that could not be read has none.
        let isNumbered = verdict.reason?.code != .unreadableInput && source.utf8.suffix(2).elementsEqual("#0".utf8)
        return headline(verdict) + " " + TerminalText.printable(isNumbered ? String(source.dropLast(2)) : source)
    }

    private func summary(_ tally: VerdictTally) -> String {
        palette(tally.style, tally.counts + tally.notes)
    }

    private func lines(_ verdict: Verdict) -> [String] {
        var lines = [headline(verdict)]
        if let link = verdict.examined.presented.link?.link { lines.append(field("Link", link.words)) }
        if let checkIn = verdict.examined.presented.checkIn?.checkIn {
            lines.append(field("Check-in", checkIn.words))
            // What became of the items is said once, and not with each card.
            if checkIn !== self.checkIn { lines += Self.items(of: checkIn).map { field("", $0) } }
        }
        lines.append(field("Card", TerminalText.printable(verdict.examined.presented.source)))
        if let reason = verdict.reason {
            if repeatsReasons {
                lines.append(
                    field("Reason", "\(reason.code.rawValue): \(TerminalText.printable(tool.message(of: reason)))"))
            }
            if let more = tool.explanation(of: reason.code.rawValue) { lines.append(field("", palette(.faint, more))) }
        }
        if let topic = Headline(verdict, time).topic, let more = tool.explanation(of: topic) {
            lines.append(field("", palette(.faint, more)))
        }
        let contents = verdict.claims.flatMap { CardContents($0, names: names, at: time.moment(for: $0)) }
        if let claims = verdict.claims {
            lines.append("")
            if let notice = Headline(verdict, time).notice { lines.append(palette(.bad, notice)) }
            lines += self.claims(claims, contents, verdict)
        }
        lines += ["", palette(.heading, "Checks")]
        lines += verdict.checks.map(check)
        let warnings = verdict.warnings + (contents?.warnings ?? [])
        if !warnings.isEmpty {
            lines += ["", palette(.heading, "Warnings")]
            lines += warnings.map { "  \($0.code.rawValue): \(TerminalText.printable($0.message))" }
        }
        if let (title, content) = verdict.signedContent {
            lines += ["", palette(.heading, title), Self.indented(content)]
        }
        return lines
    }

    /// What a wallet says of the items of a request. The words are a stranger's.
    static func items(of checkIn: CheckIn) -> [String] {
        checkIn.items.map { item in
            let message = item.message.map { ": says \($0.quoted(upTo: 200))" } ?? ""
            let met = item.isMet || item.status != .fulfilled && item.status != .partial ? "" : " (not met)"
            return "\(item.item.quoted(upTo: 80)) \(item.status?.rawValue ?? "without a status")\(met)\(message)"
        }
    }

    /// The first line.
    private func headline(_ verdict: Verdict) -> String {
        let headline = Headline(verdict, time)
        return palette(headline.style, symbol(headline.style.sign ?? "") + headline.words)
    }

    /// A symbol for people, only together with colour. Scripts look for the word after it.
    private func symbol(_ sign: String) -> String { palette.isOn ? "\(sign) " : "" }

    private func claims(_ claims: any Claims, _ contents: CardContents?, _ verdict: Verdict) -> [String] {
        var lines: [String] = []
        for claim in verdict.claimLines(claims, contents, by: tool) {
            lines.append(field(claim.title.description, claim.before + claim.text + claim.after))
        }
        let records = contents?.records ?? []
        if !records.isEmpty {
            lines += ["", palette(.heading, "Records")]
            lines += RecordTable(records, subjects: contents?.subjects, width: width).lines(palette: palette)
        }
        return lines
    }

    private func check(_ check: Check) -> String {
        let words = TerminalText.printable(check.words)
        return "  " + padded(check.name.rawValue, to: 13)
            + palette(check.style, words.isEmpty ? check.resultWords : padded(check.resultWords, to: 16)) + words
    }

    private func field(_ name: String, _ value: String) -> String {
        palette(.heading, padded(name, to: 9)) + value
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func indented(_ value: JSONValue) -> String {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: true)
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
