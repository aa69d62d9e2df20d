import Encodings
import Testing

/// The whole text must be UTF-8 (Unicode, table 3-7).
@Suite struct UTF8Tests {
    @Test(
        arguments: [
            ("a continuation byte alone", [0x80]),
            ("a continuation byte alone, the last", [0xBF]),
            ("bytes that never occur", [0xFE]),
            ("bytes that never occur, the last", [0xFF]),
            ("an overlong NUL", [0xC0, 0x80]),
            ("an overlong solidus", [0xC0, 0xAF]),
            ("an overlong quotation mark", [0xC0, 0xA2]),
            ("the last overlong form of two bytes", [0xC1, 0xBF]),
            ("an overlong solidus in three bytes", [0xE0, 0x80, 0xAF]),
            ("the last overlong form of three bytes", [0xE0, 0x9F, 0xBF]),
            ("an overlong solidus in four bytes", [0xF0, 0x80, 0x80, 0xAF]),
            ("the last overlong form of four bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
            ("the first surrogate", [0xED, 0xA0, 0x80]),
            ("the last surrogate", [0xED, 0xBF, 0xBF]),
            ("a surrogate pair (CESU-8)", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
            ("U+110000", [0xF4, 0x90, 0x80, 0x80]),
            ("a lead past U+10FFFF", [0xF5, 0x80, 0x80, 0x80]),
            ("a form of five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
            ("a form of six bytes", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]),
            ("two bytes, one missing", [0xC3]),
            ("three bytes, one missing", [0xE2, 0x82]),
            ("three bytes, two missing", [0xE2]),
            ("four bytes, one missing", [0xF0, 0x9F, 0x98]),
            ("four bytes, two missing", [0xF0, 0x9F]),
            ("four bytes, three missing", [0xF0]),
            ("a lead after a lead", [0xC3, 0xC3, 0xA9]),
            ("Latin-1", [0xE9]),
        ] as [(String, [UInt8])])
    func rejectsIllFormedSequences(_ name: String, _ sequence: [UInt8]) {
        let error = rejection(of: "[\"é".utf8 + sequence + "\"]".utf8)
        #expect(error?.reason == .invalidUTF8)
        #expect(error?.offset == 4)

        let inName = rejection(of: "{\"".utf8 + sequence + "\":1}".utf8)
        #expect(inName?.reason == .invalidUTF8)
        #expect(inName?.offset == 2)

        let atEnd = rejection(of: "\"".utf8 + sequence)
        #expect(atEnd?.reason == .invalidUTF8)
        #expect(atEnd?.offset == 1)

        let outside = rejection(of: "[".utf8 + sequence + "]".utf8)
        #expect(outside?.reason == .unexpectedByte(sequence[0]))
        #expect(outside?.offset == 1)
    }

    /// Each first byte, with second, third and fourth bytes around the limits of the rules.
    @Test func acceptsExactlyTheSequencesThatSwiftFindsValid() {
        let edges: [UInt8] = [0x00, 0x21, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xF0, 0xFF]
        let tails: [UInt8] = [0x21, 0x80, 0xBF, 0xC0]
        for first in UInt8(0x80)...0xFF {
            for second in edges {
                for third in tails {
                    for fourth in tails {
                        let sequence = [first, second, third, fourth]
                        let isValid = second >= 0x20 && String(validating: sequence, as: UTF8.self) != nil
                        #expect((rejection(of: [0x22] + sequence + [0x22]) == nil) == isValid, "\(sequence)")
                    }
                }
            }
        }
    }

    @Test func acceptsTheFirstAndLastCharacterOfEachLength() throws {
        let text =
            "\u{20}\u{7F}\u{80}\u{7FF}\u{800}\u{CFFF}\u{D000}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{3FFFF}\u{40000}\u{FFFFF}\u{100000}\u{10FFFF}"
        let value = try parse("\"\(text)\"")
        #expect(value.stringBytes == Array(text.utf8))
        #expect(value.string.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }

    @Test(
        arguments: [
            ("Gouvernement du Québec", "QUÉBEC", true), ("Österreich", "österreich", true),
            ("Issuer A", "ISSUER", true), ("Québec", "Quebec", false), ("Issuer", "Issuer A", false),
        ] as [(UTF8Text, UTF8Text, Bool)])
    func namesMentionWordsInBothCases(name: UTF8Text, word: UTF8Text, isPart: Bool) {
        #expect(name.mentions(word) == isPart)
    }
}
