import JOSE
import JSON

/// What is to be said of a key, whatever the card: whether its issuer is trusted, which keys there are of its id, and what
/// is at hand to revoke cards by.
package final class KeyStanding: Sendable {
    /// How the search for the key ended.
    enum Outcome: Sendable {
        case found(keys: [P256PublicKey])
        /// The set has no key of the id; whether the card verifies under another is for the card to show.
        case absent(JWKSet)
        case failed(VerificationFailure)
    }

    let outcome: Outcome
    /// How many checks are made of a key where all pass: `issuer-trust` and `key`.
    static let checkCount = 2
    /// The checks after `format`.
    let checks: ArraySlice<Check>
    let trust: IssuerTrust
    let keyOrigin: KeyOrigin?
    let keyRetrieved: NumericDate?
    let warnings: [CardWarning]
    let directoryEntry: DirectoryEntry?
    /// The `crlVersion` of each entry of the id that has one, whatever source it is in.
    let listVersions: [JSONValue]
    /// The revocation lists of the id that the verifier was given.
    let lists: GivenRevocationLists
    /// What was known of the issuer's keys, where that was asked; the standing holds as long as it is the same.
    let basis: EvidenceBasis?
    /// For which moments it holds: certificates expire, and directories grow old.
    let span: ValiditySpan

    init(_ inquiry: VerificationRun, _ outcome: Outcome, published: [JWK] = [], of name: KeyName) {
        self.outcome = outcome
        checks = inquiry.checks.dropFirst()
        trust = inquiry.trust
        keyOrigin = inquiry.keyOrigin
        keyRetrieved = inquiry.keyRetrieved
        warnings = inquiry.warnings
        directoryEntry = inquiry.directoryEntry
        basis = inquiry.basis
        span = inquiry.span
        guard case .found = outcome else {
            (listVersions, lists) = ([], GivenRevocationLists())
            return
        }
        // If any source says that the key has a list, it has one.
        let counterEvidence = inquiry.setting.policy.counterEvidence
        listVersions =
            published.compactMap { $0.value.optional("crlVersion") }
            + counterEvidence.listVersions(of: name.keyID, issuer: name.issuer)
        lists = counterEvidence.revocationLists(of: name.keyID, issuer: name.issuer)
    }
}
