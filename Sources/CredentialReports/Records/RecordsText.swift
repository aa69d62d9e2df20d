import Credentials
import FHIR

/// Records as text for people: one table per person, below the names of the card and the person. What the pass of the card does not mean
/// comes before them.
struct RecordsText: Report {
    private let destination: Destination
    private var isFirst = true

    private let time: VerificationTime
    private let tool: Tool

    init(time: VerificationTime, to destination: Destination, by tool: Tool) {
        self.time = time
        self.tool = tool
        self.destination = Destination(width: destination.width)
    }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        for (place, group) in card.byPerson.enumerated() {
            guard let first = group.first else { continue }
            let head = head(card, card.person(of: first), warnings: card.warnings(above: group, at: place))
            let table = Block.records(group)
            try sink(TextRenderer.bytes((isFirst ? [] : [.line("")]) + head + [table], to: destination))
            isFirst = false
        }
    }

    /// Records of cards that were valid at another time say nothing about now.
    func finish(to sink: ReportSink) throws {
        let words: Words
        switch time.moment {
        case .given(let moment) where !isFirst: words = "As of \(moment.toTheSecond.description), not now."
        case .issue where !isFirst: words = "Each as of the issue of its card, not now."
        default: return
        }
        try sink(TextRenderer.bytes([.line(""), .line(words)]))
    }

    @Blocks private func head(
        _ card: CardRecords, _ person: CardRecords.Person?, warnings: [CredentialWarning]
    ) -> [Block] {
        let issuer = card.namedIssuer
        let trust = card.trust == .unchecked ? " (\(tool.words(for: card.trust)))" : ""
        if !card.notes.isEmpty { Block.line(Words(Headline.pass(card.notes))) }
        Block.labelled("Card", ["\(from: card.source, upTo: 300)"])
        Block.labelled(
            "Issuer", ["\(issuer.before)\(from: issuer.name)\(trust)\(issuer.afterTrust)"] + card.issuerWords)
        for warning in warnings { Block.labelled("Warning", ["\(warning.code.rawValue): \(message: warning.message)"]) }
        Block.labelled(
            "Name",
            ["\(from: person?.name ?? CardRecords.wordsForNoName(of: person), upTo: 300)"]
                + (person?.otherLetters.map { ["transliterated: \(from: $0, upTo: 300)"] } ?? [])
                + (person?.others ?? []).map { "also: \(from: $0, upTo: 300)" })
        if let born = person?.birthDate { Block.labelled("Born", ["\(from: born, upTo: 300)"]) }
    }
}
