/// A range of IP addresses of one use: those that share their first bits.
struct AddressBlock: Sendable {
    /// What the addresses of a block mean.
    enum Meaning: Sendable {
        /// Addresses of the Internet.
        case global
        /// Addresses of another use.
        case special(AddressUse)
        /// IPv6 addresses that lead to an IPv4 address, or to several; each has to be judged in their place.
        case embedding([Place])
    }

    /// Where an IPv4 address stands in an IPv6 address.
    struct Place: Sendable {
        /// The first of its bytes.
        let offset: Int
        /// Whether its bits are inverted.
        let isInverted: Bool

        init(_ offset: Int, isInverted: Bool = false) {
            self.offset = offset
            self.isInverted = isInverted
        }

        /// The IPv4 address that stands here.
        func address(in address: IPAddress) -> IPAddress? {
            IPAddress(bytes: address.bytes[offset..<offset + 4].map { isInverted ? ~$0 : $0 })
        }
    }

    /// The first bytes; what is left out is zero.
    let prefix: [UInt8]
    /// How many bits are fixed.
    let length: Int
    /// What the addresses mean.
    let meaning: Meaning

    init(_ prefix: [UInt8], _ length: Int, _ meaning: Meaning) {
        self.prefix = prefix
        self.length = length
        self.meaning = meaning
    }

    /// Whether the address, of the same family, is one of these.
    func contains(_ address: IPAddress) -> Bool { address.begins(with: prefix, bits: length) }
}
