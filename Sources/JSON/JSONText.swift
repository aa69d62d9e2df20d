/// The characters of a string, out of the bytes it is written with.
enum JSONText {
    /// The string's characters in UTF-8, escapes resolved. The node has been scanned, so the bytes are well formed.
    static func unescaped(_ node: JSONNode, in bytes: [UInt8]) -> [UInt8] {
        let body = Int(node.start) + 1..<Int(node.end) - 1
        guard node.hasEscapes else { return Array(bytes[body]) }
        var text: [UInt8] = []
        text.reserveCapacity(body.count)
        var here = body.lowerBound
        while here < body.upperBound {
            guard bytes[here] == UInt8(ascii: "\\") else {
                text.append(bytes[here])
                here += 1
                continue
            }
            switch bytes[here + 1] {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                let (scalar, length) = escapedScalar(in: bytes, at: here)
                text.append(contentsOf: String(Character(scalar)).utf8)
                here += length
                continue
            case let character: text.append(character)
            }
            here += 2
        }
        return text
    }

    /// The four hexadecimal digits of a `\u` escape that begins at `start`, or nil where there is none.
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
