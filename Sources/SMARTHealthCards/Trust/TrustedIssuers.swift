public import Credentials
public import Cryptography
package import Encodings

/// The issuers that the verifier trusts. An issuer is trusted if any source vouches for it.
///
/// Only this type decides which sources are reasons for trust. Evidence against a key or a card counts from every source; see
/// `Revocations`.
public struct TrustedIssuers: Sendable {
    private var allowed: Set<Issuer> = []
    private var sources: [DirectorySource] = []
    private var nearMisses = IssuerSuggestion()
    /// The first issuer that was trusted by name; nil if there is none.
    private var firstNamed: Issuer?
    /// Whether more than one issuer is trusted by name, on a list or alone.
    package private(set) var namesSeveral = false
    /// The public keys whose private key is in one of the directories.
    package private(set) var compromised = CompromisedKeys()

    /// The certificates that may vouch for issuers; nil for none.
    public var anchors: CertificateAnchors?

    /// Whether an issuer on no list is refused even if there is no list of issuers, unless its keys were given. It is set if there
    /// are lists for other kinds of credential only.
    public var refusesUnlisted = false

    /// Creates an empty set of issuers: trust is not checked.
    public init() {}

    /// Whether there are no lists and no anchors, so that trust is not checked.
    public var isEmpty: Bool { !hasLists && anchors == nil }

    /// Whether there is a list, so that trust can be checked before any keys are fetched.
    package var hasLists: Bool { !allowed.isEmpty || !sources.isEmpty }

    /// Trusts one issuer. URLs are compared exactly.
    public mutating func allow(_ issuer: Issuer) {
        allowed.insert(issuer)
        name(issuer)
        nearMisses.insert(issuer, aliasOf: nil)
    }

    /// Trusts the issuers for which a source vouches.
    package mutating func add(_ source: DirectorySource) {
        sources.append(source)
        let entries = source.entries
        nearMisses.insert(entries)
        for entry in entries.prefix(2) { name(entry.issuer) }
        if let snapshot = source.snapshot { compromised.formUnion(snapshot.compromised) }
    }

    private mutating func name(_ issuer: Issuer) {
        if let firstNamed, firstNamed != issuer { namesSeveral = true }
        firstNamed = firstNamed ?? issuer
    }

    /// Trusts all issuers of a directory.
    public mutating func add(_ directory: IssuerDirectory) {
        add(DirectorySource(directory))
    }

    /// The entries of the issuers for which a source vouches, one for each issuer, in the order of the sources.
    package var entries: [DirectoryEntry] {
        var seen: Set<Issuer> = []
        return sources.flatMap(\.entries).filter { seen.insert($0.issuer).inserted }
    }

    /// The issuers for which no source vouches, because their keys could not be fetched when a snapshot was made.
    package var unreached: [UnreachedIssuer] {
        var seen: Set<Issuer> = []
        return sources.flatMap(\.unreached).filter {
            trust(in: $0.entry.issuer) == nil && seen.insert($0.entry.issuer).inserted
        }
    }

    /// Whether a snapshot that "directory collect" has made vouches for an issuer: it was reached then.
    package func isCollected(_ issuer: Issuer) -> Bool {
        sources.contains { $0.snapshot?.isCollected == true && $0.snapshot?.entry(for: issuer) != nil }
    }

    /// The entry of an issuer; nil if no source vouches for it. Entries of lists come first, since they say more than snapshots.
    package func entry(for issuer: Issuer) -> DirectoryEntry? {
        var entry: DirectoryEntry?
        for source in sources {
            guard let found = source.entry(for: issuer) else { continue }
            if source.list != nil { return found }
            entry = entry ?? found
        }
        return entry
    }

    /// The keys and revocation lists of an issuer in the snapshots that vouch for it. Its cards may be verified with them.
    package func snapshots(of issuer: Issuer) -> [IssuerDirectory.Snapshot] {
        snapshots(of: issuer) { $0.entry(for: issuer) != nil }
    }

    /// The keys and revocation lists of an issuer in the other snapshots. They count only as evidence against keys and cards.
    func otherSnapshots(of issuer: Issuer) -> [IssuerDirectory.Snapshot] {
        snapshots(of: issuer) { $0.entry(for: issuer) == nil }
    }

    private func snapshots(
        of issuer: Issuer, in isWanted: (DirectorySource) -> Bool
    ) -> [IssuerDirectory.Snapshot] {
        sources.filter(isWanted).flatMap { $0.snapshot?.snapshots(of: issuer) ?? [] }
    }

    /// The first issuer, besides this one, that has a key with this ID in a snapshot that vouches for it.
    package func owner(of keyID: KeyID, besides issuer: Issuer) -> Issuer? {
        for source in sources {
            let owners = source.snapshot?.owners(of: keyID) ?? []
            if let owner = owners.first(where: { $0 != issuer && source.entry(for: $0) != nil }) { return owner }
        }
        return nil
    }

    /// Why an issuer is trusted; nil if it is on no list. Anchors are not considered.
    package func trust(in issuer: Issuer) -> IssuerTrust? {
        if sources.contains(where: { $0.entry(for: issuer) != nil }) { return .directory }
        return allowed.contains(issuer) ? .allowList : nil
    }

    /// Whether a trusted issuer is missing from all lists, although there are lists: only a snapshot without a list vouches for
    /// it. The directory may have removed the issuer since.
    func isMissingFromLists(_ issuer: Issuer) -> Bool {
        let lists = sources.lazy.compactMap(\.list)
        return !allowed.contains(issuer) && !lists.isEmpty && !lists.contains { $0.entry(for: issuer) != nil }
    }

    /// A hint about a listed issuer that resembles one that is not listed; nil if there is none.
    package func nearMiss(of issuer: Issuer) -> String? {
        if sources.contains(where: { $0.snapshot?.isUnreached(issuer) == true }) {
            return
                "a snapshot names this issuer, but does not vouch for it, because its keys could not be fetched when the snapshot was made"
        }
        if let near = nearMisses.spelling(of: issuer) {
            return
                "the listed issuer \(near.url.quoted()) differs only in case or in a trailing slash (URLs are compared exactly)"
        }
        return nearMisses.alias(of: issuer).map { alias in
            "the listed issuer \(alias.url.quoted()) is an alias of this issuer (canonical_iss), but trust does not extend to "
                + "aliases"
        }
    }
}

/// A source of trusted issuers: a list, a snapshot, or a snapshot that a list restricts.
package struct DirectorySource: Sendable {
    let list: IssuerDirectory?
    package let snapshot: IssuerDirectory?

    /// A list alone, or a snapshot alone. It vouches for all issuers in it.
    package init(_ directory: IssuerDirectory) {
        (list, snapshot) = directory.isSnapshot ? (nil, directory) : (directory, nil)
    }

    /// A snapshot with the list that restricts it. It vouches only for issuers that are in both.
    ///
    /// VCI signs only its snapshot, and its snapshot still contains issuers that were removed from the list.
    ///
    /// - Throws: `Malformed` if `list` is a snapshot, or `snapshot` is a list.
    package init(list: IssuerDirectory, snapshot: IssuerDirectory) throws(Malformed) {
        guard !list.isSnapshot else {
            throw Malformed("the list of issuers is a snapshot (\"issuerInfo\")")
        }
        guard snapshot.isSnapshot else {
            throw Malformed("the snapshot is a list of issuers (\"participating_issuers\")")
        }
        (self.list, self.snapshot) = (list, snapshot)
    }

    /// The issuers that the source vouches for.
    package var entries: [DirectoryEntry] {
        (list ?? snapshot)?.entries.filter { entry(for: $0.issuer) != nil } ?? []
    }

    /// The issuers whose keys could not be fetched when the snapshot was made. The source does not vouch for them.
    var unreached: [UnreachedIssuer] {
        snapshot?.unreached.filter { list == nil || list?.entry(for: $0.entry.issuer) != nil } ?? []
    }

    /// The entry of an issuer; nil if the source does not vouch for the issuer.
    func entry(for issuer: Issuer) -> DirectoryEntry? {
        guard let list else { return snapshot?.entry(for: issuer) }
        guard snapshot?.entry(for: issuer) != nil || snapshot == nil else { return nil }
        return list.entry(for: issuer)
    }
}

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

/// The signer of the VCI directory's snapshots (SHC-D2, SHC-D3).
package enum VCISigner {
    /// The P-521 public key that snapshots are signed with, as base64 DER (SubjectPublicKeyInfo).
    ///
    /// It comes from the certificate vci_snapshot.crt in github.com/the-commons-project/vci-directory, commit 27cab72. The
    /// certificate is self-signed, for CN=vci.org, and valid from 2022-03-17 to 2032-03-14. The SHA-256 of its DER is
    /// c3e44e40a20e6d54a5ad247e9ddd07763708cec1aa9acd47a408a3cc28f320fb.
    ///
    /// The SHA-256 of the key in DER is
    /// 33f79a469f7d4fa3f9440912a373c0dbf2bd67f330dba2b8fa954bb39d0201db. To compare:
    ///
    ///     openssl x509 -in vci_snapshot.crt -pubkey -noout | openssl pkey -pubin -outform DER | sha256sum
    ///
    /// The key is pinned, not the certificate, so the certificate's dates and names do not matter.
    private static let subjectPublicKeyInfo =
        "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBeZ5TYVjzm5ABOpAnzZxbgWvr03Mi"
        + "YKcMIfIFUZ3kKRFf4Cn3klPwqFARHS8VR+uieGeWYhJ6Ekat5l2ctlSXlW0BkMLg"
        + "n60eZhy0SNIz/V/U/4YsAvw96nePmr2Q9oJHjf4J1vER5szp3Or3Ko3/TFVF5Zh0"
        + "fBjzvcfdkmR5fD8S2TM="

    /// The pinned key.
    ///
    /// - Throws: `Malformed` only if OpenSSL has no P-521, or no memory.
    package static func publicKey() throws(Malformed) -> P521PublicKey {
        let der = Result { () throws(Base64Error) in try Base64.decode(Array(subjectPublicKeyInfo.utf8)) }
        return try P521PublicKey(
            subjectPublicKeyInfo: der.mapError { Malformed("the pinned key is not base64: \($0)") }.get())
    }
}
