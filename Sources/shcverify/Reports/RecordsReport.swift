import ArgumentParser
import FHIR
import JSON
import SMARTHealthCards

/// What `records` prints: records of verified cards, in one of four formats.
struct RecordsReport {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, csv, ndjson
    }

    /// Where records come from, and whose they may be.
    struct Source {
        let card: String
        let issuer: String
        private let persons: [Person]

        init(card: String, issuer: String, subjects: [Subject]) {
            self.card = card
            self.issuer = issuer
            persons = subjects.map { Person($0) }
        }

        /// The person that a record names; nil if it names nobody on the card. Nobody is guessed.
        fileprivate func person(of record: Record) -> Person? {
            record.subjectIndex.flatMap { persons.indices.contains($0) ? persons[$0] : nil }
        }
    }

    /// What each record says of its person. It is cut to a length, since a card may have thousands of records of a person
    /// whose name is as long as the card.
    fileprivate struct Person {
        let name: String?
        let birthDate: String?

        init(_ subject: Subject) {
            name = subject.name.map { $0.cut(to: 300) }
            birthDate = subject.birthDate.map { $0.cut(to: 300) }
        }
    }

    private let format: Format
    private let width: Int?
    private let escapesUnprintable: Bool
    private var isFirst = true

    init(format: Format, width: Int?, escapesUnprintable: Bool) {
        self.format = format
        self.width = width
        self.escapesUnprintable = escapesUnprintable
    }

    /// Adds a card's records to the report.
    ///
    /// - Parameter write: writes the next part of the report. It is called as often as there is enough to write, so that
    ///   no more than that is ever held.
    mutating func add(_ records: [Record], from source: Source, write: ([UInt8]) throws -> Void) rethrows {
        guard format != .text else { return try write(text(records, source)) }
        var bytes: [UInt8] = []
        for record in records {
            bytes += line(for: record, source)
            if bytes.count >= Self.partSize {
                try write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        if !bytes.isEmpty { try write(bytes) }
    }

    private static let partSize = 64 << 10

    private mutating func line(for record: Record, _ source: Source) -> [UInt8] {
        defer { isFirst = false }
        return switch format {
        case .text: []
        case .csv: (isFirst ? Self.csvHead : []) + CSV.line(cells(record, source))
        case .ndjson: object(record, source, layout: .compact, depth: 0) + [UInt8(ascii: "\n")]
        case .json:
            Array((isFirst ? Self.jsonHead + "\n    " : ",\n    ").utf8)
                + object(record, source, layout: .indented, depth: 2)
        }
    }

    /// The end of the report.
    func finish() -> [UInt8] {
        switch format {
        case .text, .ndjson: []
        case .csv: isFirst ? Self.csvHead : []
        case .json: Array((isFirst ? Self.jsonHead + "]\n}\n" : "\n  ]\n}\n").utf8)
        }
    }

    // MARK: Text

    /// A table for each person, below the card and the person's name.
    private mutating func text(_ records: [Record], _ source: Source) -> [UInt8] {
        var persons: [Int?] = []
        var groups: [Int?: [Record]] = [:]
        for record in records {
            if groups[record.subjectIndex] == nil { persons.append(record.subjectIndex) }
            groups[record.subjectIndex, default: []].append(record)
        }
        var lines: [String] = []
        for group in persons.compactMap({ groups[$0] }) {
            guard let first = group.first else { continue }
            if !isFirst { lines.append("") }
            isFirst = false
            lines += head(source, source.person(of: first))
            lines += RecordTable(group, width: width).lines(palette: Palette(isOn: false))
        }
        return TerminalText.log(lines.map { $0 + "\n" }.joined())
    }

    private func head(_ source: Source, _ person: Person?) -> [String] {
        let name =
            person.map { $0.name ?? "not given" } ?? "not known: the record is not linked to a person on the card"
        let fields = [
            ("Card", source.card), ("Issuer", source.issuer), ("Name", name), ("Born", person?.birthDate),
        ]
        return fields.compactMap { title, text in
            text.map { TextWidth.padded(title, to: 9) + TerminalText.printable($0, upTo: 300) }
        }
    }

    // MARK: Objects and cells

    private static let jsonHead = "{\n  \"schemaVersion\": 1,\n  \"records\": ["

    /// The names that JSON has for the same.
    private static let csvHead = CSV.line([
        "source", "iss", "subject", "birthDate", "resourceType", "type", "display", "displaySource", "issuerDisplay",
        "codes", "date", "status", "verificationStatus", "notDone", "isSubpotent", "performer", "lotNumber",
        "manufacturer", "result", "orderOnCard", "subjectIndex",
    ])

    private func cells(_ record: Record, _ source: Source) -> [String] {
        let person = source.person(of: record)
        let cells: [(any CustomStringConvertible)?] = [
            source.card, source.issuer, person?.name, person?.birthDate, record.resourceType, record.type?.rawValue,
            record.display, record.displaySource?.rawValue, RecordText.otherWords(record),
            RecordText.tokens(record.codes), record.date, record.status, record.verificationStatus,
            record.isNotDone ? "true" : nil, record.isSubpotent, record.performer, record.lotNumber,
            record.manufacturer, RecordText.result(record), record.orderOnCard, record.subjectIndex,
        ]
        return cells.map { TerminalText.printable($0?.description ?? "") }
    }

    private func object(
        _ record: Record, _ source: Source, layout: JSONWriter.Layout, depth: Int
    ) -> [UInt8] {
        let person = source.person(of: record)
        var writer = JSONWriter(layout: layout, escapesUnprintable: escapesUnprintable, depth: depth)
        writer.object { writer in
            writer.member("source", source.card)
            writer.member("iss", source.issuer)
            writer.member("subject", person?.name)
            writer.member("birthDate", person?.birthDate)
            record.write(to: &writer)
            writer.member("subjectIndex", record.subjectIndex)
        }
        return writer.bytes
    }
}

extension UTF8Text {
    /// The text, or its beginning and an ellipsis if it has more characters (Unicode scalars) than this.
    fileprivate func cut(to length: Int) -> String {
        let begin = String.UnicodeScalarView(unicodeScalars.prefix(length))
        return begin.count == length && String(begin).utf8.count < utf8.count ? String(begin) + "…" : String(begin)
    }
}
