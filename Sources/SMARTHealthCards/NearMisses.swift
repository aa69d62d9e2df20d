/// Finds what resembles an issuer that is on no list. Whoever makes up cards makes up issuers, so one look-up has to do.
struct NearMisses: Sendable {
    /// An issuer's URL without regard to the case of ASCII letters and to slashes at its end.
    private struct Folded: Hashable {
        let issuer: Issuer

        private var bytes: some Sequence<UInt8> {
            let url = issuer.url.utf8
            let end = url.lastIndex { $0 != UInt8(ascii: "/") }.map { url.index(after: $0) } ?? url.startIndex
            return url[..<end].lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }

        static func == (left: Folded, right: Folded) -> Bool { left.bytes.elementsEqual(right.bytes) }

        func hash(into hasher: inout Hasher) {
            for byte in bytes { hasher.combine(byte) }
        }
    }

    private var spellings: [Folded: Issuer] = [:]
    private var aliases: [Issuer: Issuer] = [:]

    /// Notes an issuer that is on a list, and whose alias it is.
    mutating func insert(_ issuer: Issuer, aliasOf canonical: Issuer? = nil) {
        let folded = Folded(issuer: issuer)
        if spellings[folded] == nil { spellings[folded] = issuer }
        if let canonical, aliases[canonical] == nil { aliases[canonical] = issuer }
    }

    /// The issuer that differs only in case or in slashes at the end.
    func spelling(of issuer: Issuer) -> Issuer? { spellings[Folded(issuer: issuer)] }

    /// An issuer that is an alias of this one (`canonical_iss`).
    func alias(of issuer: Issuer) -> Issuer? { aliases[issuer] }
}
