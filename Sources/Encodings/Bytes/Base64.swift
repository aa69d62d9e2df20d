/// Why text is not base64url, and where.
package typealias Base64URLError = Base64Error

/// Base64url as JOSE uses it: RFC 4648 §5 without padding (RFC 7515 §2).
package enum Base64URL {
    /// Decodes text in base64url.
    ///
    /// Each sequence of bytes has exactly one text. No other text is accepted.
    ///
    /// - Returns: the bytes. Empty if the text is empty.
    /// - Throws: `Base64URLError`, with the offset of the first wrong character. Offsets count from the start of
    ///   `text`, even if it is a slice.
    package static func decode(_ text: ArraySlice<UInt8>) throws(Base64URLError) -> [UInt8] {
        try Base64Alphabet.url.decode(text.span)
    }

    /// Decodes text in base64url; see `decode(_:)` for a slice.
    package static func decode(_ text: [UInt8]) throws(Base64URLError) -> [UInt8] {
        try Base64Alphabet.url.decode(text.span)
    }

    /// Decodes text in base64url; see `decode(_:)` for a slice.
    package static func decode(_ text: String.UTF8View) throws(Base64URLError) -> [UInt8] {
        try Base64Alphabet.url.decode(text.span)
    }

    /// A text in either alphabet of base64, in that of base64url.
    package static func inItsAlphabet(_ text: [UInt8]) -> [UInt8] {
        text.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
    }

    /// Encodes bytes in base64url, without padding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Base64Alphabet.url.encode(bytes)
    }
    /// Decodes text even if it is written wrongly: in either alphabet, padded, with other characters in between or with
    /// extra bits. Use it only to describe what is wrong, never to decide about a card.
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

/// Base64 with padding (RFC 4648 §4). In JOSE, only certificates use it (RFC 7517 §4.7).
package enum Base64 {
    /// Decodes text in base64.
    ///
    /// - Returns: the bytes. Empty if the text is empty.
    /// - Throws: `Base64Error`, with the offset of the first wrong character.
    package static func decode(_ text: [UInt8]) throws(Base64Error) -> [UInt8] {
        // Padding only fills the last group. Any other equals sign is reported as a wrong character below.
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let bytes = try Base64Alphabet.standard.decode(text.span.extracting(0..<text.count - padding))
        guard text.count.isMultiple(of: 4) else {
            throw Base64Error(padding == 0 ? .missingPadding : .padding, at: text.count - padding)
        }
        return bytes
    }

    /// Decodes text in base64 or base64url, with padding or without.
    ///
    /// - Returns: nil if the text is neither, or is empty.
    package static func decodeInAnyAlphabet(_ text: [UInt8]) -> [UInt8]? {
        let url = Base64URL.inItsAlphabet(text)
        let padding = url.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, let bytes = try? Base64URL.decode(url.dropLast(padding)), !bytes.isEmpty else { return nil }
        return bytes
    }

    /// Encodes bytes in base64, with padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Alphabet.standard.encode(bytes) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
    }
}

/// Why text is not base64url, or not base64, and where.
package typealias Base64Error = TextError<Base64Problem>

/// The kinds of `Base64Error`.
package enum Base64Problem: TextProblem {
    /// An equals sign that is not padding. In base64url, any equals sign.
    case padding
    /// Base64 without the equals signs that should fill the last group.
    case missingPadding
    /// A space, tab or line break.
    case whiteSpace
    /// A character of the other alphabet: `+` or `/` in base64url, `-` or `_` in base64.
    case otherAlphabet(UInt8)
    /// A character of neither alphabet.
    case foreignCharacter(UInt8)
    /// One character too many. No bytes have a text of this length.
    case impossibleLength
    /// The last character has bits set that do not belong to a byte (RFC 4648 §3.5).
    case trailingBits

    package func words(at offset: Int) -> String {
        switch self {
        case .padding: "padding ('=') at byte \(offset)"
        case .missingPadding: "the padding ('=') at the end is missing"
        case .whiteSpace: "white space at byte \(offset)"
        case .otherAlphabet(let byte) where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/"):
            "'\(Character(Unicode.Scalar(byte)))' at byte \(offset), which is base64, not base64url"
        case .otherAlphabet(let byte):
            "'\(Character(Unicode.Scalar(byte)))' at byte \(offset), which is base64url, not base64"
        case .foreignCharacter(let byte) where (0x21...0x7E).contains(byte):
            "'\(Character(Unicode.Scalar(byte)))' at byte \(offset)"
        case .foreignCharacter(let byte):
            "byte 0x\(byte.twoHexDigits) at byte \(offset)"
        case .impossibleLength: "the text is one character too long or cut off, at byte \(offset)"
        case .trailingBits: "the last character, at byte \(offset), has bits set that do not belong to a byte"
        }
    }
}
