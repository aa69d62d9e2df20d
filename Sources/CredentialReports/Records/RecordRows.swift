/// Records as a table in HTML. On a narrow screen, each record is a block of lines.
struct RecordRows {
    private let columns: [RecordColumn]

    init(_ columns: [RecordColumn]) {
        self.columns = columns
    }

    /// Writes the whole table.
    ///
    /// - Parameter rows: writes the groups of rows.
    func table(to writer: inout HTMLWriter, rows: (inout HTMLWriter) -> Void) {
        writer.table("records", columns: columns.map(\.title), rows: rows)
    }

    /// Writes a group of rows.
    ///
    /// - Parameter head: writes what the records of the group have in common; nil if that is said elsewhere.
    func group(_ records: Range<Int>, to writer: inout HTMLWriter, head: ((inout HTMLWriter) -> Void)? = nil) {
        writer.element(.tbody) { writer in
            if let head {
                writer.element(.tr) { $0.element(.th, .width(columns.count), .heads("rowgroup"), content: head) }
            }
            for record in records {
                writer.element(.tr) { writer in
                    for column in columns {
                        writer.element(.td, .column(column.title)) { $0.isolated(column.cells[record]) }
                    }
                }
            }
        }
    }
}
