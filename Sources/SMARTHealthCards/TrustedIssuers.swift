public import JOSE
import JSON

/// The issuers that the verifier trusts. Sources add up: an issuer that any of them vouches for is trusted.
///
/// This is the one place that decides whom to believe. Evidence against a key or a card counts no matter who gives it; that is
/// for `CounterEvidence`.
public struct TrustedIssuers: Sendable {
    private var allowed: Set<Issuer> = []
    private var sources: [DirectorySource] = []
    private var nearMisses = NearMisses()
    /// The points whose private half any of the directories publishes.
    private(set) var burnt = BurntKeys()

    /// Certificates that the verifier trusts to name issuers; nil for none.
    public var anchors: CertificateAnchors?

    public init() {}

    /// Whether there is no list at all, so that trust is not judged.
    public var isEmpty: Bool { !hasLists && anchors == nil }

    /// Whether there is a list that can be looked at before any keys are had.
    package var hasLists: Bool { !allowed.isEmpty || !sources.isEmpty }

    /// Trusts one issuer. URLs are compared exactly.
    public mutating func allow(_ issuer: Issuer) {
        allowed.insert(issuer)
        nearMisses.insert(issuer, aliasOf: nil)
    }

    /// Trusts the issuers that a source vouches for.
    public mutating func add(_ source: DirectorySource) {
        sources.append(source)
        nearMisses.insert(source.entries)
        if let snapshot = source.snapshot { burnt.formUnion(snapshot.burnt) }
    }

    /// Trusts the issuers of a directory that stands alone.
    public mutating func add(_ directory: IssuerDirectory) {
        add(DirectorySource(directory))
    }

    /// The issuers that a directory vouches for, each once, in the order of the directories.
    package var entries: [DirectoryEntry] {
        var seen: Set<Issuer> = []
        return sources.flatMap(\.entries).filter { seen.insert($0.issuer).inserted }
    }

    /// What the directories say of an issuer that one of them vouches for; nil if none does. Lists say more than snapshots.
    package func entry(for issuer: Issuer) -> DirectoryEntry? {
        var entry: DirectoryEntry?
        for source in sources {
            guard let found = source.entry(for: issuer) else { continue }
            if source.list != nil { return found }
            entry = entry ?? found
        }
        return entry
    }

    /// What the snapshots hold of an issuer, by which its cards may be verified: of those that vouch for it.
    package func snapshots(of issuer: Issuer) -> [IssuerDirectory.Snapshot] {
        snapshots(of: issuer) { $0.entry(for: issuer) != nil }
    }

    /// What the other snapshots hold of an issuer, which can only speak against it.
    func otherSnapshots(of issuer: Issuer) -> [IssuerDirectory.Snapshot] {
        snapshots(of: issuer) { $0.entry(for: issuer) == nil }
    }

    private func snapshots(
        of issuer: Issuer, in isWanted: (DirectorySource) -> Bool
    ) -> [IssuerDirectory.Snapshot] {
        sources.filter(isWanted).flatMap { $0.snapshot?.snapshots(of: issuer) ?? [] }
    }

    /// Why the issuer is trusted; nil if nothing names it.
    package func trust(in issuer: Issuer) -> IssuerTrust? {
        if sources.contains(where: { $0.entry(for: issuer) != nil }) { return .directory }
        return allowed.contains(issuer) ? .allowList : nil
    }

    /// Whether only snapshots without a list vouch for a trusted issuer, while there is a list that does not have it: the
    /// directory may have removed the issuer since.
    func isMissingFromLists(_ issuer: Issuer) -> Bool {
        let lists = sources.lazy.compactMap(\.list)
        return !allowed.contains(issuer) && !lists.isEmpty && !lists.contains { $0.entry(for: issuer) != nil }
    }

    /// What is on the lists that resembles an issuer that is not, in words; nil if nothing does.
    package func nearMiss(of issuer: Issuer) -> String? {
        if let near = nearMisses.spelling(of: issuer) {
            return
                "\(near.url.quoted()) is, and differs only in case or in a trailing slash (issuers are compared exactly)"
        }
        return nearMisses.alias(of: issuer).map { alias in
            "\(alias.url.quoted()) is, as an alias of this issuer (canonical_iss), which does not extend trust"
        }
    }
}
