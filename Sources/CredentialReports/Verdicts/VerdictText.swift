import Credentials
import FHIR

/// Verdicts as text for people: the verdict, the issuer and the holder, the records, the checks and the Bundle.
struct VerdictText: Report {
    private let destination: Destination
    private var document: VerdictDocument
    private var tally: VerdictTally
    /// The line that ends the report if there is only one card.
    private var lastLine = Words("")
    private var isEmpty = true

    init(_ terms: ReportTerms) {
        destination = terms.destination
        document = VerdictDocument(terms: terms)
        tally = VerdictTally(terms.time)
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        tally.add(verdict)
        // There is nothing to say on an input that was not even read, but the message on standard error.
        guard !verdict.isOfUnreadInput else { return }
        if tally.cards == 1 { lastLine = summary(verdict) }
        let blocks = document.blocks(of: verdict, repeatsReasons: !destination.showsMessages)
        try sink(TextRenderer.bytes((isEmpty ? [] : [.line("")]) + blocks, to: destination))
        isEmpty = false
    }

    /// Writes the verdict again as the last line, which stays on the screen after a long report.
    func finish(to sink: ReportSink) throws {
        guard !isEmpty, tally.cards > 1 || destination.width != nil && tally.cards == 1 else { return }
        let totals = Words(tally.counts + tally.notes, .tone(tally.style))
        try sink(
            TextRenderer.bytes([.line(""), .line(tally.cards == 1 ? lastLine : totals)], to: destination))
    }

    private func summary(_ verdict: Verdict) -> Words {
        let source = verdict.examined.presented.source
        // A single card needs no number, and an input that could not be read has none.
        let isNumbered = verdict.reason?.code != .unreadableInput && source.utf8.suffix(2).elementsEqual("#0".utf8)
        let headline = Headline(verdict, document.terms.time)
        return "\(headline.line) \(from: isNumbered ? String(source.dropLast(2)) : source)"
    }
}
