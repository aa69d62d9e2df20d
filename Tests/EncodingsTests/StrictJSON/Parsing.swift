import Encodings

/// Parses a text. Most tests use a string. Texts that are not UTF-8 are given as bytes.
func parse(_ text: String) throws(JSONError) -> JSONValue {
    try JSONDocument.parse(Array(text.utf8))
}

/// Why the parser rejects the text, or nil if it accepts it.
func rejection(of bytes: [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth) -> JSONError? {
    do throws(JSONError) {
        _ = try JSONDocument.parse(bytes, maximumDepth: maximumDepth)
        return nil
    } catch {
        return error
    }
}

func rejection(of text: String) -> JSONError? {
    rejection(of: Array(text.utf8))
}

/// The value as the writer writes it.
func printed(
    _ value: JSONValue, _ layout: JSONWriter.Layout = .compact, escapesUnprintable: Bool = false
) -> String {
    var writer = JSONWriter(layout: layout, escapesUnprintable: escapesUnprintable)
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// A text that must be rejected, with the reason and the byte offset.
struct Rejection: Sendable, CustomStringConvertible {
    let text: String
    let reason: JSONError.Reason
    let offset: Int

    init(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
        self.text = text
        self.reason = reason
        self.offset = offset
    }

    var description: String { text.debugDescription }
}

extension JSONError.Reason {
    /// A character that is not allowed at this place.
    static func unexpected(_ character: Unicode.Scalar) -> Self {
        .unexpectedByte(UInt8(ascii: character))
    }
}
