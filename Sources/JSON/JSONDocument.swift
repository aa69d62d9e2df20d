/// JSON text that has been parsed: the bytes as they were given and an index of the values in them.
///
/// Nothing is copied out of the text until somebody asks for it, so a value knows the exact bytes it was written
/// with: numbers keep their digits, objects the order of their members, and an error can name a byte offset.
public final class JSONDocument: Sendable {
    /// The text, as parsed.
    public let bytes: [UInt8]
    let nodes: [JSONNode]
    /// Whether there is white space outside strings.
    package let hasWhiteSpace: Bool

    init(bytes: [UInt8], nodes: [JSONNode], hasWhiteSpace: Bool) {
        self.bytes = bytes
        self.hasWhiteSpace = hasWhiteSpace
        self.nodes = nodes
    }

    /// The deepest nesting of arrays and objects that is accepted where the caller names no other.
    public static let defaultMaximumDepth = 128

    /// Parses a JSON text (RFC 8259, RFC 7493).
    ///
    /// Of what RFC 7493 forbids, two things are accepted, since every parser reads them alike: characters that Unicode
    /// sets aside as noncharacters (§2.1), and numbers beyond what a `Double` holds (§2.2).
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8, without byte-order mark. White space around the value is accepted.
    ///   - maximumDepth: how deep arrays and objects may nest. Code that goes through the values, as the writer does, calls itself
    ///     once a level, so a bound of many thousands would be the stack's, not this one.
    /// - Returns: the text's value.
    /// - Throws: `JSONError`, with the offset of what is not acceptable.
    public static func parse(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONError) -> JSONValue {
        var scanner = JSONScanner(bytes: bytes, maximumDepth: maximumDepth)
        let nodes = try scanner.scanText()
        return JSONValue(
            document: JSONDocument(bytes: bytes, nodes: nodes, hasWhiteSpace: scanner.hasWhiteSpace), index: 0)
    }

    /// Whether the string of a node is this one, once escapes are resolved.
    ///
    /// The bytes are looked at one by one in their place: to hold them for the time would cost more.
    func spells(_ wanted: Span<UInt8>, at index: Int) -> Bool {
        let node = nodes[index]
        if node.hasEscapes {
            var here = 0
            for byte in JSONText(node, in: bytes) {
                guard here < wanted.count, wanted[here] == byte else { return false }
                here += 1
            }
            return here == wanted.count
        }
        let start = node.content.lowerBound
        guard node.content.count == wanted.count else { return false }
        for offset in wanted.indices where bytes[start + offset] != wanted[offset] { return false }
        return true
    }
}
