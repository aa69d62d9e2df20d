import TestSupport
import Testing

@testable import Encodings

@Suite struct CalendarDateTests {
    @Test func everyDayOfFourHundredYearsFollowsTheOneBefore() throws {
        var previous = CalendarDate(daysSinceEpoch: -1)
        #expect(previous == CalendarDate(year: 1969, month: 12, day: 31))
        for day in Int64(0)...146_097 {
            let date = CalendarDate(daysSinceEpoch: day)
            #expect(date.daysSinceEpoch == day)
            let isNextDay = date.year == previous.year && date.month == previous.month && date.day == previous.day + 1
            // The first of a month must follow the last day of the month before.
            let isFirst =
                date.day == 1 && CalendarDate(year: previous.year, month: previous.month, day: previous.day + 1) == nil
                && (date.year, date.month)
                    == (previous.month == 12 ? (previous.year + 1, 1) : (previous.year, previous.month + 1))
            guard isNextDay || isFirst else {
                Issue.record("\(date) does not follow \(previous)")
                return
            }
            previous = date
        }
        #expect(previous == CalendarDate(year: 2370, month: 1, day: 1))
    }

    @Test func countsBothWaysFarFromTheEpoch() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<3000 {
            let day = Int64.random(in: -12_000_000_000_000...12_000_000_000_000, using: &random)
            let date = CalendarDate(daysSinceEpoch: day)
            #expect(date.daysSinceEpoch == day)
            #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
        }
    }

    @Test(
        arguments: [
            (2021, 2, 29), (1900, 2, 29), (2100, 2, 29), (2021, 4, 31), (2021, 0, 1), (2021, 13, 1), (2021, 1, 0),
            (2021, 1, 32),
            (2021, -1, 1), (2021, 1, -1),
        ] as [(Int64, Int64, Int64)])
    func rejectsDaysThatDoNotExist(_ year: Int64, _ month: Int64, _ day: Int64) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [2000, 2024, 1972, 0, -4, 2400] as [Int64])
    func leapYearsHave29DaysInFebruary(_ year: Int64) {
        #expect(CalendarDate(year: year, month: 2, day: 29) != nil)
    }
}
