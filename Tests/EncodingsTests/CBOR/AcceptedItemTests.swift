import Encodings
import TestSupport
import Testing

/// All well-formed items are accepted, with the meaning that they have in RFC 8949.
@Suite struct AcceptedItemTests {
    private static let counted = "[" + (1...25).map(String.init).joined(separator: ", ") + "]"

    /// The examples of RFC 8949, appendix A. Values that are written in several ways have the same notation.
    private static let examples: [(String, String)] = [
        ("00", "0"), ("01", "1"), ("0a", "10"), ("17", "23"), ("1818", "24"), ("1819", "25"), ("1864", "100"),
        ("1903e8", "1000"), ("1a000f4240", "1000000"), ("1b000000e8d4a51000", "1000000000000"),
        ("1bffffffffffffffff", "18446744073709551615"), ("c249010000000000000000", "2(h'010000000000000000')"),
        ("3bffffffffffffffff", "-18446744073709551616"), ("c349010000000000000000", "3(h'010000000000000000')"),
        ("20", "-1"), ("29", "-10"), ("3863", "-100"), ("3903e7", "-1000"),
        ("f90000", "0.0"), ("f98000", "-0.0"), ("f93c00", "1.0"), ("fb3ff199999999999a", "1.1"), ("f93e00", "1.5"),
        ("f97bff", "65504.0"), ("fa47c35000", "100000.0"), ("fa7f7fffff", "3.4028234663852886e+38"),
        ("fb7e37e43c8800759c", "1e+300"), ("f90001", "5.960464477539063e-08"), ("f90400", "6.103515625e-05"),
        ("f9c400", "-4.0"), ("fbc010666666666666", "-4.1"), ("f97c00", "Infinity"), ("f97e00", "NaN"),
        ("f9fc00", "-Infinity"), ("fa7f800000", "Infinity"), ("fa7fc00000", "NaN"), ("faff800000", "-Infinity"),
        ("fb7ff0000000000000", "Infinity"), ("fb7ff8000000000000", "NaN"), ("fbfff0000000000000", "-Infinity"),
        ("f4", "false"), ("f5", "true"), ("f6", "null"), ("f7", "undefined"), ("f0", "simple"), ("f8ff", "simple"),
        ("c074323031332d30332d32315432303a30343a30305a", "0(\"2013-03-21T20:04:00Z\")"),
        ("c11a514b67b0", "1(1363896240)"), ("c1fb41d452d9ec200000", "1(1363896240.5)"),
        ("d74401020304", "23(h'01020304')"),
        ("d818456449455446", "24(h'6449455446')"),
        ("d82076687474703a2f2f7777772e6578616d706c652e636f6d", "32(\"http://www.example.com\")"),
        ("40", "h''"), ("4401020304", "h'01020304'"), ("60", "\"\""), ("6161", "\"a\""), ("6449455446", "\"IETF\""),
        ("62225c", "\"\"\\\""), ("62c3bc", "\"ü\""), ("63e6b0b4", "\"水\""), ("64f0908591", "\"\u{10151}\""),
        ("80", "[]"), ("83010203", "[1, 2, 3]"), ("8301820203820405", "[1, [2, 3], [4, 5]]"),
        ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", counted), ("a0", "{}"),
        ("a201020304", "{1: 2, 3: 4}"), ("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}"),
        ("826161a161626163", "[\"a\", {\"b\": \"c\"}]"),
        (
            "a56161614161626142616361436164614461656145",
            "{\"a\": \"A\", \"b\": \"B\", \"c\": \"C\", \"d\": \"D\", \"e\": \"E\"}"
        ),
        ("5f42010243030405ff", "h'0102030405'"), ("7f657374726561646d696e67ff", "\"streaming\""), ("9fff", "[]"),
        ("9f018202039f0405ffff", "[1, [2, 3], [4, 5]]"), ("9f01820203820405ff", "[1, [2, 3], [4, 5]]"),
        ("83018202039f0405ff", "[1, [2, 3], [4, 5]]"), ("83019f0203ff820405", "[1, [2, 3], [4, 5]]"),
        ("9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", counted),
        ("bf61610161629f0203ffff", "{\"a\": 1, \"b\": [2, 3]}"), ("826161bf61626163ff", "[\"a\", {\"b\": \"c\"}]"),
        ("bf6346756ef563416d7421ff", "{\"Fun\": true, \"Amt\": -2}"),
    ]

    @Test(arguments: examples) func readsTheExamplesOfTheRFC(_ hex: String, _ notation: String) throws {
        let value = try parseCBOR(hex)
        #expect(value.diagnostic == notation)
        #expect(Array(value.encoded) == [UInt8](hex: hex))
        #expect(value.offset == 0)
    }

    @Test(arguments: [
        ("1800", "0"), ("190001", "1"), ("1a00000017", "23"), ("1b0000000000000018", "24"),
        ("3b0000000000000000", "-1"),
        ("5b000000000000000101", "h'01'"), ("780161", "\"a\""), ("9900020102", "[1, 2]"), ("ba000000010102", "{1: 2}"),
        ("da0000003d00", "61(0)"), ("5fff", "h''"), ("7fff", "\"\""), ("5f40ff", "h''"), ("7f60616160ff", "\"a\""),
        ("bfff", "{}"), ("f820", "simple"),
    ])
    func acceptsWideHeadsAndIndefiniteLengths(_ hex: String, _ notation: String) throws {
        #expect(try parseCBOR(hex).diagnostic == notation)
    }

    @Test func widensAllHalfFloats() throws {
        for bits in UInt16.min...UInt16.max {
            let value = try CBORDocument.parse([0xF9, UInt8(bits >> 8), UInt8(truncatingIfNeeded: bits)])
            let expected = Double(Float16(bitPattern: bits))
            let isSame = expected.isNaN ? value.float?.isNaN == true : value.float?.bitPattern == expected.bitPattern
            guard !isSame else { continue }
            Issue.record("0x\(String(bits, radix: 16)): \(value.float ?? 0) is not \(expected)")
        }
    }

    @Test func integersOutsideInt64AreOnlyDecimals() throws {
        #expect(try parseCBOR("1b7fffffffffffffff").integer == .max)
        #expect(try parseCBOR("1b8000000000000000").integer == nil)
        #expect(try parseCBOR("3b7fffffffffffffff").integer == .min)
        #expect(try parseCBOR("3b8000000000000000").integer == nil)
        #expect(try parseCBOR("3b8000000000000000").decimal == "-9223372036854775809")
    }

    @Test func eachKindAnswersOnlyItsOwnQuestions() throws {
        let value = try parseCBOR("89 01 20 4101 6161 80 a0 c000 f5 f93c00")
        let elements = try #require(value.elements)
        #expect(elements.map(\.kind) == [.unsigned, .negative, .bytes, .text, .array, .map, .tag, .boolean, .half])
        for (place, element) in elements.enumerated() {
            #expect((element.integer != nil) == (place < 2))
            #expect((element.byteString != nil) == (place == 2))
            #expect((element.text != nil) == (place == 3))
            #expect((element.elements != nil) == (place == 4))
            #expect((element.members != nil) == (place == 5))
            #expect((element.tagged != nil) == (place == 6))
            #expect((element.boolean != nil) == (place == 7))
            #expect((element.float != nil) == (place == 8))
            #expect((element.decimal != nil) == [0, 1, 8].contains(place))
            #expect(!element.isNull && element["a"] == nil && element[1] == nil)
        }
        #expect(elements.map(\.offset) == [1, 2, 3, 5, 7, 8, 9, 11, 12])
    }

    /// Keys of another type with a similar value are other keys.
    @Test func looksUpKeysByValue() throws {
        let value = try parseCBOR("a8 1801 01  6131 02  f93c00 03  4131 04  20 05  7f6161ff 06  3903ff 07  c101 08")
        #expect(value[1]?.integer == 1)
        #expect(value["1"]?.integer == 2)
        #expect(value[-1]?.integer == 5)
        #expect(value["a"]?.integer == 6)
        #expect(value[-1024]?.integer == 7)
        #expect(value[2] == nil && value["b"] == nil && value[-1023] == nil)
        #expect(value.members?.count == 8)
    }

    @Test func itemsKeepTheirBytes() throws {
        let value = try parseCBOR("a2 01 9f1800ff 7f61616162ff c24101")
        let members = try #require(value.members)
        #expect(Array(members[0].value.encoded) == [UInt8](hex: "9f1800ff"))
        #expect(Array(members[1].key.encoded) == [UInt8](hex: "7f6161 6162 ff"))
        #expect(Array(members[1].value.encoded) == [UInt8](hex: "c24101"))
        #expect(Array(try #require(members[1].key.text)) == Array("ab".utf8))
    }

    @Test(arguments: MadeCBOR.Style.allCases) func allStylesMeanTheSame(_ style: MadeCBOR.Style) throws {
        let made: MadeCBOR = [
            1, -1000, 1.5, "ü€𝄞", .bytes([1, 2, 3]), [[], [:]], [1: ["a": nil], "b": false], .tag(61, .tag(18, [true])),
        ]
        let value = try CBORDocument.parse(made.encoded(style))
        let same = try CBORDocument.parse(made.encoded())
        #expect(value.diagnostic == same.diagnostic)
        #expect(value.elements?.count == 8)
    }
}
