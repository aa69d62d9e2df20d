import Encodings
import FHIR
import Testing

@Suite("FHIR dates")
struct FHIRDateTests {
    struct Case: CustomTestStringConvertible {
        let text: String
        let start: Double
        let end: Double
        let precision: FHIRDate.Precision
        var testDescription: String { text }
    }

    // The intervals were computed with Python's datetime.
    static let cases = [
        Case(text: "1970", start: 0, end: 31_536_000, precision: .year),
        Case(text: "2020", start: 1_577_836_800, end: 1_609_459_200, precision: .year),
        Case(text: "2021-02", start: 1_612_137_600, end: 1_614_556_800, precision: .month),
        Case(text: "2021-12", start: 1_638_316_800, end: 1_640_995_200, precision: .month),
        Case(text: "2021-01-29", start: 1_611_878_400, end: 1_611_964_800, precision: .day),
        Case(text: "2020-02-29", start: 1_582_934_400, end: 1_583_020_800, precision: .day),
        Case(text: "2000-02-29", start: 951_782_400, end: 951_868_800, precision: .day),
        Case(text: "1969-12-31", start: -86_400, end: 0, precision: .day),
        Case(text: "0001-01-01", start: -62_135_596_800, end: -62_135_510_400, precision: .day),
        Case(text: "9999", start: 253_370_764_800, end: 253_402_300_800, precision: .year),
        Case(text: "2020-12-11T14:30:00+01:00", start: 1_607_693_400, end: 1_607_693_401, precision: .second),
        Case(text: "2020-12-11T13:30:00Z", start: 1_607_693_400, end: 1_607_693_401, precision: .second),
        Case(text: "2020-12-11T13:30:00", start: 1_607_693_400, end: 1_607_693_401, precision: .second),
        Case(text: "2020-12-11T13:30", start: 1_607_693_400, end: 1_607_693_460, precision: .minute),
        Case(text: "2020-12-11T13:30-00:30", start: 1_607_695_200, end: 1_607_695_260, precision: .minute),
        Case(text: "2020-12-11T13:30:00.5Z", start: 1_607_693_400.5, end: 1_607_693_400.6, precision: .fraction),
        Case(text: "2016-12-31T23:59:60Z", start: 1_483_228_799, end: 1_483_228_800, precision: .second),
        Case(text: "2021-01-01T00:00:00+14:00", start: 1_609_408_800, end: 1_609_408_801, precision: .second),
    ]

    @Test(arguments: cases)
    func namesTheIntervalAndKeepsTheText(_ expected: Case) throws {
        let date = try #require(FHIRDate(expected.text))
        #expect(date.text == expected.text)
        #expect(date.precision == expected.precision)
        #expect(date.start == expected.start)
        #expect(date.end == expected.end)
    }

    @Test(arguments: [
        "", "21", "202", "0000", "20210", "2021-", "2021-00", "2021-13", "2021-1", "2021-1-1", "2021-01-00",
        "2021-02-29", "1900-02-29", "2021-04-31", "2021-01-32", "2021-01-29T", "2021-01-29T10", "2021-01-29T24:00:00",
        "2021-01-29T10:60", "2021-01-29T10:00:61Z", "2021-01-29T10:00:00.Z", "2021-01-29T10:00:00z",
        "2021-01-29 10:00:00", "2021-01-29T10:00:00+1:00", "2021-01-29T10:00:00+14:01", "2021-01-29T10:00:00+15:00",
        "2021-01-29T10:00:00ZZ", "2021-01-29Z", " 2021", "2021 ", "-2021", "+2021", "٢٠٢١", "20211", "01/29/2021",
        "last spring", "2021-01-29T10:00:00.5.5Z",
    ])
    func rejectsTextThatIsNotADate(_ text: String) {
        #expect(FHIRDate(text) == nil)
    }

    @Test func keepsItsFields() throws {
        let date = try #require(FHIRDate("2020-12-11T14:30:00.25-03:30"))
        #expect((date.year, date.month, date.day, date.zoneOffset) == (2020, 12, 11, -210))
        let month = try #require(FHIRDate("2020-12"))
        #expect((month.year, month.month, month.day, month.zoneOffset) == (2020, 12, nil, nil))
    }

    @Test(arguments: [
        ("2021-01-28", "2021-01-29"), ("2021-01-29", "2021-02"), ("2021-06-30", "2021"), ("2020", "2021-01-01"),
        ("2021", "2021-12-31"), ("2021-12", "2021-12-31"),
        ("2021-01-29T10:00:00+02:00", "2021-01-29T09:00:00Z"),
        ("2021-01-29T10:00:00.123Z", "2021-01-29T10:00:00.124Z"),
        ("2021-01-29T10:00:00.999999Z", "2021-01-29T10:00:01Z"),
    ])
    func theEarlierEndComesFirstThenTheEarlierStart(_ pair: (earlier: String, later: String)) throws {
        let earlier = try #require(FHIRDate(pair.earlier))
        let later = try #require(FHIRDate(pair.later))
        #expect(earlier.isEarlier(than: later))
        #expect(!later.isEarlier(than: earlier))
    }

    @Test func equalIntervalsAreNotEarlier() throws {
        let zulu = try #require(FHIRDate("2021-01-29T10:00:00Z"))
        let offset = try #require(FHIRDate("2021-01-29T12:00:00+02:00"))
        #expect(!zulu.isEarlier(than: offset))
        #expect(!offset.isEarlier(than: zulu))
        #expect(zulu != offset)
    }

    @Test(arguments: [7, 30, 100_000])
    func aLongFractionIsAnInstantOfAMicrosecond(_ digits: Int) throws {
        let date = try #require(FHIRDate("2021-01-29T10:00:00." + String(repeating: "1", count: digits) + "Z"))
        #expect(date.start < date.end)
        #expect(date.end - date.start < 0.00001)
    }

    @Test func aYearsDaysFollowEachOther() throws {
        for year in [1999, 2000, 2100, 2023, 2024] {
            var end = try #require(FHIRDate("\(year)")).start
            for month in 1...12 {
                for day in 1...31 {
                    let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
                    guard let date = FHIRDate(text) else { continue }
                    #expect(date.start == end)
                    end = date.end
                }
            }
            #expect(end == FHIRDate("\(year)")?.end)
        }
    }
}
