/// Text that somebody else wrote, compared and hashed by its bytes in UTF-8.
///
/// `String` compares, hashes and searches by canonical equivalence (Unicode §3.7). It calls texts equal that are
/// different, and takes quadratic time for some that were built for it: a few thousand combining marks are enough to
/// keep it busy for minutes. So a string of a JSON text is never handed out as a `String`; where one is needed, to show
/// it, there is `description`.
public struct UTF8Text: Sendable {
    private let characters: String

    /// The text with these characters.
    public init(_ characters: String) {
        self.characters = characters
    }

    /// The text that these bytes are in UTF-8. What is not UTF-8 in them becomes U+FFFD.
    public init(decoding bytes: some Collection<UInt8>) {
        characters = String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes.
    public var utf8: String.UTF8View { characters.utf8 }

    /// The Unicode scalars.
    public var unicodeScalars: String.UnicodeScalarView { characters.unicodeScalars }

    /// Whether there are no characters.
    public var isEmpty: Bool { characters.isEmpty }

    /// Whether the text begins with these bytes.
    public func hasPrefix(_ prefix: StaticString) -> Bool {
        // Unsafe: the buffer is the static string's own, and is read during the call only.
        prefix.withUTF8Buffer { unsafe characters.utf8.starts(with: $0) }
    }

    /// The text with the letters A to Z in lower case; every other character stays as it is.
    public var asciiLowercased: UTF8Text {
        UTF8Text(decoding: characters.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }
}

extension UTF8Text: Hashable {
    public static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        left.characters.utf8.span.hasSameBytes(as: right.characters.utf8.span)
    }

    public func hash(into hasher: inout Hasher) {
        // Unsafe: the hasher reads the bytes during the call.
        unsafe characters.utf8.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        // No text has this byte, so two texts never hash as two others that make the same bytes together.
        hasher.combine(0xFF as UInt8)
    }
}

extension UTF8Text: ExpressibleByStringLiteral {
    public init(stringLiteral value: StaticString) {
        self.init(value.description)
    }
}

extension UTF8Text: CustomStringConvertible {
    /// The text, to be shown. Never compare it, hash it or search in it.
    public var description: String { characters }
}
