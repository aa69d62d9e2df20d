/// Which addresses may be contacted.
///
/// Strangers choose the URLs. Without this policy, a URL could make this program contact machines in the
/// network around it. By default only addresses of the public Internet are contacted. If the private network is
/// allowed, every address is.
///
/// A host name is judged by the addresses it resolves to, just before a connection to one of them is made. See
/// `CURLHook`.
public struct AddressPolicy: Sendable {
    /// Whether every address may be contacted.
    public let allowsPrivateNetwork: Bool

    /// - Parameter allowsPrivateNetwork: whether loopback, private and other special-use addresses may be contacted.
    public init(allowsPrivateNetwork: Bool) {
        self.allowsPrivateNetwork = allowsPrivateNetwork
    }

    /// Judges an address.
    ///
    /// - Returns: why the address must not be contacted, or nil if it may be.
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

    /// Judges a host without resolving it: an address in any notation, or `localhost` (RFC 6761 §6.3).
    ///
    /// - Returns: why the host must not be contacted. Nil if it may be contacted, or if it is any other name.
    public func refusal(ofHost host: String) -> AddressRefusal? {
        guard !allowsPrivateNetwork else { return nil }
        // A resolver ignores a dot at the end.
        let plain = host.hasSuffix(".") ? String(host.dropLast()) : host
        if let address = IPAddress(host: plain) {
            guard let refusal = refusal(of: address) else { return nil }
            let given = plain.hasPrefix("[") ? String(plain.dropFirst().dropLast()) : plain
            guard given != address.description, refusal.embedded == nil else { return refusal }
            return AddressRefusal(given, refusal.use, embedded: address.description)
        }
        let name = plain.lowercased()
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        return AddressRefusal(host, .loopback, isName: true)
    }
}

/// Why a host or an address is not contacted.
public struct AddressRefusal: Sendable, Equatable, CustomStringConvertible {
    /// The host or address.
    public let subject: String
    /// The use that the address is set aside for.
    public let use: AddressUse
    /// The address that the subject stands for, if the subject is another notation of it or contains it.
    public let embedded: String?
    private let isName: Bool

    init(_ subject: String, _ use: AddressUse, embedded: String? = nil, isName: Bool = false) {
        self.subject = subject
        self.use = use
        self.embedded = embedded
        self.isName = isName
    }

    /// The reason in plain words: `127.0.0.1 is a loopback address`.
    public var description: String {
        if let embedded { return "\(subject) stands for \(embedded), \(use.rawValue)" }
        return isName ? "\(subject) is a name for \(use.rawValue)" : "\(subject) is \(use.rawValue)"
    }
}

/// The use of an IP address that is not on the public Internet.
///
/// The list follows IANA's special-purpose address registries (RFC 6890), with multicast added.
public enum AddressUse: String, Sendable, CaseIterable {
    case unspecified = "an unspecified address"
    case loopback = "a loopback address"
    case privateUse = "a private address"
    case carrierGrade = "a carrier's private address"
    case linkLocal = "a link-local address"
    case siteLocal = "a site-local address"
    case multicast = "a multicast address"
    case broadcast = "the broadcast address"
    case documentation = "an address for documentation"
    case benchmarking = "an address for benchmarks"
    case protocolAssignment = "an address for protocols"
    case relay = "an address of a 6to4 relay"
    case discard = "a discard-only address"
    case reserved = "a reserved address"
}
