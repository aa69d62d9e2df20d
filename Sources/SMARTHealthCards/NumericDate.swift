public import JSON

/// A moment in seconds since 1970-01-01T00:00:00Z, leap seconds left out (RFC 7519 §2), exact to the last digit that
/// is written.
public struct NumericDate: Comparable, Hashable, Sendable {
    /// The time since 1970-01-01T00:00:00Z.
    public var sinceEpoch: Duration { Duration(secondsComponent: seconds, attosecondsComponent: attoseconds) }

    // Kept apart, since a `Duration` is divided by 10¹⁸ whenever it is asked for its seconds.
    /// Whole seconds since the epoch, those of a moment before it included that has begun.
    private let seconds: Int64
    /// What comes on top: less than a second.
    private let attoseconds: Int64

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

    /// The moment a JSON number stands for; nil if it is too large to be any date.
    ///
    /// Digits after the 18th of the fraction are rounded up, away from zero.
    public init?(_ number: JSONNumber) {
        self.init(decimal: number.digits)
    }

    /// The moment that a number in a card stands for; nil for a value of another kind as well.
    init?(_ value: JSONValue) {
        if value.kind == .number, let date = Self.plain(value.rawBytes.span) {
            self = date
            return
        }
        guard let number = value.number else { return nil }
        self.init(number)
    }

    /// The moment that seconds in decimal digits stand for, as JSON writes numbers; nil if the text is no such
    /// number, or is too large to be any date.
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
        // The number is `all` with the decimal point after `point` digits.
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
        // What is left of the digits makes it one more, so that a comparison with a moment of 18 digits is exact.
        let hasMore = all.dropFirst(max(point + 18, 0)).contains { $0 != UInt8(ascii: "0") }
        let magnitude =
            Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
            + Duration(secondsComponent: 0, attosecondsComponent: hasMore ? 1 : 0)
        self.init(sinceEpoch: isNegative ? .zero - magnitude : magnitude)
    }

    /// The moment that up to 18 digits are, and perhaps a fraction of as many, as nearly all dates on cards are written; nil
    /// for other text.
    private static func plain(_ text: Span<UInt8>) -> NumericDate? {
        let end = text.count
        var here = 0
        /// The digits from here on, with zeros after them, as a number of 18.
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

    /// A decimal exponent. One of more digits than any date has is cut down to one that is just as far out of range.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        let size = significant.count > 8 ? 100_000_000 : significant.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return isNegative ? -size : size
    }

    /// The moment that is meant where a number of milliseconds was written in place of seconds.
    package init(milliseconds date: NumericDate) {
        self.init(sinceEpoch: date.sinceEpoch / 1000)
    }

    /// 1970-01-01T00:00:00Z to the end of the year 9999: outside lie only mistakes.
    public static let range = NumericDate(sinceEpoch: .zero)..<NumericDate(sinceEpoch: .seconds(253_402_300_800))

    /// Whether the number makes sense as a date in milliseconds, a known issuer's mistake (SHC-P4).
    public var isPlausiblyMilliseconds: Bool {
        !Self.range.contains(self) && Self.range.contains(NumericDate(milliseconds: self)) && sinceEpoch > .zero
    }
}

extension NumericDate: CustomStringConvertible {
    /// The moment in RFC 3339, in UTC, as precise as it was written: `2021-06-01T00:00:00Z`.
    public var description: String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let date = CivilDate(daysSinceEpoch: days)
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

    /// A moment in a year of four digits, as nearly all dates on cards are.
    private static func text(_ date: CivilDate, second: Int64, attoseconds: Int64) -> String {
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
            // ASCII is UTF-8, so nothing comes here.
            preconditionFailure("a date in RFC 3339 is ASCII")
        }
        return String(copying: characters)
    }

    private func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// A moment in RFC 3339 with a time zone, or in seconds since 1970; nil for anything else, and outside the years
    /// 1970 to 9999.
    public init?(text: String) {
        guard let date = Self.rfc3339(text) ?? NumericDate(plainDecimal: text), Self.range.contains(date) else {
            return nil
        }
        self = date
    }

    private init?(plainDecimal text: String) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        self.init(decimal: text)
    }

    /// RFC 3339 §5.6. A leap second counts as the first second of the next minute.
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
            let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
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
