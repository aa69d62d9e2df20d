import Encodings
import FHIR

/// A column of a table of records, the same in text and HTML.
package struct RecordColumn {
    /// The words above the column.
    let title: String
    /// The cell of each record. Empty if the record has nothing there.
    let cells: [String]

    /// The columns for some records. Columns without any content are left out.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - subjects: the persons on the card, if the table has to name the person of each record; nil if that is said
    ///     elsewhere.
    static func columns(of records: [Record], subjects: [Subject]? = nil) -> [RecordColumn] {
        let isOfOne = subjects?.count == 1 && records.allSatisfy { $0.subjectIndex == 0 }
        let columns: [(String, (Record) -> String?)] =
            [
                ("Date", { $0.date?.description }), ("Record", { RecordText.name(of: $0) }),
                ("Disease", { RecordText.disease(of: $0) }), ("Result", { RecordText.result($0) }),
                ("Status", { RecordText.status($0) }), ("On this card", { $0.order?.description }),
                ("Dose", { $0.dose?.description }), ("Valid from", { $0.validFrom?.description }),
                ("Valid until", { $0.validUntil?.description }), ("Country", { $0.country?.description }),
                ("Person", { record in isOfOne ? nil : subjects.map { RecordText.person(of: record, among: $0) } }),
                ("By", { $0.performer?.description }), ("Lot", { $0.lotNumber?.description }),
                ("Manufacturer", { $0.manufacturer?.description }),
            ] + CoverageText.columns.map { title, text in (title, { $0.coverage.flatMap(text) }) }
        return columns.compactMap { title, cell in
            let cells = records.map { TerminalText.beginning(of: cell($0) ?? "", upTo: 200) }
            return cells.contains { !$0.isEmpty } ? RecordColumn(title: title, cells: cells) : nil
        }
    }
}
