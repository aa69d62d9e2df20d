/// JSON text that has been parsed: the bytes as they were given and an index of the values in them.
///
/// Nothing is copied out of the text until somebody asks for it, so a value knows the exact bytes it was written
/// with: numbers keep their digits, objects the order of their members, and an error can name a byte offset.
public final class JSONDocument: Sendable {
    /// The text, as parsed.
    public let bytes: [UInt8]
    let nodes: [JSONNode]

    init(bytes: [UInt8], nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    /// The deepest nesting of arrays and objects that is accepted where the caller names no other.
    public static let defaultMaximumDepth = 128

    /// Parses a JSON text (RFC 8259, RFC 7493).
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8, without byte-order mark. White space around the value is accepted.
    ///   - maximumDepth: how deep arrays and objects may nest.
    /// - Returns: the text's value.
    /// - Throws: `JSONError`, with the offset of the first byte that is not acceptable.
    public static func parse(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONError) -> JSONValue {
        var scanner = JSONScanner(bytes: bytes, maximumDepth: maximumDepth)
        try scanner.scanText()
        return JSONValue(document: JSONDocument(bytes: bytes, nodes: scanner.nodes), index: 0)
    }
}

/// One value, or one member's name, in the text.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case null, `true`, `false`, number, string, array, object
    }

    var kind: Kind
    /// Of a string: whether it holds escapes, so that its bytes are not its characters.
    var hasEscapes = false
    /// The value's first byte (of a string: the quotation mark).
    var start: UInt32
    /// One past the value's last byte.
    var end: UInt32 = 0
    /// The index of the first node after this value and all that is in it.
    var next: UInt32 = 0
    /// Of an array: how many elements; of an object: how many members.
    var count: UInt32 = 0
}
