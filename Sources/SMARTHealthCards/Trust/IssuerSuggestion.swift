import Credentials

/// Finds a listed issuer that resembles an issuer that is on no list, for a hint.
///
/// A lookup must be fast, because anyone can send many cards with invented issuers.
struct IssuerSuggestion: Sendable {
    /// An issuer's URL that is compared without the case of ASCII letters and without slashes at the end.
    private struct Folded: Hashable {
        let issuer: Issuer

        /// Computed each time and not stored: a list may have a million issuers, and most runs look up none.
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

    /// Adds the issuers of a list, with the issuers that they are aliases of.
    mutating func insert(_ entries: [DirectoryEntry]) {
        spellings.reserveCapacity(spellings.count + entries.count)
        for entry in entries { insert(entry.issuer, aliasOf: entry.canonicalIssuer) }
    }

    /// Adds a listed issuer.
    mutating func insert(_ issuer: Issuer, aliasOf canonical: Issuer?) {
        spellings.insert(Folded(issuer: issuer))
        if let canonical, aliases[canonical] == nil { aliases[canonical] = issuer }
    }

    /// A listed issuer whose URL differs only in case or in slashes at the end; nil if there is none.
    func spelling(of issuer: Issuer) -> Issuer? {
        spellings.firstIndex(of: Folded(issuer: issuer)).map { spellings[$0].issuer }
    }

    /// A listed issuer that is an alias of this one (`canonical_iss`); nil if there is none.
    func alias(of issuer: Issuer) -> Issuer? { aliases[issuer] }
}
