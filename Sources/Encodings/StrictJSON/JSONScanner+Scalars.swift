/// Values that contain no others: literals, numbers and strings.
extension JSONScanner {
    // MARK: Literals and numbers

    /// The end of the number or literal that begins with this byte.
    @inline(never)
    func endOfScalar(
        _ first: UInt8, from start: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Int {
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try endOfNumber(from: start, text)
        case UInt8(ascii: "t"): return try endOfLiteral("true", from: start, text)
        case UInt8(ascii: "f"): return try endOfLiteral("false", from: start, text)
        case UInt8(ascii: "n"): return try endOfLiteral("null", from: start, text)
        case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "u"): throw JSONError(.invalidLiteral, at: start)
        default: throw JSONError(.unexpectedByte(first), at: start)
        }
    }

    private func endOfLiteral(_ literal: String, from start: Int, _ text: Span<UInt8>) throws(JSONError) -> Int {
        var end = start
        for byte in literal.utf8 {
            guard end < text.count, text[end] == byte else { throw JSONError(.invalidLiteral, at: start) }
            end += 1
        }
        return end
    }

    /// RFC 8259 §6: an optional minus, digits without leading zeros, an optional fraction, an optional exponent.
    private func endOfNumber(from start: Int, _ text: Span<UInt8>) throws(JSONError) -> Int {
        var end = start
        if text[end] == UInt8(ascii: "-") { end += 1 }
        let integer = digits(from: end, text)
        guard integer > end, text[end] != UInt8(ascii: "0") || integer == end + 1 else {
            throw JSONError(.invalidNumber, at: start)
        }
        end = integer
        if end < text.count, text[end] == UInt8(ascii: ".") {
            let fraction = digits(from: end + 1, text)
            guard fraction > end + 1 else { throw JSONError(.invalidNumber, at: start) }
            end = fraction
        }
        if end < text.count, text[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < text.count, text[end] == UInt8(ascii: "+") || text[end] == UInt8(ascii: "-") { end += 1 }
            let exponent = digits(from: end, text)
            guard exponent > end else { throw JSONError(.invalidNumber, at: start) }
            end = exponent
        }
        return end
    }

    private func digits(from start: Int, _ text: Span<UInt8>) -> Int {
        var end = start
        while end < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[end]) { end += 1 }
        return end
    }

    // MARK: Strings

    /// The string that begins here.
    ///
    /// - Parameter index: the index of its node.
    @inline(__always)
    func string(from start: Int, _ text: Span<UInt8>, index: Int) throws(JSONError) -> JSONNode {
        let end = Self.endOfPlainText(from: start + 1, in: text)
        guard end < text.count, text[end] == UInt8(ascii: "\"") else {
            return try string(from: start, plainUpTo: end, text, index: index)
        }
        return JSONNode(start: start, end: end + 1, index: index)
    }

    /// The string that begins here and has characters that are escaped, outside ASCII, or not allowed.
    @inline(never)
    private func string(
        from start: Int, plainUpTo end: Int, _ text: Span<UInt8>, index: Int
    ) throws(JSONError) -> JSONNode {
        var here = end
        var escapes: UInt32 = 0
        while true {
            guard here < text.count else { throw JSONError(.unexpectedEnd, at: here) }
            switch text[here] {
            case UInt8(ascii: "\""):
                return JSONNode(start: start, end: here + 1, index: index, escapes: escapes)
            case UInt8(ascii: "\\"):
                escapes += 1
                here = try endOfEscape(at: here)
            case let byte where byte < 0x20:
                throw JSONError(.controlCharacter(byte), at: here)
            default:
                guard let length = UTF8Sequence.length(in: text, at: here) else {
                    throw JSONError(.invalidUTF8, at: here)
                }
                here += length
            }
            here = Self.endOfPlainText(from: here, in: text)
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

    /// The offset of the first byte that is not plain text: a quotation mark, a backslash, a control character, or a
    /// byte outside ASCII. Eight bytes are tested together.
    @inline(__always)
    static func endOfPlainText(from start: Int, in bytes: Span<UInt8>) -> Int {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        var here = start
        while here + 8 <= bytes.count {
            // Unsafe: all values are valid integers. The eight bytes are checked to be inside the span, here and in the
            // call.
            let word = UInt64(
                littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self))
            // In each term, the lowest bit that is set marks the first such byte: a borrow affects only higher bits.
            let quote = word ^ (low &* 0x22)
            let backslash = word ^ (low &* 0x5C)
            let found =
                ((quote &- low) & ~quote | (backslash &- low) & ~backslash | (word &- low &* 0x20) & ~word | word)
                & high
            if found != 0 { return here + found.trailingZeroBitCount / 8 }
            here += 8
        }
        while here < bytes.count {
            let byte = bytes[here]
            if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return here }
            here += 1
        }
        return here
    }
}
