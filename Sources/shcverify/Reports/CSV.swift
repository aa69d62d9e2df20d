/// Comma-separated values (RFC 4180).
enum CSV {
    /// A line of cells, in UTF-8.
    ///
    /// Cells are looked at scalar by scalar, as whatever reads the file does: a comma that a mark combines with is still a
    /// comma. A card must not be able to have anything calculated when the file is opened, nor a command obeyed when it
    /// is logged.
    static func line(_ cells: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (place, cell) in cells.enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            let text = harmless(cell)
            guard text.contains(where: needsQuotation) else {
                line += text
                continue
            }
            line.append(UInt8(ascii: "\""))
            for byte in text {
                if byte == UInt8(ascii: "\"") { line.append(byte) }
                line.append(byte)
            }
            line.append(UInt8(ascii: "\""))
        }
        line += "\r\n".utf8
        return line
    }

    private static func needsQuotation(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
        default: false
        }
    }

    /// The cell with an apostrophe before whatever a spreadsheet would take for a formula, or a build server for a command.
    ///
    /// A formula may begin the cell, or what becomes a cell of its own if the file is read in other ways: in many
    /// countries spreadsheets split cells at semicolons, some programs do at tabs, and then quotation marks hold nothing
    /// together, line breaks included.
    private static func harmless(_ cell: String) -> [UInt8] {
        let scalars = cell.unicodeScalars
        var result: [UInt8] = []
        result.reserveCapacity(cell.utf8.count + 1)
        // Whether nothing has come so far but what may precede a formula: in the cell, and since the last separator.
        var isAtBegin = true
        var isAfterSeparator = false
        for index in scalars.indices {
            let scalar = scalars[index]
            if isAtBegin || isAfterSeparator {
                let isFormula = isFormulaSign(scalar)
                let isCommand = scalar == ":" && scalars[scalars.index(after: index)...].first == ":"
                if isAtBegin, isFormula || isCommand { result.insert(UInt8(ascii: "'"), at: 0) }
                if isAfterSeparator, isFormula { result.append(UInt8(ascii: "'")) }
                let mayPrecede = mayPrecede(scalar)
                isAtBegin = isAtBegin && mayPrecede
                isAfterSeparator = isAfterSeparator && mayPrecede
            }
            if scalar == "#", result.last == UInt8(ascii: "#") { result.append(UInt8(ascii: " ")) }
            if isSeparator(scalar) { isAfterSeparator = true }
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return result
    }

    /// Whether a character begins a formula, in any width or form.
    private static func isFormulaSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "⁼", "⁺", "⁻", "₌", "₊", "₋", "−": true
        default: false
        }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ";", "\t", "\n", "\r": true
        default: false
        }
    }

    /// Whether a reader may pass over a character before a formula.
    private static func mayPrecede(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: scalar == "\"" || scalar == "\u{FFFD}"
        }
    }
}
