import Credentials
import FHIR

/// Verdicts as a page: the verdict first, then card by card.
///
/// A page is printed and passed on. So it names files without their folders, and what is folded is not printed. It begins with
/// the totals, so the written cards wait in memory, compressed if they are many.
struct VerdictHTML: Report {
    private let terms: ReportTerms
    private var document: VerdictDocument
    private var tally: VerdictTally
    /// The number of cards.
    private var count = 0
    /// The first card, which is shown in another way if it is the only one.
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
