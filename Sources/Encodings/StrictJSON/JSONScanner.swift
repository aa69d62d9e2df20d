/// The parser. It passes over the bytes once and writes the index of values.
///
/// It is not recursive: the state of an open array or object is kept in its node. The text and the nodes are passed as
/// spans, whose bounds stay in registers, so that checked access costs almost nothing.
struct JSONScanner {
    let bytes: [UInt8]
    private let maximumDepth: Int
    /// Whether there was white space outside strings.
    private(set) var hasWhiteSpace = false
    /// The names of objects that have many or long ones, by the object's node.
    private var tables: [Int: JSONNameTable] = [:]

    /// How many members an object may have, and how long their names may be, before the names go into a table. Fewer
    /// names are compared one by one.
    private static let fewMembers = 16
    private static let shortName = 64

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// The index of the text's values, the outermost first.
    mutating func scanText() throws(JSONError) -> [JSONNode] {
        let bytes = bytes
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: 0) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONError(.byteOrderMark, at: 0) }
        // In a card's Bundle, there is about one value or name for ten bytes.
        var capacity = bytes.count / 8 + 4
        while true {
            var isWhole = false
            var nodes: [JSONNode] = []
            try nodes.append(addingCapacity: capacity) { nodes throws(JSONError) in
                isWhole = try scanText(bytes.span, into: &nodes)
            }
            if isWhole { return nodes }
            // Enough for any text: each node takes at least two bytes, itself and a separator or closing bracket,
            // except for arrays and objects that are still open.
            capacity = max(bytes.count / 2 + min(maximumDepth, bytes.count) + 2, 2 * capacity)
        }
    }

    /// Scans the text from its beginning to its end.
    ///
    /// - Returns: whether there was room for all nodes.
    private mutating func scanText(
        _ text: Span<UInt8>, into nodes: inout OutputSpan<JSONNode>
    ) throws(JSONError) -> Bool {
        tables = [:]
        let start = skipWhiteSpace(from: 0, text)
        guard start < text.count else { throw JSONError(.empty, at: start) }
        guard let last = try scanValue(from: start, text, into: &nodes) else { return false }
        let end = skipWhiteSpace(from: last, text)
        guard end == text.count else { throw JSONError(.trailingBytes, at: end) }
        return true
    }

    // MARK: White space

    // Cards are minified, so there usually is none.
    @inline(__always)
    private mutating func skipWhiteSpace(from position: Int, _ text: Span<UInt8>) -> Int {
        guard position < text.count, text[position] <= 0x20 else { return position }
        return skipSomeWhiteSpace(from: position, text)
    }

    @inline(never)
    private mutating func skipSomeWhiteSpace(from start: Int, _ text: Span<UInt8>) -> Int {
        var position = start
        while position < text.count {
            switch text[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return position
            }
            hasWhiteSpace = true
        }
        return position
    }

    /// Skips white space and returns the byte that follows it.
    @inline(__always)
    private mutating func nextByte(_ position: inout Int, _ text: Span<UInt8>) throws(JSONError) -> UInt8 {
        if position < text.count {
            let byte = text[position]
            if byte > 0x20 { return byte }
        }
        position = skipSomeWhiteSpace(from: position, text)
        guard position < text.count else { throw JSONError(.unexpectedEnd, at: position) }
        return text[position]
    }

    // MARK: Values

    /// An open array or object, and its state so far.
    private struct Container {
        /// Its node; nil outside the outermost value.
        var node: Int?
        /// The byte that ends it.
        var closing: UInt8 = 0
        /// How many elements or members it has so far.
        var count: UInt32 = 0
        /// A bit for each name so far, chosen by its length and its first byte; all bits if a name is long or has
        /// escapes. A name whose bit is not set is a new one.
        var names: UInt32 = 0

        var isObject: Bool { closing == UInt8(ascii: "}") }

        /// The closing bracket for this opening one: in ASCII, it is two further.
        static func closing(_ opening: UInt8) -> UInt8 { opening &+ 2 }

        /// Records the name of the next member.
        ///
        /// - Returns: whether the name is certainly new. Otherwise the names must be compared.
        @inline(__always)
        mutating func enter(_ name: JSONNode, _ text: Span<UInt8>) -> Bool {
            let length = name.end &- name.start
            let isShort = !name.hasEscapes && length <= JSONScanner.shortName + 2
            let bits = isShort ? 1 << ((UInt32(text[Int(name.start) + 1]) &+ length) & 31) : UInt32.max
            defer { names |= bits }
            return names & bits == 0 && count < JSONScanner.fewMembers
        }
    }

    /// Scans the value that begins here, and all values in it.
    ///
    /// - Returns: the offset of its end, or nil if there was no room for all nodes.
    private mutating func scanValue(
        from start: Int, _ text: Span<UInt8>, into nodes: inout OutputSpan<JSONNode>
    ) throws(JSONError) -> Int? {
        var position = start
        var depth = 0
        var container = Container()
        while true {
            var byte = try nextByte(&position, text)
            if container.isObject {
                guard byte == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte(byte), at: position) }
                guard !nodes.isFull else { return nil }
                let name = try string(from: position, text, index: nodes.count)
                nodes.append(name)
                if !container.enter(name, text), let object = container.node {
                    try rejectDuplicate(of: object, after: container.count, nodes.span)
                }
                position = Int(name.end)
                byte = try nextByte(&position, text)
                guard byte == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte(byte), at: position) }
                position += 1
                byte = try nextByte(&position, text)
            }

            guard !nodes.isFull else { return nil }
            var isEmpty = false
            switch byte {
            case UInt8(ascii: "\""):
                let value = try string(from: position, text, index: nodes.count)
                nodes.append(value)
                position = Int(value.end)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= maximumDepth else { throw JSONError(.tooDeep(limit: maximumDepth), at: position) }
                if let node = container.node {
                    nodes[node].suspend(count: container.count, names: container.names)
                }
                let outer = container.node
                container = Container(node: nodes.count, closing: Container.closing(byte))
                nodes.append(JSONNode(start: position, outer: outer))
                position += 1
                isEmpty = try nextByte(&position, text) == container.closing
                if !isEmpty { continue }
            default:
                let end = try endOfScalar(byte, from: position, text)
                nodes.append(JSONNode(start: position, end: end, index: nodes.count))
                position = end
            }

            // A value has ended, and perhaps arrays and objects around it.
            while let node = container.node {
                if !isEmpty {
                    container.count += 1
                    byte = try nextByte(&position, text)
                    if byte == UInt8(ascii: ",") { break }
                    guard byte == container.closing else { throw JSONError(.unexpectedByte(byte), at: position) }
                }
                isEmpty = false
                position += 1
                depth -= 1
                container = end(container, node, at: position, next: nodes.count, in: &nodes, text)
            }
            guard container.node != nil else { return position }
            position += 1
        }
    }

    /// Completes the node of an array or object that has ended.
    ///
    /// - Parameters:
    ///   - position: one past its last byte.
    ///   - next: the index of the first node after it.
    /// - Returns: the array or object around it.
    @inline(__always)
    private mutating func end(
        _ container: Container, _ node: Int, at position: Int, next: Int, in nodes: inout OutputSpan<JSONNode>,
        _ text: Span<UInt8>
    ) -> Container {
        if !tables.isEmpty { tables[node] = nil }
        let outer = nodes[node].outer
        nodes[node].end(at: position, next: next, count: container.count)
        guard let outer else { return Container() }
        let (start, count, names) = nodes[outer].suspended
        return Container(node: outer, closing: Container.closing(text[start]), count: count, names: names)
    }

    // MARK: Names

    /// Compares the name with the earlier names of the object. Escapes are resolved first, so `"a"` and `"\u0061"` are
    /// the same name. The comparison is byte by byte, so names that differ only in Unicode normalization are two names.
    ///
    /// The table keeps the time linear in the text's length for any names. A few short names are compared with each
    /// other, which is faster.
    ///
    /// - Parameter nodes: the nodes up to the name in question.
    /// - Throws: `JSONError` if the object already has a member of this name.
    @inline(never)
    private mutating func rejectDuplicate(
        of object: Int, after earlier: UInt32, _ nodes: Span<JSONNode>
    ) throws(JSONError) {
        let last = nodes.count - 1
        let name = nodes[last]
        let isShort = !name.hasEscapes && name.content.count <= Self.shortName
        var isDuplicate = false
        if earlier < Self.fewMembers, isShort, tables[object] == nil {
            Self.forEachName(earlier, of: object, nodes) { other in
                isDuplicate = isDuplicate || JSONText.areEqual(nodes[other], name, in: bytes)
            }
        } else {
            var table = tables.removeValue(forKey: object) ?? JSONNameTable()
            if table.isEmpty {
                Self.forEachName(earlier, of: object, nodes) { _ = table.insert($0, of: nodes, in: bytes) }
            }
            isDuplicate = !table.insert(last, of: nodes, in: bytes)
            tables[object] = table
        }
        if isDuplicate {
            let text = String(decoding: JSONText.unescaped(name, in: bytes), as: UTF8.self)
            throw JSONError(.duplicateMember(text), at: Int(name.start))
        }
    }

    /// Calls `body` with the names of the object's first members.
    private static func forEachName(
        _ count: UInt32, of object: Int, _ nodes: Span<JSONNode>, _ body: (Int) -> Void
    ) {
        var name = object + 1
        for _ in 0..<count {
            body(name)
            name = Int(nodes[name + 1].next)
        }
    }
}
