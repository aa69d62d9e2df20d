import Encodings
import Testing

/// A string has the characters that its bytes and escapes stand for (RFC 8259 §7).
@Suite struct StringTests {
    @Test(arguments: [
        (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
        (#"\r"#, "\r"), (#"\t"#, "\t"),
        (#"\u0000"#, "\u{0}"), (#"\u001f"#, "\u{1F}"), (#"\u0022"#, "\""), (#"\u005C"#, "\\"), (#"\u0041"#, "A"),
        (#"\u007f"#, "\u{7F}"),
        (#"\u0080"#, "\u{80}"), (#"\u00e9"#, "é"), (#"\u00E9"#, "é"), (#"\u07ff"#, "\u{7FF}"), (#"\u0800"#, "\u{800}"),
        (#"\u20AC"#, "€"),
        (#"\uaBcD"#, "\u{ABCD}"), (#"\ud7ff"#, "\u{D7FF}"), (#"\ue000"#, "\u{E000}"), (#"\uFFFE"#, "\u{FFFE}"),
        (#"\uffff"#, "\u{FFFF}"),
        (#"\ud800\udc00"#, "\u{10000}"), (#"\ud83d\ude00"#, "😀"), (#"\uD834\uDD1E"#, "𝄞"),
        (#"\udbff\udfff"#, "\u{10FFFF}"),
        (#"\ud800\udc00\ud800\udc00"#, "\u{10000}\u{10000}"), (#"a\u0000b"#, "a\u{0}b"),
        (#"\u0000\u0000"#, "\u{0}\u{0}"),
        (#"\\u0041"#, "\\u0041"), (#"\\\\n"#, "\\\\n"), (#"\\\n"#, "\\\n"), (#"é\u00e9é"#, "ééé"), (#"\u00410"#, "A0"),
        (#"\"\\\/"#, "\"\\/"),
        (#"e\u0301"#, "e\u{301}"), (#"😀\n漢"#, "😀\n漢"),
    ])
    func resolvesEscapes(_ escaped: String, _ characters: String) throws {
        let value = try parse("\"\(escaped)\"")
        #expect(value.stringBytes == Array(characters.utf8))
        #expect(value.string.map { Array($0.utf8) } == Array(characters.utf8))
        #expect(Array(value.rawBytes) == Array("\"\(escaped)\"".utf8))

        let object = try parse("{\"\(escaped)\":1}")
        #expect(object.members?.map { Array($0.name.utf8) } == [Array(characters.utf8)])
    }

    /// Each escape of a character with one code unit, with digits in upper and lower case.
    @Test func resolvesEveryCodeUnitThatIsNotASurrogate() throws {
        for unit in stride(from: UInt16(0), through: 0xFFF0, by: 7) where !UTF16.isSurrogate(unit) {
            let digits = String(unit, radix: 16)
            let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            let scalar = try #require(Unicode.Scalar(unit))
            #expect(try parse("\"\(escape)\"").stringBytes == Array(String(scalar).utf8))
            #expect(try parse("\"\\u\(escape.dropFirst(2).uppercased())\"").stringBytes == Array(String(scalar).utf8))
        }
    }

    @Test(arguments: [
        #"\x41"#, #"\a"#, #"\v"#, #"\0"#, #"\'"#, #"\e"#, #"\N"#, #"\U0041"#, #"\ "#, #"\{"#, #"\é"#, "\\\u{1}", "\\\n",
        #"\u"#, #"\u0"#, #"\u00"#,
        #"\u004"#, #"\u004g"#, #"\u00 1"#, #"\u+041"#, #"\u-041"#, #"\u0x41"#, #"\u{41}"#, #"\u００４１"#, #"\u004é"#,
    ])
    func rejectsOtherEscapes(_ escape: String) {
        #expect(rejection(of: "[\"é\(escape)\"]")?.reason == .invalidEscape)
        #expect(rejection(of: "[\"é\(escape)\"]")?.offset == 4)
        #expect(rejection(of: "{\"\(escape)\":1}")?.reason == .invalidEscape)
        #expect(rejection(of: "{\"\(escape)\":1}")?.offset == 2)
    }

    @Test(arguments: [
        (#"\ud800"#, 0), (#"\uDBFF"#, 0), (#"\udc00"#, 0), (#"\uDFFF"#, 0), (#"\ud800a"#, 0), (#"\ud800\n"#, 0),
        (#"\ud800\u0041"#, 0),
        (#"\ud800\ud800"#, 0), (#"\ud800\ud800\udc00"#, 0), (#"\udc00\ud800"#, 0), (#"\ud800\udbff"#, 0),
        (#"\ud800\ue000"#, 0),
        (#"\ud83d\ude0"#, 0), (#"\ud83d\ude0g"#, 0), (#"\ud83d\ ude00"#, 0), (#"\ud83d ude00"#, 0),
        (#"\ud83d\Ude00"#, 0), (#"\ud83dude00"#, 0),
        (#"\ud83d\ude00\ude00"#, 12), (#"a\n\ud800"#, 3),
    ])
    func rejectsHalvesOfSurrogatePairs(_ escaped: String, _ offset: Int) {
        #expect(rejection(of: "\"\(escaped)\"")?.reason == .loneSurrogate)
        #expect(rejection(of: "\"\(escaped)\"")?.offset == offset + 1)
        #expect(rejection(of: "{\"\(escaped)\":1}")?.reason == .loneSurrogate)
    }

    @Test(arguments: UInt8(0)..<0x20)
    func rejectsControlCharacters(_ byte: UInt8) {
        let inValue = rejection(of: "[\"ab".utf8 + [byte] + "c\"]".utf8)
        #expect(inValue?.reason == .controlCharacter(byte))
        #expect(inValue?.offset == 4)

        let inName = rejection(of: "{\"".utf8 + [byte] + "\":1}".utf8)
        #expect(inName?.reason == .controlCharacter(byte))
        #expect(inName?.offset == 2)
    }

    @Test(arguments: [
        (#"""#, 1), (#""a"#, 2), (#""a\""#, 4), (#""\"#, 2), (#"["a"#, 3), (#"{"a"#, 3), (#"{"a":"b"#, 7),
        (#"["a,1]"#, 6), (#""\\\""#, 5),
    ])
    func rejectsStringsWithoutEnd(_ text: String, _ offset: Int) {
        #expect(rejection(of: text)?.reason == .unexpectedEnd)
        #expect(rejection(of: text)?.offset == offset)
    }

    /// An escape that is cut off by the end of the text is reported at its beginning.
    @Test(arguments: [
        (#""a\u"#, JSONError.Reason.invalidEscape), (#""a\u00e"#, .invalidEscape), (#""a\ud83d"#, .loneSurrogate),
        (#""a\ud83d\ude"#, .loneSurrogate),
    ])
    func rejectsEscapesThatTheEndCutsOff(_ text: String, _ reason: JSONError.Reason) {
        #expect(rejection(of: text)?.reason == reason)
        #expect(rejection(of: text)?.offset == 2)
    }

    @Test func resolvesLongStrings() throws {
        let escaped = String(repeating: #"abc\n\u00e9\ud83d\ude00漢"#, count: 20_000)
        let characters = String(repeating: "abc\né😀漢", count: 20_000)
        #expect(try parse("\"\(escaped)\"").stringBytes == Array(characters.utf8))
        #expect(
            try parse("[\"\(characters.replacing("\n", with: ""))\"]").elements?.map(\.string?.utf8.count) == [
                20_000 * 12
            ])
    }
}
