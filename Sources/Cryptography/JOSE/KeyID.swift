package import Encodings

/// The ID of a key: the `kid` of a header or a JWK (RFC 7515 §4.1.4, RFC 7517 §4.5).
///
/// Key IDs are compared byte for byte. Two strings that are canonically equivalent in Unicode are equal for Swift, but
/// are two different key IDs here.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// The ID in UTF-8.
    package let bytes: [UInt8]

    /// Makes a key ID from these characters.
    package init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// Makes a key ID from a JSON string. Nil if the value is not a string.
    package init?(_ value: JSONValue) {
        guard let bytes = value.stringBytes else { return nil }
        self.bytes = bytes
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        // Unsafe: the hasher reads the buffer, which lives for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// The ID as text. It comes from the card or the issuer, so quote it before you print it to a terminal.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The ID in quotes, safe to print.
    package func quoted() -> String { description.quoted() }
}
