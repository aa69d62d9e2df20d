import Credentials
import FHIR

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
        // There is nothing more to say on an input that was not even read, but the message on standard error.
        guard !verdict.isOfUnreadInput else { return }
        let blocks = document.blocks(of: verdict, contents, isPage: false)
        try sink(TextRenderer.bytes((isEmpty ? [] : [.line("")]) + blocks, to: destination))
        isEmpty = false
    }

    /// Writes a line for each card, which stays on the screen after a long report, and the totals if there are several.
    func finish(to sink: ReportSink) throws {
        guard !isEmpty, tally.cards > 1 || destination.width != nil else { return }
        guard tally.cards > 1 else {
            return try sink(TextRenderer.bytes([.line(""), .line(lastLine)], to: destination))
        }
        try sink(TextRenderer.bytes([.line("")]))
        try lastLines.each { try sink(Array($0)) }
        try sink(TextRenderer.bytes([.line(Words(tally.counts + tally.notes, .tone(tally.style)))], to: destination))
    }

    /// The verdict, whose card it is, and who issued it. What a card only claims is called so.
    ///
    /// - Parameter isOnlyOne: whether the card needs no name, unless there is nothing else to call it by.
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
