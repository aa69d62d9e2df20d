public import JSON

/// What a directory says of one issuer.
public final class DirectoryEntry: Sendable {
    /// The issuer.
    public let issuer: Issuer
    /// Its name, for people.
    public let name: UTF8Text?
    /// Its website.
    public let website: UTF8Text?
    /// The issuer that this one is an alias of (`canonical_iss`). Shown, and never a reason to trust.
    public let canonicalIssuer: Issuer?

    /// Reads `{"iss", "name", "website"?, "canonical_iss"?}`; nil if there is no `iss`.
    init?(_ value: JSONValue) {
        guard let url = value["iss"]?.string, !url.isEmpty else { return nil }
        issuer = Issuer(unchecked: url)
        name = value["name"]?.string
        website = value["website"]?.string
        canonicalIssuer = value["canonical_iss"]?.string.map { Issuer(unchecked: $0) }
    }

    /// What two entries of one issuer say of it. If they contradict each other, the first stands: all of this is only shown.
    init(merging first: DirectoryEntry, _ second: DirectoryEntry) {
        issuer = first.issuer
        name = first.name ?? second.name
        website = first.website ?? second.website
        canonicalIssuer = first.canonicalIssuer ?? second.canonicalIssuer
    }
}
