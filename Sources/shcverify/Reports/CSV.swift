/// Comma-separated values (RFC 4180).
enum CSV {
    /// A line of cells.
    ///
    /// A cell that a spreadsheet would take for a formula is written behind an apostrophe: a card must not be able to have
    /// anything calculated where it is opened.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let isFormula = cell.first.map { "=+-@\t\r".contains($0) } ?? false
            let text = (isFormula ? "'" : "") + cell
            guard text.contains(where: { "\",\n\r\r\n".contains($0) }) else { return text }
            return "\"\(text.replacing("\"", with: "\"\""))\""
        }.joined(separator: ",") + "\r\n"
    }
}
