/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable {
    /// The address in network byte order: 4 bytes for IPv4, 16 for IPv6.
    public let bytes: [UInt8]

    /// - Parameter bytes: the address in network byte order.
    /// - Returns: nil unless there are 4 or 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    init(ipv4 address: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: address >> (24 - 8 * $0)) }
    }

    init(ipv6 groups: [UInt16]) {
        bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// Whether this is an IPv4 address.
    public var isIPv4: Bool { bytes.count == 4 }

    /// Whether the first bits are those of `prefix`, which is filled up with zeros.
    package func begins(with prefix: [UInt8], bits: Int) -> Bool {
        for start in stride(from: 0, to: min(bits, 8 * bytes.count), by: 8) {
            let index = start / 8
            let mask: UInt8 = bits - start >= 8 ? 0xFF : ~(0xFF >> UInt8(bits - start))
            let wanted = index < prefix.count ? prefix[index] : 0
            guard bytes[index] & mask == wanted & mask else { return false }
        }
        return true
    }

}

extension IPAddress: CustomStringConvertible {
    /// The address as text: dotted decimal, or the shortest form of IPv6 (RFC 5952).
    public var description: String {
        guard !isIPv4 else { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let texts = groups.map { String($0, radix: 16) }
        let zeros = Self.longestZeroRun(in: groups)
        guard zeros.count > 1 else { return texts.joined(separator: ":") }
        return texts[..<zeros.lowerBound].joined(separator: ":") + "::"
            + texts[zeros.upperBound...].joined(separator: ":")
    }

    private static func longestZeroRun(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > longest.count { longest = start..<end }
            start = end + 1
        }
        return longest
    }
}
