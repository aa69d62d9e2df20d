import Credentials
import Encodings
import FHIR

/// Verdicts as one JSON document with all that is known.
///
/// The document begins with the exit code. It is known at the first card that does not verify, or at the end. The cards
/// before that point wait in memory, compressed if they are many.
struct VerdictJSON: Report {
    private let terms: ReportTerms
    private let cards: CardJSON
    private var writer: JSONWriter
    private var waiting = WaitingPieces()
    private var hasHead = false
    /// The containers of the cards, each once.
    private var containers: [any Container] = []

    init(_ terms: ReportTerms) {
        self.terms = terms
        cards = CardJSON(names: terms.names, tool: terms.tool)
        writer = JSONWriter(layout: .indented, escapesUnprintable: terms.destination.isTerminal)
    }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        if let container = verdict.examined.presented.place?.container, containers.last !== container {
            containers.append(container)
        }
        guard hasHead || verdict.reason != nil else {
            let card = JSONFragment(
                layout: .indented, escapesUnprintable: terms.destination.isTerminal, depth: Self.depthOfCards
            ) { cards.write(verdict, to: &$0, at: terms.time) }
            waiting.add(card.bytes)
            return
        }
        try writeHead(verdict, to: sink)
        cards.write(verdict, to: &writer, at: terms.time)
        try sink(writer.take())
    }

    mutating func finish(to sink: ReportSink) throws {
        try writeHead(nil, to: sink)
        writer.end(.array)
        for form in InputForm.allCases {
            let containers = containers.filter { $0.inputForm == form }
            guard let name = containers.first?.listName else { continue }
            writer.objects(name, containers) { $0.write(to: &$1, by: terms.tool) }
        }
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }

    private static let depthOfCards = 2

    /// Writes the beginning of the document and the cards that waited for it, once.
    ///
    /// - Parameter verdict: the first verdict that is not a pass; nil if all passed.
    private mutating func writeHead(_ verdict: Verdict?, to sink: ReportSink) throws {
        guard !hasHead else { return }
        hasHead = true
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.member("verdict", verdict?.name ?? "pass")
        writer.member("exitCode", Int(verdict?.reason?.code.exitCode ?? 0))
        writer.member("verifiedAt", terms.time.common?.toTheSecond.description)
        writer.member("madeAt", terms.time.madeAt.toTheSecond.description)
        writer.write(terms.names.lists, as: "codeLists")
        writer.name("cards")
        writer.begin(.array)
        try waiting.each { card in
            writer.value(JSONFragment(written: card))
            if writer.bytes.count >= ReportPart.size { try sink(writer.take()) }
        }
        waiting = WaitingPieces()
    }
}
