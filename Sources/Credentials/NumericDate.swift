package import Encodings

/// A moment in seconds since 1970-01-01T00:00:00Z, without leap seconds (RFC 7519 §2).
///
/// It is exact to 18 digits after the decimal point.
public struct NumericDate: Comparable, Hashable, Sendable {
    /// The time since 1970-01-01T00:00:00Z.
    public var sinceEpoch: Duration { Duration(secondsComponent: seconds, attosecondsComponent: attoseconds) }

    // Two numbers rather than a `Duration`, which divides by 10¹⁸ each time it is asked for its seconds.
    /// Whole seconds since the epoch, rounded down, also before the epoch.
    private let seconds: Int64
    /// The rest of the moment, from 0 to less than a second.
    private let attoseconds: Int64

    /// A moment this long after 1970-01-01T00:00:00Z.
    public init(sinceEpoch: Duration) {
        let (seconds, attoseconds) = sinceEpoch.components
        self.seconds = attoseconds < 0 ? seconds - 1 : seconds
        self.attoseconds = attoseconds < 0 ? attoseconds + 1_000_000_000_000_000_000 : attoseconds
    }

    private init(seconds: Int64, attoseconds: Int64) {
        self.seconds = seconds
        self.attoseconds = attoseconds
    }

    public static func < (left: NumericDate, right: NumericDate) -> Bool {
        (left.seconds, left.attoseconds) < (right.seconds, right.attoseconds)
    }

    /// The moment that a JSON number gives, in seconds since 1970; nil if the number is too large for a date.
    ///
    /// A fraction of more than 18 digits is rounded away from zero.
    package init?(_ number: JSONNumber) {
        self.init(decimal: number.digits)
    }

    /// The moment that a JSON value gives, in seconds since 1970; nil if it is not a number, or is too large for a date.
    package init?(_ value: JSONValue) {
        if value.kind == .number, let date = Self.plain(value.rawBytes.span) {
            self = date
            return
        }
        guard let number = value.number else { return nil }
        self.init(number)
    }

    /// The moment that a number of seconds since 1970 gives, written as JSON writes numbers; nil if the text is not such a
    /// number, or is too large for a date.
    public init?(decimal text: String) {
        if let date = Self.plain(text.utf8.span) {
            self = date
            return
        }
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        var digits = Array(text.utf8)[...]
        var exponent = 0
        if let mark = digits.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let written = Self.exponent(digits[(mark + 1)...]) else { return nil }
            exponent = written
            digits = digits[..<mark]
        }
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return nil }
        // The number consists of the digits `all`, with the decimal point after the first `point` of them.
        let all = parts.count == 2 ? Array(parts[0] + parts[1]) : Array(parts[0])
        let leadingZeros = all.prefix { $0 == UInt8(ascii: "0") }.count
        let point = parts[0].count + exponent
        guard leadingZeros < all.count else {
            self.init(sinceEpoch: .zero)
            return
        }
        guard point - leadingZeros <= 18 else { return nil }
        let digit = { (place: Int) in all.indices.contains(place) ? Int64(all[place] - 0x30) : 0 }
        var seconds: Int64 = 0
        for place in stride(from: leadingZeros, to: point, by: 1) { seconds = seconds * 10 + digit(place) }
        var attoseconds: Int64 = 0
        for place in 0..<18 { attoseconds = attoseconds * 10 + digit(point + place) }
        // Further digits round the last one up, so that a comparison with a moment of 18 digits is exact.
        let hasMore = all.dropFirst(max(point + 18, 0)).contains { $0 != UInt8(ascii: "0") }
        let magnitude =
            Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
            + Duration(secondsComponent: 0, attosecondsComponent: hasMore ? 1 : 0)
        self.init(sinceEpoch: isNegative ? .zero - magnitude : magnitude)
    }

    /// The moment that a text of up to 18 digits gives, with or without a fraction of up to 18 digits; nil for other text.
    ///
    /// Nearly all dates on cards have this form, so this is the fast path.
    private static func plain(_ text: Span<UInt8>) -> NumericDate? {
        let end = text.count
        var here = 0
        /// Reads up to 18 digits as a number. Fewer digits of a fraction are filled up with zeros to 18.
        func digits(isFraction: Bool) -> Int64? {
            let start = here
            var number: Int64 = 0
            while here < end, here - start < 18, (0x30...0x39).contains(text[here]) {
                number = number * 10 + Int64(text[here] - 0x30)
                here += 1
            }
            guard here > start else { return nil }
            if isFraction { for _ in here - start..<18 { number *= 10 } }
            return number
        }
        guard let seconds = digits(isFraction: false) else { return nil }
        if here == end { return NumericDate(seconds: seconds, attoseconds: 0) }
        guard text[here] == UInt8(ascii: ".") else { return nil }
        here += 1
        guard let attoseconds = digits(isFraction: true), here == end else { return nil }
        return NumericDate(seconds: seconds, attoseconds: attoseconds)
    }

    /// Reads a decimal exponent. One with more than eight digits is replaced by a smaller one that is out of range as well, so
    /// that the arithmetic cannot overflow.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        let size = significant.count > 8 ? 100_000_000 : significant.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return isNegative ? -size : size
    }

    /// The moment that was meant if milliseconds were written instead of seconds.
    ///
    /// - Parameter date: the number, read as seconds.
    package init(milliseconds date: NumericDate) {
        self.init(sinceEpoch: date.sinceEpoch / 1000)
    }

    /// The years 1970 to 9999. A date on a card outside this range is a mistake.
    public static let range = NumericDate(sinceEpoch: .zero)..<NumericDate(sinceEpoch: .seconds(253_402_300_800))

    /// Whether the number makes sense only as milliseconds since 1970. Some issuers make this mistake (SHC-P4).
    public var isPlausiblyMilliseconds: Bool {
        !Self.range.contains(self) && Self.range.contains(NumericDate(milliseconds: self)) && sinceEpoch > .zero
    }
}

extension NumericDate: CustomStringConvertible {
    /// The moment in RFC 3339, in UTC, as precise as it was written: `2021-06-01T00:00:00Z`.
    public var description: String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let date = CalendarDate(daysSinceEpoch: days)
        if Self.range.contains(self) { return Self.text(date, second: second, attoseconds: attoseconds) }
        var text =
            "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if attoseconds > 0 {
            text += "." + padded(attoseconds, 18)
            while text.last == "0" { text.removeLast() }
        }
        return text + "Z"
    }

    /// The text of a moment in `range`. This is the fast path.
    private static func text(_ date: CalendarDate, second: Int64, attoseconds: Int64) -> String {
        var text = InlineArray<40, UInt8>(repeating: 0)
        var count = 0
        func append(_ character: UInt8) {
            text[count] = character
            count += 1
        }
        func append(_ number: Int64) {
            append(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10))
            append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
        }
        append(date.year / 100)
        append(date.year)
        append(UInt8(ascii: "-"))
        append(date.month)
        append(UInt8(ascii: "-"))
        append(date.day)
        append(UInt8(ascii: "T"))
        append(second / 3600)
        append(UInt8(ascii: ":"))
        append(second / 60 % 60)
        append(UInt8(ascii: ":"))
        append(second % 60)
        if attoseconds > 0 { append(UInt8(ascii: ".")) }
        var rest = attoseconds
        var unit: Int64 = 100_000_000_000_000_000
        while rest > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + rest / unit))
            rest %= unit
            unit /= 10
        }
        append(UInt8(ascii: "Z"))
        guard let characters = try? UTF8Span(validating: text.span.extracting(first: count)) else {
            // Cannot happen: the text is ASCII.
            preconditionFailure("a date in RFC 3339 is ASCII")
        }
        return String(copying: characters)
    }

    private func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Reads a moment in RFC 3339 with a time zone, or in seconds since 1970; nil if it is neither, or is outside the years 1970
    /// to 9999.
    public init?(text: String) {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard let date = Self.rfc3339(text) ?? (isPlain ? NumericDate(decimal: text) : nil), Self.range.contains(date)
        else { return nil }
        self = date
    }

    /// Reads a moment in RFC 3339 (§5.6). A leap second counts as the first second of the next minute.
    private static func rfc3339(_ text: String) -> NumericDate? {
        var rest = Array(text.utf8)[...]
        func number(_ count: Int) -> Int64? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        func skip(_ characters: String) -> Bool {
            guard let next = rest.first, characters.utf8.contains(next) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("Tt"),
            let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            let date = CalendarDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var attoseconds: Int64 = 0
        if skip(".") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            let kept = digits.prefix(18)
            attoseconds = kept.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
            for _ in kept.count..<18 { attoseconds *= 10 }
        }
        var offset: Int64 = 0
        if !skip("Zz") {
            let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
            guard skip("+-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard rest.isEmpty else { return nil }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
        return NumericDate(sinceEpoch: Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
    }
}

extension NumericDate {
    /// The moment without its fraction of a second.
    package var toTheSecond: NumericDate {
        NumericDate(sinceEpoch: .seconds(sinceEpoch.components.seconds))
    }

    /// The moment in RFC 3339; nil if it is outside the years 1970 to 9999.
    package var calendarText: String? {
        NumericDate.range.contains(self) ? description : nil
    }
}
