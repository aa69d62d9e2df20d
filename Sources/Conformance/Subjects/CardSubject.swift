import JOSE
import JSON
import SMARTHealthCards

/// A card together with what is known of its issuer.
struct CardSubject: Sendable {
    /// Whether the signature verifies.
    enum SignatureCheck: Sendable {
        /// There is no key to verify it with, or nothing that could be a signature.
        case notPossible
        case valid
        case invalid
        /// It verifies under another key of the issuer than the one that the card names.
        case otherKey(KeyID)
    }

    let document: Document
    let jws: JWSSubject
    let policy: LintPolicy
    /// The issuer that the payload names, whatever its form; nil if it names none.
    let issuer: Issuer?
    /// The key id that the header names.
    let keyID: KeyID?
    /// The issuer's keys, or why they cannot be fetched; nil if nobody says whose card it is, and where they were not
    /// sought.
    let keys: Result<JWKSet, VerificationFailure>?
    /// The entries of the key set that have the card's key id.
    let published: [JWK]
    let signature: SignatureCheck
    /// The revocation lists of the card's key, those that were given and the issuer's own. Each of them can revoke the card.
    let lists: [RevocationList]
    /// Those of them that can show that the card is not revoked: not those of directories that do not vouch for the issuer.
    let answers: [RevocationList]
    /// Why the issuer's own list cannot be fetched, if it is needed.
    let listFailure: VerificationFailure?
    /// Whether the issuer is trusted.
    let trust: Trust

    /// Whether the issuer is trusted.
    enum Trust: Sendable {
        /// There is no list, or the certificate that would have to vouch cannot be fetched.
        case unknown
        case trusted
        /// It is on no list, and no certificate vouches for it; the error is that of the certificate.
        case untrusted(CertificateError?)
    }

    /// The payload's claims.
    var claims: CardClaims? { jws.payload?.claims }

    /// Whether the card verifies under the key that it names.
    var isSigned: Bool { if case .valid = signature { true } else { false } }

    /// The counters that the key says its revocation list has.
    var listVersions: [RevocationCounter] {
        published.compactMap { $0.value["crlVersion"].flatMap { RevocationCounter($0) } }
    }

    /// Whether the key says that there is a revocation list.
    var hasListVersion: Bool { published.contains { $0.value["crlVersion"] != nil } }
}
