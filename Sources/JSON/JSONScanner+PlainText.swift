extension JSONScanner {
    /// The first byte that is more than a character of its own: a quotation mark, a backslash, a control character, or
    /// one outside ASCII. Eight bytes are looked at together.
    @inline(__always)
    static func endOfPlainText(from start: Int, in bytes: Span<UInt8>) -> Int {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        var here = start
        while here + 8 <= bytes.count {
            // Unsafe: any bits are an integer, and the eight bytes are checked to be inside the span, here and there.
            let word = UInt64(
                littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self))
            // In each, the lowest bit that is set marks the first such byte: what borrows from above it is higher.
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
