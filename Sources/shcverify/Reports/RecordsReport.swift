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
        let subjects: [Subject]

        /// The person that a record names; nil if it names nobody on the card. Nobody is guessed.
        fileprivate func subject(of record: Record) -> Subject? {
            record.subjectIndex.flatMap { subjects.indices.contains($0) ? subjects[$0] : nil }
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

    /// What the next card's records add to the report.
    mutating func add(_ records: [Record], from source: Source) -> [UInt8] {
        guard format != .text else { return text(records, source) }
        return records.flatMap { add($0, from: source) }
    }

    private mutating func add(_ record: Record, from source: Source) -> [UInt8] {
        defer { isFirst = false }
        return switch format {
        case .text: []
        case .csv: Array(((isFirst ? Self.csvHead : "") + CSV.line(cells(record, source))).utf8)
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
        case .csv: isFirst ? Array(Self.csvHead.utf8) : []
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
            lines += head(source, source.subject(of: first))
            lines += RecordTable(group, width: width).lines(palette: Palette(isOn: false))
        }
        return TerminalText.log(lines.map { $0 + "\n" }.joined())
    }

    private func head(_ source: Source, _ subject: Subject?) -> [String] {
        let name =
            subject.map { $0.name?.description ?? "not given" } ?? "not known: the record names nobody on the card"
        let fields = [
            ("Card", source.card), ("Issuer", source.issuer), ("Name", name), ("Born", subject?.birthDate?.description),
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
        "manufacturer", "result", "orderOnCard",
    ])

    private func cells(_ record: Record, _ source: Source) -> [String] {
        let subject = source.subject(of: record)
        let cells: [(any CustomStringConvertible)?] = [
            source.card, source.issuer, subject?.name, subject?.birthDate, record.resourceType, record.type?.rawValue,
            record.display, record.displaySource?.rawValue, RecordText.otherWords(record),
            RecordText.tokens(record.codes), record.date, record.status, record.verificationStatus,
            record.isNotDone ? "true" : nil, record.isSubpotent, record.performer, record.lotNumber,
            record.manufacturer, RecordText.result(record), record.orderOnCard,
        ]
        return cells.map { TerminalText.printable($0?.description ?? "") }
    }

    private func object(
        _ record: Record, _ source: Source, layout: JSONWriter.Layout, depth: Int
    ) -> [UInt8] {
        let subject = source.subject(of: record)
        var writer = JSONWriter(layout: layout, escapesUnprintable: escapesUnprintable, depth: depth)
        writer.object { writer in
            writer.member("source", source.card)
            writer.member("iss", source.issuer)
            writer.member("subject", subject?.name)
            writer.member("birthDate", subject?.birthDate)
            record.write(to: &writer)
        }
        return writer.bytes
    }
}
