import Encodings
import Testing

/// Texts that RFC 8259 allows are accepted, with the meaning that they have there.
@Suite struct AcceptedTextTests {
    @Test(
        arguments: [
            ("null", .null),
            ("true", .boolean(true)),
            ("false", .boolean(false)),
            ("0", .number("0")),
            ("\"\"", .string([])),
            ("\"x\"", .string(["x"])),
            ("[]", .array([])),
            ("{}", .object([])),
        ] as [(String, JSONTree)])
    func acceptsAnyValueAsText(_ text: String, _ tree: JSONTree) throws {
        #expect(JSONTree(try parse(text)) == tree)
    }

    @Test(
        arguments: [
            ("[null]", .array([.null])),
            ("[[]]", .array([.array([])])),
            ("[[],[],{}]", .array([.array([]), .array([]), .object([])])),
            ("[1,\"1\",true,null]", .array([.number("1"), .string(["1"]), .boolean(true), .null])),
            ("[\"\"]", .array([.string([])])),
            ("{\"\":0}", .object([.init("", .number("0"))])),
            (
                "{\"a\":{\"a\":{\"a\":[]}}}",
                .object([.init("a", .object([.init("a", .object([.init("a", .array([]))]))]))])
            ),
            (
                "{\"a\":[1,2],\"b\":3}",
                .object([.init("a", .array([.number("1"), .number("2")])), .init("b", .number("3"))])
            ),
            (
                "[{\"a\":1},{\"a\":1}]",
                .array([.object([.init("a", .number("1"))]), .object([.init("a", .number("1"))])])
            ),
        ] as [(String, JSONTree)])
    func acceptsArraysAndObjects(_ text: String, _ tree: JSONTree) throws {
        #expect(JSONTree(try parse(text)) == tree)
    }

    @Test(arguments: [
        " 1", "1 ", "\t1\n", "\r\n1\r\n", " \t\n\r1 \t\n\r",
    ])
    func acceptsWhiteSpaceAroundTheText(_ text: String) throws {
        #expect(try parse(text).number?.digits == "1")
    }

    @Test func acceptsWhiteSpaceAroundEveryToken() throws {
        let tokens = ["{", "\"a\"", ":", "[", "1", ",", "null", "]", ",", "\"b\"", ":", "{", "}", "}"]
        let tight = JSONTree(try parse(tokens.joined()))
        for space in [" ", "\t", "\n", "\r", " \r\n\t"] {
            let loose = space + tokens.joined(separator: space) + space
            #expect(JSONTree(try parse(loose)) == tight)
        }
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "0.5", "6.30", "1.000", "0e0", "0E0", "0e+0", "0e-0",
        "1e1",
        "1E1", "1e+1", "1E-1", "-1.5e-05", "1e00", "123e45", "123.456e78", "20e1",
        "100000000000000000000000000000000000000",
        "0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999969999999006", "1e400",
        "-1e400",
        "-123123123123123123123123123123",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000001",
    ])
    func acceptsNumbersOfTheGrammarWithTheirDigits(_ digits: String) throws {
        #expect(try parse(digits).number?.digits == digits)
        #expect(try parse("[\(digits)]").elements?.map(\.number?.digits) == [digits])
        #expect(try parse("{\"n\":\(digits)}")["n"]?.number?.digits == digits)
    }

    /// All parsers read them alike, so RFC 7493 §2.1 is not enforced here.
    @Test(arguments: [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
    func acceptsNoncharacters(_ value: UInt32) throws {
        let character = try #require(Unicode.Scalar(value))
        #expect(try parse("\"\(character)\"").string.map { Array($0.unicodeScalars) } == [character])
    }

    @Test(arguments: [
        "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{FEFF}", "/", "'", "\u{301}",
    ])
    func acceptsEveryOtherCharacterUnescaped(_ character: String) throws {
        #expect(try parse("\"\(character)\"").stringBytes == Array(character.utf8))
    }
}
