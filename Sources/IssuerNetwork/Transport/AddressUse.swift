/// What an IP address is for, where it is not an address of the public Internet.
///
/// The uses are those of IANA's special-purpose address registries (RFC 6890) and multicast.
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
