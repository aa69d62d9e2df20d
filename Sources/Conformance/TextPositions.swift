/// Places in texts as editors show them.
///
/// The last input and the last decoded text are remembered with a mark every few kilobytes, so that many findings in a
/// long text do not each read it from its start.
struct TextPositions {
    private var input: Marked?
    private var decoded: Marked?

    /// A text with marks at regular intervals.
    private struct Marked {
        let text: [UInt8]
        let marks: [TextPosition]

        static let interval = 4096

        init(_ text: [UInt8]) {
            self.text = text
            var here = TextPosition.start
            marks =
                [here]
                + stride(from: 0, to: text.count - text.count % Self.interval, by: Self.interval).map { start in
                    here.advance(over: start..<start + Self.interval, of: text)
                    return here
                }
        }

        func position(ofByte offset: Int) -> TextPosition {
            let mark = min(offset, text.count) / Self.interval
            var position = marks[mark]
            position.advance(over: mark * Self.interval..<min(offset, text.count), of: text)
            return position
        }
    }

    /// The place of a byte in a document's text, or in the input that contains the text.
    ///
    /// - Parameter offset: counts from the start of the input if that contains the text.
    mutating func position(ofByte offset: Int, in document: Document) -> TextPosition {
        if let text = document.input { return Self.position(ofByte: offset, in: text, known: &input) }
        return Self.position(ofByte: offset, in: document.text, known: &decoded)
    }

    private static func position(ofByte offset: Int, in text: [UInt8], known: inout Marked?) -> TextPosition {
        // Copies of one array share their storage, so this comparison is fast.
        if let known, known.text == text { return known.position(ofByte: offset) }
        let marked = Marked(text)
        known = marked
        return marked.position(ofByte: offset)
    }
}

/// A place in a text as editors show it.
struct TextPosition: Equatable {
    /// From 1.
    private(set) var line: Int
    /// From 1, in characters of Unicode (scalars).
    private(set) var column: Int

    /// The place of a text's first byte.
    static let start = TextPosition(line: 1, column: 1)

    /// Advances over bytes of a text. A line ends with LF, CR or both.
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
