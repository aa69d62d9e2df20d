import Encodings
import Testing

/// Hexadecimal digits, percent-encoding and trimming.
@Suite struct TextFormTests {
    @Test func everyByteHasTwoHexadecimalDigits() {
        #expect([0x00, 0x0F, 0x10, 0xAB, 0xFF].hexadecimal == "000f10abff")
        #expect(([] as [UInt8]).hexadecimal == "")
        for byte in UInt8.min...UInt8.max {
            #expect(byte.twoHexDigits.utf8.count == 2 && UInt8(byte.twoHexDigits, radix: 16) == byte)
            #expect(byte.twoHexDigits == byte.twoHexDigits.uppercased())
        }
    }

    @Test func onlyASCIIDigitsAreHexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(byte.hexDigitValue.map(Int.init) == expected)
        }
    }

    @Test func decodesPercentEncoding() {
        let all = Array(UInt8.min...UInt8.max)
        let text = PercentEncoding.encode(all, keeping: PercentEncoding.isUnreserved)
        #expect(text.hasPrefix("%00%01") && text.contains("-.%2F0123456789%3A") && text.hasSuffix("%FF"))
        #expect(PercentEncoding.decode(text.utf8) == all)
        #expect(PercentEncoding.decode("a%2fb%2F".utf8) == Array("a/b/".utf8))
    }

    @Test(arguments: ["%", "%2", "a%2g", "%%20", "%-1", "%+1", "% 1"])
    func rejectsIncompleteEscapes(_ text: String) {
        #expect(PercentEncoding.decode(text.utf8) == nil)
    }

    @Test func trimsWhiteSpaceAndByteOrderMarks() {
        let trimmed = { (text: String) in
            String(decoding: Array(text.utf8)[...].trimmingByteOrderMarks(), as: UTF8.self)
        }
        #expect(trimmed(" \t\r\n\u{FEFF} a \u{FEFF}b \u{FEFF}\n") == "a \u{FEFF}b")
        #expect(trimmed("\u{FEFF}\u{FEFF}") == "" && trimmed("") == "" && trimmed("a") == "a")
        #expect(trimmed("\u{A0}a") == "\u{A0}a")
    }
}
