import ArgumentParser
import FHIR
import JSON
import SMARTHealthCards

/// What `records` prints: records of verified cards, in one of four formats.
struct RecordsReport {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, csv, ndjson
    }

    /// Where a record comes from and whose it is.
    struct Source {
        let card: String
        let issuer: String
        let subject: UTF8Text?
        let birthDate: UTF8Text?

        init(verdict: Verdict, card: UnverifiedCard, contents: CardContents, record: Record) {
            self.card = verdict.examined.presented.source
            issuer = card.issuer.url
            // Where the record names nobody, the one person on the card is meant.
            let index = record.subjectIndex ?? (contents.subjects.count == 1 ? 0 : nil)
            subject = index.flatMap { contents.subjects[$0].name }
            birthDate = index.flatMap { contents.subjects[$0].birthDate }
        }
    }

    private let format: Format
    private let width: Int?
    private let escapesUnprintable: Bool
    private var isFirst = true
    private var rows: [Record] = []

    init(format: Format, width: Int?, escapesUnprintable: Bool) {
        self.format = format
        self.width = width
        self.escapesUnprintable = escapesUnprintable
    }

    /// What the next record adds to the report.
    mutating func add(_ record: Record, from source: Source) -> [UInt8] {
        defer { isFirst = false }
        switch format {
        case .text:
            // A table's columns are as wide as their widest cell, so it waits for the last row.
            rows.append(record)
            return []
        case .csv: return Array(((isFirst ? Self.csvHead : "") + CSV.line(cells(record, source))).utf8)
        case .ndjson: return object(record, source, layout: .compact, depth: 0) + [UInt8(ascii: "\n")]
        case .json:
            return Array((isFirst ? Self.jsonHead + "\n    " : ",\n    ").utf8)
                + object(record, source, layout: .indented, depth: 2)
        }
    }

    /// The end of the report.
    func finish() -> [UInt8] {
        switch format {
        case .text:
            guard !rows.isEmpty else { return [] }
            let lines = RecordTable(rows, width: width).lines(palette: Palette(isOn: false))
            return Array((lines.joined(separator: "\n") + "\n").utf8)
        case .csv: return isFirst ? Array(Self.csvHead.utf8) : []
        case .ndjson: return []
        case .json: return Array((isFirst ? Self.jsonHead + "]\n}\n" : "\n  ]\n}\n").utf8)
        }
    }

    private static let jsonHead = "{\n  \"schemaVersion\": 1,\n  \"records\": ["

    private static let csvHead = CSV.line([
        "card", "issuer", "subject", "birthDate", "resourceType", "type", "display", "system", "code", "date", "status",
        "performer", "lotNumber", "result", "orderOnCard",
    ])

    private func cells(_ record: Record, _ source: Source) -> [String] {
        [
            source.card, source.issuer, source.subject?.description, source.birthDate?.description,
            record.resourceType.description, record.type?.rawValue, record.display?.description,
            record.codes.first?.system?.description, record.codes.first?.code.description, record.date?.description,
            RecordText.status(record), record.performer?.description, record.lotNumber?.description,
            RecordText.result(record), record.orderOnCard?.description,
        ].map { TerminalText.printable($0 ?? "") }
    }

    private func object(
        _ record: Record, _ source: Source, layout: JSONWriter.Layout, depth: Int
    ) -> [UInt8] {
        var writer = JSONWriter(layout: layout, escapesUnprintable: escapesUnprintable, depth: depth)
        writer.object { writer in
            writer.member("source", source.card)
            writer.member("iss", source.issuer)
            writer.member("subject", source.subject)
            writer.member("birthDate", source.birthDate)
            record.write(to: &writer)
        }
        return writer.bytes
    }
}
