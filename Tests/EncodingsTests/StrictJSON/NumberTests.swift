import Encodings
import Testing

/// A number keeps its digits, and gives its value if that fits.
@Suite struct NumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", Int64.max),
        ("-9223372036854775808", Int64.min),
        ("1620992383", 1_620_992_383),
    ])
    func integersThatFit(_ digits: String, _ integer: Int64) throws {
        #expect(try parse(digits).number?.integer == integer)
    }

    @Test(arguments: [
        "1.0", "1e2", "1E0", "0.5", "-0.0", "9223372036854775808", "-9223372036854775809", "100000000000000000000",
        "1e400",
    ])
    func otherNumbersAndThoseThatDoNotFitAreNotIntegers(_ digits: String) throws {
        #expect(try parse(digits).number?.integer == nil)
    }

    @Test(arguments: [
        ("7", 7), ("1.0", 1), ("1e0", 1), ("10e-1", 1), ("0.5e1", 5), ("1.50E+1", 15), ("-2.00", -2), ("-0.0", 0),
        ("0e99999999999999999999", 0), ("9223372036854775807.0", Int64.max), ("-9223372036854775808e0", Int64.min),
        ("9e18", 9_000_000_000_000_000_000),
    ])
    func wholeNumbersMayBeWrittenInAnyWay(_ digits: String, _ number: Int64) throws {
        #expect(try parse(digits).number?.wholeNumber == number)
    }

    @Test(arguments: [
        "0.5", "1.00000000000000000001", "1e-1", "15e-1", "9223372036854775808", "9223372036854775808.0", "1e19",
        "1e400", "1e-400", "1e99999999999999999999", "1e-9223372036854775808",
    ])
    func fractionsAndLargerNumbersAreNotWhole(_ digits: String) throws {
        #expect(try parse(digits).number?.wholeNumber == nil)
    }

    @Test(arguments: [
        ("0", 0.0), ("1", 1), ("-1", -1), ("6.30", 6.3), ("1620992383.218", 1_620_992_383.218), ("1e2", 100),
        ("1E-2", 0.01), ("-2.5e+3", -2500),
        ("9007199254740993", 9_007_199_254_740_992), ("0.1", 0.1), ("5e-324", .leastNonzeroMagnitude),
        ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
        ("1e-400", 0), ("1e400", .infinity), ("-1e400", -.infinity), ("1e99999999999999999999", .infinity),
        ("1e-99999999999999999999", 0),
    ])
    func doubleIsTheNearest(_ digits: String, _ double: Double) throws {
        #expect(try parse(digits).number?.double == double)
    }

    @Test func numberOfAHundredThousandDigits() throws {
        let digits = String(repeating: "9", count: 100_000)
        let number = try #require(try parse(digits).number)
        #expect(number.digits == digits)
        #expect(number.integer == nil)
        #expect(number.wholeNumber == nil)
        #expect(number.double == .infinity)
        #expect(try parse("0." + digits).number?.double == 1)
    }

    @Test func numbersAreEqualWhenWrittenAlike() throws {
        let numbers = try #require(try parse("[1.0,1.0,1,10e-1]").elements).map(\.number)
        #expect(numbers[0] == numbers[1])
        #expect(Set(numbers).count == 3)
        #expect(numbers[3]?.description == "10e-1")
    }
}
