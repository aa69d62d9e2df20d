import Credentials
import Encodings
import FHIR

/// Records as one JSON document.
struct RecordsJSON: Report {
    private var writer: JSONWriter
    private let names: CodeNames

    init(names: CodeNames, to destination: Destination) {
        self.names = names
        writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
    }

    mutating func begin(to sink: ReportSink) throws {
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.write(names.lists, as: "codeLists")
        writer.name("records")
        writer.begin(.array)
    }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        guard !card.records.isEmpty else { return }
        for record in card.records {
            record.write(to: &writer, of: card, isLine: false)
            if writer.bytes.count >= ReportPart.size { try sink(writer.take()) }
        }
        try sink(writer.take())
    }

    mutating func finish(to sink: ReportSink) throws {
        writer.end(.array)
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }
}

/// Records as NDJSON: one JSON object per line.
struct RecordsNDJSON: Report {
    private var writer: JSONWriter
    private var part = ReportPart()

    init(to destination: Destination) { writer = JSONWriter(escapesUnprintable: destination.isTerminal) }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        for record in card.records {
            writer.clear()
            record.write(to: &writer, of: card, isLine: true)
            try part.add(writer.bytes, to: sink)
            try part.add(CollectionOfOne(UInt8(ascii: "\n")), to: sink)
        }
        try part.flush(to: sink)
    }

    func finish(to sink: ReportSink) throws {}
}

extension Record {
    /// Writes the record as an object that names its card.
    fileprivate func write(to writer: inout JSONWriter, of card: CardRecords, isLine: Bool) {
        let person = card.person(of: self)
        writer.object { writer in
            writer.member("source", card.source)
            writer.member("iss", card.issuer.url)
            writer.member("subject", person?.name)
            writer.member("birthDate", person?.birthDate)
            write(to: &writer)
            writer.member("subjectIndex", subjectIndex)
            writer.member("signerCountry", card.signerCountry)
            writer.member("issuerMismatch", card.isMismatched ? true : nil)
            writer.member("transliterated", person?.transliterated)
            writer.member("issuerName", card.issuerName)
            PersonDetails.write(person?.details, to: &writer)
            writer.member("trust", card.trust.rawValue)
            writer.member("warnings", card.warningCodes(of: self).map(\.rawValue))
            if isLine { writer.member("schemaVersion", 1) }
        }
    }
}
