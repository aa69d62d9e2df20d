package import Credentials
package import Encodings
import FHIR

/// Verdicts as one JSON document with everything that is known.
///
/// The document begins with the exit code, which is known at the first card that does not verify, or at the end. The cards before that
/// point are kept in memory, compressed if there are many.
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

/// The FHIR Bundles of the verified cards, one per line, and nothing else.
struct VerdictFHIR: Report {
    private var writer: JSONWriter

    init(to destination: Destination) { writer = JSONWriter(escapesUnprintable: destination.isTerminal) }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) throws {
        guard let bundle = verdict.verified?.claims.fhirBundle else { return }
        writer.clear()
        writer.value(bundle)
        try sink(writer.bytes + [UInt8(ascii: "\n")])
    }

    func finish(to sink: ReportSink) throws {}
}

/// The ID that the sender gave a line: any JSON value, which is repeated.
package struct LineID: Sendable {
    private let value: JSONValue

    package init(_ value: JSONValue) { self.value = value }

    /// The ID as it is written.
    package var text: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the member `id`.
    package func writeMember(to writer: inout JSONWriter) {
        writer.name("id")
        write(to: &writer)
    }

    /// Writes the ID exactly as it was given. If it contains carriage returns, its white space is dropped, because some readers take a
    /// carriage return for a line end.
    private func write(to writer: inout JSONWriter) {
        if value.rawBytes.contains(0x0D) { writer.value(value) } else { writer.asWritten(value) }
    }
}

/// The members of a card's JSON object that are printed. By default, all are.
package struct CardMembers: Sendable, Equatable {
    /// The members of a line of a batch, in the order in which they are printed.
    package enum Name: UInt8, Sendable, CaseIterable {
        case line, id, source, inputKind, verdict, reason, checks, claimsVerified, issuer, key, verifiedAt, issued,
            expires
        case relevantDate, sourceType, types, subject, subjects, records, warnings, fhirVersion, fhirBundle, certificate
        case schemaVersion

        /// The name of the member in JSON.
        package var word: String { "\(self)" }
    }

    private var bits: UInt32

    /// All members.
    package static let all = CardMembers(bits: .max)

    /// Only these members.
    package init(_ names: some Sequence<Name>) { bits = names.reduce(0) { $0 | 1 << $1.rawValue } }

    private init(bits: UInt32) { self.bits = bits }

    /// Whether a member is printed.
    package func contains(_ name: Name) -> Bool { bits & (1 << name.rawValue) != 0 }
}

/// What `status` examines, as one JSON document.
package enum StatusJSON {
    /// - Parameters:
    ///   - exitCode: the exit code of the program.
    ///   - now: the time at which the items were examined.
    package static func text(
        _ items: [StatusItem], exitCode: Int32, at now: NumericDate, to destination: Destination
    ) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            writer.member("exitCode", Int(exitCode))
            writer.member("checkedAt", now.description)
            writer.objects("items", items) { item, writer in
                writer.member("name", item.name.rawValue)
                writer.member("list", item.list)
                writer.member("status", item.condition.rawValue)
                writer.member("date", item.date)
                writer.member("ageDays", item.ageInDays(at: now))
                writer.member("source", item.source?.rawValue)
                writer.member("required", item.isRequired)
                writer.member("message", item.message)
            }
        }
    }
}
