extension IPAddress {
    /// Reads a host that is an address rather than a name.
    ///
    /// IPv4 is taken in every form that getaddrinfo(3) takes, since that is what a host is given to in the end: one to
    /// four parts, each decimal, octal (`0177`) or hexadecimal (`0x7f`), the last filling what is left. `127.1`,
    /// `2130706433` and `0x7f000001` are all 127.0.0.1.
    ///
    /// - Parameter host: the host; IPv6 with or without square brackets, without zone.
    /// - Returns: nil if the host is a name.
    public init?(host: String) {
        if host.contains(":") {
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            self.init(ipv6: isBracketed ? host.dropFirst().dropLast() : host[...])
        } else {
            self.init(ipv4: host[...])
        }
    }

    private init?(ipv4 text: Substring) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 4, let last = parts.last.flatMap(Self.number) else { return nil }
        var address: UInt64 = 0
        for part in parts.dropLast() {
            guard let number = Self.number(part), number <= 0xFF else { return nil }
            address = address << 8 | number
        }
        let bitsLeft = 8 * (5 - parts.count)
        guard last < 1 << bitsLeft else { return nil }
        self.init(ipv4: UInt32(truncatingIfNeeded: address << bitsLeft | last))
    }

    /// A part of an IPv4 address, as inet_aton(3) reads it.
    private static func number(_ part: Substring) -> UInt64? {
        let digits: Substring
        let radix: Int
        if part.hasPrefix("0x") || part.hasPrefix("0X") {
            (digits, radix) = (part.dropFirst(2), 16)
        } else if part.hasPrefix("0"), part.utf8.count > 1 {
            (digits, radix) = (part.dropFirst(), 8)
        } else {
            (digits, radix) = (part, 10)
        }
        guard digits.utf8.first.map({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) ?? false else { return nil }
        return UInt64(digits, radix: radix)
    }

    private init?(ipv6 text: Substring) {
        guard let gap = text.firstRange(of: "::") else {
            guard let groups = Self.groups(text), groups.count == 8 else { return nil }
            self.init(ipv6: groups)
            return
        }
        guard let head = Self.groups(text[..<gap.lowerBound], mayEndInIPv4: false),
            let tail = Self.groups(text[gap.upperBound...]), head.count + tail.count < 8
        else { return nil }
        self.init(ipv6: head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    /// The groups between colons; the last two may be written as an IPv4 address.
    private static func groups(_ text: Substring, mayEndInIPv4: Bool = true) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                let decimals = part.split(separator: ".", omittingEmptySubsequences: false).map { byte($0) }
                let bytes = decimals.compactMap(\.self)
                guard decimals.count == 4, bytes.count == 4 else { return nil }
                groups += [UInt16(bytes[0]) << 8 | UInt16(bytes[1]), UInt16(bytes[2]) << 8 | UInt16(bytes[3])]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    private static func byte(_ text: Substring) -> UInt8? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt8(text)
    }
}
