import Testing

@testable import Conformance

/// Lines and columns in texts, as editors show them.
@Suite struct TextPositionsTests {
    @Test(arguments: [
        ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 3, 1, 4), ("a\nb", 2, 2, 1), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1),
        ("a\r\n\r\nb", 5, 3, 1), ("üb", 2, 1, 2), ("👩‍⚕️b", 13, 1, 5), ("abc", 99, 1, 4),
    ]) func countsLinesAndCharacters(_ text: String, offset: Int, line: Int, column: Int) {
        var positions = TextPositions()
        let place = positions.position(
            ofByte: offset, in: Document(source: "test", layer: .input, text: Array(text.utf8)))
        #expect(place.line == line)
        #expect(place.column == column)
    }

    /// Marks at intervals make the search faster. They must give the same positions as counting from the start.
    @Test(arguments: ["ab\r\n", "ü\r", "👩\n", "x"]) func marksDoNotChangePositions(_ repeated: String) {
        let texts = ["", "-", "--", "---"].map { Array(($0 + String(repeating: repeated, count: 5000)).utf8) }
        var positions = TextPositions()
        for text in texts {
            for offset in [0, 1, 4094, 4095, 4096, 4097, 4098, 8191, 8192, 8193, text.count - 1, text.count] {
                var counted = TextPosition.start
                counted.advance(over: 0..<min(offset, text.count), of: text)
                for input in [nil, (text, 0)] {
                    let document = Document(source: "test", layer: .payload, text: text, in: input)
                    #expect(positions.position(ofByte: offset, in: document) == counted)
                }
            }
        }
    }
}
