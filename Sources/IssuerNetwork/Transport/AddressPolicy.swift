/// Which addresses may be contacted.
///
/// The person who presents a card names the issuer, so a card could make a verifier talk to the machines around it. Only
/// addresses of the Internet are contacted, unless the private network is allowed; then any is.
///
/// A name is judged by the addresses it resolves to, when a connection to one of them is about to be made: see
/// `CURLHook`.
public struct AddressPolicy: Sendable {
    /// Whether every address may be contacted.
    public let allowsPrivateNetwork: Bool

    public init(allowsPrivateNetwork: Bool) {
        self.allowsPrivateNetwork = allowsPrivateNetwork
    }

    /// Judges an address.
    ///
    /// - Returns: why it must not be contacted, or nil if it may.
    public func refusal(of address: IPAddress) -> AddressRefusal? {
        guard !allowsPrivateNetwork else { return nil }
        let registry = address.isIPv4 ? AddressBlock.ipv4 : AddressBlock.ipv6
        switch registry.first(where: { $0.contains(address) })?.meaning {
        case .global: return nil
        case .special(let use): return AddressRefusal(address.description, use)
        case .embedding(let places):
            for inner in places.compactMap({ $0.address(in: address) }) {
                guard let refusal = refusal(of: inner) else { continue }
                return AddressRefusal(address.description, refusal.use, embedded: inner.description)
            }
            return nil
        case nil: return AddressRefusal(address.description, .reserved)
        }
    }

    /// Judges a host as far as that can be done without resolving it: addresses in any notation, and `localhost`
    /// (RFC 6761 §6.3).
    ///
    /// - Returns: why it must not be contacted; nil if it may, or where it is another name.
    public func refusal(ofHost host: String) -> AddressRefusal? {
        guard !allowsPrivateNetwork else { return nil }
        if let address = IPAddress(host: host) {
            guard let refusal = refusal(of: address) else { return nil }
            let given = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            guard given != address.description, refusal.embedded == nil else { return refusal }
            return AddressRefusal(given, refusal.use, embedded: address.description)
        }
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        return AddressRefusal(host, .loopback, isName: true)
    }
}
