/// Why bytes are not acceptable JSON, and where.
///
/// The parser is strict: RFC 8259 for the grammar, RFC 7493 (I-JSON) for what two parsers could read
/// differently.
public struct JSONError: Error, Equatable, Sendable {
    /// What the parser met.
    public enum Reason: Equatable, Sendable {
        /// There is no value at all.
        case empty
        /// The text begins with a UTF-8 byte-order mark (RFC 8259 §8.1).
        case byteOrderMark
        /// A character that cannot stand here.
        case unexpectedByte(UInt8)
        /// The text ends inside a value.
        case unexpectedEnd
        /// Something follows the value.
        case trailingBytes
        /// A number that is not of the form of RFC 8259 §6.
        case invalidNumber
        /// A literal other than `true`, `false` and `null`, such as `NaN`.
        case invalidLiteral
        /// An escape other than those of RFC 8259 §7.
        case invalidEscape
        /// A `\u` escape of half a surrogate pair (RFC 7493 §2.1).
        case loneSurrogate
        /// A control character inside a string that is not escaped.
        case controlCharacter(UInt8)
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// An object has two members of this name (RFC 7493 §2.3).
        case duplicateMember(String)
        /// Arrays and objects are nested deeper than this bound.
        case tooDeep(limit: Int)
        /// The text is longer than the parser's offsets reach (4 GiB).
        case tooLong
    }

    /// What the parser met.
    public let reason: Reason
    /// Where, in bytes from the start of the text: the first byte of the number, literal, escape, character or member
    /// name that is not acceptable, or the text's length where it ends too early.
    public let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// The error in plain words, with the byte offset.
    public var description: String {
        switch reason {
        case .empty: "there is no JSON value"
        case .byteOrderMark: "the JSON begins with a byte-order mark"
        case .trailingBytes: "something follows the JSON value, at byte \(offset)"
        case .unexpectedEnd: "the JSON ends too early, at byte \(offset)"
        case .unexpectedByte(let byte): "unexpected \(Self.name(of: byte)) at byte \(offset)"
        case .invalidNumber: "not a JSON number at byte \(offset)"
        case .invalidLiteral: "not a JSON value at byte \(offset)"
        case .invalidEscape: "not a JSON string escape at byte \(offset)"
        case .loneSurrogate: "half of a surrogate pair at byte \(offset)"
        case .controlCharacter: "a control character inside a string at byte \(offset)"
        case .invalidUTF8: "bytes that are not UTF-8 at byte \(offset)"
        case .duplicateMember(let name):
            "the member \(JSONWriter.quoted(Self.beginning(of: name))) occurs twice in one object, at byte \(offset)"
        case .tooDeep(let limit): "nested deeper than \(limit) levels at byte \(offset)"
        case .tooLong: "the JSON text is too long"
        }
    }

    /// The first 64 scalars; a name of 64 characters may be as long as it likes.
    private static func beginning(of name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        case 0x20: "space"
        default: "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}
