import Credentials
import Encodings
import SMARTHealthCards
import Testing

@testable import Conformance

/// The formats of primitives in FHIR R4.
struct StructureFormatTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let type: Primitive
        let allowed: [String]
        let refused: [String]

        var testDescription: String { type.rawValue }
    }

    static let uuid = "urn:uuid:c757873d-ec9a-4326-a141-556f43239520"

    static let texts = [
        Row(
            type: .date,
            allowed: ["0001", "9999", "2021", "2021-02", "2021-02-28", "2020-02-29", "2000-02-29", "2021-12-31"],
            refused: [
                "0000", "21", "2021-", "2021-2", "2021-00", "2021-13", "2021-02-29", "2021-02-30", "1900-02-29",
                "2021-04-31", "2021-01-00", "2021-01-32", "2021-01-01T00:00:00Z", "2021-01-01Z", "20210101", " 2021",
                "2021 ", "-2021", "12021", "2021/01/01", "２０２１", "2021-01-01-01",
            ]),
        Row(
            type: .dateTime,
            allowed: [
                "2021", "2021-02", "2021-02-28", "2021-02-28T00:00:00Z", "2021-02-28T23:59:59+14:00",
                "2021-02-28T10:00:00-13:59", "2021-02-28T10:00:00.0Z", "2021-02-28T10:00:00.123456789012Z",
                "2016-12-31T23:59:60Z", "2021-02-28T10:00:00-00:00",
            ],
            refused: [
                "2021-02-28T", "2021-02-28T10", "2021-02-28T10:00", "2021-02-28T10:00Z", "2021-02-28T10:00:00",
                "2021-02-28T24:00:00Z", "2021-02-28T10:60:00Z", "2021-02-28T10:00:61Z", "2021-02-28T10:00:00.Z",
                "2021-02-28t10:00:00Z", "2021-02-28T10:00:00z", "2021-02-28 10:00:00Z", "2021-02-28T10:00:00+1:00",
                "2021-02-28T10:00:00+0100", "2021-02-28T10:00:00+14:01", "2021-02-28T10:00:00+15:00",
                "2021-02-28T10:00:00+01:60", "2021-02-30T10:00:00Z", "2021-02-28T10:00:00ZZ", "2021-02-28T10:00:00,5Z",
                "2021-02Z",
            ]),
        Row(
            type: .instant, allowed: ["2021-02-28T10:00:00Z", "2021-02-28T10:00:00.5+01:00", "2021-02-28T10:00:60Z"],
            refused: ["2021", "2021-02", "2021-02-28", "2021-02-28T10:00:00", "2021-02-30T10:00:00Z"]),
        Row(
            type: .time, allowed: ["00:00:00", "23:59:60", "10:00:00.5"],
            refused: ["10:00", "24:00:00", "10:00:00Z", "10:00:00+01:00", "1:00:00", "10:00:00.", "10:60:00"]),
        Row(
            type: .code, allowed: ["a", "a b", "207", "<=", "urn:a", "ä"],
            refused: [" a", "a ", "a  b", " ", "a\tb", "a\nb"]),
        Row(
            type: .uri,
            allowed: ["http://a.example/", "a", "#b", "urn:a:b", "http://a.example/ä", "%zz", "resource:0"],
            refused: ["a b", " a", "a\n"]),
        Row(type: .url, allowed: ["https://a.example/?a=b", "mailto:a@a.example"], refused: ["https://a.example/ a"]),
        Row(type: .canonical, allowed: ["http://a.example/b|1.0", "#a"], refused: ["a b"]),
        Row(
            type: .oid, allowed: ["urn:oid:1.2.3", "urn:oid:0.0", "urn:oid:2.16.840.1.113883"],
            refused: [
                "1.2.3", "urn:oid:", "urn:oid:1", "urn:oid:3.1", "urn:oid:1.02", "urn:oid:1..2", "urn:oid:1.2.",
                "urn:oid:11.2",
            ]),
        Row(
            type: .uuid, allowed: [uuid],
            refused: [
                "c757873d-ec9a-4326-a141-556f43239520", "urn:uuid:C757873D-EC9A-4326-A141-556F43239520", "\(uuid)0",
                "urn:uuid:c757873dec9a4326a141556f43239520",
            ]),
        Row(
            type: .id, allowed: ["a", "A-1.b", String(repeating: "a", count: 64)],
            refused: ["a_b", "a b", "ä", "a/b", String(repeating: "a", count: 65)]),
        Row(
            type: .base64Binary, allowed: ["QQ==", "QUI=", "QUJD", "QUJD QUJD", "QUJD\nQUI=", "a+/b"],
            refused: ["QQ", "QUJD=", "Q===", "QQ==QUJD", "QU_D", "====", " "]),
        Row(
            type: .string, allowed: ["a", " a ", "a\nb\tc", "\u{1F489}", "a\u{0}".replacing("\u{0}", with: "\u{7F}")],
            refused: []),
        Row(type: .markdown, allowed: ["# a\n\n* b"], refused: []),
        Row(
            type: .sampledDataDataType, allowed: ["1 2 3", "-1.5 .5 E U L"],
            refused: ["1,2", "1  2", " 1", "e", "1.", "--1", "1.2.3"]),
    ]

    @Test(arguments: texts) func checksFormatsOfTextsAsR4Does(_ row: Row) {
        for text in row.allowed { #expect(row.type.objection(to: Array(text.utf8)) == nil, "\(text)") }
        for text in row.refused {
            #expect(row.type.objection(to: Array(text.utf8))?.isAdvice == false, "\(text)")
        }
    }

    static let numbers = [
        Row(
            type: .decimal, allowed: ["0", "-0", "1.50", "1e3", "-1E-30", "123456789012345678901234567890"], refused: []
        ),
        Row(
            type: .integer, allowed: ["0", "-1", "2147483647", "-2147483648"],
            refused: ["1.0", "1e3", "2147483648", "-2147483649"]),
        Row(type: .unsignedInt, allowed: ["0", "2147483647"], refused: ["-1", "-0", "1.5", "2147483648"]),
        Row(type: .positiveInt, allowed: ["1", "2147483647"], refused: ["0", "-1", "-0", "1.0", "2147483648"]),
    ]

    @Test(arguments: numbers) func checksFormatsOfNumbersAsR4Does(_ row: Row) throws {
        for number in row.allowed {
            #expect(try Bundles.walk(Bundles.holding(number, as: row.type)).map(\.message) == [], "\(number)")
        }
        for number in row.refused {
            #expect(try Bundles.walk(Bundles.holding(number, as: row.type)).map(\.kind) == [.format], "\(number)")
        }
    }

    @Test(arguments: Primitive.allCases) func primitiveHasOneKindOfJSON(_ type: Primitive) throws {
        guard type != .xhtml, type != .sampledDataDataType else { return }
        for value in ["true", "1", "\"2021-01-01T00:00:00Z\"", "{\"a\":1}", "[1]"] {
            let kinds = try Set(Bundles.walk(Bundles.holding(value, as: type)).map(\.kind))
            let parsed = try JSONDocument.parse(Array(value.utf8))
            switch parsed.kind {
            case type.jsonKind: #expect(kinds.isSubset(of: [.format]), "\(type) \(value)")
            case .array: #expect(kinds.contains(.cardinality), "\(type) \(value)")
            default: #expect(kinds == [.jsonType], "\(type) \(value)")
            }
        }
    }

    @Test func advisesAgainstBlankTextAndControlCharacters() {
        for text in [" ", "\n\t", "a\u{1}b"] {
            #expect(Primitive.string.objection(to: Array(text.utf8))?.isAdvice == true)
        }
    }

    @Test(arguments: ["4.0.1", "3.0.2", "1.0.2"]) func advisesAgainstBlankTextInEachVersion(_ version: UTF8Text) throws
    {
        let shot = #"{"resourceType":"Immunization","status":"completed","vaccineCode":{"coding":[{"code":"207"}]},"#
        let rest = #""patient":{"reference":"resource:0"},"occurrenceDateTime":"2021-01-29","lotNumber":" \t"}"#
        let problems = try Bundles.walk(Bundles.text(shot + rest), fhirVersion: version)
        #expect(problems.map(\.kind) == [.format] && problems.allSatisfy(\.isAdvice), "\(problems.map(\.message))")
    }

    @Test func limitsTextToAMegabyte() {
        let text = Array(repeating: UInt8(ascii: "a"), count: Primitive.longestString)
        #expect(Primitive.string.objection(to: text) == nil)
        #expect(Primitive.string.objection(to: text + [0x61])?.isAdvice == false)
        // Characters are counted, not bytes.
        let wide = Array(String(repeating: "ä", count: Primitive.longestString).utf8)
        #expect(Primitive.markdown.objection(to: wide) == nil)
        #expect(Primitive.markdown.objection(to: wide + [0x61])?.isAdvice == false)
    }

    @Test(arguments: [
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a</div>", " <div xmlns='http://www.w3.org/1999/xhtml'>a</div>\n",
        "<div lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><p>a</p></div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\"><img src=\"#a\" alt=\"a > b\"/></div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">&#65;&#x41;&quot;</div>",
    ]) func acceptsXHTMLDivs(_ div: String) {
        #expect(XHTML.objection(to: Array(div.utf8)) == nil)
    }

    @Test(arguments: [
        "", " ", "a", "<p xmlns=\"http://www.w3.org/1999/xhtml\">a</p>",
        "<divx xmlns=\"http://www.w3.org/1999/xhtml\">a</divx>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\"/>", "<div xmlns=\"http://www.w3.org/1999/xhtml\">a", "<div",
        "<div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a</div>b",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a</div></div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a<SCRIPT>b</SCRIPT></div>", "<div xmlns=\"x\">a</div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a & b</div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a<!-- b</div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">a < b</div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\"><>a</div>",
        "<div xmlns=\"http://www.w3.org/1999/xhtml\">&", "<div xmlns=\"http://www.w3.org/1999/xhtml\">&;</div>",
    ]) func rejectsOtherNarratives(_ div: String) {
        #expect(XHTML.objection(to: Array(div.utf8)) != nil)
    }

    /// A look at the bytes accepts only what the whole check accepts.
    @Test(arguments: Primitive.allCases) func aLookAcceptsNoMoreThanTheCheck(_ type: Primitive) throws {
        let texts =
            Self.texts.flatMap { $0.allowed + $0.refused } + [
                "a", " a", "a ", "a b", "a  b", " ", "\t", "a\tb", "\u{1}", "a\u{1F}", "\u{7F}", "\u{E9}", "\u{A0}",
                "\n\r\t ",
                String(repeating: "a", count: 1 << 20), String(repeating: "a", count: 1 + 1 << 20),
            ]
        var accepted = 0
        for text in texts where !text.isEmpty {
            let value = try JSONDocument.parse(Array(JSONWriter.quoted(text).utf8))
            guard type.surelyHas(value) else { continue }
            accepted += 1
            #expect(type.objection(to: try #require(value.stringBytes)) == nil, "\(text.prefix(40))")
        }
        #expect((accepted > 0) == [.string, .markdown, .code, .uri, .url, .canonical].contains(type))
    }
}
