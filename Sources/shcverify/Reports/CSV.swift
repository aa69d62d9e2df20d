/// Comma-separated values (RFC 4180).
enum CSV {
    /// A line of cells.
    ///
    /// Cells are looked at scalar by scalar, as whoever reads the file does: a comma that a mark combines with is a comma all
    /// the same. A card must not be able to have anything calculated where the file is opened, nor be obeyed where it is logged.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let text = harmless(cell)
            guard text.contains(where: { "\",\n\r".unicodeScalars.contains($0) }) else { return String(text) }
            var quoted = String.UnicodeScalarView("\"".unicodeScalars)
            for scalar in text {
                // One by one: to append a collection copies all that is there.
                if scalar == "\"" { quoted.append(scalar) }
                quoted.append(scalar)
            }
            quoted.append("\"")
            return String(quoted)
        }.joined(separator: ",") + "\r\n"
    }

    /// The cell with an apostrophe before whatever a spreadsheet would take for a formula, or a build server for a command.
    ///
    /// A formula may begin the cell, or what becomes a cell of its own where the file is read in other ways: in many
    /// countries spreadsheets part cells at semicolons, some programs do at tabs, and then quotation marks hold nothing
    /// together, line breaks included.
    private static func harmless(_ cell: String) -> String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        // Whether nothing has come so far but what may precede a formula: in the cell, and since the last separator.
        var isAtBegin = true
        var isAfterSeparator = false
        let scalars = cell.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            let isFormula = formulaSigns.contains(scalar)
            let isCommand = scalar == ":" && scalars[index...].dropFirst().first == ":"
            if isAtBegin, isFormula || isCommand { result.insert("'", at: result.startIndex) }
            if isAfterSeparator, isFormula { result.append("'") }
            if scalar == "#", result.last == "#" { result.append(" ") }
            result.append(scalar)
            isAfterSeparator = separators.contains(scalar) || isAfterSeparator && mayPrecede(scalar)
            isAtBegin = isAtBegin && mayPrecede(scalar)
        }
        return result
    }

    /// What begins a formula, in all widths and forms.
    private static let formulaSigns = Set("=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−".unicodeScalars)
    private static let separators = Set(";\t\n\r".unicodeScalars)

    /// Whether a reader may pass over a character before a formula.
    private static func mayPrecede(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: scalar == "\"" || scalar == "\u{FFFD}"
        }
    }
}
