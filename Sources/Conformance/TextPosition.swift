/// A place in a text as editors show it.
struct TextPosition: Equatable {
    /// From 1.
    private(set) var line: Int
    /// From 1, in characters of Unicode (scalars).
    private(set) var column: Int

    /// The place of a text's first byte.
    static let start = TextPosition(line: 1, column: 1)

    /// Moves on over bytes of a text. A line ends with LF, CR or both.
    mutating func advance(over range: Range<Int>, of text: [UInt8]) {
        var previous = range.lowerBound > 0 ? text[range.lowerBound - 1] : 0
        for byte in text[range] {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0A, 0x0D:
                line += 1
                column = 1
            // The second and further bytes of a character.
            case 0x80...0xBF: break
            default: column += 1
            }
            previous = byte
        }
    }
}
