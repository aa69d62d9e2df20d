import Credentials
import Encodings
import FHIR

/// Records as a page: one table, in which the records of a person follow the name of the person.
///
/// The page begins with their number, and columns without content are left out, so the records wait in memory.
struct RecordsHTML: Report {
    private let terms: ReportTerms
    private var records: [Record] = []
    /// The records of each person on each card, with what stands above them.
    private var groups: [(head: [Words], range: Range<Int>)] = []
    private var cards = 0
    /// What the passes of the cards do not mean.
    private var notes = PassNotes()

    init(_ terms: ReportTerms) { self.terms = terms }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        cards += 1
        notes.add(card.notes)
        for (place, group) in card.byPerson.enumerated() {
            let start = records.count
            records += group
            let warnings = card.warnings(above: group, at: place)
            groups.append((head(card, group.first.flatMap(card.person), warnings: warnings), start..<records.count))
        }
    }

    func finish(to sink: ReportSink) throws {
        var lead: [Words] = ["Cards that did not verify are not on this page."]
        if notes.testSigners > 0 {
            lead.append("TEST: signers of cards marked so are only on a list for tests. Nobody vouches for them.")
        }
        if notes.uncheckedIssuers > 0 {
            lead.append("The signatures are valid. It was not checked whether the issuers are trusted.")
        }
        lead.append(Words(terms.time, lists: terms.lists))
        if notes.openRevocations > 0 { lead.append("It was not checked whether the cards were revoked.") }
        if notes.outdatedByLink > 0 { lead.append("A link says that what it gave is no longer valid.") }
        switch terms.time.moment {
        case .now: break
        case .given(let moment):
            lead.append("The cards were valid as of \(moment.toTheSecond.description), which is not now.")
        case .issue: lead.append("The cards were valid when they were issued. That says nothing about now.")
        }
        let page = HTMLPage(
            headline: "\(records.count.counted("record")) of \(cards.counted("verified card"))",
            style: cards > 0 && notes.isEmpty && terms.time.moment == .now ? .good : .unsure, lead: lead,
            foot: terms.foot, HTMLPage.caution)
        let table = Block.records(RecordColumn.columns(of: records), groups: groups)
        try page.write(groups.isEmpty ? [] : [.article(nil, [table])], to: sink)
    }

    /// The person and the card of a group, then the warnings above its records.
    private func head(
        _ card: CardRecords, _ person: CardRecords.Person?, warnings: [CredentialWarning]
    ) -> [Words] {
        var name: Words =
            person?.name.map { "\(from: $0, upTo: 300, .strong)" }
            ?? "\("Name \(CardRecords.wordsForNoName(of: person))", .strong)"
        if let text = person?.otherLetters { name = "\(name) (transliterated: \(from: text, upTo: 300))" }
        for other in person?.others ?? [] { name = "\(name) (also: \(from: other, upTo: 300))" }
        if let born = person?.birthDate { name = "\(name), born \(from: born, upTo: 300)" }
        let issuer = card.namedIssuer
        let trust = terms.tool.withoutOptions.words(for: card.trust)
        var about: Words =
            "\(card.notes.testSigners > 0 ? "TEST. Card " : "Card ")\(path: card.source), issuer \(issuer.before)"
        about = "\(about)\(from: issuer.name) (\(trust))\(issuer.afterTrust)"
        for words in card.issuerWords { about = "\(about), \(words)" }
        return [name, about] + warnings.map { "\($0.code.rawValue, .code): \(message: $0.message)" }
    }
}
