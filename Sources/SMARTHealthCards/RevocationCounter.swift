public import JSON

/// The counter of a revocation list: `ctr` of the list, `crlVersion` of the key (SHC-R2).
///
/// The specification shows a number; issuers publish numeric strings as well. Both are compared as numbers.
public struct RevocationCounter: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let value: UInt64

    /// Nil where the value is neither a whole number nor a string of one.
    public init?(_ value: JSONValue) {
        guard let digits = value.number?.digits ?? value.string?.description, !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits)
        else { return nil }
        self.value = number
    }

    public static func < (left: RevocationCounter, right: RevocationCounter) -> Bool { left.value < right.value }

    public var description: String { String(value) }
}
