import Encodings

/// A directory of issuers: a list, or a snapshot with keys.
struct DirectorySubject: Sendable {
    let document: Document
    let value: JSONValue
    let policy: LintPolicy

    /// Whether the directory is a snapshot, which has keys.
    var isSnapshot: Bool { value["participating_issuers"] == nil && value["issuerInfo"] != nil }

    /// The elements of a snapshot: issuers with what they had published.
    var infos: [JSONValue] { isSnapshot ? value["issuerInfo"]?.elements.map { Array($0) } ?? [] : [] }

    /// The entries for issuers, in a list or a snapshot.
    var entries: [JSONValue] {
        isSnapshot
            ? infos.compactMap { $0["issuer"] } : value["participating_issuers"]?.elements.map { Array($0) } ?? []
    }
}
