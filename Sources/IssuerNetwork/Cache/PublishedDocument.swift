internal import JOSE
internal import SMARTHealthCards

/// A document that an issuer publishes: what is fetched, and what the cache keeps.
struct PublishedDocument: Sendable, Hashable {
    /// What a document is.
    enum Kind: String, Sendable {
        case keys
        case revocationList = "revocation-list"
    }

    let kind: Kind
    let issuer: Issuer
    /// Where it is published. The issuer is part of it byte for byte, so one that differs in case is another document.
    let url: String

    /// The keys of an issuer (SHC-K4).
    static func keys(of issuer: Issuer) -> PublishedDocument {
        PublishedDocument(kind: .keys, issuer: issuer, url: issuer.keySetURL)
    }

    /// The revocation list of one of its keys (SHC-R2).
    static func revocationList(_ name: RevocationListName) -> PublishedDocument {
        PublishedDocument(kind: .revocationList, issuer: name.issuer, url: name.url)
    }

    /// How many bytes it may have.
    var maximumSize: Int {
        switch kind {
        case .keys: Bounds.keySetSize
        case .revocationList: Bounds.revocationListSize
        }
    }

    /// The name of its file in a cache: the SHA-256 of its kind, its URL and what was allowed for it, in 64 hexadecimal
    /// digits.
    func fileName(under allowances: CachedDocument.Allowances) -> String {
        var name = "\(kind.rawValue) \(url)"
        if allowances.allowsPrivateNetwork { name += " private-network" }
        if let authorities = allowances.certificateAuthorities { name += " \(authorities)" }
        return SHA256.digest(name.utf8).hexadecimal
    }
}

extension [UInt8] {
    /// Two digits for each byte, in lower case.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
