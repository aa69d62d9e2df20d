package import Credentials
package import Encodings

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
