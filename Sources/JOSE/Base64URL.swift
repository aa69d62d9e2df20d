/// Why text is not base64url, and where.
public typealias Base64URLError = Base64Error

/// Base64url as JOSE uses it: RFC 4648 §5 without padding (RFC 7515 §2).
public enum Base64URL {
    /// Decodes text in base64url.
    ///
    /// There is exactly one text for any bytes; nothing else is accepted.
    ///
    /// - Returns: the bytes; none for no text.
    /// - Throws: `Base64URLError`, with the offset of the first character that is not acceptable, counted from
    ///   the start of `text` (also where that is a slice).
    public static func decode(_ text: ArraySlice<UInt8>) throws(Base64URLError) -> [UInt8] {
        try Base64Alphabet.url.decode(text.span)
    }

    /// Decodes text in base64url; see `decode(_:)` for a slice.
    public static func decode(_ text: [UInt8]) throws(Base64URLError) -> [UInt8] {
        try Base64Alphabet.url.decode(text.span)
    }

    /// Decodes text in base64url; see `decode(_:)` for a slice.
    public static func decode(_ text: String.UTF8View) throws(Base64URLError) -> [UInt8] {
        try Base64Alphabet.url.decode(text.span)
    }

    /// The bytes in base64url, without padding.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Base64Alphabet.url.encode(bytes)
    }
}
