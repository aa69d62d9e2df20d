public import Credentials
public import FHIR

/// The formats of a report on verdicts.
public enum VerdictFormat: String, ReportFormat {
    case text, json, fhir, html, handover

    public var summary: String {
        switch self {
        case .text: "a report for people"
        case .json: "one JSON document"
        case .fhir: "only the FHIR Bundle, one per line"
        case .html: "a page to look at"
        case .handover: "a FHIR transaction for a server that stores the records"
        }
    }

    /// A report in this format.
    ///
    /// - Parameters:
    ///   - time: the time for which the cards are verified, as their verifier was told.
    ///   - names: names for codes.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - lists: the names of the lists of trusted issuers, which a page shows.
    ///   - includesUnsigned: whether a hand-over also contains the unsigned FHIR content of links.
    ///   - isBrief: whether text leaves out the checks and the FHIR Bundle.
    public func report(
        time: VerificationTime, names: CodeNames, to destination: Destination, by tool: Tool,
        trusting lists: [String] = [], includingUnsigned includesUnsigned: Bool = false, isBrief: Bool = false
    ) -> any Report<Verdict> {
        let terms = ReportTerms(
            time: time, names: names, destination: destination, tool: tool, lists: lists,
            includesUnsigned: includesUnsigned, isBrief: isBrief)
        return switch self {
        case .text: VerdictText(terms)
        case .json: VerdictJSON(terms)
        case .fhir: VerdictFHIR(to: destination)
        case .html: VerdictHTML(terms)
        case .handover: VerdictHandover(terms)
        }
    }

    /// A report in this format on cards that are verified for the current time.
    ///
    /// - Parameters:
    ///   - now: the time for which the cards are verified.
    ///   - names: names for codes.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - lists: the names of the lists of trusted issuers, which a page shows.
    public func report(
        now: NumericDate, names: CodeNames, to destination: Destination, by tool: Tool, trusting lists: [String] = []
    ) -> any Report<Verdict> {
        report(time: VerificationTime(madeAt: now), names: names, to: destination, by: tool, trusting: lists)
    }
}

/// What a report on cards is made with.
struct ReportTerms {
    /// The time for which the cards are verified.
    let time: VerificationTime
    let names: CodeNames
    let destination: Destination
    let tool: Tool
    /// The names of the lists of trusted issuers.
    let lists: [String]
    var includesUnsigned = false
    var isBrief = false

    /// The last line of a page.
    var foot: String { "\(time.words), by \(tool.name) \(tool.version). \(names.listsInWords)" }
}

extension VerificationTime {
    /// When cards were verified, and for which time, in words for a report.
    var words: String {
        let made = "Verified at \(madeAt.toTheSecond)"
        return switch moment {
        case .now: made
        case .given(let time): "\(made) as of \(time.toTheSecond)"
        case .issue: "\(made), each as of its own issue"
        }
    }
}

/// Verdicts as a page: the verdict first, then each card.
///
/// A page is printed and passed on. So it names files without their folders, and what is folded away is not printed. It begins with the
/// totals, so the finished cards are kept in memory, compressed if there are many.
struct VerdictHTML: Report {
    private let terms: ReportTerms
    private var document: VerdictDocument
    private var tally: VerdictTally
    /// The number of cards.
    private var count = 0
    /// The first card, which is shown differently if it is the only one.
    private var first: (headline: Headline, source: String, blocks: [Block])?
    /// The rows of the list of all cards.
    private var rows = WaitingPieces()
    /// The cards' parts of the page.
    private var parts = WaitingPieces()

    init(_ terms: ReportTerms) {
        self.terms = terms
        document = VerdictDocument(terms: terms)
        tally = VerdictTally(terms.time)
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        tally.add(verdict)
        let headline = Headline(verdict, terms.time)
        let source = verdict.examined.presented.source
        let blocks = document.blocks(of: verdict, document.contents(of: verdict), isPage: true)
        if count == 0 { first = (headline, source, blocks) }
        rows.add(HTMLWriter.bytes { $0.row(["\(path: source, .part(count))", headline.line]) })
        let head = Block.head(headline.words, headline.style, ["\(path: source)"])
        parts.add(HTMLWriter.bytes { $0.write([.article(part: count, [head] + blocks)]) })
        count += 1
    }

    func finish(to sink: ReportSink) throws {
        let single = count == 1 ? first : nil
        let page = HTMLPage(
            headline: single?.headline.words ?? tally.counts + tally.notes,
            style: single?.headline.style ?? tally.style,
            lead: (single.map { ["\(path: $0.source)"] } ?? []) + [Words(terms.time, lists: terms.lists)],
            foot: terms.foot, HTMLPage.caution)
        if let single { return try page.write([.article(part: 0, single.blocks)], to: sink) }
        var all: [UInt8] = []
        try rows.each { all += $0 }
        let overview = Block.article("Cards", [.overview(["Card", "Verdict"], rows: all)])
        try page.write(count == 0 ? [] : [overview], then: parts, to: sink)
    }
}

/// Verdicts as text for people: the verdict, the issuer and the holder, the records, the checks and the Bundle.
struct VerdictText: Report {
    private let destination: Destination
    private var document: VerdictDocument
    private var tally: VerdictTally
    /// The last line of the report on a single card.
    private var lastLine = Words("")
    /// The last lines of the report on several cards.
    private var lastLines = WaitingPieces()
    private var isEmpty = true

    init(_ terms: ReportTerms) {
        destination = terms.destination
        document = VerdictDocument(terms: terms)
        tally = VerdictTally(terms.time)
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        tally.add(verdict)
        let contents = document.contents(of: verdict)
        if tally.cards == 1 { lastLine = summary(of: verdict, contents, isOnlyOne: true) }
        lastLines.add(TextRenderer.bytes([.list([summary(of: verdict, contents)])], to: destination))
        // If an input was not even read, the message on standard error says everything.
        guard !verdict.isOfUnreadInput else { return }
        let blocks = document.blocks(of: verdict, contents, isPage: false)
        try sink(TextRenderer.bytes((isEmpty ? [] : [.line("")]) + blocks, to: destination))
        isEmpty = false
    }

    /// Writes a line for each card, which stays on the screen after a long report, and the totals if there are several cards.
    func finish(to sink: ReportSink) throws {
        guard !isEmpty, tally.cards > 1 || destination.width != nil else { return }
        guard tally.cards > 1 else {
            return try sink(TextRenderer.bytes([.line(""), .line(lastLine)], to: destination))
        }
        try sink(TextRenderer.bytes([.line("")]))
        try lastLines.each { try sink(Array($0)) }
        try sink(TextRenderer.bytes([.line(Words(tally.counts + tally.notes, .tone(tally.style)))], to: destination))
    }

    /// The verdict, whose card it is, and who issued it. Unverified claims are marked as such.
    ///
    /// - Parameter isOnlyOne: whether the card needs no name, unless nothing else identifies it.
    private func summary(of verdict: Verdict, _ contents: CardContents?, isOnlyOne: Bool = false) -> Words {
        var parts: [Words] = []
        if let subject = contents?.subjects.first {
            parts.append(subject.name.map { "\($0, upTo: 80)" } ?? "no name")
            if let born = subject.birthDate { parts.append("born \(born, upTo: 40)") }
        }
        if let others = contents?.subjects.dropFirst().count, others > 0 { parts.append("and \(others) more") }
        if let issuer = NamedIssuer(of: verdict) {
            let name = verdict.isSigned ? verdict.directoryEntry?.name : nil
            parts.append("issuer \(issuer.before)\(from: name.map { $0.cut(to: 80) } ?? issuer.name)")
        }
        let source = verdict.examined.presented.source
        let headline = Headline(verdict, document.terms.time).line
        let card: Words = isOnlyOne && !parts.isEmpty ? "" : "\(from: source)\(parts.isEmpty ? "" : ": ")"
        let claim = parts.isEmpty || verdict.isSigned ? "" : "claims "
        let persons = parts.first.map { parts.dropFirst().reduce($0) { "\($0), \($1)" } } ?? ""
        return "\(headline)  \(card)\(claim)\(persons)"
    }
}
