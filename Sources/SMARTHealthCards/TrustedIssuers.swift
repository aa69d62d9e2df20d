public import JOSE
import JSON

/// The issuers that the verifier trusts. Lists add up: an issuer on any of them is trusted.
public struct TrustedIssuers: Sendable {
    private var allowed: Set<Issuer> = []
    private var lists: [IssuerDirectory] = []
    private var snapshots: [IssuerDirectory] = []

    /// Certificates that the verifier trusts to name issuers; nil for none.
    public var anchors: CertificateAnchors?

    public init() {}

    /// Whether there is no list at all, so that trust is not judged.
    public var isEmpty: Bool { !hasLists && anchors == nil }

    /// Whether there is a list that can be looked at before any keys are had.
    package var hasLists: Bool { !allowed.isEmpty || !lists.isEmpty || !snapshots.isEmpty }

    /// Trusts one issuer. URLs are compared exactly.
    public mutating func allow(_ issuer: Issuer) {
        allowed.insert(issuer)
    }

    /// Trusts the issuers of a directory. A snapshot beside a list of issuers vouches only for those that the list has.
    public mutating func add(_ directory: IssuerDirectory) {
        if directory.isSnapshot { snapshots.append(directory) } else { lists.append(directory) }
    }

    /// The directories whose listing counts.
    private var listing: [IssuerDirectory] { lists.isEmpty ? snapshots : lists }

    /// What the directories say of an issuer that they list; nil where none lists it.
    package func entry(for issuer: Issuer) -> DirectoryEntry? {
        listing.lazy.compactMap { $0.entry(for: issuer) }.first
    }

    /// What the snapshots hold of an issuer that is listed.
    package func snapshots(of issuer: Issuer) -> [IssuerDirectory.Snapshot] {
        entry(for: issuer) == nil ? [] : snapshots.compactMap { $0.snapshot(of: issuer) }
    }

    /// Why the issuer is trusted; nil where no list names it.
    package func trust(in issuer: Issuer) -> IssuerTrust? {
        if entry(for: issuer) != nil { return .directory }
        return allowed.contains(issuer) ? .allowList : nil
    }

    /// What is on the lists that resembles an issuer that is not, in words; nil where nothing does.
    package func nearMiss(of issuer: Issuer) -> String? {
        let wanted = Self.folded(issuer)
        let entries = listing.lazy.flatMap(\.entries)
        if let near = allowed.first(where: { Self.folded($0) == wanted })
            ?? entries.map(\.issuer).first(where: { Self.folded($0) == wanted })
        {
            return
                "\(near.url.quoted()) is, and differs only in case or in a trailing slash (issuers are compared exactly)"
        }
        if let alias = entries.first(where: { $0.canonicalIssuer == issuer }) {
            return
                "\(alias.issuer.url.quoted()) is, as an alias of this issuer (canonical_iss), which does not extend trust"
        }
        return nil
    }

    private static func folded(_ issuer: Issuer) -> String {
        var text = issuer.url.lowercased()
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
