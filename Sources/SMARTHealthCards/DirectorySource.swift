/// One source of trusted issuers: a list, a snapshot, or a snapshot with the list that restricts it.
public struct DirectorySource: Sendable {
    let list: IssuerDirectory?
    let snapshot: IssuerDirectory?

    /// A list or a snapshot that stands alone. It vouches for the issuers in it.
    public init(_ directory: IssuerDirectory) {
        (list, snapshot) = directory.isSnapshot ? (nil, directory) : (directory, nil)
    }

    /// A snapshot that vouches only for issuers that the list has.
    ///
    /// VCI signs its snapshot and not its list, and keeps in the snapshot what it no longer lists: an issuer has to be in
    /// both.
    ///
    /// - Throws: `IssuerDirectoryError` if one of them is not what it should be.
    public init(list: IssuerDirectory, snapshot: IssuerDirectory) throws(IssuerDirectoryError) {
        guard !list.isSnapshot else {
            throw IssuerDirectoryError("the list of issuers is a snapshot (\"issuerInfo\")")
        }
        guard snapshot.isSnapshot else {
            throw IssuerDirectoryError("the snapshot is a list of issuers (\"participating_issuers\")")
        }
        (self.list, self.snapshot) = (list, snapshot)
    }

    /// The issuers that the source vouches for.
    public var entries: [DirectoryEntry] {
        (list ?? snapshot)?.entries.filter { entry(for: $0.issuer) != nil } ?? []
    }

    /// What is said of an issuer; nil if the source does not vouch for it.
    func entry(for issuer: Issuer) -> DirectoryEntry? {
        guard let list else { return snapshot?.entry(for: issuer) }
        guard snapshot?.entry(for: issuer) != nil || snapshot == nil else { return nil }
        return list.entry(for: issuer)
    }
}
