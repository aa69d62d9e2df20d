/// Finds what resembles an issuer that is on no list. People who make up cards make up issuers, so one look-up has to do.
struct NearMisses: Sendable {
    /// An issuer's URL without regard to the case of ASCII letters and to slashes at its end.
    private struct Folded: Hashable {
        let issuer: Issuer

        /// Made anew each time: a list may have a million issuers, and most runs ask about none.
        private var bytes: [UInt8] {
            var bytes = Array(issuer.url.utf8)
            while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
            return bytes
        }

        static func == (left: Folded, right: Folded) -> Bool { left.bytes == right.bytes }

        func hash(into hasher: inout Hasher) {
            // Unsafe: the hasher reads the buffer, which lives for the call.
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    private var spellings: Set<Folded> = []
    private var aliases: [Issuer: Issuer] = [:]

    /// Notes the issuers of a list, and whose aliases they are.
    mutating func insert(_ entries: [DirectoryEntry]) {
        spellings.reserveCapacity(spellings.count + entries.count)
        for entry in entries { insert(entry.issuer, aliasOf: entry.canonicalIssuer) }
    }

    mutating func insert(_ issuer: Issuer, aliasOf canonical: Issuer?) {
        spellings.insert(Folded(issuer: issuer))
        if let canonical, aliases[canonical] == nil { aliases[canonical] = issuer }
    }

    /// The issuer that differs only in case or in slashes at the end.
    func spelling(of issuer: Issuer) -> Issuer? {
        spellings.firstIndex(of: Folded(issuer: issuer)).map { spellings[$0].issuer }
    }

    /// An issuer that is an alias of this one (`canonical_iss`).
    func alias(of issuer: Issuer) -> Issuer? { aliases[issuer] }
}
