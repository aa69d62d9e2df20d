import Encodings
import Testing

@Suite struct Base45Tests {
    /// RFC 9285 §4.3 and §4.4.
    static let vectors = [
        ("", ""), ("AB", "BB8"), ("Hello!!", "%69 VD92EX0"), ("base-45", "UJCLQE7W581"), ("ietf!", "QED8WEX0"),
    ]
    static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    @Test(arguments: vectors)
    func decodesVectorsOfTheRFC(_ plain: String, _ encoded: String) throws {
        #expect(try Base45.decode(encoded.utf8) == Array(plain.utf8))
        #expect(try Base45.decode(Array(encoded.utf8)) == Array(plain.utf8))
        #expect(try Base45.decode(Array("::\(encoded)".utf8)[2...]) == Array(plain.utf8))
        #expect(Base45.encode(plain.utf8) == encoded)
    }

    @Test func decodesItsOwnEncodingOfAllBytes() throws {
        for first in UInt8.min...UInt8.max {
            #expect(try Base45.decode(Base45.encode([first]).utf8) == [first])
            for second in UInt8.min...UInt8.max {
                for bytes in [[first, second], [7, first, second]] {
                    guard try Base45.decode(Base45.encode(bytes).utf8) == bytes else {
                        Issue.record("\(bytes) is not decoded to the same bytes")
                        return
                    }
                }
            }
        }
    }

    /// Each group that can be decoded is the only one for its bytes, and all others are errors.
    @Test func decodesEachGroupOrRefusesIt() {
        var count = 0
        for (c, first) in Self.alphabet.enumerated() {
            for (d, second) in Self.alphabet.enumerated() {
                let pair = c + 45 * d
                let one = try? Base45.decode([first, second])
                guard one == (pair < 256 ? [UInt8(truncatingIfNeeded: pair)] : nil) else {
                    Issue.record("the pair \(c), \(d)")
                    return
                }
                for (e, third) in Self.alphabet.enumerated() {
                    let number = pair + 2025 * e
                    let two = try? Base45.decode([first, second, third])
                    guard two == (number < 65536 ? [UInt8(number >> 8), UInt8(number & 0xFF)] : nil) else {
                        Issue.record("the group \(c), \(d), \(e)")
                        return
                    }
                    if two != nil { count += 1 }
                }
            }
        }
        #expect(count == 65536)
    }

    static let rejections: [(String, Base45Error.Reason, Int)] = [
        ("A", .length, 1), ("BB8A", .length, 4), (":::", .value, 0), ("GGW", .value, 0), ("FGWGGW", .value, 3),
        ("::", .value, 0), ("FGW:5", .value, 3), ("BB8V5", .value, 3), ("Z::A", .value, 0),
        ("bB8", .character(UInt8(ascii: "b")), 0), ("BBa", .character(UInt8(ascii: "a")), 2),
        ("BB8b", .character(UInt8(ascii: "b")), 3), ("BB8Bb", .character(UInt8(ascii: "b")), 4),
        ("BB8\n", .character(0x0A), 3), (":\u{0}:", .character(0), 1), ("BB8,BB_", .character(UInt8(ascii: ",")), 3),
        ("BBÄ", .character(0xC3), 2), ("=BB8", .character(UInt8(ascii: "=")), 0),
    ]

    @Test(arguments: rejections)
    func rejectsTextThatIsNotBase45(_ text: String, _ reason: Base45Error.Reason, _ offset: Int) {
        let error = #expect(throws: Base45Error.self) { try Base45.decode(text.utf8) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    @Test func acceptsFortyFiveCharactersAndNoOthers() {
        for byte in UInt8.min...UInt8.max {
            for text in [[byte, 0x30, 0x30], [0x30, byte, 0x30], [0x30, 0x30, 0x30, byte, 0x30]] {
                #expect(((try? Base45.decode(text)) != nil) == Self.alphabet.contains(byte))
            }
        }
    }

    @Test func countsOffsetsFromTheStartOfASlice() {
        let text = Array("HC1:BB8B?8".utf8)
        let error = #expect(throws: Base45Error.self) { try Base45.decode(text[4...]) }
        #expect(error?.offset == 4)
    }

    @Test(arguments: [
        ("BBa", #""a" is not a character of base45 (lower case is not allowed), at character 2"#),
        ("_", #""_" is not a character of base45, at character 0"#),
        ("\"", #"'"' is not a character of base45, at character 0"#),
        ("\n", "a line break is not a character of base45, at character 0"),
        ("\u{1B}", "byte 0x1B is not a character of base45, at character 0"),
        ("BB8B", "the text is one character too long or cut off, at character 4"),
        (
            "BB8:::",
            "the group of characters that begins at character 3 stands for a number that is too large for its bytes"
        ),
    ])
    func describesErrorsInPlainWords(_ text: String, _ words: String) {
        let error = #expect(throws: Base45Error.self) { try Base45.decode(text.utf8) }
        #expect(error?.description == words)
    }
}
