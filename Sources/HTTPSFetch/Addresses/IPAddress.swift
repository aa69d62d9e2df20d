#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable {
    /// The address in network byte order: 4 bytes for IPv4, 16 for IPv6.
    public let bytes: [UInt8]

    /// - Parameter bytes: the address in network byte order.
    /// - Returns: nil if there are neither 4 nor 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    init(ipv4 address: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: address >> (24 - 8 * $0)) }
    }

    /// Whether this is an IPv4 address.
    public var isIPv4: Bool { bytes.count == 4 }

    /// Whether the address begins with the first `bits` bits of `prefix`. If `prefix` is shorter, zeros are added.
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

extension IPAddress {
    /// Reads an address from a URL's host, in every notation that the C library accepts. The C library gets the host in
    /// the end, so both must read it alike.
    ///
    /// inet_aton(3) takes IPv4 in one to four parts. Each part is decimal, octal (`0177`) or hexadecimal (`0x7f`), and
    /// the last part fills all remaining bytes. So `127.1`, `2130706433` and `0x7f000001` are all 127.0.0.1.
    ///
    /// - Parameter host: the host. IPv6 may have square brackets, but no zone.
    /// - Returns: nil if the host is a name.
    public init?(host: String) {
        // inet_aton stops reading at white space, and a null byte ends a C string. No address contains either.
        guard host.utf8.count <= 253, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        guard host.utf8.contains(UInt8(ascii: ":")) else {
            var address = in_addr()
            // Unsafe: the call reads the C string, writes the structure, and keeps no pointer to either.
            guard unsafe inet_aton(host, &address) != 0 else { return nil }
            self.init(ipv4: UInt32(bigEndian: address.s_addr))
            return
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        var bytes = [UInt8](repeating: 0, count: 16)
        // Unsafe: the call reads the C string, writes the 16 bytes of the array, and keeps no pointer to either.
        guard unsafe inet_pton(AF_INET6, isBracketed ? String(host.dropFirst().dropLast()) : host, &bytes) == 1 else {
            return nil
        }
        self.init(bytes: bytes)
    }
}
