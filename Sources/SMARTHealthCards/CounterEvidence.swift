package import JOSE
internal import JSON

/// What speaks against keys and cards in everything that the verifier was given: published private halves, and revocation
/// lists.
///
/// It counts no matter who gives it. A source that is not believed when it names an issuer can still show that a key has leaked or
/// that a card was withdrawn. Whom to believe is for `TrustedIssuers` to say.
package struct CounterEvidence: Sendable {
    private let keys: GivenKeys
    private let directories: TrustedIssuers
    private let lists: [RevocationList]

    package init(keys: GivenKeys, directories: TrustedIssuers, lists: [RevocationList]) {
        self.keys = keys
        self.directories = directories
        self.lists = lists
    }

    /// A key set, wherever it comes from, in which a key is unusable if its private half was given.
    ///
    /// - Parameter issuer: whose keys they are; nil if nobody says.
    package func applied(to keySet: JWKSet, of issuer: Issuer?) -> JWKSet {
        // An entry with `d` that names no point burns its key id, which means something for its issuer only.
        let own = issuer.map { issuer in
            keys.sets(for: issuer).map(\.burnt)
                + (directories.snapshots(of: issuer) + directories.otherSnapshots(of: issuer)).map(\.keySet.burnt)
        }
        return keySet.refusing([keys.burnt, directories.burnt] + (own ?? []))
    }

    /// What each given source that has the key says of the version of its revocation list, if it says that it has one.
    func listVersions(of keyID: KeyID, issuer: Issuer) -> [JSONValue] {
        let snapshots = directories.snapshots(of: issuer) + directories.otherSnapshots(of: issuer)
        return (keys.sets(for: issuer) + snapshots.map(\.keySet)).flatMap { keySet in
            keySet.keys(named: keyID).compactMap { $0.value.optional("crlVersion") }
        }
    }

    /// The revocation lists of a key that were given.
    package func revocationLists(of keyID: KeyID, issuer: Issuer) -> GivenRevocationLists {
        let of = { (snapshots: [IssuerDirectory.Snapshot]) in snapshots.flatMap { $0.revocationLists(of: keyID) } }
        return GivenRevocationLists(
            given: lists.filter { $0.keyID == keyID }, listed: of(directories.snapshots(of: issuer)),
            others: of(directories.otherSnapshots(of: issuer)))
    }
}

/// The revocation lists of one key that the verifier was given.
package struct GivenRevocationLists: Sendable {
    /// Those that were given by themselves.
    package let given: [RevocationList]
    /// All of them: each can revoke a card, and each that has a defect leaves it open whether the card is revoked.
    package let all: [RevocationList]
    /// Those that can show that a card is not revoked: the given ones, and those of directories that vouch for the issuer.
    package let answers: [RevocationList]
    /// Those of these that a card's identifier can be looked up in. A list of hashes adds to what is known, and is no answer
    /// to that question.
    let answersByIdentifier: [RevocationList]

    init(given: [RevocationList] = [], listed: [RevocationList] = [], others: [RevocationList] = []) {
        self.given = given
        answers = given + listed
        answersByIdentifier = answers.filter { $0.method != .bundleHash }
        all = answers + others
    }
}

extension VerificationPolicy {
    /// What speaks against keys and cards.
    var counterEvidence: CounterEvidence {
        CounterEvidence(keys: givenKeys, directories: trustedIssuers, lists: givenLists)
    }
}
