import Credentials
import Encodings
import SMARTHealthCards
import TestSupport
import Testing

/// `nbf` and `exp` are JSON numbers. They are read exactly, or not at all.
@Suite struct DecimalDateTests {
    private static let attosecondsPerSecond: Int64 = 1_000_000_000_000_000_000

    @Test(arguments: [
        ("0", 0, 0), ("-0", 0, 0), ("-0.000", 0, 0), ("0e5", 0, 0), ("0.0e-99999999999", 0, 0), ("0e99999999999", 0, 0),
        ("1715107763", 1_715_107_763, 0),
        ("1715107763.677", 1_715_107_763, 677_000_000_000_000_000),
        ("1749999999.9", 1_749_999_999, 900_000_000_000_000_000),
        ("0.000000000000000001", 0, 1),
        ("1.000000000000000001", 1, 1),
        ("0.999999999999999999", 0, 999_999_999_999_999_999),
        ("-1.5", -1, -500_000_000_000_000_000),
        ("1e9", 1_000_000_000, 0), ("1E9", 1_000_000_000, 0), ("1e+9", 1_000_000_000, 0),
        ("1e+0000000009", 1_000_000_000, 0), ("1.5e-0000000000000000001", 0, 150_000_000_000_000_000),
        ("1.715107763677e9", 1_715_107_763, 677_000_000_000_000_000),
        ("1715107763677e-3", 1_715_107_763, 677_000_000_000_000_000),
        ("17151.07763677E5", 1_715_107_763, 677_000_000_000_000_000),
        ("0.0000000001715107763e19", 1_715_107_763, 0),
        ("1e-18", 0, 1), ("1e-19", 0, 1), ("123e-20", 0, 2), ("1e-300", 0, 1), ("1e-99999999999999999999", 0, 1),
        ("-1e-30", 0, -1),
        ("999999999999999999", 999_999_999_999_999_999, 0), ("99999999999999999.9e1", 999_999_999_999_999_999, 0),
        ("000012", 12, 0),
    ])
    func readsEveryDigit(_ text: String, _ seconds: Int64, _ attoseconds: Int64) throws {
        let date = try #require(NumericDate(decimal: text))
        #expect(date.sinceEpoch == Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
    }

    @Test func roundsDigitsAfterTheEighteenthUp() {
        #expect(NumericDate(decimal: "1.0000000000000000011") == NumericDate(decimal: "1.000000000000000002"))
        #expect(NumericDate(decimal: "1.9999999999999999999999") == NumericDate(decimal: "2"))
        #expect(NumericDate(decimal: "1.0000000000000000010") == NumericDate(decimal: "1.000000000000000001"))
    }

    @Test(arguments: [
        "1e18", "1000000000000000000", "10e17", "0.1e19", "1e300", "1e400", "-1e300", "1e99999999999999999999",
        "18446744073709551616", "9223372036854775808",
    ])
    func rejectsNumbersTooLargeForADate(_ text: String) {
        #expect(NumericDate(decimal: text) == nil)
    }

    @Test(arguments: [
        "", "-", "+1", "--1", ".5", "5.", ".", "1.2.3", "1..2", "e5", "1e", "1e+", "1e-", "1e+-5", "1e5e5", "1e5.0",
        "0x10",
        "1_000", "1,5", " 1", "1 ", "1\n", "NaN", "Infinity", "inf", "١٢٣", "１２", "1e٣", "1\u{301}", "1e\u{301}5",
        "-\u{301}1", "²",
    ])
    func rejectsTextsThatAreNotNumbers(_ text: String) {
        #expect(NumericDate(decimal: text) == nil)
    }

    @Test func readsTheSameMomentFromAnyNotation() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let seconds = Int64.random(in: 0..<1_000_000_000_000, using: &random)
            let attoseconds = Int64.random(in: 0..<Self.attosecondsPerSecond, using: &random)
            let expected = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
            let fraction = String(String(attoseconds + Self.attosecondsPerSecond).dropFirst())
            let digits = Array("\(seconds)\(fraction)")
            let shift = Int.random(in: 1..<digits.count, using: &random)
            let exponent = digits.count - fraction.count - shift
            let zeros = String(repeating: "0", count: Int.random(in: 0...3, using: &random))
            let sign = exponent < 0 ? "-" : ["", "+"].randomElement(using: &random)!
            let mark = ["e", "E"].randomElement(using: &random)!
            let text = "\(String(digits[..<shift])).\(String(digits[shift...]))\(mark)\(sign)\(zeros)\(abs(exponent))"
            #expect(NumericDate(decimal: text)?.sinceEpoch == expected, "\(text)")
        }
    }

    @Test func readsNumbersWithMillionsOfDigits() {
        let many = 1_000_000
        #expect(NumericDate(decimal: String(repeating: "9", count: many)) == nil)
        #expect(NumericDate(decimal: "1." + String(repeating: "0", count: many)) == NumericDate(decimal: "1"))
        let small = "0." + String(repeating: "0", count: many) + "15"
        #expect(NumericDate(decimal: small) == NumericDate(decimal: "1e-18"))
        #expect(NumericDate(decimal: small + "e\(many + 1)") == NumericDate(decimal: "1.5"))
        #expect(
            NumericDate(decimal: "15" + String(repeating: "0", count: many) + "e-\(many + 1)")
                == NumericDate(decimal: "1.5"))
        #expect(NumericDate(decimal: "1e" + String(repeating: "0", count: many) + "3") == NumericDate(decimal: "1000"))
        #expect(NumericDate(decimal: "1e" + String(repeating: "9", count: many)) == nil)
    }

    @Test func comparesFractionsOfSeconds() throws {
        let texts = ["-1", "-0.5", "0", "0.000000000000000001", "0.1", "1749999999.9", "1750000000", "1750000000.0001"]
        let dates = try texts.map { try #require(NumericDate(decimal: $0)) }
        for (earlier, later) in zip(dates, dates.dropFirst()) { #expect(earlier < later) }
    }

    @Test func readsJSONNumberByItsDigits() throws {
        let number = try #require(try JSONDocument.parse(Array("1715107763.677".utf8)).number)
        #expect(NumericDate(number) == NumericDate(decimal: "1715107763.677"))
    }

    // MARK: Range

    @Test(arguments: [
        ("0", true), ("253402300799.999999999999999999", true), ("253402300800", false),
        ("-0.000000000000000001", false),
        ("-1", false),
    ])
    func rangeCoversTheYears1970To9999(_ text: String, _ isInside: Bool) throws {
        #expect(NumericDate.range.contains(try #require(NumericDate(decimal: text))) == isInside)
    }

    @Test(arguments: [
        ("1750000000000", true), ("253402300800000", false), ("253402300799999", true), ("253402300800", true),
        ("253402300799", false), ("1750000000", false), ("0", false), ("-1", false), ("-0.0000000000000001", false),
        ("1750000000000000", false),
    ])
    func millisecondsArePlausibleOnlyIfSecondsAreNot(_ text: String, _ isPlausible: Bool) throws {
        #expect(try #require(NumericDate(decimal: text)).isPlausiblyMilliseconds == isPlausible)
    }
}
