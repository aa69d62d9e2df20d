import JOSE
import JSON

/// The check `key`: which keys the card is to be verified with.
extension VerificationRun {
    /// The standing of the card's key, which may be known from an earlier card.
    func standing(of name: KeyName) throws(Interruption) -> KeyStanding {
        if let known = setting.standings?.standing(of: name, with: setting.evidence) { return known }
        let standing = try inquire(name)
        setting.standings?.keep(standing, of: name, with: setting.evidence)
        return standing
    }

    /// Goes through what does not depend on the card: the checks `issuer-trust` and `key`.
    ///
    /// - Throws: what has to be known, and nothing else.
    private func inquire(_ name: KeyName) throws(Interruption) -> KeyStanding {
        var inquiry = VerificationRun(setting)
        // Stands for the check of the card that asks.
        inquiry.pass(.format, "")
        do throws(Interruption) {
            try inquiry.checkIssuerTrust(name)
            return try inquiry.checkKey(name)
        } catch {
            guard case .failed(let failure) = error else { throw error }
            return KeyStanding(inquiry, .failed(failure), of: name)
        }
    }

    /// Makes the standing of a card's key the card's own.
    mutating func adopt(_ standing: KeyStanding, for card: UnverifiedCard) throws(Interruption) -> [P256PublicKey] {
        self.standing = standing
        trust = standing.trust
        keyOrigin = standing.keyOrigin
        keyRetrieved = standing.keyRetrieved
        directoryEntry = standing.directoryEntry
        if !standing.warnings.isEmpty { warnings += standing.warnings }
        switch standing.outcome {
        case .found(let keys): return keys
        case .absent(let keySet): throw fail(.key, .keyNotFound, keyNotFound(card, keySet))
        case .failed(let failure): throw .failed(failure)
        }
    }

    /// The keys of the id that the card names. More than one only where the issuer published several under one id.
    private mutating func checkKey(_ name: KeyName) throws(Interruption) -> KeyStanding {
        let keySet = try keySet(name)
        switch keySet.resolve(name.keyID) {
        case .found(let found):
            let published = keySet.keys(named: name.keyID)
            try checkCertificates(published, of: name)
            for member in Self.optionalKeyMembers where published.contains(where: { $0.value[member]?.isNull == true })
            {
                warnings.append(
                    CardWarning(.nullMember, "the key's \"\(member)\" is null, which was read as if it were not there"))
            }
            // Where it is a certificate that the issuer is trusted by, no key but the one it is for may verify anything.
            let keys = found.filter { certified?.contains($0) ?? true }
            pass(
                .key,
                "\(quoted(name.keyID)), \(Self.words(for: keyOrigin))"
                    + (keyRetrieved.map { ", retrieved \($0)" } ?? ""))
            return KeyStanding(self, .found(keys: keys), published: published, of: name)
        case .unusable(let error):
            throw fail(
                .key, .keyInvalid, "the issuer's key \(quoted(name.keyID)) cannot verify anything: \(error.message)")
        case .absent:
            return KeyStanding(self, .absent(keySet), of: name)
        }
    }

    /// The keys to verify with: those that were given, else those of a directory that has the card's key, else what the
    /// issuer publishes.
    mutating func keySet(_ name: KeyName) throws(Interruption) -> JWKSet {
        let issuer = name.issuer
        let atHand = setting.standings?.keysAtHand(of: issuer) { keysAtHand(of: issuer) } ?? keysAtHand(of: issuer)
        span.formIntersection(atHand.span)
        if let given = atHand.given {
            keyOrigin = .jwksFile
            return given
        }
        let listed = atHand.listed
        if listed.keys(named: name.keyID).isEmpty {
            guard setting.policy.isOffline else { return try publishedKeySet(name) }
            // If the key is among those that are too old, it cannot be said that there is none.
            let outdated = atHand.outdated.first { snapshot in
                listed.keys.isEmpty || !snapshot.keySet.keys(named: name.keyID).isEmpty
            }
            if let outdated {
                throw fail(
                    .key, .keysUnavailable,
                    "the directory's keys of this issuer are too old to rely on: they were retrieved "
                        + (outdated.retrieved.map { "at \($0)" } ?? "nobody knows when"))
            }
            guard !listed.keys.isEmpty else { return try publishedKeySet(name) }
        }
        keyOrigin = .directory
        keyRetrieved = atHand.retrieved
        return listed
    }

    private func keysAtHand(of issuer: Issuer) -> KeysAtHand {
        let counterEvidence = setting.policy.counterEvidence
        if let given = setting.policy.givenKeys.keySet(for: issuer) {
            return KeysAtHand(given: counterEvidence.applied(to: given, of: issuer))
        }
        let snapshots = setting.policy.trustedIssuers.snapshots(of: issuer)
        let recent = snapshots.filter { isRecent($0) }
        return KeysAtHand(
            listed: counterEvidence.applied(to: JWKSet(merging: recent.map(\.keySet)), of: issuer),
            retrieved: recent.compactMap(\.retrieved).min(),
            outdated: snapshots.filter { !isRecent($0) }, span: spanOfAges(of: snapshots))
    }

    /// For which moments these are as recent or as old as they are now.
    private func spanOfAges(of snapshots: [IssuerDirectory.Snapshot]) -> ValiditySpan {
        var span = ValiditySpan()
        guard let limit = setting.policy.maximumDirectoryAge else { return span }
        let turns = snapshots.compactMap(\.retrieved).flatMap { retrieved in
            // Both bounds are the last moment of their side.
            [limit, Self.futureTolerance].map { NumericDate(sinceEpoch: retrieved.sinceEpoch + $0 + .nanoseconds(1)) }
        }
        span.narrow(to: turns, around: setting.policy.now)
        return span
    }

    /// How far ahead of the moment a directory may say that it retrieved keys, as an age.
    private static let futureTolerance = Duration.seconds(-86_400)

    /// Whether a directory's keys are young enough to rely on.
    private func isRecent(_ snapshot: IssuerDirectory.Snapshot) -> Bool {
        guard let limit = setting.policy.maximumDirectoryAge else { return true }
        guard let retrieved = snapshot.retrieved else { return false }
        let age = setting.policy.now.sinceEpoch - retrieved.sinceEpoch
        // A date well ahead of the moment says nothing of the keys' age.
        return age <= limit && age > Self.futureTolerance
    }

    /// The keys that the issuer publishes. Those that were fetched some time ago are asked for again where they lack the
    /// card's key: the issuer may have added it since.
    private mutating func publishedKeySet(_ name: KeyName) throws(Interruption) -> JWKSet {
        basis = EvidenceBasis(setting.evidence, for: name.issuer)
        switch setting.evidence.keys[name.issuer] {
        case nil: throw .needs(.keys(name.issuer))
        case .failure(let failure): throw fail(.key, failure)
        case .success(let keys):
            if !keys.isCurrent, keys.set.keys(named: name.keyID).isEmpty {
                if let failure = setting.evidence.refusedRefreshes[name.issuer] { throw fail(.key, failure) }
                throw .needs(.currentKeys(name.issuer))
            }
            keyOrigin = keys.origin
            keyRetrieved = keys.retrieved
            // Where certificates decide on trust, the keys have been sought for those already.
            if let staleness = keys.staleness, !warnings.contains(where: { $0.code == .staleKeys }) {
                warnings.append(
                    CardWarning(
                        .staleKeys,
                        "the issuer could not be reached, and its keys in the cache are \(Self.words(for: staleness)) past their "
                            + "freshness: one that was withdrawn since would not be noticed"))
            }
            return setting.policy.counterEvidence.applied(to: keys.set, of: name.issuer)
        }
    }

    static func words(for duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case 1: "1 second"
        case ..<120: "\(seconds) seconds"
        case ..<7200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3600) hours"
        default: "\(seconds / 86_400) days"
        }
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
    /// Members of a JWK that may be left out.
    private static let optionalKeyMembers = ["use", "alg", "key_ops", "x5c", "crlVersion"]

    private func keyNotFound(_ card: UnverifiedCard, _ keySet: JWKSet) -> String {
        let message = "the issuer publishes no key of the id \(quoted(card.header.keyID)) that the card names"
        guard setting.policy.hintsAtOtherKeys, let signature = try? ES256Signature(card.jws.signature) else {
            return message
        }
        // This is only a hint, so a set that was made to be full of keys is not tried to its end, and each key once.
        var tried: Set<P256PublicKey> = []
        let candidates = keySet.keys.lazy.filter { $0.value["kty"]?.isString("EC") == true }
        let others = keySet.limited(to: Array(candidates.prefix(Self.maximumHintKeys))).allUsable
        let other = others.first { _, key in
            tried.insert(key).inserted && key.isValid(signature, for: card.jws.signingInput)
        }
        guard let other else { return message }
        return message
            + "; the card does verify under another key of this issuer, \(quoted(other.keyID ?? other.key.thumbprint)): "
            + "the issuer names the wrong key in its cards"
    }
}
