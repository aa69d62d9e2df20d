/// A JSON number with its digits as written: `6.30` stays `6.30`.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number as it is written (RFC 8259 §6).
    public let digits: String

    init(digits: String) {
        self.digits = digits
    }

    public var description: String { digits }

    /// The nearest binary number; infinite where the number is larger than any.
    public var double: Double { Double(digits) ?? .infinity }

    /// The number, where it is written as an integer (no fraction, no exponent) and fits 64 bits.
    public var integer: Int64? { Int64(digits) }
}
