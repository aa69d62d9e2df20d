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
        /// Of a fraction: what its last digit counts, in microseconds.
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

        guard take("-"), let day = number(of: 2, in: 1...FHIRDate.length(ofMonth: month, year: year)) else {
            return nil
        }
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
        fields.second += second
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
        let sign: Int
        if take("+") {
            sign = 1
        } else if take("-") {
            sign = -1
        } else {
            return false
        }
        guard let hours = number(of: 2, in: 0...14), take(":"), let minutes = number(of: 2, in: 0...59),
            hours * 60 + minutes <= 14 * 60
        else { return false }
        fields.zoneOffset = sign * (hours * 60 + minutes)
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard left.first == UInt8(ascii: character) else { return false }
        left.removeFirst()
        return true
    }

    /// Exactly this many digits, whose value is in the range.
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
