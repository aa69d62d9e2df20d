/// Parses CBOR (RFC 8949), strictly and within limits.
///
/// The bytes must be one item up to the last byte. Everything that RFC 8949 calls well-formed is accepted, with indefinite
/// lengths and heads that are longer than necessary. Refused are texts that are not UTF-8, and maps with the same key twice,
/// because two readers could read different values from them.
package enum CBORDocument {
    /// The usual limit on the nesting of arrays, maps and tags.
    package static let defaultMaximumDepth = 32
    /// The usual limit on the number of items.
    package static let defaultMaximumItems = 20_000

    /// Parses one item.
    ///
    /// - Parameters:
    ///   - bytes: the whole item. Values are ranges of these bytes.
    ///   - maximumDepth: how deep arrays, maps and tags may be nested. At most 256.
    ///   - maximumItems: how many items there may be, at all levels.
    /// - Throws: `CBORError`.
    package static func parse(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth, maximumItems: Int = defaultMaximumItems
    ) throws(CBORError) -> CBORValue {
        try parse(
            CBORScanner(bytes: bytes, maximumDepth: min(maximumDepth, 256), maximumItems: maximumItems), bytes)
    }

    /// Parses one item in which a map may have a member twice if both are encoded in the same way. No two readers read different
    /// values from it.
    package static func parse(withRepetitions bytes: [UInt8]) throws(CBORError) -> CBORValue {
        var scanner = CBORScanner(
            bytes: bytes, maximumDepth: defaultMaximumDepth, maximumItems: defaultMaximumItems)
        scanner.allowsRepetitions = true
        return try parse(scanner, bytes)
    }

    private static func parse(_ scanner: CBORScanner, _ bytes: [UInt8]) throws(CBORError) -> CBORValue {
        var scanner = scanner
        return CBORValue(CBORValue.Document(bytes: bytes, nodes: try scanner.scan()), 0)
    }
}

/// An item in the index that the parser makes. The items of an array, map or tag follow it.
struct CBORNode: Sendable {
    let kind: CBORValue.Kind
    /// Whether the length is indefinite, so that a string consists of chunks.
    var isIndefinite = false
    /// The number in the head: an integer, a tag, a simple value, the bits of a float, or the number of elements or pairs.
    var argument: UInt64
    /// The offset of the head.
    let start: Int
    /// The offset of a string's first byte or first chunk, or of the first item inside.
    let content: Int
    /// The offset after the item.
    var end: Int
    /// The index of the first node after this item and all items in it.
    var next: Int
}

/// The parser. It passes over the bytes once, without recursion, and writes the index of items.
struct CBORScanner {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let maximumItems: Int
    /// Whether a map may have a member twice if both are encoded in the same way.
    var allowsRepetitions = false
    private var nodes: [CBORNode] = []
    private var items = 0
    /// The numbers of the items that were compared as keys.
    private var identities = CBORIdentities()

    init(bytes: [UInt8], maximumDepth: Int, maximumItems: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumItems = maximumItems
    }

    /// An open array, map or tag.
    private struct Container {
        /// Notes that one more item is complete.
        mutating func take() {
            count += 1
            if let missing { self.missing = missing - 1 }
        }

        let node: Int
        /// How many items are still expected; nil if the length is indefinite.
        var missing: UInt64?
        /// How many items there are so far.
        var count: UInt64 = 0
    }

    mutating func scan() throws(CBORError) -> [CBORNode] {
        guard !bytes.isEmpty else { throw CBORError(.empty, at: 0) }
        nodes.reserveCapacity(min(bytes.count / 4 + 4, 128))
        var open: [Container] = []
        var position = 0
        repeat {
            if try endsIndefinite(open.last, at: position) {
                position += 1
            } else {
                let opened = try scanItem(at: &position)
                if let opened {
                    guard open.count < maximumDepth else {
                        throw CBORError(.tooDeep(limit: maximumDepth), at: nodes[opened.node].start)
                    }
                    open.append(opened)
                    if opened.missing != 0 { continue }
                } else if !open.isEmpty {
                    open[open.count - 1].take()
                    if open[open.count - 1].missing != 0 { continue }
                } else {
                    break
                }
            }
            // One or several containers end here.
            repeat {
                let done = open.removeLast()
                try close(done, at: position)
                if !open.isEmpty { open[open.count - 1].take() }
            } while open.last?.missing == 0
        } while !open.isEmpty
        guard position == bytes.count else { throw CBORError(.trailingBytes, at: position) }
        return nodes
    }

    /// Whether the byte here is the break that ends an open container of indefinite length.
    private func endsIndefinite(_ container: Container?, at position: Int) throws(CBORError) -> Bool {
        guard position < bytes.count, bytes[position] == 0xFF else { return false }
        guard let container, container.missing == nil else { throw CBORError(.strayBreak, at: position) }
        guard nodes[container.node].kind != .map || container.count % 2 == 0 else {
            throw CBORError(.keyWithoutValue, at: position)
        }
        return true
    }

    private mutating func close(_ container: Container, at position: Int) throws(CBORError) {
        nodes[container.node].end = position
        nodes[container.node].next = nodes.count
        switch nodes[container.node].kind {
        case .map:
            nodes[container.node].argument = container.count / 2
            try rejectDuplicateKeys(of: container.node)
        case .array: nodes[container.node].argument = container.count
        default: break
        }
    }

    // MARK: Items

    /// Reads the item that begins here. If it holds other items, only its head is read.
    ///
    /// - Returns: the container, if the item is one.
    private mutating func scanItem(at position: inout Int) throws(CBORError) -> Container? {
        let start = position
        let head = try self.head(at: &position)
        try count(at: start)
        switch head.major {
        case 0: append(.unsigned, head.argument, start, position)
        case 1: append(.negative, head.argument, start, position)
        case 2: try string(.bytes, head, from: start, at: &position)
        case 3: try string(.text, head, from: start, at: &position)
        case 4, 5: return try container(head, from: start, at: position)
        case 6:
            append(.tag, head.argument, start, position)
            return Container(node: nodes.count - 1, missing: 1)
        default: append(kind(of: head), head.argument, start, position)
        }
        return nil
    }

    private mutating func append(_ kind: CBORValue.Kind, _ argument: UInt64, _ start: Int, _ end: Int) {
        nodes.append(
            CBORNode(kind: kind, argument: argument, start: start, content: end, end: end, next: nodes.count + 1))
    }

    private mutating func count(at position: Int) throws(CBORError) {
        items += 1
        guard items <= maximumItems else { throw CBORError(.tooManyItems(limit: maximumItems), at: position) }
    }

    /// The head of an item (RFC 8949 §3).
    private struct Head {
        let major: UInt8
        /// The low five bits.
        let additional: UInt8
        let argument: UInt64

        var isIndefinite: Bool { additional == 31 }
    }

    private func head(at position: inout Int) throws(CBORError) -> Head {
        guard position < bytes.count else { throw CBORError(.truncated, at: bytes.count) }
        let first = bytes[position]
        let (major, additional) = (first >> 5, first & 31)
        let start = position
        position += 1
        switch additional {
        case 0..<24: return Head(major: major, additional: additional, argument: UInt64(additional))
        case 24...27:
            let length = 1 << Int(additional - 24)
            guard bytes.count - position >= length else { throw CBORError(.truncated, at: bytes.count) }
            var argument: UInt64 = 0
            for byte in bytes[position..<position + length] { argument = argument << 8 | UInt64(byte) }
            position += length
            if major == 7, additional == 24, argument < 32 { throw CBORError(.badSimpleValue, at: start) }
            return Head(major: major, additional: additional, argument: argument)
        // Integers and tags have no indefinite form. A break was handled before.
        case 31 where (2...5).contains(major): return Head(major: major, additional: additional, argument: 0)
        case 31 where major == 7: throw CBORError(.strayBreak, at: start)
        default: throw CBORError(.reservedHead(first), at: start)
        }
    }

    private func kind(of head: Head) -> CBORValue.Kind {
        switch head.additional {
        case 20, 21: .boolean
        case 22: .null
        case 23: .undefined
        case 25: .half
        case 26: .single
        case 27: .double
        default: .simple
        }
    }

    private mutating func container(_ head: Head, from start: Int, at position: Int) throws(CBORError) -> Container {
        let (kind, size): (CBORValue.Kind, UInt64) = head.major == 5 ? (.map, 2) : (.array, 1)
        // Each item takes a byte at least, so a larger number cannot be true.
        guard head.isIndefinite || head.argument <= UInt64(bytes.count - position) / size else {
            throw CBORError(.truncated, at: start)
        }
        append(kind, head.argument, start, position)
        nodes[nodes.count - 1].isIndefinite = head.isIndefinite
        return Container(node: nodes.count - 1, missing: head.isIndefinite ? nil : head.argument * size)
    }

    // MARK: Strings

    private mutating func string(
        _ kind: CBORValue.Kind, _ head: Head, from start: Int, at position: inout Int
    ) throws(CBORError) {
        let content = position
        if head.isIndefinite {
            try chunks(of: kind, at: &position)
        } else {
            try skip(head.argument, of: kind, from: start, at: &position)
        }
        nodes.append(
            CBORNode(
                kind: kind, isIndefinite: head.isIndefinite, argument: head.argument, start: start, content: content,
                end: position, next: nodes.count + 1))
    }

    /// Passes over the chunks of a string, and the break after them. Each chunk of a text is UTF-8 by itself (RFC 8949 §3.2.3).
    private mutating func chunks(of kind: CBORValue.Kind, at position: inout Int) throws(CBORError) {
        while true {
            guard position < bytes.count else { throw CBORError(.truncated, at: bytes.count) }
            if bytes[position] == 0xFF {
                position += 1
                return
            }
            let start = position
            let head = try self.head(at: &position)
            try count(at: start)
            guard head.major == (kind == .bytes ? 2 : 3), !head.isIndefinite else {
                throw CBORError(.badChunk, at: start)
            }
            try skip(head.argument, of: kind, from: start, at: &position)
        }
    }

    private func skip(
        _ length: UInt64, of kind: CBORValue.Kind, from start: Int, at position: inout Int
    ) throws(CBORError) {
        guard length <= UInt64(bytes.count - position) else { throw CBORError(.truncated, at: start) }
        let end = position + Int(length)
        if kind == .text, !Self.isUTF8(bytes[position..<end]) { throw CBORError(.notUTF8, at: start) }
        position = end
    }

    private static func isUTF8(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { $0 < 0x80 } || String(validating: text, as: UTF8.self) != nil
    }

    // MARK: Keys

    /// How many keys of a map are compared one by one, if they are plain. Other keys get numbers.
    private static let fewKeys: UInt64 = 16

    /// Refuses a map with the same key twice. Keys are compared by value and not by their encoding.
    private mutating func rejectDuplicateKeys(of map: Int) throws(CBORError) {
        guard nodes[map].argument > 1 else { return }
        if nodes[map].argument <= Self.fewKeys, !allowsRepetitions, try comparesOneByOne(keysOf: map) { return }
        var seen: [Int: Int] = [:]
        var key = map + 1
        while key < nodes.count {
            let number = identities.number(of: key, in: nodes, bytes)
            if let before = seen.updateValue(key, forKey: number) {
                guard allowsRepetitions, member(before).elementsEqual(member(key)) else {
                    throw CBORError(.duplicateKey, at: nodes[key].start)
                }
            }
            key = keyAfter(key)
        }
    }

    /// The bytes of a member, from its key to the end of its value.
    private func member(_ key: Int) -> ArraySlice<UInt8> { bytes[nodes[key].start..<nodes[nodes[key].next].end] }

    /// Compares each key of a map with those before it.
    ///
    /// - Returns: false if a key is not plain. The keys before it were compared then.
    private func comparesOneByOne(keysOf map: Int) throws(CBORError) -> Bool {
        var key = map + 1
        while key < nodes.count {
            guard isPlain(nodes[key]) else { return false }
            var before = map + 1
            while before < key {
                guard !isSame(nodes[before], nodes[key]) else {
                    throw CBORError(.duplicateKey, at: nodes[key].start)
                }
                before = keyAfter(before)
            }
            key = keyAfter(key)
        }
        return true
    }

    /// The place of the next key of a map that ends with the last node.
    private func keyAfter(_ key: Int) -> Int { nodes[nodes[key].next].next }

    /// Whether an item is an integer or a short string in one piece.
    private func isPlain(_ node: CBORNode) -> Bool {
        switch node.kind {
        case .unsigned, .negative: true
        case .text, .bytes: !node.isIndefinite && node.argument <= 64
        default: false
        }
    }

    private func isSame(_ one: CBORNode, _ other: CBORNode) -> Bool {
        guard one.kind == other.kind, one.argument == other.argument else { return false }
        switch one.kind {
        case .text, .bytes:
            // The arrays are indexed byte by byte, because making slices of them would be slower.
            for offset in 0..<(one.end - one.content) where bytes[one.content + offset] != bytes[other.content + offset]
            {
                return false
            }
            return true
        default: return true
        }
    }
}

/// Numbers for items, so that two items have the same number if and only if they have the same value.
///
/// Integers and floats are different values (RFC 8949 §5.6.1). Floats of all precisions are compared as doubles, and all that are not
/// a number are alike. The order of a map's members does not matter.
///
/// Each item gets its number once. Keys may be maps with keys that are maps, so otherwise the time could grow with the square of the
/// number of levels.
struct CBORIdentities {
    /// An item without its encoding. Items inside are known by their numbers.
    private enum Form: Hashable {
        case simple(major: UInt8, UInt64)
        case float(UInt64)
        case string(isText: Bool, ArraySlice<UInt8>)
        case items(major: UInt8, UInt64, [Int])
    }

    private var numbers: [Form: Int] = [:]
    /// The numbers of nodes.
    private var known: [Int: Int] = [:]

    /// The number of an item. The recursion is as deep as the items are nested, which the parser limits.
    ///
    /// - Parameters:
    ///   - index: the item.
    ///   - nodes: the nodes, with all those in the item. These do not change any more.
    ///   - bytes: the bytes of the document.
    mutating func number(of index: Int, in nodes: [CBORNode], _ bytes: [UInt8]) -> Int {
        if let number = known[index] { return number }
        let form = form(of: index, in: nodes, bytes)
        let number = numbers[form] ?? numbers.count
        numbers[form] = number
        known[index] = number
        return number
    }

    private mutating func form(of index: Int, in nodes: [CBORNode], _ bytes: [UInt8]) -> Form {
        let node = nodes[index]
        switch node.kind {
        case .unsigned: return .simple(major: 0, node.argument)
        case .negative: return .simple(major: 1, node.argument)
        case .boolean, .null, .undefined, .simple: return .simple(major: 7, node.argument)
        case .half, .single, .double:
            let value = node.double
            return .float(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        case .bytes, .text: return .string(isText: node.kind == .text, node.content(in: bytes))
        case .array: return .items(major: 4, 0, inside(index, in: nodes, bytes))
        case .tag: return .items(major: 6, node.argument, inside(index, in: nodes, bytes))
        case .map:
            let numbers = inside(index, in: nodes, bytes)
            // No key is there twice, so the order of the keys decides.
            let pairs = stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
            return .items(major: 5, 0, pairs.sorted { $0.0 < $1.0 }.flatMap { [$0.0, $0.1] })
        }
    }

    /// The numbers of the items directly inside an array, map or tag.
    private mutating func inside(_ index: Int, in nodes: [CBORNode], _ bytes: [UInt8]) -> [Int] {
        var found: [Int] = []
        var place = index + 1
        while place < nodes[index].next {
            found.append(number(of: place, in: nodes, bytes))
            place = nodes[place].next
        }
        return found
    }
}

/// The heads of items (RFC 8949 §3), in their shortest form.
package enum CBORHead {
    /// Appends the head of an item.
    ///
    /// - Parameters:
    ///   - major: the major type, from 0 to 7.
    ///   - argument: the number in the head.
    package static func append(_ major: UInt8, _ argument: UInt64, to bytes: inout [UInt8]) {
        let length: Int
        switch argument {
        case ..<24:
            bytes.append(major << 5 | UInt8(argument))
            return
        case ..<0x100: length = 1
        case ..<0x1_0000: length = 2
        case ..<0x1_0000_0000: length = 4
        default: length = 8
        }
        bytes.append(major << 5 | (24 + UInt8(length.trailingZeroBitCount)))
        for index in (0..<length).reversed() { bytes.append(UInt8(truncatingIfNeeded: argument >> (8 * index))) }
    }
}
