/// The parser: one pass over the bytes, which writes the index of values.
///
/// The text is handed down as a span, whose length stays in a register, so that the check of its bounds that every byte
/// is read with costs next to nothing.
struct JSONScanner {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0
    private(set) var nodes: [JSONNode] = []
    /// Whether there was white space outside strings.
    private(set) var hasWhiteSpace = false

    /// How many members an object may have, and how long their names may be, before the names are looked up in a
    /// table, not one by one.
    private static let fewMembers = 16
    private static let shortName = 64

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        // A card's Bundle has a value or a name for every ten bytes or so.
        nodes.reserveCapacity(bytes.count / 8 + 4)
    }

    mutating func scanText() throws(JSONError) {
        let bytes = bytes
        try scanText(bytes.span)
    }

    private mutating func scanText(_ bytes: Span<UInt8>) throws(JSONError) {
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: 0) }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONError(.byteOrderMark, at: 0)
        }
        skipWhiteSpace(bytes)
        guard position < bytes.count else { throw JSONError(.empty, at: position) }
        try scanValue(bytes)
        skipWhiteSpace(bytes)
        guard position == bytes.count else { throw JSONError(.trailingBytes, at: position) }
    }

    // Cards are minified: most often there is none.
    @inline(__always)
    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        guard position < bytes.count, bytes[position] <= 0x20 else { return }
        skipSomeWhiteSpace(bytes)
    }

    @inline(never)
    private mutating func skipSomeWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
            hasWhiteSpace = true
        }
    }

    /// Skips white space and returns the byte that follows it.
    @inline(__always)
    private mutating func nextByte(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        skipWhiteSpace(bytes)
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
        return bytes[position]
    }

    private mutating func scanValue(_ bytes: Span<UInt8>) throws(JSONError) {
        switch bytes[position] {
        case UInt8(ascii: "{"): try scanObject(bytes)
        case UInt8(ascii: "["): try scanArray(bytes)
        case UInt8(ascii: "\""): try scanString(bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber(bytes)
        case UInt8(ascii: "t"): try scanLiteral("true", bytes)
        case UInt8(ascii: "f"): try scanLiteral("false", bytes)
        case UInt8(ascii: "n"): try scanLiteral("null", bytes)
        case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "u"): throw JSONError(.invalidLiteral, at: position)
        case let byte: throw JSONError(.unexpectedByte(byte), at: position)
        }
    }

    // MARK: Arrays and objects

    private mutating func open() throws(JSONError) -> Int {
        depth += 1
        guard depth <= maximumDepth else { throw JSONError(.tooDeep(limit: maximumDepth), at: position) }
        nodes.append(JSONNode(start: UInt32(position)))
        position += 1
        return nodes.count - 1
    }

    private mutating func close(_ node: Int, count: UInt32) {
        position += 1
        depth -= 1
        nodes[node].end = UInt32(position)
        nodes[node].next = UInt32(nodes.count)
        nodes[node].count = count
    }

    private mutating func scanArray(_ bytes: Span<UInt8>) throws(JSONError) {
        let node = try open()
        var count: UInt32 = 0
        if try nextByte(bytes) == UInt8(ascii: "]") { return close(node, count: 0) }
        while true {
            _ = try nextByte(bytes)
            try scanValue(bytes)
            count += 1
            switch try nextByte(bytes) {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"): return close(node, count: count)
            case let byte: throw JSONError(.unexpectedByte(byte), at: position)
            }
        }
    }

    private mutating func scanObject(_ bytes: Span<UInt8>) throws(JSONError) {
        let node = try open()
        var count: UInt32 = 0
        if try nextByte(bytes) == UInt8(ascii: "}") { return close(node, count: 0) }
        var table = JSONNameTable()
        while true {
            let byte = try nextByte(bytes)
            guard byte == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte(byte), at: position) }
            let name = nodes.count
            try scanString(bytes)
            if count > 0 {
                try rejectDuplicate(name, after: count, membersOf: node, table: &table, bytes)
            }
            let colon = try nextByte(bytes)
            guard colon == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte(colon), at: position) }
            position += 1
            _ = try nextByte(bytes)
            try scanValue(bytes)
            count += 1
            switch try nextByte(bytes) {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"): return close(node, count: count)
            case let byte: throw JSONError(.unexpectedByte(byte), at: position)
            }
        }
    }

    /// Names are compared as the characters they stand for, so `"a"` and `"\u0061"` are one name, and byte by byte:
    /// names that differ in Unicode normalization are two.
    ///
    /// The table makes the time linear in the text's length whatever the names are; a few short ones are quicker
    /// compared with each other.
    private func rejectDuplicate(
        _ name: Int, after earlier: UInt32, membersOf object: Int, table: inout JSONNameTable,
        _ text: Span<UInt8>
    ) throws(JSONError) {
        let isShort = !nodes[name].hasEscapes && nodes[name].content.count <= Self.shortName
        var isDuplicate = false
        if table.isEmpty, earlier < Self.fewMembers, isShort {
            let wanted = nodes[name].content
            var other = object + 1
            for _ in 0..<earlier where !isDuplicate {
                let node = nodes[other]
                if node.hasEscapes {
                    isDuplicate = JSONText.areEqual(node, nodes[name], in: bytes)
                } else {
                    isDuplicate = Self.areEqual(node.content, wanted, in: text)
                }
                other = Int(nodes[other + 1].next)
            }
        } else {
            if table.isEmpty { forEachName(earlier, of: object) { _ = table.insert($0, of: nodes, in: bytes) } }
            isDuplicate = !table.insert(name, of: nodes, in: bytes)
        }
        if isDuplicate {
            let text = String(decoding: JSONText.unescaped(nodes[name], in: bytes), as: UTF8.self)
            throw JSONError(.duplicateMember(text), at: Int(nodes[name].start))
        }
    }

    private static func areEqual(_ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        left.count == right.count && bytes.extracting(left).hasSameBytes(as: bytes.extracting(right))
    }

    /// Calls `body` with the names of the object's first members.
    private func forEachName(_ count: UInt32, of object: Int, _ body: (Int) -> Void) {
        var name = object + 1
        for _ in 0..<count {
            body(name)
            name = Int(nodes[name + 1].next)
        }
    }

    // MARK: Literals and numbers

    private mutating func scanLiteral(_ literal: String, _ bytes: Span<UInt8>) throws(JSONError) {
        var end = position
        for byte in literal.utf8 {
            guard end < bytes.count, bytes[end] == byte else { throw JSONError(.invalidLiteral, at: position) }
            end += 1
        }
        append(from: position, to: end)
    }

    /// RFC 8259 §6: an optional minus, digits without leading zeros, an optional fraction, an optional exponent.
    private mutating func scanNumber(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        var end = position
        if bytes[end] == UInt8(ascii: "-") { end += 1 }
        let integer = digits(from: end, bytes)
        guard integer > end, bytes[end] != UInt8(ascii: "0") || integer == end + 1 else {
            throw JSONError(.invalidNumber, at: start)
        }
        end = integer
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let fraction = digits(from: end + 1, bytes)
            guard fraction > end + 1 else { throw JSONError(.invalidNumber, at: start) }
            end = fraction
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
            let exponent = digits(from: end, bytes)
            guard exponent > end else { throw JSONError(.invalidNumber, at: start) }
            end = exponent
        }
        append(from: start, to: end)
    }

    private func digits(from start: Int, _ bytes: Span<UInt8>) -> Int {
        var end = start
        while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
        return end
    }

    private mutating func append(from start: Int, to end: Int, escapes: UInt32 = 0) {
        // The text is shorter than 2³² bytes, and has fewer nodes than bytes.
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count + 1), count: escapes))
        position = end
    }

    // MARK: Strings

    private mutating func scanString(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        var here = start + 1
        var escapes: UInt32 = 0
        while true {
            here = Self.endOfPlainText(from: here, in: bytes)
            guard here < bytes.count else { throw JSONError(.unexpectedEnd, at: here) }
            switch bytes[here] {
            case UInt8(ascii: "\""):
                return append(from: start, to: here + 1, escapes: escapes)
            case UInt8(ascii: "\\"):
                escapes += 1
                here = try endOfEscape(at: here)
            case let byte where byte < 0x20:
                throw JSONError(.controlCharacter(byte), at: here)
            default:
                guard let length = UTF8Sequence.length(in: bytes, at: here) else {
                    throw JSONError(.invalidUTF8, at: here)
                }
                here += length
            }
        }
    }

    private func endOfEscape(at start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            guard let unit = JSONText.codeUnit(in: bytes, at: start) else { throw JSONError(.invalidEscape, at: start) }
            switch unit {
            case 0xD800...0xDBFF:
                guard let second = JSONText.codeUnit(in: bytes, at: start + 6), (0xDC00...0xDFFF).contains(second)
                else { throw JSONError(.loneSurrogate, at: start) }
                return start + 12
            case 0xDC00...0xDFFF: throw JSONError(.loneSurrogate, at: start)
            default: return start + 6
            }
        default: throw JSONError(.invalidEscape, at: start)
        }
    }
}
