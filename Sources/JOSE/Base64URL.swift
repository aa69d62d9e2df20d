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
    /// The bytes that text is meant for, however badly it is written: in either alphabet, padded, with other characters
    /// in between or bits left over. For those who look at what is wrong, never for deciding about a card.
    package static func decodeLeniently(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            let digit: UInt8
            switch character {
            case 0x41...0x5A: digit = character - 0x41
            case 0x61...0x7A: digit = character - 0x61 + 26
            case 0x30...0x39: digit = character - 0x30 + 52
            case UInt8(ascii: "-"), UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "_"), UInt8(ascii: "/"): digit = 63
            default: continue
            }
            bits = (bits << 6 | UInt32(digit)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
