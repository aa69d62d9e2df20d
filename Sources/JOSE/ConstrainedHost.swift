/// The host in a URL, if name constraints for URIs can be held against it (RFC 5280 §4.2.1.10).
///
/// OpenSSL takes for the host what comes before the first colon, wherever that stands, or else before the first slash.
/// So `https://attacker.example/.clinic.example:` has a host that ends in `.clinic.example` to it, and that of
/// `https://clinic.example/a:b` does not. And it knows no addresses, which the RFC excludes. An issuer under an
/// authority that is limited to some names must be none of these.
struct ConstrainedHost: Equatable {
    /// The host's name.
    let name: String

    /// The host, or nil unless it is a DNS name that OpenSSL finds as well.
    init?(in url: String) {
        let slash = UInt8(ascii: "/")
        let colon = UInt8(ascii: ":")
        guard let scheme = url.utf8.firstIndex(of: colon), url.utf8[scheme...].starts(with: "://".utf8) else {
            return nil
        }
        let rest = Array(url.utf8[scheme...].dropFirst(3))
        let authority = rest.prefix { $0 != slash }
        let host = authority.prefix { $0 != colon }
        // What follows the host is a port. Without one, no other colon may follow that OpenSSL would take for its start.
        guard authority.dropFirst(host.count + 1).allSatisfy(ConstrainedHost.isDigit) else { return nil }
        guard authority.contains(colon) || !rest.contains(colon) else { return nil }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy(ConstrainedHost.isNameCharacter)
        }
        // What ends in a number is an address.
        guard isName, let last = labels.last, !last.allSatisfy(ConstrainedHost.isDigit) else { return nil }
        name = String(decoding: host, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
