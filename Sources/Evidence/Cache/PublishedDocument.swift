import Credentials
import Cryptography
import Encodings
public import HTTPSFetch
import SMARTHealthCards

/// A document that an issuer publishes. It can be fetched and cached.
struct PublishedDocument: Sendable, Hashable {
    /// The kind of document.
    enum Kind: String, Sendable {
        case keys
        case revocationList = "revocation-list"
    }

    let kind: Kind
    let issuer: Issuer
    /// The URL of the document. It contains the issuer byte for byte, so an issuer that differs in case has other
    /// documents.
    let url: String

    /// The keys of an issuer (SHC-K4).
    static func keys(of issuer: Issuer) -> PublishedDocument {
        PublishedDocument(kind: .keys, issuer: issuer, url: issuer.keySetURL)
    }

    /// The revocation list of one of its keys (SHC-R2).
    static func revocationList(_ name: RevocationListName) -> PublishedDocument {
        PublishedDocument(kind: .revocationList, issuer: name.issuer, url: name.url)
    }

    /// The largest size that is accepted, in bytes.
    var maximumSize: Int {
        switch kind {
        case .keys: Bounds.keySetSize
        case .revocationList: Bounds.revocationListSize
        }
    }

    /// The name of the document's file in a cache: the SHA-256 of its kind, its URL and the permissions for it, in 64
    /// hexadecimal digits.
    func fileName(under allowances: CachedDocument.Allowances) -> String {
        var name = "\(kind.rawValue) \(url)"
        if allowances.allowsPrivateNetwork { name += " private-network" }
        if let authorities = allowances.certificateAuthorities { name += " \(authorities)" }
        return SHA256.digest(name.utf8).hexadecimal
    }
}

extension CertificateAuthorities {
    /// Makes the value with the SHA-256 of the file's content, in hexadecimal, as the digest.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - content: the file's content.
    public init(file: String, content: [UInt8]) {
        self.init(file: file, digest: SHA256.digest(content).hexadecimal)
    }
}
