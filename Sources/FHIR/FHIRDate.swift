public import JSON

/// A date as precise as it was written: a year, a month, a day, or a time of a day.
///
/// FHIR `date`, `dateTime` and `instant` (R4 §2.24.0.1). What is partial stays partial: the value is the interval that
/// the text names, and the text is kept. Times without a zone and dates, which have none, count as UTC.
public struct FHIRDate: Sendable, Hashable {
    /// How much of the date is given.
    public enum Precision: Sendable, Hashable {
        case year, month, day, minute, second
        /// Digits follow the second's decimal point.
        case fraction
    }

    /// The date as it was written.
    public let text: String
    /// How much of the date is given.
    public let precision: Precision
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int?
    /// 1 to the length of the month.
    public let day: Int?
    /// Minutes east of UTC; nil if no zone is given.
    public let zoneOffset: Int?

    /// The interval's bounds, in microseconds, which every year that is accepted leaves room for.
    private let startMicroseconds: Int64
    private let endMicroseconds: Int64

    /// The first moment that the text can mean, in seconds since 1970 UTC.
    public var start: Double { Double(startMicroseconds) / 1e6 }

    /// The first moment after those that the text can mean, in seconds since 1970 UTC. Always later than `start`.
    public var end: Double { Double(endMicroseconds) / 1e6 }

    /// Reads `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or a day with `Thh:mm`, `Thh:mm:ss` or `Thh:mm:ss.f…`, which a zone may
    /// follow: `Z` or `±hh:mm`, 14 hours at most. Second 60 is accepted, 24:00 is not. Digits past the microsecond are
    /// kept in the text only.
    ///
    /// Nil for anything else, and for a day that does not exist.
    public init?(_ text: UTF8Text) { self.init(text.description) }

    /// Reads a date, as above.
    public init?(_ text: String) {
        var reader = FHIRDateReader(text)
        guard let fields = reader.read() else { return nil }
        self.text = text
        precision = fields.precision
        year = fields.year
        month = fields.month
        day = fields.day
        zoneOffset = fields.zoneOffset

        let secondsADay: Int64 = 86_400
        let first = Self.days(year: year, month: month ?? 1, day: day ?? 1)
        let length: Int64 =
            switch precision {
            case .year: Self.days(year: year + 1, month: 1, day: 1) - first
            case .month: Int64(Self.length(ofMonth: month ?? 1, year: year))
            default: 1
            }
        let time = Int64(fields.second) - Int64(fields.zoneOffset ?? 0) * 60
        startMicroseconds = (first * secondsADay + time) * 1_000_000 + fields.microseconds
        endMicroseconds =
            switch precision {
            case .year, .month, .day: (first + length) * secondsADay * 1_000_000
            case .minute: startMicroseconds + 60_000_000
            case .second: startMicroseconds + 1_000_000
            case .fraction: startMicroseconds + fields.fractionStep
            }
    }

    /// Whether this date is earlier than the other: by the end of the interval, then by its start.
    ///
    /// So 2021 comes after 2021-06-30, since it may mean December. The latest of several dates is the greatest by this
    /// order.
    public func isEarlier(than other: FHIRDate) -> Bool {
        (endMicroseconds, startMicroseconds) < (other.endMicroseconds, other.startMicroseconds)
    }

    /// Whether all that this date can mean is in the other's interval or after it.
    ///
    /// Where both have a zone, moments are compared; where either has none, what a clock and a calendar showed: the
    /// first minute of a day in +02:00 is on that day.
    public func isNoEarlier(than bound: FHIRDate) -> Bool {
        let zoned = zoneOffset != nil && bound.zoneOffset != nil
        return shown(startMicroseconds, zoned) >= bound.shown(bound.startMicroseconds, zoned)
    }

    /// Whether all that this date can mean is in the other's interval or before it; compared like `isNoEarlier(than:)`.
    public func isNoLater(than bound: FHIRDate) -> Bool {
        let zoned = zoneOffset != nil && bound.zoneOffset != nil
        return shown(endMicroseconds, zoned) <= bound.shown(bound.endMicroseconds, zoned)
    }

    /// Whether all that this date can mean is before the other's interval; compared like `isNoEarlier(than:)`.
    func isBefore(_ other: FHIRDate) -> Bool {
        let zoned = zoneOffset != nil && other.zoneOffset != nil
        return shown(endMicroseconds, zoned) <= other.shown(other.startMicroseconds, zoned)
    }

    /// A moment, or what the date's own clock showed then, as if that clock were at UTC.
    private func shown(_ microseconds: Int64, _ zoned: Bool) -> Int64 {
        zoned ? microseconds : microseconds + Int64(zoneOffset ?? 0) * 60_000_000
    }

    /// How many days a month has.
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970 in the proleptic Gregorian calendar, for years from 1. A year is counted from 1 March, so that
    /// the leap day comes last.
    private static func days(year: Int, month: Int, day: Int) -> Int64 {
        let year = month > 2 ? year : year - 1
        let beforeMonth = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        let beforeYear = 365 * year + year / 4 - year / 100 + year / 400
        return Int64(beforeYear + beforeMonth + day - 1 - 719_468)
    }
}
