package import Credentials
package import Cryptography
import Encodings

/// The name of a revocation list: its issuer and the key ID.
package struct RevocationListName: Hashable, Sendable {
    /// The issuer of the list.
    package let issuer: Issuer
    /// The ID of the key that signed the listed cards.
    package let keyID: KeyID

    /// Creates a name.
    package init(issuer: Issuer, keyID: KeyID) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// The URL at which the issuer publishes the list (SHC-R2).
    ///
    /// Characters of the key ID that are not in the base64url alphabet are percent-encoded, so that a key ID cannot lead to
    /// another path.
    package var url: String {
        let name = PercentEncoding.encode(keyID.bytes) { RevocationID.isInAlphabet(CollectionOfOne($0)) }
        return issuer.wellKnownURL("crl/\(name).json")
    }
}

/// The query for a revocation list that an issuer publishes (SHC-R2).
package struct RevocationListQuery: EvidenceQuery {
    package typealias Answer = RevocationList

    /// The name of the list.
    package let name: RevocationListName
    /// The version that the list must have at least, as the key's `crlVersion` says; nil if any version will do.
    package let counter: RevocationCounter?

    /// Creates a query.
    package init(_ name: RevocationListName, atLeast counter: RevocationCounter? = nil) {
        self.name = name
        self.counter = counter
    }

    package var kept: RevocationListQuery { RevocationListQuery(name) }

    /// The query for the version that the issuer's keys ask for.
    package func renewed(by keys: IssuerKeys) -> RevocationListQuery {
        let versions = keys.set.keys(named: name.keyID).compactMap { $0.value.optional("crlVersion") }
        return RevocationListQuery(name, atLeast: versions.compactMap { RevocationCounter($0) }.max())
    }
}

extension EvidenceQuery where Self == RevocationListQuery {
    /// The query for a revocation list that an issuer publishes.
    package static func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter? = nil
    ) -> RevocationListQuery {
        RevocationListQuery(name, atLeast: counter)
    }
}

extension EvidenceRequest {
    /// The request for a revocation list that an issuer publishes.
    package static func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter? = nil
    ) -> EvidenceRequest {
        EvidenceRequest(.revocationList(name, atLeast: counter))
    }
}
