import FHIR
import JSON

/// Records as a table that fits the terminal: a line each, in columns; where the terminal is too narrow for that, a few
/// lines each.
struct RecordTable {
    /// A column's title, and what stands in it for each record.
    private struct Column {
        let title: String
        let cells: [String]
        var width: Int
    }

    private let columns: [Column]
    private let width: Int?
    private static let gap = 2
    private static let narrowest = 10

    /// - Parameters:
    ///   - records: the records.
    ///   - subjects: the persons on the card, if the table has to say whose each record is; nil if that is said elsewhere.
    ///   - width: how many columns the terminal has; nil for no bound.
    init(_ records: [Record], subjects: [Subject]? = nil, width: Int?) {
        self.width = width
        let isOfOne = subjects?.count == 1 && records.allSatisfy { $0.subjectIndex == 0 }
        let titles: [(String, (Record) -> String?)] = [
            ("Date", { $0.date?.description }), ("Record", { RecordText.what($0) }),
            ("Result", { RecordText.result($0) }),
            ("Status", { RecordText.status($0) }), ("On this card", { $0.orderOnCard?.description }),
            ("Of", { record in isOfOne ? nil : subjects.map { RecordText.person(of: record, among: $0) } }),
            ("By", { $0.performer?.description }), ("Lot", { $0.lotNumber?.description }),
        ]
        var columns: [Column] = []
        for (title, cell) in titles {
            let cells = records.map { TerminalText.printable(cell($0) ?? "", upTo: 200) }
            // A column in which nothing stands says nothing.
            guard cells.contains(where: { !$0.isEmpty }) else { continue }
            let widest = cells.map { TextWidth.of($0) }.max() ?? 0
            columns.append(Column(title: title, cells: cells, width: max(widest, TextWidth.of(title))))
        }
        self.columns = Self.fitted(columns, width: width)
    }

    /// The columns made narrower, the widest first, until they fit.
    private static func fitted(_ columns: [Column], width: Int?) -> [Column] {
        guard let width else { return columns }
        var columns = columns
        while total(columns) > width,
            let widest = columns.indices.max(by: { columns[$0].width < columns[$1].width }),
            columns[widest].width > narrowest
        {
            columns[widest].width -= 1
        }
        return columns
    }

    private static func total(_ columns: [Column]) -> Int {
        columns.reduce(0) { $0 + $1.width + gap }
    }

    /// The lines, without indentation beyond the gap before the first column.
    func lines(palette: Palette) -> [String] {
        let count = columns.first?.cells.count ?? 0
        if let width, Self.total(columns) > width {
            return (0..<count).flatMap { row in stacked(row, width: width) }
        }
        let head = columns.map { TextWidth.padded($0.title, to: $0.width) }.joined(separator: "  ")
        return ["  " + palette(.faint, head.trimmingTrailingSpaces)]
            + (0..<count).map { row in
                let cells = columns.map {
                    TextWidth.padded(TextWidth.fitting($0.cells[row], columns: $0.width), to: $0.width)
                }
                return "  " + cells.joined(separator: "  ").trimmingTrailingSpaces
            }
    }

    private func stacked(_ row: Int, width: Int) -> [String] {
        columns.enumerated().filter { !$0.element.cells[row].isEmpty }.map { index, column in
            let indent = index == 0 ? "  " : "    "
            return TextWidth.fitting("\(indent)\(column.title): \(column.cells[row])", columns: max(width, 20))
        }
    }
}

extension String {
    /// The text without the spaces that end it.
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
