import Encodings
import Testing

/// RFC 8785, with the examples of the RFC.
@Suite struct CanonicalTests {
    private func canonical(_ text: String) throws -> String {
        String(decoding: try JSONDocument.parse(Array(text.utf8)).canonical, as: UTF8.self)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("1", "1"), ("6.30", "6.3"), ("1E2", "100"), ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("123456789012345678901234", "1.2345678901234569e+23"), ("0.000001", "0.000001"), ("1e-7", "1e-7"),
        ("1.5e-10", "1.5e-10"), ("333333333.33333329", "333333333.3333333"), ("1E30", "1e+30"), ("4.50", "4.5"),
        ("2e-3", "0.002"),
        ("0.000000000000000000000000001", "1e-27"), ("-12.125", "-12.125"), ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"), ("9007199254740993", "9007199254740992"), ("10", "10"),
        ("999999999999999900000", "999999999999999900000"), ("100.0", "100"), ("1234.5", "1234.5"),
    ])
    func numbersAreWrittenAsECMAScriptWritesThem(_ text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
    }

    @Test func membersAreSortedByUTF16CodeUnits() throws {
        #expect(
            try canonical(
                #"{"\u20ac":"Euro Sign","\r":"CR","\ufb33":"Dalet","1":"One","\ud83d\ude00":"Smiley","\u0080":"Control","ö":"o"}"#
            )
                == "{\"\\r\":\"CR\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"o\",\"€\":\"Euro Sign\",\"😀\":\"Smiley\",\"\u{FB33}\":\"Dalet\"}"
        )
    }

    @Test func stringsHaveOnlyNecessaryEscapes() throws {
        #expect(
            try canonical(#" { "a" : [ "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/" , null, true ] } "#)
                == #"{"a":["€$\u000f\nA'B\"\\\\\"/",null,true]}"#)
    }
}
