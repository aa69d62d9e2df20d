public import Credentials
public import Cryptography
import Encodings

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
