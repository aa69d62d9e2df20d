import Credentials
import FHIR
import StrictJSON

/// Records as text for people: one table per person, below the names of the card and the person. What the pass of the card does not mean
/// comes before them.
struct RecordsText: Report {
    private let width: Int?
    private var isFirst = true

    private let time: VerificationTime
    private let tool: Tool

    init(time: VerificationTime, to destination: Destination, by tool: Tool) {
        self.time = time
        self.tool = tool
        width = destination.width
    }

    mutating func add(_ card: CardRecords, to sink: ReportSink) throws {
        var lines: [String] = []
        for (place, group) in card.byPerson.enumerated() {
            guard let first = group.first else { continue }
            if !isFirst { lines.append("") }
            isFirst = false
            lines += head(card, card.person(of: first), warnings: card.warnings(above: group, at: place))
            lines += RecordTable(group, width: width).lines(palette: Palette(isOn: false))
        }
        try sink(TerminalText.log(lines.map { $0 + "\n" }.joined()))
    }

    /// Records of cards that were valid at another time say nothing about now.
    func finish(to sink: ReportSink) throws {
        guard !isFirst else { return }
        switch time.moment {
        case .now: break
        case .given(let moment): try sink(TerminalText.log("\nAs of \(moment.toTheSecond), not now.\n"))
        case .issue: try sink(TerminalText.log("\nEach as of the issue of its card, not now.\n"))
        }
    }

    private func head(
        _ card: CardRecords, _ person: CardRecords.Person?, warnings: [CredentialWarning]
    ) -> [String] {
        let issuer = card.namedIssuer
        let isUnchecked = card.trust == .unchecked
        let hasNotes = card.isOfTestList || isUnchecked || card.leavesRevocationOpen
        let pass = Headline.pass(
            isForTests: card.isOfTestList, isIssuerChecked: !isUnchecked, isLookedUp: !card.leavesRevocationOpen)
        let trust = isUnchecked ? " (\(tool.words(for: card.trust)))" : ""
        let notes = warnings.map { warning -> (String, String?) in
            ("Warning", "\(warning.code.rawValue): \(TerminalText.printable(warning.message))")
        }
        let fields: [(String, String?)] =
            [
                ("Card", printable(card.source)), ("Issuer", issuer.before + issuer.name + trust + issuer.afterTrust),
                ("", card.issuerNameInWords),
            ] + notes + [
                ("Name", printable(person?.name ?? CardRecords.wordsForNoName(of: person))),
                ("", person?.otherLetters.map { "transliterated: " + printable($0) }),
            ] + (person?.others ?? []).map { ("", "also: " + printable($0)) } + [
                ("Born", person?.birthDate.map(printable))
            ]
        return (hasNotes ? [pass] : [])
            + fields.compactMap { title, text in text.map { TextWidth.padded(title, to: 9) + $0 } }
    }

    private func printable(_ text: String) -> String {
        TerminalText.printable(text, upTo: 300)
    }
}

/// Records as a table that fits the terminal: one line per record. If the terminal is too narrow for the columns, each
/// record takes several lines.
struct RecordTable {
    /// A column: its title, and its cell for each record.
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
    ///   - subjects: the persons on the card, if the table has to name the person of each record; nil if that is said
    ///     elsewhere.
    ///   - width: the number of columns of the terminal; nil for no limit.
    init(_ records: [Record], subjects: [Subject]? = nil, width: Int?) {
        self.width = width
        let columns = RecordColumn.columns(of: records, subjects: subjects).map { column in
            let widest = column.cells.map { TextWidth.of($0) }.max() ?? 0
            let title = column.title.description
            return Column(title: title, cells: column.cells, width: max(widest, TextWidth.of(title)))
        }
        self.columns = Self.fitted(columns, width: width)
    }

    /// The columns, the widest ones narrowed until the table fits.
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

    /// The lines of the table. Each begins with a gap of two spaces.
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
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
