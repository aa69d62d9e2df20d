import Credentials
import Foundation
import SMARTHealthCards
import TestSupport
import Testing

/// Moments in RFC 3339.
@Suite struct DateTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", "0"),
        ("2021-06-01T00:00:00Z", "1622505600"),
        ("2021-06-01t00:00:00z", "1622505600"),
        ("2021-06-01T02:00:00+02:00", "1622505600"),
        ("2021-05-31T18:30:00-05:30", "1622505600"),
        ("2021-06-01T00:00:00-00:00", "1622505600"),
        ("2021-06-01T23:59:00+23:59", "1622505600"),
        ("2021-06-01T00:00:00.5Z", "1622505600.5"),
        ("2021-06-01T00:00:00.000000000000000001Z", "1622505600.000000000000000001"),
        ("2021-06-01T00:00:00.0000000000000000019Z", "1622505600.000000000000000001"),
        ("2000-02-29T12:00:00Z", "951825600"),
        ("2024-02-29T00:00:00Z", "1709164800"),
        ("9999-12-31T23:59:59.999Z", "253402300799.999"),
        ("1969-12-31T23:30:00-00:30", "0"),
        ("1622505600", "1622505600"),
        ("1622505600.25", "1622505600.25"),
        ("0", "0"),
    ])
    func readsMomentsWithATimeZoneAndInSeconds(_ text: String, _ seconds: String) {
        #expect(NumericDate(text: text) == NumericDate(decimal: seconds))
        #expect(NumericDate(text: text) != nil)
    }

    @Test func readsLeapSecondAsTheNextSecond() {
        #expect(NumericDate(text: "2016-12-31T23:59:60Z") == NumericDate(text: "2017-01-01T00:00:00Z"))
        #expect(NumericDate(text: "2017-01-01T00:59:60+01:00") == NumericDate(text: "2017-01-01T00:00:00Z"))
        #expect(NumericDate(text: "9999-12-31T23:59:60Z") == nil)
    }

    @Test(arguments: [
        "", "now", "2021-06-01", "2021-06-01T00:00:00", "2021-06-01T00:00:00.5", "2021-06-01T00:00Z",
        "2021-06-01 00:00:00Z", "2021-06-01T00:00:00 Z", " 2021-06-01T00:00:00Z", "2021-06-01T00:00:00Z ",
        "2021-06-01T00:00:00Z\n", "2021-06-01T00:00:00.Z", "2021-06-01T00:00:00,5Z", "2021-06-01T24:00:00Z",
        "2021-06-01T00:60:00Z", "2021-06-01T00:00:61Z", "2021-06-01T00:00:00+24:00", "2021-06-01T00:00:00+00:60",
        "2021-06-01T00:00:00+2:00", "2021-06-01T00:00:00+02", "2021-06-01T00:00:00+0200", "2021-06-01T00:00:00UTC",
        "2021-06-01T00:00:00ZZ", "2021-00-01T00:00:00Z", "2021-13-01T00:00:00Z", "2021-06-00T00:00:00Z",
        "2021-06-31T00:00:00Z", "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "21-06-01T00:00:00Z", "02021-06-01T00:00:00Z", "2021-6-1T00:00:00Z", "+2021-06-01T00:00:00Z",
        "２０２１-06-01T00:00:00Z", "2021-06-01T00:00:0\u{660}Z", "2021-06-01T00:00:00Z\u{301}",
    ])
    func rejectsOtherTextsAndMomentsWithoutATimeZone(_ text: String) {
        #expect(NumericDate(text: text) == nil)
    }

    @Test(arguments: [
        "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-00:01",
        "253402300800", "-1", "1e9", "1750000000000",
    ])
    func rejectsMomentsOutsideTheYears1970To9999(_ text: String) {
        #expect(NumericDate(text: text) == nil)
    }

    // MARK: Printing

    @Test(arguments: [
        ("0", "1970-01-01T00:00:00Z"),
        ("1622505600", "2021-06-01T00:00:00Z"),
        ("1715107763.677", "2024-05-07T18:49:23.677Z"),
        ("1715107763.670", "2024-05-07T18:49:23.67Z"),
        ("0.000000000000000001", "1970-01-01T00:00:00.000000000000000001Z"),
        ("253402300799", "9999-12-31T23:59:59Z"),
        ("-1", "1969-12-31T23:59:59Z"),
        ("-0.25", "1969-12-31T23:59:59.75Z"),
        ("-86400.5", "1969-12-30T23:59:59.5Z"),
    ])
    func printsWithFullPrecision(_ seconds: String, _ text: String) {
        #expect(NumericDate(decimal: seconds)?.description == text)
    }

    @Test(arguments: ["999999999999999999", "-999999999999999999", "253402300800"])
    func printsDatesOutsideTheRange(_ seconds: String) throws {
        #expect(try #require(NumericDate(decimal: seconds)).description.hasSuffix("Z"))
    }

    @Test func readsPrintedMomentAsTheSameMoment() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<3000 {
            let moment = NumericDate(
                sinceEpoch: Duration(
                    secondsComponent: .random(in: 0..<253_402_300_800, using: &random),
                    attosecondsComponent: Bool.random(using: &random)
                        ? 0 : .random(in: 0..<1_000_000_000_000_000_000, using: &random)))
            #expect(NumericDate(text: moment.description) == moment)
        }
    }

    @Test func printsTheSameDayAndTimeAsFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var random = SeededGenerator(seed: 3)
        for _ in 0..<3000 {
            let seconds = Int64.random(in: 0..<253_402_300_800, using: &random)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            let expected = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.year!, parts.month!, parts.day!, parts.hour!,
                parts.minute!, parts.second!)
            #expect(NumericDate(sinceEpoch: .seconds(seconds)).description == expected)
        }
    }
}
