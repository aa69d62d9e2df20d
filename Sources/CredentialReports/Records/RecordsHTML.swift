import Bytes
import Credentials
import FHIR

/// Records as a page: one table, in which the records of a person follow the name of the person.
///
/// The page begins with their number, and columns without content are left out, so the records wait in memory.
struct RecordsHTML: Report {
    private let time: VerificationTime
    private let names: CodeNames
    private let tool: Tool
    private let lists: [String]
    private var records: [Record] = []
    private var groups: [Group] = []
    private var cards = 0
    /// Whether the issuer of a card was not checked.
    private var hasUncheckedIssuer = false
    /// Whether a card was not looked up in a list that could have revoked it.
    private var leavesRevocationOpen = false
    /// Whether the signer of a card is only on a list for tests.
    private var hasTestSigner = false

    /// Records of one person on one card.
    private struct Group {
        let card: CardRecords
        let person: CardRecords.Person?
        /// The warnings above the records.
        let warnings: [CredentialWarning]
        /// The places of the records.
        let range: Range<Int>
    }

    init(time: VerificationTime, names: CodeNames, by tool: Tool, trusting lists: [String]) {
        self.lists = lists
        self.names = names
        self.time = time
        self.tool = tool
    }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        cards += 1
        hasUncheckedIssuer = hasUncheckedIssuer || card.trust == .unchecked
        leavesRevocationOpen = leavesRevocationOpen || card.leavesRevocationOpen
        hasTestSigner = hasTestSigner || card.isOfTestList
        for (place, group) in card.byPerson.enumerated() {
            let start = records.count
            records += group
            groups.append(
                Group(
                    card: card, person: group.first.flatMap(card.person),
                    warnings: card.warnings(above: group, at: place), range: start..<records.count))
        }
    }

    func finish(to sink: ReportSink) throws {
        var writer = HTMLWriter()
        let page = HTMLPage(
            headline: "\(records.count.counted("record")) of \(cards.counted("verified card"))",
            style: cards == 0 || hasUncheckedIssuer || leavesRevocationOpen || hasTestSigner || time.moment != .now
                ? .unsure : .good,
            origin: "\(time.words), by \(tool.name) \(tool.version). \(names.listsInWords)")
        page.begin(to: &writer) { writer in
            writer.element(.p, text: "Cards that did not verify are not on this page.")
            if hasTestSigner {
                writer.element(
                    .p, text: "TEST: signers of cards marked so are only on a list for tests. Nobody vouches for them.")
            }
            if hasUncheckedIssuer {
                writer.element(
                    .p, text: "The signatures are valid. It was not checked whether the issuers are trusted.")
            }
            HTMLPage.date(time, lists: lists, to: &writer)
            if leavesRevocationOpen {
                writer.element(.p, text: "It was not checked whether the cards were revoked.")
            }
            switch time.moment {
            case .now: break
            case .given(let moment):
                writer.element(.p, text: "The cards were valid as of \(moment.toTheSecond), which is not now.")
            case .issue:
                writer.element(.p, text: "The cards were valid when they were issued. That says nothing about now.")
            }
        }
        if !groups.isEmpty {
            writer.element(.article) { writer in
                let rows = RecordRows(RecordColumn.columns(of: records))
                rows.table(to: &writer) { writer in
                    for group in groups {
                        rows.group(group.range, to: &writer) { head(group, to: &$0) }
                    }
                }
            }
        }
        page.end(to: &writer, note: HTMLPage.caution)
        try sink(writer.bytes)
    }

    private func head(_ group: Group, to writer: inout HTMLWriter) {
        let card = group.card
        writer.element(.strong) { writer in
            if let name = group.person?.name {
                writer.isolated(TerminalText.printable(name, upTo: 300))
            } else {
                writer.text("Name \(CardRecords.wordsForNoName(of: group.person))")
            }
        }
        if let text = group.person?.otherLetters {
            writer.text(" (transliterated: ")
            writer.isolated(TerminalText.printable(text, upTo: 300))
            writer.text(")")
        }
        for name in group.person?.others ?? [] {
            writer.text(" (also: ")
            writer.isolated(TerminalText.printable(name, upTo: 300))
            writer.text(")")
        }
        if let born = group.person?.birthDate {
            writer.text(", born ")
            writer.isolated(TerminalText.printable(born, upTo: 300))
        }
        writer.element(.div, .style("note")) { writer in
            writer.text(card.isOfTestList ? "TEST. Card " : "Card ")
            writer.isolated(HTMLPage.fileName(card.source))
            writer.text(", issuer \(card.namedIssuer.before)")
            writer.isolated(card.namedIssuer.name)
            writer.text(" (\(tool.withoutOptions.words(for: card.trust)))\(card.namedIssuer.afterTrust)")
            if let name = card.issuerNameInWords {
                writer.text(", ")
                writer.isolated(name)
            }
        }
        for warning in group.warnings {
            writer.element(.div, .style("note")) { writer in
                writer.element(.code, text: warning.code.rawValue)
                writer.text(": ")
                writer.quoting(warning.message)
            }
        }
    }
}
