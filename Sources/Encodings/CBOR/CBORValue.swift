/// An item of CBOR, as a range of the bytes that were parsed.
package struct CBORValue: Sendable {
    /// The kinds of items.
    package enum Kind: String, Sendable {
        case unsigned = "unsigned integer"
        case negative = "negative integer"
        case bytes = "byte string"
        case text, array, map, tag, boolean, null, undefined
        /// A simple value without a meaning of its own.
        case simple = "simple value"
        case half = "half-precision float"
        case single = "single-precision float"
        case double = "float"
    }

    /// The bytes with the index of their items.
    final class Document: Sendable {
        let bytes: [UInt8]
        let nodes: [CBORNode]

        init(bytes: [UInt8], nodes: [CBORNode]) {
            self.bytes = bytes
            self.nodes = nodes
        }
    }

    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    private var node: CBORNode { document.nodes[index] }

    /// The kind of the item.
    package var kind: Kind { node.kind }

    /// The bytes of the whole item, as they were given.
    package var encoded: ArraySlice<UInt8> { document.bytes[node.start..<node.end] }

    /// The offset of the item in the bytes that were parsed.
    package var offset: Int { node.start }

    // MARK: Numbers

    /// The integer; nil for other items, and for integers outside the range of `Int64`.
    package var integer: Int64? {
        let node = node
        switch node.kind {
        case .unsigned: return Int64(exactly: node.argument)
        case .negative: return Int64(exactly: node.argument).map { -1 - $0 }
        default: return nil
        }
    }

    /// The float, of any precision; nil for other items.
    package var float: Double? {
        switch node.kind {
        case .half, .single, .double: node.double
        default: nil
        }
    }

    /// The number as JSON writes numbers; nil for other items, and for floats that are no number.
    ///
    /// An integer may have more digits than `Int64` has. A float without a fraction ends in `.0`.
    package var decimal: String? {
        let node = node
        switch node.kind {
        case .unsigned: return String(node.argument)
        case .negative: return node.argument == .max ? "-18446744073709551616" : "-\(node.argument + 1)"
        case .half, .single, .double:
            let value = node.double
            return value.isFinite ? "\(value)" : nil
        default: return nil
        }
    }

    /// The boolean; nil for other items.
    package var boolean: Bool? { node.kind == .boolean ? node.argument == 21 : nil }

    /// Whether the item is null.
    package var isNull: Bool { node.kind == .null }

    // MARK: Strings

    /// The content of a byte string, its chunks joined; nil for other items.
    package var byteString: ArraySlice<UInt8>? { node.kind == .bytes ? node.content(in: document.bytes) : nil }

    /// The UTF-8 of a text, its chunks joined; nil for other items.
    package var text: ArraySlice<UInt8>? { node.kind == .text ? node.content(in: document.bytes) : nil }

    // MARK: Items inside

    /// The elements of an array; nil for other items.
    package var elements: [CBORValue]? {
        let node = node
        guard node.kind == .array else { return nil }
        var elements: [CBORValue] = []
        elements.reserveCapacity(Int(node.argument))
        var place = index + 1
        while place < node.next {
            elements.append(CBORValue(document, place))
            place = document.nodes[place].next
        }
        return elements
    }

    /// The keys and values of a map, in their order; nil for other items.
    package var members: [(key: CBORValue, value: CBORValue)]? {
        let node = node
        guard node.kind == .map else { return nil }
        var members: [(key: CBORValue, value: CBORValue)] = []
        members.reserveCapacity(Int(node.argument))
        var place = index + 1
        while place < node.next {
            let value = document.nodes[place].next
            members.append((CBORValue(document, place), CBORValue(document, value)))
            place = document.nodes[value].next
        }
        return members
    }

    /// The value of a map under an integer; nil if there is none, and for other items.
    package subscript(key: Int64) -> CBORValue? {
        let kind: Kind = key < 0 ? .negative : .unsigned
        let argument = UInt64(key < 0 ? -1 - key : key)
        return member { $0.kind == kind && $0.argument == argument }
    }

    /// The value of a map under a text; nil if there is none, and for other items.
    package subscript(key: String) -> CBORValue? {
        let bytes = document.bytes
        return member { node in
            guard node.kind == .text else { return false }
            guard node.isIndefinite else {
                return node.end - node.content == key.utf8.count
                    && bytes.span.extracting(node.content..<node.end).hasSameBytes(as: key.utf8.span)
            }
            return node.content(in: bytes).span.hasSameBytes(as: key.utf8.span)
        }
    }

    /// Whether a map has a key that is a text.
    package var hasTextKeys: Bool { member { $0.kind == .text } != nil }

    @inline(__always)
    private func member(where isKey: (CBORNode) -> Bool) -> CBORValue? {
        let nodes = document.nodes
        let map = nodes[index]
        guard map.kind == .map else { return nil }
        var place = index + 1
        while place < map.next {
            let value = nodes[place].next
            if isKey(nodes[place]) { return CBORValue(document, value) }
            place = nodes[value].next
        }
        return nil
    }

    /// The number of a map's members or of an array's elements; 0 for other items.
    package var count: Int {
        let node = node
        return node.kind == .map || node.kind == .array ? Int(node.argument) : 0
    }

    /// The number of a tag and the item in it; nil for other items.
    package var tagged: (number: UInt64, value: CBORValue)? {
        node.kind == .tag ? (node.argument, CBORValue(document, index + 1)) : nil
    }
}

extension CBORNode {
    /// The float with these bits, widened to a double.
    var double: Double {
        switch kind {
        case .half: Self.double(ofHalf: UInt16(truncatingIfNeeded: argument))
        case .single: Double(Float(bitPattern: UInt32(truncatingIfNeeded: argument)))
        default: Double(bitPattern: argument)
        }
    }

    /// A half-precision float (IEEE 754 binary16; RFC 8949, appendix D).
    private static func double(ofHalf bits: UInt16) -> Double {
        let exponent = Int(bits >> 10 & 31)
        let fraction = Double(bits & 1023)
        let magnitude: Double =
            switch exponent {
            case 0: fraction * 0x1p-24
            case 31: fraction == 0 ? .infinity : .nan
            default: (fraction + 1024) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
            }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }

    /// The content of a string, its chunks joined.
    func content(in bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard isIndefinite else { return bytes[content..<end] }
        var joined: [UInt8] = []
        var position = content
        // The parser has checked every chunk. The last byte is the break.
        while position < end - 1 {
            let additional = Int(bytes[position] & 31)
            position += 1
            var length = additional
            if additional >= 24 {
                let size = 1 << (additional - 24)
                length = bytes[position..<position + size].reduce(0) { $0 << 8 | Int($1) }
                position += size
            }
            joined += bytes[position..<position + length]
            position += length
        }
        return joined[...]
    }
}
