import Credentials
import Cryptography
import Encodings

/// The results for a key that are the same for all its cards: whether the issuer is trusted, the public keys with the key ID,
/// and the given revocation lists.
final class KeyStatus: Sendable {
    /// The result of the checks `issuer-trust` and `key`.
    enum Outcome: Sendable {
        /// The issuer is acceptable, and these keys have the key ID.
        case found(Candidates)
        /// This key set has no key with the key ID. A hint about another key needs the card, so the message is made later.
        case absent(JWKSet)
        /// A check did not pass, as the notes say.
        case failed
    }

    /// The keys that may have made a signature.
    struct Candidates: Sendable {
        /// The keys.
        let keys: [P256PublicKey]
        /// Why keys with the key ID were left out, in words that follow "but"; nil if these are all.
        let omission: String?
    }

    /// The result of the checks.
    let outcome: Outcome
    /// The checks, for the verdict and its reports.
    let notes: KeyNotes
    /// The `crlVersion` of each entry with the key ID, from all sources.
    let listVersions: [JSONValue]
    /// The revocation lists of the key that the verifier was given.
    let lists: GivenRevocationLists
    /// The evidence about the issuer's keys that was used; nil if none was used. If this evidence changes, the status must be
    /// looked for again.
    let basis: EvidenceBasis?
    /// The time range in which the status remains true. It ends when a certificate expires or a directory becomes too old.
    let span: ValiditySpan

    init(
        _ notes: KeyNotes, _ outcome: Outcome, published: [JWK], of name: KeyName, policy: CardPolicy,
        basis: EvidenceBasis?, span: ValiditySpan
    ) {
        self.notes = notes
        self.outcome = outcome
        self.basis = basis
        self.span = span
        guard case .found = outcome else {
            (listVersions, lists) = ([], GivenRevocationLists())
            return
        }
        // If any source says that the key has a revocation list, the key has one.
        let counterEvidence = policy.counterEvidence
        listVersions = counterEvidence.listVersions(of: name.keyID, issuer: name.issuer, published: published)
        lists = counterEvidence.revocationLists(of: name.keyID, issuer: name.issuer)
    }
}

/// The key that a card names: its issuer and its key ID.
///
/// A key ID alone is not enough, because real issuers use the same key IDs.
struct KeyName: Hashable {
    let issuer: Issuer
    let keyID: KeyID
}

extension KeyName {
    init(_ card: UnverifiedCard) { self.init(issuer: card.issuer, keyID: card.header.keyID) }
}
