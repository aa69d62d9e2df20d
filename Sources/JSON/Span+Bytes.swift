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
}
