/// Why text is not base64url, or not base64, and where.
public struct Base64Error: Error, Equatable, Sendable {
    /// What the decoder met.
    public enum Reason: Equatable, Sendable {
        /// An equals sign where no padding belongs: in base64url, anywhere.
        case padding
        /// Base64 without the equals signs that fill the last group.
        case missingPadding
        /// A space, tabulator or line break.
        case whiteSpace
        /// A character of the other alphabet: `+` or `/` in base64url, `-` or `_` in base64.
        case otherAlphabet(UInt8)
        /// A character of neither alphabet.
        case foreignCharacter(UInt8)
        /// One character too many: no number of bytes has a text of this length.
        case impossibleLength
        /// The last character holds bits that belong to no byte and are not zero (RFC 4648 §3.5).
        case trailingBits
    }

    /// What the decoder met.
    public let reason: Reason
    /// Where, in bytes from the start of the text.
    public let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension Base64Error: CustomStringConvertible {
    /// The error in plain words, with the byte offset.
    public var description: String {
        switch reason {
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
            "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true)) at byte \(offset)"
        case .impossibleLength: "the text is one character too long or cut off, at byte \(offset)"
        case .trailingBits: "the last character, at byte \(offset), has bits set that belong to no byte"
        }
    }
}
