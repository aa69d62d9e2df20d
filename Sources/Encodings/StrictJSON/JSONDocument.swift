/// A parsed JSON text: the bytes as they were given, and an index of the values in them.
///
/// A value refers to its bytes in the text and is decoded only when it is asked for. So numbers keep their digits and
/// objects the order of their members.
package final class JSONDocument: Sendable {
    /// The text, as parsed.
    package let bytes: [UInt8]
    let nodes: [JSONNode]
    /// Whether there is white space outside strings.
    package let hasWhiteSpace: Bool

    init(bytes: [UInt8], nodes: [JSONNode], hasWhiteSpace: Bool) {
        self.bytes = bytes
        self.hasWhiteSpace = hasWhiteSpace
        self.nodes = nodes
    }

    /// The deepest nesting of arrays and objects that is accepted by default.
    package static let defaultMaximumDepth = 128

    /// Parses a JSON text (RFC 8259, RFC 7493).
    ///
    /// Two things that RFC 7493 forbids are accepted, since all parsers read them alike: noncharacters of Unicode
    /// (§2.1), and numbers beyond the range or precision of a `Double` (§2.2).
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8, without byte-order mark. White space around the value is accepted.
    ///   - maximumDepth: how deeply arrays and objects may nest. The parser is not recursive, but code that visits all
    ///     values, such as the writer, is: with a limit of many thousands it can exhaust the stack.
    /// - Returns: the text's value.
    /// - Throws: `JSONError`, with the offset of the error.
    package static func parse(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
    ) throws(JSONError) -> JSONValue {
        var scanner = JSONScanner(bytes: bytes, maximumDepth: maximumDepth)
        let nodes = try scanner.scanText()
        return JSONValue(
            document: JSONDocument(bytes: bytes, nodes: nodes, hasWhiteSpace: scanner.hasWhiteSpace), index: 0)
    }

    /// The index of the value of an object's member; nil if the object has no member with this name.
    ///
    /// - Parameters:
    ///   - name: the name, which is compared after escapes are resolved.
    ///   - object: the index of the object.
    func member(_ name: Span<UInt8>, of object: Int) -> Int? {
        Self.member(name, of: object, nodes, in: bytes)
    }

    private static func member(_ name: Span<UInt8>, of object: Int, _ nodes: [JSONNode], in bytes: [UInt8]) -> Int? {
        let span = nodes.span
        var child = object + 1
        for _ in 0..<span[object].count {
            if spells(name, span[child], in: bytes) { return child + 1 }
            child = Int(span[child + 1].next)
        }
        return nil
    }

    /// Whether an object has a member whose name begins with an underscore, or with an escape.
    func hasUnderscoredMember(_ object: Int) -> Bool {
        var child = object + 1
        for _ in 0..<nodes[object].count {
            let first = bytes[nodes[child].content.lowerBound]
            if first == UInt8(ascii: "_") || first == UInt8(ascii: "\\") { return true }
            child = Int(nodes[child + 1].next)
        }
        return false
    }

    /// Whether the string of a node equals this one, after escapes are resolved.
    func spells(_ wanted: Span<UInt8>, at index: Int) -> Bool { Self.spells(wanted, nodes[index], in: bytes) }

    @inline(__always)
    private static func spells(_ wanted: Span<UInt8>, _ node: JSONNode, in bytes: [UInt8]) -> Bool {
        guard !node.hasEscapes else { return spellsEscaped(wanted, node, in: bytes) }
        // Most names that are compared have another length.
        guard node.content.count == wanted.count else { return false }
        return bytes.span.extracting(node.content).hasSameBytes(as: wanted)
    }

    private static func spellsEscaped(_ wanted: Span<UInt8>, _ node: JSONNode, in bytes: [UInt8]) -> Bool {
        var here = 0
        for byte in JSONText(node, in: bytes) {
            guard here < wanted.count, wanted[here] == byte else { return false }
            here += 1
        }
        return here == wanted.count
    }
}

/// A value, or a member's name, in the text. Its first byte says what kind of value it is.
///
/// A text can have a node for every two bytes, so a node has only 16 bytes.
struct JSONNode: Sendable {
    /// The value's first byte (of a string: the quotation mark).
    let start: UInt32
    /// One past the value's last byte.
    private(set) var end: UInt32
    /// The index of the first node after this value and all that is in it.
    private(set) var next: UInt32
    /// The number of an array's elements, an object's members, or a string's escapes.
    private(set) var count: UInt32

    /// The bytes of a string between the quotation marks.
    var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }

    /// Whether a string has escapes, so that its bytes are not its characters.
    var hasEscapes: Bool { count > 0 }

    // The text is shorter than 2³² - 1 bytes, and has fewer nodes than bytes.

    /// A literal, a number, a string or a name.
    ///
    /// - Parameter index: the index of the node itself.
    init(start: Int, end: Int, index: Int, escapes: UInt32 = 0) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        next = UInt32(truncatingIfNeeded: index + 1)
        count = escapes
    }

    // MARK: Open arrays and objects

    /// An array or object that begins.
    ///
    /// - Parameter outer: the node of the array or object around it, or nil for the outermost.
    init(start: Int, outer: Int?) {
        self.start = UInt32(truncatingIfNeeded: start)
        end = 0
        next = outer.map { UInt32(truncatingIfNeeded: $0) } ?? .max
        count = 0
    }

    /// The node of the array or object around it, or nil for the outermost. `next` holds it until the end is known.
    var outer: Int? { next == .max ? nil : Int(next) }

    /// The state of an open array or object. `end` holds the names until the end is known.
    var suspended: (start: Int, count: UInt32, names: UInt32) { (Int(start), count, end) }

    mutating func suspend(count: UInt32, names: UInt32) {
        self.count = count
        end = names
    }

    mutating func end(at position: Int, next: Int, count: UInt32) {
        end = UInt32(truncatingIfNeeded: position)
        self.next = UInt32(truncatingIfNeeded: next)
        self.count = count
    }
}
