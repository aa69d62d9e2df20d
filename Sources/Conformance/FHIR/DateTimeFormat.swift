import Encodings

/// The formats of FHIR's dates and times, which include that the day exists.
struct DateTimeFormat {
    private var left: ArraySlice<UInt8>

    /// Why a text is not a date, dateTime, instant or time; nil if it is.
    static func objection(to text: [UInt8], as type: Primitive) -> String? {
        var reader = DateTimeFormat(left: text[...])
        switch type {
        case .time: return reader.readTime() && reader.left.isEmpty ? nil : "a time has the form hh:mm:ss"
        case .date: return reader.readDate(isWhole: false, allowsTime: false)
        case .instant: return reader.readDate(isWhole: true, allowsTime: true)
        default: return reader.readDate(isWhole: false, allowsTime: true)
        }
    }

    /// - Parameter isWhole: whether nothing may be left out, as in an instant.
    private mutating func readDate(isWhole: Bool, allowsTime: Bool) -> String? {
        let form =
            isWhole
            ? "an instant has the form YYYY-MM-DDThh:mm:ss with a time zone, Z or +hh:mm"
            : allowsTime
                ? "a dateTime has the form YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss with a time zone, Z or "
                    + "+hh:mm"
                : "a date has the form YYYY, YYYY-MM or YYYY-MM-DD"
        guard let year = number(of: 4) else { return form }
        guard year > 0 else { return "there is no year 0" }
        if left.isEmpty { return isWhole ? form : nil }
        guard take("-"), let month = number(of: 2) else { return form }
        guard (1...12).contains(month) else { return "there is no month \(month)" }
        if left.isEmpty { return isWhole ? form : nil }
        guard take("-"), let day = number(of: 2) else { return form }
        guard CalendarDate(year: Int64(year), month: Int64(month), day: Int64(day)) != nil else {
            return "the month has no day \(day)"
        }
        if left.isEmpty { return isWhole ? form : nil }
        guard allowsTime else { return left.first == UInt8(ascii: "T") ? "a date must not have a time" : form }
        guard take("T"), readTime() else { return form }
        guard !left.isEmpty else { return "a time of day needs a time zone, Z or +hh:mm" }
        return readZone() && left.isEmpty ? nil : form
    }

    /// hh:mm:ss with or without a fraction. 60 is a leap second.
    private mutating func readTime() -> Bool {
        guard let hour = number(of: 2), hour < 24, take(":"), let minute = number(of: 2), minute < 60, take(":"),
            let second = number(of: 2), second <= 60
        else { return false }
        guard take(".") else { return true }
        let fraction = left.prefix { (0x30...0x39).contains($0) }
        left = left.dropFirst(fraction.count)
        return !fraction.isEmpty
    }

    private mutating func readZone() -> Bool {
        if take("Z") { return true }
        guard take("+") || take("-"), let hours = number(of: 2), take(":"), let minutes = number(of: 2) else {
            return false
        }
        return hours <= 13 && minutes < 60 || hours == 14 && minutes == 0
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard left.first == UInt8(ascii: character) else { return false }
        left.removeFirst()
        return true
    }

    /// A number of exactly this many digits.
    private mutating func number(of digits: Int) -> Int? {
        let found = left.prefix(digits)
        guard found.count == digits, found.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        left = left.dropFirst(digits)
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
