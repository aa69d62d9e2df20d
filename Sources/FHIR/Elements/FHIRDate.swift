public import Encodings

/// A date with the precision in which it was written: a year, a month, a day, or a time of day.
///
/// It reads FHIR `date`, `dateTime` and `instant` (R4 §2.24.0.1). A partial date stays partial: its value is an
/// interval, and its text is kept. Dates, and times without a zone, count as UTC.
public struct FHIRDate: Sendable, Hashable {
    /// How much of the date is given.
    public enum Precision: Sendable, Hashable {
        case year, month, day, minute, second
        /// A fraction of a second.
        case fraction
    }

    /// The date as it was written.
    public let text: String
    /// How much of the date is given.
    public let precision: Precision
    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12, or nil if it is not given.
    public let month: Int?
    /// The day of the month, or nil if it is not given.
    public let day: Int?
    /// Minutes east of UTC, or nil if no zone is given.
    public let zoneOffset: Int?

    /// The limits of the interval in microseconds since 1970 UTC. `Int64` has room for all accepted years.
    private let startMicroseconds: Int64
    private let endMicroseconds: Int64

    /// The first moment of the interval, in seconds since 1970 UTC.
    public var start: Double { Double(startMicroseconds) / 1e6 }

    /// The first moment after the interval, in seconds since 1970 UTC. Always later than `start`.
    public var end: Double { Double(endMicroseconds) / 1e6 }

    /// Reads `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or a day with `Thh:mm`, `Thh:mm:ss` or `Thh:mm:ss.f…`. A zone may
    /// follow the time: `Z` or `±hh:mm`, at most 14 hours. A leap second, 60, counts as second 59, so that it is on its
    /// own day; 24:00 is not accepted. Digits after the microsecond are kept only in the text.
    ///
    /// - Returns: nil for other text, and for a day that does not exist.
    public init?(_ text: UTF8Text) { self.init(text.description) }

    /// Reads a date like `init(_: UTF8Text)`.
    public init?(_ text: String) {
        var reader = FHIRDateReader(text)
        guard let fields = reader.read(),
            let first = CalendarDate(
                year: Int64(fields.year), month: Int64(fields.month ?? 1), day: Int64(fields.day ?? 1)),
            let nextYear = CalendarDate(year: Int64(fields.year) + 1, month: 1, day: 1)
        else { return nil }
        self.text = text
        precision = fields.precision
        year = fields.year
        month = fields.month
        day = fields.day
        zoneOffset = fields.zoneOffset

        let secondsADay: Int64 = 86_400
        let firstDay = first.daysSinceEpoch
        let length: Int64 =
            switch precision {
            case .year: nextYear.daysSinceEpoch - firstDay
            case .month: CalendarDate.length(ofMonth: first.month, year: first.year)
            default: 1
            }
        let time = Int64(fields.second) - Int64(fields.zoneOffset ?? 0) * 60
        startMicroseconds = (firstDay * secondsADay + time) * 1_000_000 + fields.microseconds
        endMicroseconds =
            switch precision {
            case .year, .month, .day: (firstDay + length) * secondsADay * 1_000_000
            case .minute: startMicroseconds + 60_000_000
            case .second: startMicroseconds + 1_000_000
            case .fraction: startMicroseconds + fields.fractionStep
            }
    }

    /// Whether this date is earlier than the other. The ends of the intervals are compared first, then the starts.
    ///
    /// So 2021 is later than 2021-06-30, since it may mean December. Use this order to find the latest of several dates.
    public func isEarlier(than other: FHIRDate) -> Bool {
        (endMicroseconds, startMicroseconds) < (other.endMicroseconds, other.startMicroseconds)
    }

    /// Whether the whole interval of this date is in the other's interval or after it.
    ///
    /// If both dates have a zone, moments are compared. If one has none, local dates and times are compared: the first
    /// minute of a day in +02:00 is on that day.
    public func isNoEarlier(than bound: FHIRDate) -> Bool {
        let zoned = zoneOffset != nil && bound.zoneOffset != nil
        return shown(startMicroseconds, zoned) >= bound.shown(bound.startMicroseconds, zoned)
    }

    /// Whether the whole interval of this date is in the other's or before it. Compares like `isNoEarlier(than:)`.
    public func isNoLater(than bound: FHIRDate) -> Bool {
        let zoned = zoneOffset != nil && bound.zoneOffset != nil
        return shown(endMicroseconds, zoned) <= bound.shown(bound.endMicroseconds, zoned)
    }

    /// The second in UTC that begins this many seconds after 1970. A moment outside the years 1 to 9999 becomes the nearest one.
    package init(secondsSince1970 seconds: Int64) {
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let second = ((seconds % 86_400) + 86_400) % 86_400
        let date = CalendarDate(daysSinceEpoch: (seconds - second) / 86_400)
        let padded = { (number: Int64, digits: Int) in
            String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        }
        text =
            "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
        precision = .second
        (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
        zoneOffset = 0
        startMicroseconds = seconds * 1_000_000
        endMicroseconds = startMicroseconds + 1_000_000
    }

    /// The day in UTC on which the date begins.
    var dayInUTC: FHIRDate {
        let moment = FHIRDate(secondsSince1970: Int64(start.rounded(.down)))
        return FHIRDate(String(moment.text.prefix(10))) ?? moment
    }

    /// Whether the whole interval of this date is before the other's. Compares like `isNoEarlier(than:)`.
    func isBefore(_ other: FHIRDate) -> Bool {
        let zoned = zoneOffset != nil && other.zoneOffset != nil
        return shown(endMicroseconds, zoned) <= other.shown(other.startMicroseconds, zoned)
    }

    /// The moment if `zoned`. Otherwise the date's local time, as if it were in UTC.
    private func shown(_ microseconds: Int64, _ zoned: Bool) -> Int64 {
        zoned ? microseconds : microseconds + Int64(zoneOffset ?? 0) * 60_000_000
    }
}

/// Reads the fields of a FHIR date from its characters.
struct FHIRDateReader {
    struct Fields {
        var precision = FHIRDate.Precision.year
        var year = 0
        var month: Int?
        var day: Int?
        var zoneOffset: Int?
        /// Seconds since midnight.
        var second = 0
        var microseconds: Int64 = 0
        /// The value of the last digit of a fraction, in microseconds.
        var fractionStep: Int64 = 1_000_000
    }

    private var left: Substring.UTF8View

    init(_ text: String) {
        left = Substring(text).utf8
    }

    mutating func read() -> Fields? {
        var fields = Fields()
        guard let year = number(of: 4, in: 1...9999) else { return nil }
        fields.year = year
        if left.isEmpty { return fields }

        guard take("-"), let month = number(of: 2, in: 1...12) else { return nil }
        fields.month = month
        fields.precision = .month
        if left.isEmpty { return fields }

        let lastDay = CalendarDate.length(ofMonth: Int64(month), year: Int64(year))
        guard take("-"), let day = number(of: 2, in: 1...Int(lastDay)) else { return nil }
        fields.day = day
        fields.precision = .day
        if left.isEmpty { return fields }

        guard take("T"), readTime(&fields), readZone(&fields), left.isEmpty else { return nil }
        return fields
    }

    private mutating func readTime(_ fields: inout Fields) -> Bool {
        guard let hour = number(of: 2, in: 0...23), take(":"), let minute = number(of: 2, in: 0...59) else {
            return false
        }
        fields.second = hour * 3600 + minute * 60
        fields.precision = .minute
        guard take(":") else { return true }
        guard let second = number(of: 2, in: 0...60) else { return false }
        fields.second += min(second, 59)
        fields.precision = .second
        guard take(".") else { return true }
        fields.precision = .fraction
        return readFraction(&fields)
    }

    private mutating func readFraction(_ fields: inout Fields) -> Bool {
        var digits = 0
        while let digit = left.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            left.removeFirst()
            digits += 1
            guard fields.fractionStep > 1 else { continue }
            fields.fractionStep /= 10
            fields.microseconds += Int64(digit - UInt8(ascii: "0")) * fields.fractionStep
        }
        return digits > 0
    }

    private mutating func readZone(_ fields: inout Fields) -> Bool {
        if left.isEmpty { return true }
        if take("Z") {
            fields.zoneOffset = 0
            return true
        }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(of: 2, in: 0...14), take(":"),
            let minutes = number(of: 2, in: 0...59),
            hours * 60 + minutes <= 14 * 60
        else { return false }
        fields.zoneOffset = (isEast ? 1 : -1) * (hours * 60 + minutes)
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard left.first == UInt8(ascii: character) else { return false }
        left.removeFirst()
        return true
    }

    /// Reads exactly this many digits. Nil if their value is not in the range.
    private mutating func number(of digits: Int, in range: ClosedRange<Int>) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = left.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            left.removeFirst()
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return range.contains(value) ? value : nil
    }
}
