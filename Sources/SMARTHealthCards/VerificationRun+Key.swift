import JOSE
import JSON

/// The check `key`: which keys the card is to be verified with.
extension VerificationRun {
    /// The keys of the id that the card names. More than one only where the issuer published several under one id.
    mutating func checkKey(
        _ card: UnverifiedCard
    ) throws(Interruption) -> (keys: [P256PublicKey], published: [JWK]) {
        let keySet = try keySet(card)
        let keyID = card.header.keyID
        switch keySet.resolve(keyID) {
        case .found(let found):
            let published = keySet.keys.filter { $0.keyID == keyID }
            try checkCertificates(published, of: card)
            // Where it is a certificate that the issuer is trusted by, no key but the one it is for may verify anything.
            let keys = found.filter { certified?.contains($0) ?? true }
            pass(
                .key,
                "\(quoted(keyID)), \(Self.words(for: keyOrigin))" + (keyRetrieved.map { ", retrieved \($0)" } ?? ""))
            return (keys, published)
        case .unusable(let error):
            throw fail(
                .key, .keyInvalid, "the issuer's key \(quoted(keyID)) cannot verify anything: \(error.message)")
        case .absent:
            throw fail(.key, .keyNotFound, keyNotFound(card, keySet))
        }
    }

    /// The keys to verify with: those that were given, else those of a directory that has the card's key, else what the
    /// issuer publishes.
    mutating func keySet(_ card: UnverifiedCard) throws(Interruption) -> JWKSet {
        let given = policy.givenKeys.sets(for: card.issuer)
        if !given.isEmpty {
            keyOrigin = .jwksFile
            return given.count == 1 ? given[0] : JWKSet(merging: given)
        }
        let snapshots = policy.trustedIssuers.snapshots(of: card.issuer)
        let recent = snapshots.filter { isRecent($0) }
        let listed = JWKSet(merging: recent.map(\.keySet))
        let hasKey = listed.keys.contains { $0.keyID == card.header.keyID }
        if hasKey || policy.isOffline && !listed.keys.isEmpty {
            keyOrigin = .directory
            keyRetrieved = recent.compactMap(\.retrieved).min()
            return listed
        }
        if policy.isOffline, let outdated = snapshots.first, recent.isEmpty {
            throw fail(
                .key, .keysUnavailable,
                "the directory's keys of this issuer are too old to rely on: they were retrieved "
                    + (outdated.retrieved.map { "at \($0)" } ?? "nobody knows when"))
        }
        return try publishedKeySet(card)
    }

    /// Whether a directory's keys are young enough to rely on.
    private func isRecent(_ snapshot: IssuerDirectory.Snapshot) -> Bool {
        guard let limit = policy.maximumDirectoryAge else { return true }
        guard let retrieved = snapshot.retrieved else { return false }
        let age = policy.now.sinceEpoch - retrieved.sinceEpoch
        // A date well ahead of the moment says nothing of the keys' age.
        return age <= limit && age > .seconds(-86_400)
    }

    /// The keys that the issuer publishes. Those that were fetched some time ago are asked for again where they lack the
    /// card's key: the issuer may have added it since.
    private mutating func publishedKeySet(_ card: UnverifiedCard) throws(Interruption) -> JWKSet {
        switch evidence.keys[card.issuer] {
        case nil: throw .needs(.keys(card.issuer))
        case .failure(let failure): throw fail(.key, failure)
        case .success(let keys):
            if !keys.isCurrent, !keys.set.keys.contains(where: { $0.keyID == card.header.keyID }) {
                if let failure = evidence.refusedRefreshes[card.issuer] { throw fail(.key, failure) }
                throw .needs(.currentKeys(card.issuer))
            }
            keyOrigin = keys.origin
            keyRetrieved = keys.retrieved
            if let staleness = keys.staleness {
                warnings.append(
                    CardWarning(
                        .staleKeys,
                        "the issuer could not be reached, and its keys in the cache are \(Self.words(for: staleness)) past their "
                            + "freshness: one that was withdrawn since would not be noticed"))
            }
            return keys.set
        }
    }

    private static func words(for duration: Duration) -> String {
        let hours = duration.components.seconds / 3600
        return hours < 48 ? "\(hours) hours" : "\(hours / 24) days"
    }

    private static func words(for origin: KeyOrigin?) -> String {
        switch origin {
        case .jwksFile: "from a given key set"
        case .directory: "from a directory"
        case .cache: "from the cache"
        case .network, nil: "from the issuer's server"
        }
    }

    private static let maximumHintKeys = 8

    private func keyNotFound(_ card: UnverifiedCard, _ keySet: JWKSet) -> String {
        let message = "the issuer publishes no key of the id \(quoted(card.header.keyID)) that the card names"
        guard policy.hintsAtOtherKeys, let signature = try? ES256Signature(card.jws.signature) else { return message }
        // This is only a hint, so a set that was made to be full of keys is not tried to its end, and each key once.
        var tried: Set<P256PublicKey> = []
        let candidates = keySet.keys.lazy.filter { $0.value["kty"]?.isString("EC") == true }
        let other = JWKSet(Array(candidates.prefix(Self.maximumHintKeys))).allUsable.first { _, key in
            tried.insert(key).inserted && key.isValid(signature, for: card.jws.signingInput)
        }
        guard let other else { return message }
        return message
            + "; the card does verify under another key of this issuer, \(quoted(other.keyID ?? other.key.thumbprint)): "
            + "the issuer names the wrong key in its cards"
    }
}
