/// Untrusted text, compared and hashed by its bytes in UTF-8.
///
/// `String` compares, hashes and searches by canonical equivalence (Unicode §3.7). So it regards some different texts
/// as equal. It also needs quadratic time for some texts: a few thousand combining marks keep it busy for minutes.
/// Therefore strings in JSON are never returned as `String`. Use `description` to display them.
public struct UTF8Text: Sendable {
    private let characters: String

    /// Makes a text of these characters.
    public init(_ characters: String) {
        self.characters = characters
    }

    /// Decodes bytes in UTF-8. Bytes that are not UTF-8 become U+FFFD.
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
        // Unsafe: the buffer belongs to the static string and is read only during the call.
        prefix.withUTF8Buffer { unsafe characters.utf8.starts(with: $0) }
    }

    /// The text with the letters A to Z in lower case. Other characters do not change.
    public var asciiLowercased: UTF8Text {
        UTF8Text(decoding: characters.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    /// Whether a text is a part of this one, if letters are the same in both cases. The bytes are searched.
    package func mentions(_ part: UTF8Text) -> Bool {
        characters.lowercased().utf8.contains(part.characters.lowercased().utf8)
    }
}

extension UTF8Text: Hashable {
    /// Texts are equal if their bytes in UTF-8 are equal.
    public static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        // Most texts that are compared differ in their length, which costs less to ask than their bytes.
        left.characters.utf8.count == right.characters.utf8.count
            && left.characters.utf8.span.hasSameBytes(as: right.characters.utf8.span)
    }

    /// Hashes the bytes in UTF-8.
    public func hash(into hasher: inout Hasher) {
        // Unsafe: the hasher reads the bytes during the call.
        unsafe characters.utf8.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        // UTF-8 never contains this byte. It marks the end, so that "ab", "c" and "a", "bc" do not hash alike.
        hasher.combine(0xFF as UInt8)
    }
}

extension UTF8Text: ExpressibleByStringLiteral {
    /// Makes a text from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension UTF8Text: CustomStringConvertible {
    /// The text for display. Never compare, hash or search this string.
    public var description: String { characters }
}

extension String {
    /// Untrusted text for a message: in quotation marks, shortened to a number of scalars (a character can have any
    /// number of them), with all characters escaped that could control a terminal.
    package func quoted(upTo length: Int = 200) -> String {
        let beginning = unicodeScalars.prefix(length)
        let isWhole = beginning.endIndex == unicodeScalars.endIndex
        return JSONWriter.quoted(String(String.UnicodeScalarView(beginning)) + (isWhole ? "" : "…"))
    }

    /// Whether there are characters outside ASCII, and none can be seen, so that a name looks as if there were none: only joiners, other
    /// characters without a glyph, and spaces.
    package var isInvisible: Bool {
        !utf8.allSatisfy { $0 < 0x80 }
            && unicodeScalars.allSatisfy {
                $0.isUnprintable || $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
            }
    }
}

extension UTF8Text {
    /// The text for a message; see `String.quoted(upTo:)`.
    package func quoted(upTo length: Int = 200) -> String { description.quoted(upTo: length) }
}

extension Unicode.Scalar {
    /// Whether the character could control a terminal, or hide or reorder the text around it: controls, bidirectional
    /// and other format characters, line separators, private and unassigned characters. The joiners that some scripts
    /// need between letters (U+200C, U+200D) are harmless.
    package var isUnprintable: Bool {
        if value < 0x7F { return value < 0x20 }
        switch self {
        case "\u{200C}", "\u{200D}": return false
        // Letters and a symbol that are blank: a name of them would look as if there were none.
        case "\u{115F}", "\u{1160}", "\u{2800}", "\u{3164}", "\u{FFA0}": return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
