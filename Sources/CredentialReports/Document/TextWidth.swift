/// Measures and cuts text by the columns that it takes on a terminal.
package enum TextWidth {
    /// The number of columns of a text: two for a wide character, none for a combining mark.
    package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The lines of a cell, broken between words, and within a word that is wider than the cell.
    static func cell(_ text: String, columns: Int) -> [String] {
        let bytes = Array(text.utf8)
        return lines(of: text, columns: columns).flatMap { line in
            var (parts, width) = ([""], 0)
            for character in String(decoding: bytes[line], as: UTF8.self) {
                width += of(character)
                if width > columns, !parts[parts.count - 1].isEmpty {
                    parts.append("")
                    width = of(character)
                }
                parts[parts.count - 1].append(character)
            }
            return parts
        }
    }

    /// The text with spaces after it, up to a number of columns.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    /// The lines of a text, broken between words, as ranges of its UTF-8. A single word may be wider than `columns`. Without a limit
    /// there is one line.
    static func lines(of text: String, columns: Int?) -> [Range<Int>] {
        guard let columns else { return [0..<text.utf8.count] }
        var lines: [Range<Int>] = []
        var (start, end, width) = (0, -1, 0)
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let (place, wordWidth) = (end + 1, of(word))
            if width > 0, width + 1 + wordWidth > columns {
                lines.append(start..<end)
                (start, width) = (place, 0)
            }
            width += wordWidth + (place > start ? 1 : 0)
            end = place + word.utf8.count
        }
        return lines + [start..<end]
    }

    private static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 0x300 { return 1 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// The blocks of East Asian Wide and Fullwidth characters (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18DFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
