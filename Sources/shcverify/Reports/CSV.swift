/// Comma-separated values (RFC 4180).
enum CSV {
    /// A line of cells.
    ///
    /// Cells are looked at scalar by scalar, as whoever reads the file does: a comma that a mark combines with is a comma all
    /// the same. A cell that a spreadsheet would take for a formula is written behind an apostrophe: a card must not be able to
    /// have anything calculated where it is opened.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let text = (isFormula(cell) ? "'" : "") + cell
            guard text.unicodeScalars.contains(where: { "\",\n\r".unicodeScalars.contains($0) }) else { return text }
            var quoted = String.UnicodeScalarView("\"".unicodeScalars)
            for scalar in text.unicodeScalars {
                quoted.append(contentsOf: scalar == "\"" ? [scalar, scalar] : [scalar])
            }
            quoted.append("\"")
            return String(quoted)
        }.joined(separator: ",") + "\r\n"
    }

    private static func isFormula(_ cell: String) -> Bool {
        let first = cell.unicodeScalars.first { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
            default: scalar != "\u{FFFD}"
            }
        }
        return first.map { "=+-@".unicodeScalars.contains($0) } ?? false
    }
}
