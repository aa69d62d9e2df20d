extension Span where Element == UInt8 {
    /// Whether both spans have the same bytes. Eight are compared together.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var here = 0
        while here + 8 <= count {
            // Unsafe: all values are valid integers. The eight bytes are checked to be inside both spans, here and in
            // the call.
            let left = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self)
            let right = unsafe other.bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self)
            guard left == right else { return false }
            here += 8
        }
        while here < count {
            guard self[here] == other[here] else { return false }
            here += 1
        }
        return true
    }

    /// A fast hash of the bytes. Use it only if texts that were prepared to have the same hash do no harm.
    package var quickHash: Int {
        var hash = UInt64(truncatingIfNeeded: count)
        func mix(_ word: UInt64) {
            let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low
        }
        var here = 0
        while here + 8 <= count {
            // Unsafe: all values are valid integers. The eight bytes are checked to be inside the span, here and in the
            // call.
            mix(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self))
            here += 8
        }
        var rest: UInt64 = 0
        while here < count {
            rest = rest << 8 | UInt64(self[here])
            here += 1
        }
        mix(rest)
        return Int(truncatingIfNeeded: hash)
    }

    /// The index of the first byte with this value, or nil if there is none. Eight bytes are tested together.
    package func firstIndex(of byte: UInt8) -> Int? {
        let low: UInt64 = 0x0101_0101_0101_0101
        var here = 0
        while here + 8 <= count {
            // Unsafe: all values are valid integers. The eight bytes are checked to be inside the span, here and in the
            // call.
            let word = UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self))
            let other = word ^ (low &* UInt64(byte))
            // The lowest set bit marks the first match. A borrow affects only higher bits.
            let found = (other &- low) & ~other & (low &* 0x80)
            if found != 0 { return here + found.trailingZeroBitCount / 8 }
            here += 8
        }
        while here < count {
            if self[here] == byte { return here }
            here += 1
        }
        return nil
    }
}

/// Well-formed UTF-8 byte sequences (Unicode 15, table 3-7).
enum UTF8Sequence {
    /// The length of the sequence of two to four bytes that begins here. Nil if it is not well formed: a stray
    /// continuation byte, an overlong form, a surrogate, or a code point above U+10FFFF.
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
