package import Encodings

/// Where the keys of a signer of lists are published: the address of the DID document of a `did:web` (WHO-K4).
///
/// A list chooses the DID, so only WHO's three may be fetched, and for tests those on machines of the private network (WHO-K5).
package struct DIDAddress: Sendable, Equatable {
    /// The address.
    package let url: String
    /// Whether the host is one of the private network.
    package let isPrivate: Bool

    /// - Parameters:
    ///   - signer: the DID that a proof names, with a fragment or without.
    ///   - isPrivateHost: whether a host is loopback or has a private address, as far as its name says so.
    /// - Returns: nil if it may never be fetched.
    package init?(_ signer: UTF8Text, isPrivateHost: (String) -> Bool) {
        let did = Array(signer.utf8.prefix { $0 != UInt8(ascii: "#") })
        guard ListText.isDID(did) else { return nil }
        var parts = did.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count > 2, did.count(where: { $0 == UInt8(ascii: ":") }) == parts.count - 1,
            parts[0].utf8.elementsEqual("did".utf8), parts[1].utf8.elementsEqual("web".utf8)
        else { return nil }
        parts.removeFirst(2)
        let place = parts.removeFirst()
        // Only the colon before a port is escaped.
        let pieces = Array(place.utf8).split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        let host = String(decoding: pieces[0], as: UTF8.self)
        var port = ""
        if pieces.count == 2 {
            let escape = pieces[1].prefix(2)
            let digits = pieces[1].dropFirst(2)
            guard escape.elementsEqual("3A".utf8) || escape.elementsEqual("3a".utf8), (1...5).contains(digits.count),
                digits.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            port = ":" + String(decoding: digits, as: UTF8.self)
        } else if pieces.count > 2 {
            return nil
        }
        guard
            !parts.contains(where: {
                $0.utf8.contains(UInt8(ascii: "%")) || $0.utf8.elementsEqual("..".utf8)
                    || $0.utf8.elementsEqual(".".utf8)
            })
        else { return nil }
        let isWHOs = TrustEnvironment.allCases.contains { did.elementsEqual($0.signer.utf8) }
        isPrivate = !isWHOs && isPrivateHost(host)
        guard isWHOs || isPrivate else { return nil }
        let path = parts.isEmpty ? ".well-known" : parts.joined(separator: "/")
        url = "https://\(host)\(port)/\(path)/did.json"
    }
}
