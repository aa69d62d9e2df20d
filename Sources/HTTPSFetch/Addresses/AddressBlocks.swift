/// A range of IP addresses that share their first bits and are set aside for the same use.
struct AddressBlock: Sendable {
    /// The meaning of the addresses in a block.
    enum Meaning: Sendable {
        /// The address is on the public Internet.
        case global
        /// The address is set aside for another use.
        case special(AddressUse)
        /// The IPv6 address contains one or more IPv4 addresses. Each of those is judged instead.
        case embedding([Place])
    }

    /// The position of an IPv4 address inside an IPv6 address.
    struct Place: Sendable {
        /// The offset of its first byte.
        let offset: Int
        /// Whether its bits are inverted.
        let isInverted: Bool

        init(_ offset: Int, isInverted: Bool = false) {
            self.offset = offset
            self.isInverted = isInverted
        }

        /// Reads the IPv4 address at this position.
        func address(in address: IPAddress) -> IPAddress? {
            IPAddress(bytes: address.bytes[offset..<offset + 4].map { isInverted ? ~$0 : $0 })
        }
    }

    /// The first bytes of the block. Bytes that are left out are zero.
    let prefix: [UInt8]
    /// The number of bits that all addresses of the block share.
    let length: Int
    /// The meaning of the addresses.
    let meaning: Meaning

    init(_ prefix: [UInt8], _ length: Int, _ meaning: Meaning) {
        self.prefix = prefix
        self.length = length
        self.meaning = meaning
    }

    /// Whether an address of the same family is in this block.
    func contains(_ address: IPAddress) -> Bool { address.begins(with: prefix, bits: length) }
}

extension AddressBlock {
    /// The IPv4 blocks. The first block that contains an address decides. They come from IANA's IPv4 Special-Purpose
    /// Address Registry (RFC 6890), with multicast added.
    static let ipv4: [AddressBlock] = [
        AddressBlock([0], 8, .special(.unspecified)),
        AddressBlock([10], 8, .special(.privateUse)),
        AddressBlock([100, 64], 10, .special(.carrierGrade)),
        AddressBlock([127], 8, .special(.loopback)),
        AddressBlock([169, 254], 16, .special(.linkLocal)),
        AddressBlock([172, 16], 12, .special(.privateUse)),
        AddressBlock([192, 0, 0], 24, .special(.protocolAssignment)),
        AddressBlock([192, 0, 2], 24, .special(.documentation)),
        AddressBlock([192, 88, 99], 24, .special(.relay)),
        AddressBlock([192, 168], 16, .special(.privateUse)),
        AddressBlock([198, 18], 15, .special(.benchmarking)),
        AddressBlock([198, 51, 100], 24, .special(.documentation)),
        AddressBlock([203, 0, 113], 24, .special(.documentation)),
        AddressBlock([224], 4, .special(.multicast)),
        AddressBlock([255, 255, 255, 255], 32, .special(.broadcast)),
        AddressBlock([240], 4, .special(.reserved)),
        AddressBlock([], 0, .global),
    ]

    /// The IPv6 blocks. The first block that contains an address decides. They come from IANA's IPv6 Special-Purpose
    /// Address Registry, with multicast and the notations that embed an IPv4 address added. Of all other addresses,
    /// only 2000::/3 is on the public Internet.
    static let ipv6: [AddressBlock] = [
        AddressBlock([], 128, .special(.unspecified)),
        AddressBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, .special(.loopback)),
        // ::ffff:0:0/96, mapped, and ::/96, compatible (RFC 4291 §2.5.5)
        AddressBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96, .embedding([Place(12)])),
        AddressBlock([], 96, .embedding([Place(12)])),
        // 64:ff9b::/96, translated (RFC 6052), and 64:ff9b:1::/48, in which each network chooses where the IPv4 address
        // stands (RFC 8215)
        AddressBlock([0x00, 0x64, 0xFF, 0x9B], 96, .embedding([Place(12)])),
        AddressBlock([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48, .special(.privateUse)),
        // 100::/64 (RFC 6666)
        AddressBlock([0x01], 64, .special(.discard)),
        // 2001::/32, Teredo (RFC 4380): the server's address, and the client's with its bits inverted
        AddressBlock([0x20, 0x01, 0x00, 0x00], 32, .embedding([Place(4), Place(12, isInverted: true)])),
        // 2001:2::/48 (RFC 5180), then the rest of 2001::/23 (RFC 2928)
        AddressBlock([0x20, 0x01, 0x00, 0x02], 48, .special(.benchmarking)),
        AddressBlock([0x20, 0x01], 23, .special(.protocolAssignment)),
        // 2001:db8::/32 (RFC 3849), 3fff::/20 (RFC 9637)
        AddressBlock([0x20, 0x01, 0x0D, 0xB8], 32, .special(.documentation)),
        AddressBlock([0x3F, 0xFF], 20, .special(.documentation)),
        // 2002::/16, 6to4 (RFC 3056)
        AddressBlock([0x20, 0x02], 16, .embedding([Place(2)])),
        // fc00::/7 (RFC 4193), fe80::/10, fec0::/10 (RFC 3879), ff00::/8
        AddressBlock([0xFC], 7, .special(.privateUse)),
        AddressBlock([0xFE, 0x80], 10, .special(.linkLocal)),
        AddressBlock([0xFE, 0xC0], 10, .special(.siteLocal)),
        AddressBlock([0xFF], 8, .special(.multicast)),
        AddressBlock([0x20], 3, .global),
        AddressBlock([], 0, .special(.reserved)),
    ]
}
