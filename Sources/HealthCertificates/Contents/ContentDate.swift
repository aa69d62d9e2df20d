package import Encodings
import FHIR

/// Dates in health certificates, as they are written.
package enum ContentDate {
    /// The day of a date that is written as `YYYY-MM-DD`, with or without a time after it; nil if it is no date.
    package static func date(_ text: UTF8Text) -> UTF8Text? {
        if isDay(text.utf8.span) { return text }
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        let day = bytes.prefix(10)
        guard isDay(day.span), bytes.count == 10 || moment(bytes) != nil else { return nil }
        return UTF8Text(decoding: day)
    }

    /// A day as `date` reads it, or a month or a year; nil for other text.
    static func dayOrInterval(_ text: UTF8Text) -> UTF8Text? {
        if let day = date(text) { return day }
        return birthDate(text).flatMap { $0.utf8.count < 10 ? $0 : nil }
    }

    /// A date and time with a zone, which may be `Z`, `±hh:mm`, `±hhmm` or `±hh`; nil if it is none. The text is returned as it
    /// is, without white space around it.
    package static func time(_ text: UTF8Text) -> UTF8Text? {
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        guard let date = FHIRDate(String(decoding: withWholeZone(bytes), as: UTF8.self)),
            date.zoneOffset != nil
        else { return nil }
        switch date.precision {
        case .second, .fraction: return UTF8Text(decoding: bytes)
        case .year, .month, .day, .minute: return nil
        }
    }

    /// A date that `date` or `time` accepts, as an interval; nil for other text.
    static func interval(_ text: UTF8Text) -> FHIRDate? {
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        return bytes.count > 10 ? moment(bytes) : FHIRDate(UTF8Text(decoding: bytes))
    }

    /// The date of birth up to the day: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; nil if it is empty or no date.
    package static func birthDate(_ text: UTF8Text) -> UTF8Text? {
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        // Whatever time follows the day does not change it.
        let day = bytes.prefix(10)
        if isDay(day.span) {
            let isTime = bytes.dropFirst(10).allSatisfy { (0x30...0x39).contains($0) || "Tt :.+-Zz".utf8.contains($0) }
            return isTime ? UTF8Text(decoding: day) : nil
        }
        let trimmed = UTF8Text(decoding: bytes)
        guard let date = FHIRDate(trimmed) else { return nil }
        switch date.precision {
        case .year, .month, .day: return trimmed
        case .minute, .second, .fraction: return nil
        }
    }

    /// Whether a text is a day of the calendar, written as `YYYY-MM-DD`.
    private static func isDay(_ text: Span<UInt8>) -> Bool {
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
        var numbers: (Int64, Int64, Int64) = (0, 0, 0)
        for place in 0..<10 where place != 4 && place != 7 {
            guard (0x30...0x39).contains(text[place]) else { return false }
            let digit = Int64(text[place] - 0x30)
            switch place {
            case ..<4: numbers.0 = numbers.0 * 10 + digit
            case ..<7: numbers.1 = numbers.1 * 10 + digit
            default: numbers.2 = numbers.2 * 10 + digit
            }
        }
        return numbers.0 > 0 && CalendarDate(year: numbers.0, month: numbers.1, day: numbers.2) != nil
    }

    /// A date with a time, with a zone or without; nil for other text. A space may stand for the `T`.
    ///
    /// - Parameter text: more than 10 bytes.
    private static func moment(_ text: ArraySlice<UInt8>) -> FHIRDate? {
        guard text.count <= 48 else { return nil }
        var text = withWholeZone(text)
        if text[10] == 0x20 || text[10] == UInt8(ascii: "t") { text[10] = UInt8(ascii: "T") }
        return FHIRDate(String(decoding: text, as: UTF8.self))
    }

    /// The text with `±hh:mm` for a zone that is written as `±hh` or `±hhmm` (ISO 8601, and the formats of `sc` in the
    /// schema's description).
    private static func withWholeZone(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(text)
        guard let sign = text.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }), sign > 10,
            text[(sign + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
        else { return text }
        switch text.count - sign - 1 {
        case 2: text += ":00".utf8
        case 4: text.insert(UInt8(ascii: ":"), at: sign + 3)
        default: break
        }
        return text
    }
}
