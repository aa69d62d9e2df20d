/// Places in texts as editors show them. A text is read once and remembered at intervals, so that many findings in a long
/// one cost no more than one: the last input, and the last text that was decoded out of one.
struct TextPositions {
    private var input: Marked?
    private var decoded: Marked?

    /// A text, and the places of every so many bytes in it.
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

    /// The place of a byte in a document's text, or in the input that this stands in.
    ///
    /// - Parameter offset: counts in the input, where the text stands in one.
    mutating func position(ofByte offset: Int, in document: Document) -> TextPosition {
        if let text = document.input { return Self.position(ofByte: offset, in: text, known: &input) }
        return Self.position(ofByte: offset, in: document.text, known: &decoded)
    }

    private static func position(ofByte offset: Int, in text: [UInt8], known: inout Marked?) -> TextPosition {
        // Arrays that are copies of one another are told to be equal without being compared.
        if let known, known.text == text { return known.position(ofByte: offset) }
        let marked = Marked(text)
        known = marked
        return marked.position(ofByte: offset)
    }
}
