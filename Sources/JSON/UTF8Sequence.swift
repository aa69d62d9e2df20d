/// Well-formed UTF-8 byte sequences (Unicode 15, table 3-7).
enum UTF8Sequence {
    /// The length of the sequence of two to four bytes that begins here, or nil if it is not well formed:
    /// a stray continuation byte, an overlong form, a surrogate, or past U+10FFFF.
    static func length(in bytes: Span<UInt8>, at start: Int) -> Int? {
        let length: Int
        let second: ClosedRange<UInt8>
        switch bytes[start] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard start + length <= bytes.count, second.contains(bytes[start + 1]) else { return nil }
        for offset in 2..<max(length, 2) where bytes[start + offset] & 0xC0 != 0x80 { return nil }
        return length
    }
}
