import Bytes
import FHIR
package import JSON

/// Dates in a certificate, as they are written.
package enum CertificateDate {
    /// The day of a date that is written as `YYYY-MM-DD`, with or without a time after it; nil if it is no date.
    package static func date(_ text: UTF8Text) -> UTF8Text? {
        if isDay(text.utf8.span) { return text }
        let bytes = Array(text.utf8)[...].trimmingWhiteSpace()
        let day = bytes.prefix(10)
        guard isDay(day.span), bytes.count == 10 || isTime(bytes) else { return nil }
        return UTF8Text(decoding: day)
    }

    /// A date and time with a zone; nil if it is none. The text is returned as it is, without white space around it.
    package static func time(_ text: UTF8Text) -> UTF8Text? {
        let trimmed = UTF8Text(decoding: Array(text.utf8)[...].trimmingWhiteSpace())
        guard let date = FHIRDate(trimmed), date.zoneOffset != nil else { return nil }
        switch date.precision {
        case .second, .fraction: return trimmed
        case .year, .month, .day, .minute: return nil
        }
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

    /// Whether a text is a date with a time, with a zone or without. A space may stand for the `T`.
    private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 48 else { return false }
        var text = Array(text)
        if text[10] == 0x20 || text[10] == UInt8(ascii: "t") { text[10] = UInt8(ascii: "T") }
        let time = String(decoding: text, as: UTF8.self)
        return FHIRDate(time) != nil || FHIRDate(time + "Z") != nil
    }
}
