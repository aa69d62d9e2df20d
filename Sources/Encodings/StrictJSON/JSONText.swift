/// The characters of a string in UTF-8, with escapes resolved one by one, without a copy.
///
/// The string has been scanned, so its bytes are well formed.
struct JSONText: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var here: Int
    private let end: Int
    /// The rest of the bytes of an escaped character, the next byte lowest.
    private var pending: UInt32 = 0

    init(_ node: JSONNode, in bytes: [UInt8]) {
        self.bytes = bytes
        here = node.content.lowerBound
        end = node.content.upperBound
    }

    mutating func next() -> UInt8? {
        if pending != 0 {
            defer { pending >>= 8 }
            return UInt8(truncatingIfNeeded: pending)
        }
        guard here < end else { return nil }
        let byte = bytes[here]
        here += 1
        return byte == UInt8(ascii: "\\") ? nextEscaped() : byte
    }

    /// The first byte of an escaped character, whose backslash has been read.
    private mutating func nextEscaped() -> UInt8 {
        let letter = bytes[here]
        here += 1
        switch letter {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let (scalar, length) = Self.escapedScalar(in: bytes, at: here - 2)
            here += length - 2
            for byte in scalar.utf8.reversed() { pending = pending << 8 | UInt32(byte) }
            defer { pending >>= 8 }
            return UInt8(truncatingIfNeeded: pending)
        default: return letter
        }
    }

    /// The bytes of the string's characters.
    static func unescaped(_ node: JSONNode, in bytes: [UInt8]) -> [UInt8] {
        guard node.hasEscapes else { return Array(bytes[node.content]) }
        var text: [UInt8] = []
        text.reserveCapacity(node.content.count)
        for byte in JSONText(node, in: bytes) { text.append(byte) }
        return text
    }

    /// Whether two strings have the same characters.
    static func areEqual(_ left: JSONNode, _ right: JSONNode, in bytes: [UInt8]) -> Bool {
        if left.hasEscapes || right.hasEscapes {
            return JSONText(left, in: bytes).elementsEqual(JSONText(right, in: bytes))
        }
        return bytes[left.content] == bytes[right.content]
    }

    /// The four hexadecimal digits of a `\u` escape that begins at `start`, or nil if there is none.
    static func codeUnit(in bytes: [UInt8], at start: Int) -> UInt32? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for digit in bytes[start + 2..<start + 6] {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(digit - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return unit
    }

    private static func escapedScalar(in bytes: [UInt8], at start: Int) -> (Unicode.Scalar, length: Int) {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard let first = codeUnit(in: bytes, at: start) else { return (replacement, 6) }
        guard (0xD800...0xDBFF).contains(first), let second = codeUnit(in: bytes, at: start + 6) else {
            return (Unicode.Scalar(first) ?? replacement, 6)
        }
        let scalar = 0x10000 + (first - 0xD800) << 10 + (second &- 0xDC00)
        return (Unicode.Scalar(scalar) ?? replacement, 12)
    }
}
