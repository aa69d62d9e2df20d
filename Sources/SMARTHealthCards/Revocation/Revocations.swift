package import Credentials
package import Cryptography
package import Encodings

/// Evidence against keys and cards in everything that the verifier was given: published private keys, and revocation lists.
///
/// It counts from every source. Even a source that is no reason to trust an issuer can show that a key has leaked or that a card
/// was revoked. `TrustedIssuers` decides which issuers to trust.
package struct Revocations: Sendable {
    private let keys: GivenKeys
    private let directories: TrustedIssuers
    private let lists: [RevocationList]
    private let compromisedElsewhere: CompromisedKeys

    /// Collects the evidence.
    ///
    /// - Parameters:
    ///   - keys: the given key sets.
    ///   - directories: the given directories.
    ///   - lists: the revocation lists that were given separately.
    ///   - compromisedElsewhere: the keys whose private half is published in what was given for other kinds of credential.
    package init(
        keys: GivenKeys, directories: TrustedIssuers, lists: [RevocationList], compromisedElsewhere: CompromisedKeys
    ) {
        self.compromisedElsewhere = compromisedElsewhere
        self.keys = keys
        self.directories = directories
        self.lists = lists
    }

    /// Marks the keys of a key set as unusable if their private key is published.
    ///
    /// - Parameters:
    ///   - keySet: the key set, from any source.
    ///   - issuer: the issuer of the keys; nil if it is unknown.
    package func applied(to keySet: JWKSet, of issuer: Issuer?) -> JWKSet {
        // An entry with `d` but without a valid point makes its key ID unusable, but only for the same issuer.
        // It is collected once: a snapshot may list an issuer many times.
        var own = CompromisedKeys()
        if let issuer {
            for set in keys.sets(for: issuer) { own.formUnion(set.compromised) }
            for snapshot in directories.snapshots(of: issuer) + directories.otherSnapshots(of: issuer) {
                own.formUnion(snapshot.compromisedKeys)
            }
        }
        return keySet.refusing([keys.compromised, directories.compromised, compromisedElsewhere, own])
    }

    /// All values of `crlVersion` for a key: from the issuer's entries and from all given sources.
    ///
    /// - Parameters:
    ///   - keyID: the key's ID.
    ///   - issuer: the issuer.
    ///   - published: the entries that the issuer publishes for the key.
    package func listVersions(of keyID: KeyID, issuer: Issuer, published: [JWK]) -> [JSONValue] {
        let snapshots = directories.snapshots(of: issuer) + directories.otherSnapshots(of: issuer)
        let given = (keys.sets(for: issuer) + snapshots.map(\.keySet)).flatMap { $0.keys(named: keyID) }
        return (published + given).compactMap { $0.value.optional("crlVersion") }
    }

    /// The given revocation lists of a key.
    package func revocationLists(of keyID: KeyID, issuer: Issuer) -> GivenRevocationLists {
        let of = { (snapshots: [IssuerDirectory.Snapshot]) in snapshots.flatMap { $0.revocationLists(of: keyID) } }
        return GivenRevocationLists(
            given: lists.filter { $0.keyID == keyID }, listed: of(directories.snapshots(of: issuer)),
            others: of(directories.otherSnapshots(of: issuer)))
    }
}

/// The revocation lists of one key that the verifier was given.
package struct GivenRevocationLists: Sendable {
    /// The lists that were given separately, not in a directory.
    package let given: [RevocationList]
    /// All lists. Each can revoke a card. If one has a defect, it is undetermined whether a card is revoked.
    package let all: [RevocationList]
    /// The lists that can show that a card is not revoked: those given separately, and those in directories that vouch for the
    /// issuer.
    package let answers: [RevocationList]
    /// Whether some of the lists are in directories. Their indexes are made again whenever they are asked for.
    let hasListed: Bool
    /// The lists in `answers` that contain identifiers. A list of hashes cannot show that an identifier is not revoked.
    let answersByIdentifier: [RevocationList]

    init(given: [RevocationList] = [], listed: [RevocationList] = [], others: [RevocationList] = []) {
        self.given = given
        hasListed = !listed.isEmpty || !others.isEmpty
        answers = given + listed
        answersByIdentifier = answers.filter { $0.method != .bundleHash }
        all = answers + others
    }

    /// Whether these lists suffice for every card with an identifier, so that the list that the issuer publishes is not needed.
    ///
    /// - Parameters:
    ///   - versions: all values of `crlVersion` for the key.
    ///   - isOffline: whether nothing can be fetched.
    package func isComplete(for versions: [JSONValue], isOffline: Bool) -> Bool {
        // Lists that were given separately replace the issuer's. Lists in a directory may be out of date.
        given.contains { $0.method != .bundleHash } || !answersByIdentifier.isEmpty && isOffline
            || answersByIdentifier.version(aheadAmong: versions) == nil
    }
}

extension [RevocationList] {
    /// The first of these versions that is newer than all lists, or that cannot be compared; nil if there is none.
    ///
    /// - Parameter versions: values of `crlVersion`.
    func version(aheadAmong versions: [JSONValue]) -> JSONValue? {
        let newest = lazy.filter { $0.defect == nil }.compactMap(\.counter).max()
        return versions.first { version in
            guard let version = RevocationCounter(version), let newest else { return true }
            return newest < version
        }
    }
}

extension CardPolicy {
    /// The evidence against keys and cards in everything that was given with the policy.
    package var counterEvidence: Revocations {
        Revocations(
            keys: givenKeys, directories: trustedIssuers, lists: givenLists, compromisedElsewhere: compromisedElsewhere)
    }
}
