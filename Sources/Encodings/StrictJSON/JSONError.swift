/// Why bytes were rejected as JSON, and at which offset.
///
/// The parser is strict. It follows RFC 8259 for the grammar, and RFC 7493 (I-JSON) where two parsers could read a text
/// differently.
public struct JSONError: Error, Equatable, Sendable {
    /// The kind of error.
    public enum Reason: Equatable, Sendable {
        /// There is no value at all.
        case empty
        /// The text begins with a UTF-8 byte-order mark (RFC 8259 §8.1).
        case byteOrderMark
        /// A byte that is not allowed at this place.
        case unexpectedByte(UInt8)
        /// The text ends inside a value.
        case unexpectedEnd
        /// Something follows the value.
        case trailingBytes
        /// A number that is not in the form of RFC 8259 §6.
        case invalidNumber
        /// A literal other than `true`, `false` and `null`, such as `NaN`.
        case invalidLiteral
        /// An escape other than those of RFC 8259 §7.
        case invalidEscape
        /// A `\u` escape of half a surrogate pair (RFC 7493 §2.1).
        case loneSurrogate
        /// An unescaped control character inside a string.
        case controlCharacter(UInt8)
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// An object has two members of this name (RFC 7493 §2.3).
        case duplicateMember(String)
        /// Arrays and objects are nested deeper than this limit.
        case tooDeep(limit: Int)
        /// The text is longer than the parser's offsets reach (4 GiB).
        case tooLong
    }

    /// The kind of error.
    public let reason: Reason
    /// The offset in bytes from the start of the text. It is that of the first byte of the wrong number, literal,
    /// escape, character or member name, or the text's length if the text ends too early.
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

    /// The first 64 scalars: 64 characters could be of any length.
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
