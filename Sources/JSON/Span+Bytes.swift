extension Span where Element == UInt8 {
    /// Whether the bytes are the same as the other's. Eight are compared together.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var here = 0
        while here + 8 <= count {
            // Unsafe: any bits are an integer, and the eight bytes are checked to be inside both spans, here and there.
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

    /// A hash of the bytes that takes little time, for where it does no harm that texts can be made which share one.
    package var quickHash: Int {
        var hash = UInt64(truncatingIfNeeded: count)
        func mix(_ word: UInt64) {
            let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low
        }
        var here = 0
        while here + 8 <= count {
            // Unsafe: any bits are an integer, and the eight bytes are checked to be inside the span, here and there.
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

    /// Where the byte is first; nil if it is not. Eight bytes are looked at together.
    package func firstIndex(of byte: UInt8) -> Int? {
        let low: UInt64 = 0x0101_0101_0101_0101
        var here = 0
        while here + 8 <= count {
            // Unsafe: any bits are an integer, and the eight bytes are checked to be inside the span, here and there.
            let word = UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: here, as: UInt64.self))
            let other = word ^ (low &* UInt64(byte))
            // The lowest bit that is set marks the first byte that is zero: what borrows from above it is higher.
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
