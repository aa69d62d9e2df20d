import Encodings
import Testing

/// Texts that RFC 8259 does not allow are rejected, for the right reason and at the right byte.
@Suite struct RejectedTextTests {
    @Test(arguments: ["", " ", "\n", "\t\r\n "])
    func rejectsTextWithoutValue(_ text: String) {
        #expect(rejection(of: text)?.reason == .empty)
        #expect(rejection(of: text)?.offset == text.utf8.count)
    }

    @Test(arguments: [
        Rejection("nul", .invalidLiteral, 0), Rejection("n", .invalidLiteral, 0), Rejection("nULL", .invalidLiteral, 0),
        Rejection("trUe", .invalidLiteral, 0), Rejection("fals", .invalidLiteral, 0),
        Rejection("[tru]", .invalidLiteral, 1),
        Rejection("NaN", .invalidLiteral, 0), Rejection("[NaN]", .invalidLiteral, 1),
        Rejection("nan", .invalidLiteral, 0),
        Rejection("Infinity", .invalidLiteral, 0), Rejection("{\"a\":Infinity}", .invalidLiteral, 5),
        Rejection("undefined", .invalidLiteral, 0), Rejection("[1,undefined]", .invalidLiteral, 3),
        Rejection("NULL", .invalidLiteral, 0), Rejection("True", .unexpected("T"), 0),
        Rejection("inf", .unexpected("i"), 0),
        Rejection("[nullx]", .unexpected("x"), 5), Rejection("truefalse", .trailingBytes, 4),
        Rejection("abc", .unexpected("a"), 0), Rejection("[\u{0}]", .unexpected("\u{0}"), 1),
    ])
    func rejectsOtherLiterals(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("01", .invalidNumber, 0), Rejection("-01", .invalidNumber, 0), Rejection("00", .invalidNumber, 0),
        Rejection("[012]", .invalidNumber, 1), Rejection("-", .invalidNumber, 0), Rejection("[-]", .invalidNumber, 1),
        Rejection("--1", .invalidNumber, 0), Rejection("- 1", .invalidNumber, 0), Rejection("-a", .invalidNumber, 0),
        Rejection("-Infinity", .invalidNumber, 0), Rejection("[-NaN]", .invalidNumber, 1),
        Rejection("-.5", .invalidNumber, 0),
        Rejection("1.", .invalidNumber, 0), Rejection("[1.]", .invalidNumber, 1), Rejection("0.", .invalidNumber, 0),
        Rejection("1.e1", .invalidNumber, 0), Rejection("1.a", .invalidNumber, 0), Rejection("1e", .invalidNumber, 0),
        Rejection("1E", .invalidNumber, 0), Rejection("1e+", .invalidNumber, 0), Rejection("1e-", .invalidNumber, 0),
        Rejection("1e+-1", .invalidNumber, 0), Rejection("[1ea]", .invalidNumber, 1),
        Rejection("{\"a\":0e}", .invalidNumber, 5),
        Rejection(" 1.5e", .invalidNumber, 1),
        Rejection("+1", .unexpected("+"), 0), Rejection("[+1]", .unexpected("+"), 1),
        Rejection(".5", .unexpected("."), 0),
        Rejection("[.5]", .unexpected("."), 1), Rejection("１", .unexpectedByte(0xEF), 0),
        Rejection("[1 2]", .unexpected("2"), 3),
        Rejection("[1_0]", .unexpected("_"), 2), Rejection("[1e5.5]", .unexpected("."), 4),
        Rejection("[0x10]", .unexpected("x"), 2), Rejection("[1f]", .unexpected("f"), 2),
        Rejection("[1+2]", .unexpected("+"), 2),
        Rejection("0x10", .trailingBytes, 1), Rejection("1.2.3", .trailingBytes, 3), Rejection("1-", .trailingBytes, 1),
        Rejection("1 000", .trailingBytes, 2), Rejection("1\u{0}", .trailingBytes, 1),
        Rejection("0-1", .trailingBytes, 1),
    ])
    func rejectsNumbersOutsideTheGrammar(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("[", .unexpectedEnd, 1), Rejection("[ ", .unexpectedEnd, 2), Rejection("[1", .unexpectedEnd, 2),
        Rejection("[1,", .unexpectedEnd, 3), Rejection("[1,\n", .unexpectedEnd, 4), Rejection("[[]", .unexpectedEnd, 3),
        Rejection("[1,]", .unexpected("]"), 3), Rejection("[,1]", .unexpected(","), 1),
        Rejection("[,]", .unexpected(","), 1),
        Rejection("[1,,2]", .unexpected(","), 3), Rejection("[1,\n,]", .unexpected(","), 4),
        Rejection("]", .unexpected("]"), 0),
        Rejection("[1}", .unexpected("}"), 2), Rejection("[}", .unexpected("}"), 1),
        Rejection("[1;2]", .unexpected(";"), 2),
        Rejection("[1:2]", .unexpected(":"), 2), Rejection("[\"a\" \"b\"]", .unexpected("\""), 5),
        Rejection("[[] []]", .unexpected("["), 4), Rejection("[(1)]", .unexpected("("), 1),
        Rejection("[a]", .unexpected("a"), 1),
        Rejection("[*]", .unexpected("*"), 1), Rejection(",[]", .unexpected(","), 0),
    ])
    func rejectsBrokenArrays(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("{", .unexpectedEnd, 1), Rejection("{\"a\"", .unexpectedEnd, 4),
        Rejection("{\"a\":", .unexpectedEnd, 5),
        Rejection("{\"a\":1", .unexpectedEnd, 6), Rejection("{\"a\":1,", .unexpectedEnd, 7),
        Rejection("{\"a\":1,}", .unexpected("}"), 7), Rejection("{,}", .unexpected(","), 1),
        Rejection("}", .unexpected("}"), 0),
        Rejection("{\"a\":1,,\"b\":2}", .unexpected(","), 7), Rejection("{\"a\" 1}", .unexpected("1"), 5),
        Rejection("{\"a\",1}", .unexpected(","), 4), Rejection("{\"a\"}", .unexpected("}"), 4),
        Rejection("{\"a\":}", .unexpected("}"), 5),
        Rejection("{\"a\":,\"b\":1}", .unexpected(","), 5), Rejection("{:1}", .unexpected(":"), 1),
        Rejection("{\"a\"::1}", .unexpected(":"), 5), Rejection("{\"a\":1 \"b\":2}", .unexpected("\""), 7),
        Rejection("{\"a\":1:2}", .unexpected(":"), 6), Rejection("{\"a\":1;\"b\":2}", .unexpected(";"), 6),
        Rejection("{\"a\":1]", .unexpected("]"), 6), Rejection("{]", .unexpected("]"), 1),
        Rejection("{a:1}", .unexpected("a"), 1),
        Rejection("{1:1}", .unexpected("1"), 1), Rejection("{null:1}", .unexpected("n"), 1),
        Rejection("{[]:1}", .unexpected("["), 1),
        Rejection("{{}:1}", .unexpected("{"), 1), Rejection("{\"a\"=1}", .unexpected("="), 4),
        Rejection("{\"a\":b}", .unexpected("b"), 5),
    ])
    func rejectsBrokenObjects(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("1 2", .trailingBytes, 2), Rejection("[]]", .trailingBytes, 2), Rejection("{}}", .trailingBytes, 2),
        Rejection("[][]", .trailingBytes, 2), Rejection("{}{}", .trailingBytes, 2),
        Rejection("[] x", .trailingBytes, 3),
        Rejection("\"a\" \"b\"", .trailingBytes, 4), Rejection("null,", .trailingBytes, 4),
        Rejection("{} \u{0}", .trailingBytes, 3),
        Rejection("{}\u{FEFF}", .trailingBytes, 2), Rejection("\"\"\"", .trailingBytes, 2),
    ])
    func rejectsTrailingBytes(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("/**/1", .unexpected("/"), 0), Rejection("//x\n1", .unexpected("/"), 0),
        Rejection("# x\n1", .unexpected("#"), 0),
        Rejection("[1/**/]", .unexpected("/"), 2), Rejection("[/**/]", .unexpected("/"), 1),
        Rejection("[1,//x\n2]", .unexpected("/"), 3),
        Rejection("{/**/}", .unexpected("/"), 1), Rejection("{\"a\":/**/1}", .unexpected("/"), 5),
        Rejection("{\"a\":1}/**/", .trailingBytes, 7), Rejection("{\"a\":1}//", .trailingBytes, 7),
        Rejection("1#", .trailingBytes, 1),
        Rejection("<null>", .unexpected("<"), 0),
    ])
    func rejectsComments(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("'a'", .unexpected("'"), 0), Rejection("{'a':1}", .unexpected("'"), 1),
        Rejection("{\"a\":'b'}", .unexpected("'"), 5),
        Rejection("`a`", .unexpected("`"), 0), Rejection("“a”", .unexpectedByte(0xE2), 0),
        Rejection("\\u0022a\\u0022", .unexpected("\\"), 0),
    ])
    func rejectsOtherQuotationMarks(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("\u{0B}1", .unexpectedByte(0x0B), 0), Rejection("\u{0C}1", .unexpectedByte(0x0C), 0),
        Rejection("[\u{0C}]", .unexpectedByte(0x0C), 1),
        Rejection("\u{A0}1", .unexpectedByte(0xC2), 0), Rejection("[\u{85}]", .unexpectedByte(0xC2), 1),
        Rejection("[\u{2028}]", .unexpectedByte(0xE2), 1),
        Rejection("[\u{2060}]", .unexpectedByte(0xE2), 1), Rejection("[\u{3000}]", .unexpectedByte(0xE3), 1),
        Rejection("\u{0}1", .unexpectedByte(0), 0),
        Rejection("{\"a\"\u{A0}:1}", .unexpectedByte(0xC2), 4), Rejection("1\u{0C}", .trailingBytes, 1),
    ])
    func rejectsOtherWhiteSpace(_ rejected: Rejection) { expect(rejected) }

    @Test(arguments: [
        Rejection("\u{FEFF}", .byteOrderMark, 0), Rejection("\u{FEFF}1", .byteOrderMark, 0),
        Rejection("\u{FEFF}{}", .byteOrderMark, 0),
        Rejection(" \u{FEFF}1", .unexpectedByte(0xEF), 1), Rejection("[\u{FEFF}]", .unexpectedByte(0xEF), 1),
    ])
    func rejectsByteOrderMark(_ rejected: Rejection) { expect(rejected) }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x31, 0x00], .unexpectedByte(0xFF), 0), ([0xFE, 0xFF, 0x00, 0x31], .unexpectedByte(0xFE), 0),
            ([0x31, 0x00], .trailingBytes, 1), ([0x00, 0x31], .unexpectedByte(0), 0),
            ([0x5B, 0x00, 0x5D, 0x00], .unexpectedByte(0), 1),
            ([0xEF, 0xBB], .unexpectedByte(0xEF), 0), ([0xEF], .unexpectedByte(0xEF), 0),
        ] as [([UInt8], JSONError.Reason, Int)])
    func rejectsOtherEncodings(_ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int) {
        #expect(rejection(of: bytes)?.reason == reason)
        #expect(rejection(of: bytes)?.offset == offset)
    }

    /// A text that is cut off anywhere is rejected, and the parser never reads past its end.
    @Test func rejectsEveryTruncation() {
        let text = Array(#" {"a":[1.5e-7,true,"é\n\ud83d\ude00😀"],"b":{"":null,"c":[]},"d":-0.25} "#.utf8)
        for length in 0..<text.count - 1 {
            #expect(rejection(of: Array(text[..<length])) != nil, "\(length) bytes")
        }
        #expect(rejection(of: Array(text.dropLast())) == nil)
    }

    private func expect(_ rejected: Rejection) {
        let error = rejection(of: rejected.text)
        #expect(error?.reason == rejected.reason)
        #expect(error?.offset == rejected.offset)
    }
}

/// An error says in plain words what is wrong and where, and shows nothing that could control a terminal.
@Suite struct ErrorDescriptionTests {
    @Test(arguments: [
        ("", "there is no JSON value"),
        ("\u{FEFF}1", "the JSON begins with a byte-order mark"),
        ("1 2", "something follows the JSON value, at byte 2"),
        ("[1", "the JSON ends too early, at byte 2"),
        ("[x]", "unexpected 'x' at byte 1"),
        ("[\u{1}]", "unexpected byte 0x01 at byte 1"),
        ("[é]", "unexpected byte 0xC3 at byte 1"),
        ("[01]", "not a JSON number at byte 1"),
        ("[NaN]", "not a JSON value at byte 1"),
        (#"["\x"]"#, "not a JSON string escape at byte 2"),
        (#"["\ud800"]"#, "half of a surrogate pair at byte 2"),
        ("[\"\u{1B}\"]", "a control character inside a string at byte 2"),
        ("{\"a\":1,\"a\":2}", "the member \"a\" occurs twice in one object, at byte 7"),
    ])
    func says(_ text: String, _ description: String) {
        #expect(rejection(of: text)?.description == description)
    }

    @Test func saysWhatIsNotUTF8AndWhatIsTooDeep() {
        #expect(rejection(of: [0x22, 0xFF, 0x22])?.description == "bytes that are not UTF-8 at byte 1")
        #expect(
            rejection(of: Array("[[]]".utf8), maximumDepth: 1)?.description == "nested deeper than 1 levels at byte 1")
    }

    @Test(arguments: [
        "\u{202E}\u{7F}\\u001b", String(repeating: "x", count: 10_000),
        "a" + String(repeating: "\u{301}", count: 10_000),
    ])
    func aHostileNameIsShownEscapedAndShort(_ name: String) throws {
        let description = try #require(rejection(of: "{\"\(name)\":1,\"\(name)\":2}")).description
        #expect(description.unicodeScalars.allSatisfy { !$0.isUnprintable })
        #expect(description.utf8.count < 500)
    }
}
