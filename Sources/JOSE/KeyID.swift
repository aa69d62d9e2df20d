public import JSON

/// The name of a key: a header's or a JWK's `kid` (RFC 7515 §4.1.4, RFC 7517 §4.5).
///
/// Key ids are compared byte for byte. Two strings that Swift holds equal because they are canonically equivalent
/// in Unicode are two different key ids here.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// The id in UTF-8.
    public let bytes: [UInt8]

    /// The key id with these characters.
    public init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// The key id that a JSON string spells, or nil if the value is no string.
    public init?(_ value: JSONValue) {
        guard let bytes = value.stringBytes else { return nil }
        self.bytes = bytes
    }

    public func hash(into hasher: inout Hasher) {
        // Unsafe: the hasher reads the buffer, which lives for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// The id as it is written. It is the card's or the issuer's own words: quote it before it reaches a terminal.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
