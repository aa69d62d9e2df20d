import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// A card, and what is known of its issuer.
final class CardSubject: Sendable {
    /// Whether the signature verifies.
    enum SignatureCheck: Sendable {
        /// There is no key, or nothing that could be a signature.
        case notPossible
        case valid
        case invalid
        /// The signature does not verify with any of the keys that were tried, and there are more with the key id.
        case tooManyKeys
        /// The signature verifies under another key of the issuer than the one that the card names: one with this ID, or without any.
        case otherKey(KeyID?)
    }

    let jws: JWSSubject
    private let settings: LintSettings
    /// What is known of the key that the card names.
    let key: CardKey
    let signature: SignatureCheck
    /// The revocation lists of the card's key: given lists and the issuer's own. Each of them can revoke the card.
    let lists: [RevocationList]
    /// The lists that can show that the card is not revoked. Those of directories that do not list the issuer cannot.
    let answers: [RevocationList]
    /// Why the issuer's own list cannot be fetched, if it is needed.
    let listFailure: VerificationFailure?

    /// Whether the issuer is trusted.
    enum Trust: Sendable {
        /// There is no list, or the certificate cannot be fetched.
        case unknown
        case trusted
        /// The issuer is on no list, and its key has no certificate that leads to an anchor; the error is the
        /// certificate's.
        case untrusted(CertificateError?)
    }

    init(
        jws: JWSSubject, settings: LintSettings, key: CardKey, signature: SignatureCheck, lists: [RevocationList],
        answers: [RevocationList], listFailure: VerificationFailure?
    ) {
        self.jws = jws
        self.settings = settings
        self.key = key
        self.signature = signature
        self.lists = lists
        self.answers = answers
        self.listFailure = listFailure
    }

    var document: Document { jws.document }
    var policy: LintPolicy { settings.policy }
    /// The issuer that the payload names, even if the URL is not valid; nil if it names none.
    var issuer: Issuer? { jws.issuer }
    /// The key id that the header names.
    var keyID: KeyID? { jws.reading.keyID }
    /// The issuer's keys, or why they cannot be fetched; nil if the issuer is unknown or must not be contacted.
    var keys: Result<JWKSet, VerificationFailure>? { key.keys }
    /// The entries of the key set that have the card's key id.
    var published: [JWK] { key.published }
    /// Whether the issuer is trusted.
    var trust: Trust { key.trust }

    /// The payload's claims.
    var claims: CardClaims? { jws.payload?.claims }

    /// Whether the signature verifies under the key that the card names.
    var isSigned: Bool { if case .valid = signature { true } else { false } }

    /// `crlVersion` of the entries of the key.
    var listVersions: [RevocationCounter] {
        published.compactMap { $0.value["crlVersion"].flatMap { RevocationCounter($0) } }
    }

    /// Whether the key has a revocation list, according to its entries.
    var hasListVersion: Bool { published.contains { $0.value["crlVersion"] != nil } }
}
