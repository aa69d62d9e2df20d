import Credentials
import Cryptography
import Encodings

/// The checks `issuer-trust` and `key`, which have the same result for all cards that name the same key.
///
/// The result, a `KeyStatus`, is used for all cards that name the key.
struct KeyResolver {
    /// A check that did not pass is added to the notes by the caller, unless `fail` has made this.
    private typealias Interruption = SMARTHealthCards.Interruption<VerificationFailure>

    private let setting: VerificationSetting
    private let name: KeyName
    private var notes: KeyNotes.Draft
    /// The issuer's keys; nil until they are looked for.
    private var issuerKeys: JWKSet?
    /// The evidence about the issuer's keys that was used; nil if none was used.
    private var basis: EvidenceBasis?
    /// The time range in which the result remains true.
    private var span = ValiditySpan()

    private var policy: CardPolicy { setting.policy }

    private init(_ name: KeyName, _ setting: VerificationSetting) {
        self.setting = setting
        self.name = name
        notes = KeyNotes.Draft(setting.policy.trustRequirement)
    }

    /// The status of a key, from an earlier card if possible.
    ///
    /// - Throws: what must be fetched first.
    static func keyStatus(of name: KeyName, in setting: VerificationSetting) throws(EvidenceNeeded) -> KeyStatus {
        if let known = setting.statuses?.keyStatus(of: name, with: setting.evidence) { return known }
        var inquiry = KeyResolver(name, setting)
        let keyStatus: KeyStatus
        do throws(Interruption) {
            let admission = try inquiry.checkIssuerTrust()
            keyStatus = try inquiry.checkKey(of: admission)
        } catch {
            if case .needs(let evidence) = error { throw evidence }
            keyStatus = inquiry.keyStatus(.failed)
        }
        setting.statuses?.keep(keyStatus, of: name, with: setting.evidence)
        return keyStatus
    }

    private func keyStatus(_ outcome: KeyStatus.Outcome, published: [JWK] = []) -> KeyStatus {
        KeyStatus(
            KeyNotes(notes), outcome, published: published, of: name, policy: policy, basis: basis, span: span)
    }

    private mutating func fail(_ check: Check.Name, _ failure: VerificationFailure) -> Interruption {
        notes.fail(check, failure)
        return .failed(failure)
    }

    private mutating func fail(_ check: Check.Name, _ code: ReasonCode, _ message: String) -> Interruption {
        fail(check, VerificationFailure(code, message))
    }

    private var quotedIssuer: String { name.issuer.url.quoted() }
    private var quotedKeyID: String { name.keyID.quoted() }

    // MARK: Trust

    /// Which of the issuer's keys may verify the card, as far as trust decides it.
    private enum Admission {
        /// All keys of the issuer.
        case every
        /// Only these keys: certificates vouch for the issuer, and they are the keys of these certificates. There may be more such
        /// keys if not all certificates were checked.
        case only(Set<P256PublicKey>, areAll: Bool)

        /// The keys that may verify the card; nil if trust does not matter.
        var keys: Set<P256PublicKey>? {
            if case .only(let keys, _) = self { keys } else { nil }
        }
    }

    /// The check `issuer-trust`. Every way out of it decides which keys are admitted.
    private mutating func checkIssuerTrust() throws(Interruption) -> Admission {
        notes.directoryEntry = policy.trustedIssuers.entry(for: name.issuer)
        guard policy.trustRequirement == .required || policy.isAppAlone(name.issuer) else {
            notes.skip(.issuerTrust, .notAsked, "not checked: anybody can sign at an address of their own")
            return .every
        }
        if let trust = policy.trustedIssuers.trust(in: name.issuer) {
            notes.trust = trust
            if trust == .directory, policy.trustedIssuers.isMissingFromLists(name.issuer) {
                notes.warnings.add(
                    .issuerNotOnList,
                    "the issuer \(quotedIssuer) is in a directory's snapshot, but not on any given list of issuers: the "
                        + "directory may have removed it")
            }
            notes.pass(
                .issuerTrust, trust == .directory ? "the directory lists the issuer" : "the issuer was named as trusted"
            )
            return .every
        }
        let hasGivenKeys = policy.keysGiven(for: name.issuer) != nil
        if policy.trustedIssuers.isEmpty, hasGivenKeys {
            notes.trust = .jwks
            notes.pass(.issuerTrust, "the keys were given to the verifier")
            return .every
        }
        // If there are other lists too, certificates are checked only in given keys: an issuer on no list is not contacted.
        if let anchors = policy.trustedIssuers.anchors, !policy.trustedIssuers.hasLists || hasGivenKeys {
            return try checkTrustByCertificate(anchors)
        }
        let isNamedByKeysAlone =
            policy.trustedIssuers.isEmpty && !policy.trustedIssuers.refusesUnlisted && policy.trustsGivenKeys
        if isNamedByKeysAlone, !policy.isAppAlone(name.issuer), policy.isOffline, !policy.requiresTrust {
            // What is missing is a key set, which can be given.
            notes.skip(.issuerTrust, .notReached, "the keys of other issuers were given")
            throw fail(
                .key, .keysUnavailable,
                "keys of other issuers were given, and none of \(quotedIssuer); without a network nothing is fetched")
        }
        notes.trust = .untrusted
        var message = "the issuer \(quotedIssuer) is not "
        if !policy.trustedIssuers.isEmpty {
            message += "on any given list of trusted issuers"
        } else if policy.isAppAlone(name.issuer) {
            message += "trusted"
        } else if !policy.trustsGivenKeys {
            message += "trusted: no list of trusted issuers and no keys of this issuer were given"
        } else {
            message += "trusted: keys of other issuers were given, and none of this one"
        }
        if let near = policy.nearMiss(of: name.issuer) { message += "; \(near)" }
        throw fail(.issuerTrust, .issuerNotTrusted, message)
    }

    /// The check `issuer-trust` by certificates, for an issuer that is on no list (SHC-K8). The keys must be found first,
    /// because the certificate is part of the key.
    ///
    /// - Returns: the keys whose certificates vouch for the issuer. It is empty only if there is no usable key, which the check
    ///   `key` reports.
    private mutating func checkTrustByCertificate(
        _ anchors: CertificateAnchors
    ) throws(Interruption) -> Admission {
        let comesWithKey = "the certificate that vouches for the issuer comes with its key"
        let keySet = try keySet(orSkippingTrust: comesWithKey)
        guard case .found = keySet.resolve(name.keyID) else {
            notes.skip(.issuerTrust, .notReached, comesWithKey)
            return .only([], areAll: true)
        }
        let published = keySet.keys(named: name.keyID)
        let certified = published.lazy.filter { $0.value.optional("x5c") != nil }.prefix(Bounds.certifiedEntries)
        narrowSpan(to: anchors.dates + certified.flatMap(\.certificateDates))
        let vouching = anchors.vouching(
            for: published, of: name.issuer, at: policy.now,
            refusing: [policy.compromisedKeys, policy.compromisedElsewhere])
        guard let path = vouching.path, !vouching.keys.isEmpty else {
            guard vouching.isComplete else {
                throw fail(
                    .issuerTrust, .keysUnavailable,
                    "none of the certificates of the key \(quotedKeyID) that were checked vouches for the issuer, but "
                        + uncheckedCertificates)
            }
            notes.trust = .untrusted
            guard let objection = vouching.objection else {
                throw fail(
                    .issuerTrust, .issuerNotTrusted,
                    "the issuer \(quotedIssuer) is not on any given list of trusted issuers, and its key has no certificate "
                        + "that could vouch for it")
            }
            throw fail(
                .issuerTrust, .certificateInvalid,
                "the certificate of the issuer's key does not vouch for the issuer: \(objection.message)")
        }
        notes.trust = .certificate
        notes.pass(
            .issuerTrust,
            "the certificate of \(path.leafSubject) vouches for the issuer, under the anchor \(path.anchorSubject)")
        return .only(vouching.keys, areAll: vouching.isComplete)
    }

    private var uncheckedCertificates: String {
        "the issuer publishes more than \(Bounds.certifiedEntries) certificates with this key ID, and the rest was not checked "
            + "(the limit is \(Bounds.certifiedEntries))"
    }

    // MARK: Key

    /// Why keys with the card's key ID were left out; nil if none were.
    private func omission(areAll: Bool, by admission: Admission) -> String? {
        guard areAll else {
            return
                "the issuer publishes more than \(JWKSet.maximumCandidates) keys with the key ID \(quotedKeyID), and the rest "
                + "was not tried (the limit is \(JWKSet.maximumCandidates))"
        }
        if case .only(_, areAll: false) = admission { return uncheckedCertificates }
        return nil
    }

    /// The check `key`. It finds several keys only if the issuer published several with the same key ID.
    ///
    /// - Parameter admission: which keys may verify the card.
    private mutating func checkKey(of admission: Admission) throws(Interruption) -> KeyStatus {
        let keySet = try keySet()
        switch keySet.resolve(name.keyID, among: admission.keys) {
        case .found(let keys, let areAll):
            let published = keySet.keys(named: name.keyID)
            try checkCertificates(of: published)
            for member in Self.optionalKeyMembers where published.contains(where: { $0.value[member]?.isNull == true })
            {
                notes.warnings.add(
                    .nullMember, "the key's \"\(member)\" is null, which was read as if it were not there")
            }
            warnOfForm(of: published, in: keySet)
            guard !keys.isEmpty else {
                throw fail(
                    .key, .keyInvalid,
                    "the key \(quotedKeyID) whose certificate vouches for the issuer cannot be used")
            }
            notes.pass(
                .key,
                "\(quotedKeyID), \(Self.words(for: notes.origin))"
                    + (notes.retrieved.map { ", retrieved \($0)" } ?? ""))
            return keyStatus(
                .found(.init(keys: keys, omission: omission(areAll: areAll, by: admission))), published: published)
        case .unusable(let error):
            throw fail(
                .key, .keyInvalid, "the issuer's key \(quotedKeyID) cannot be used: \(error.message)")
        case .absent:
            return keyStatus(.absent(keySet))
        }
    }

    /// Warns of what is read although the specifications forbid it.
    private mutating func warnOfForm(of published: [JWK], in keySet: JWKSet) {
        if keySet.hasByteOrderMark {
            notes.warnings.add(.keyEncoding, "the key set begins with a byte-order mark, which was skipped")
        }
        if published.contains(where: \.hasPaddedCoordinate) {
            notes.warnings.add(.keyEncoding, "the key's coordinates are written with padding (=), which was ignored")
        }
    }

    /// The optional members of a JWK.
    private static let optionalKeyMembers = ["use", "alg", "key_ops", "x5c", "crlVersion"]

    /// Checks certificates that trust does not depend on (SHC-K7). Their problems are warnings, except if a certificate is for
    /// another key: then the issuer's key set contradicts itself.
    private mutating func checkCertificates(of published: [JWK]) throws(Interruption) {
        let certified = published.lazy.filter { $0.value.optional("x5c") != nil }.prefix(Bounds.certifiedEntries)
        var problems: [String] = []
        narrowSpan(to: certified.flatMap(\.certificateDates))
        for jwk in certified {
            let seconds = policy.now.sinceEpoch.components.seconds
            for problem in jwk.certificateProblems(for: name.issuer.url, at: seconds) {
                if problem.reason == .otherKey {
                    throw fail(
                        .key, .certificateInvalid,
                        "the certificate (x5c) of the key \(quotedKeyID) is for another key: \(problem.message)")
                }
                if !problems.contains(problem.message) { problems.append(problem.message) }
            }
        }
        guard notes.trust != .certificate else { return }
        notes.warnings += problems.map {
            CredentialWarning(
                .certificateUnusable, "the key's certificate (x5c) was ignored: \($0)")
        }
    }

    /// Narrows the time range of the result to these moments, in seconds since 1970, at which a certificate's validity changes.
    private mutating func narrowSpan(to dates: [Int64]) {
        span.narrow(to: dates.map { NumericDate(sinceEpoch: .seconds($0)) }, around: policy.now)
    }

    private static func words(for origin: KeyOrigin?) -> String {
        switch origin {
        case .jwksFile: "from a given key set"
        case .directory: "from a directory"
        case .cache: "from the cache"
        case .network, nil: "from the issuer's server"
        }
    }

    // MARK: Where keys come from

    /// The keys of the issuer, in which its key is looked up. If there are none, the check of the key has failed.
    ///
    /// - Parameter reason: why trust in the issuer is not reached without keys; nil if it has been checked.
    private mutating func keySet(orSkippingTrust reason: String? = nil) throws(Interruption) -> JWKSet {
        if let issuerKeys { return issuerKeys }
        do throws(Interruption) {
            let keySet = try soughtKeySet()
            issuerKeys = keySet
            return keySet
        } catch {
            guard case .failed(let failure) = error else { throw error }
            if let reason { notes.skip(.issuerTrust, .notReached, reason) }
            throw fail(.key, failure)
        }
    }

    private mutating func soughtKeySet() throws(Interruption) -> JWKSet {
        let issuer = name.issuer
        let atHand = setting.statuses?.atHand.keys(of: issuer, by: policy) ?? LocalKeys(of: issuer, by: policy)
        span.formIntersection(atHand.span)
        if let given = atHand.given {
            notes.origin = .jwksFile
            return given
        }
        let listed = atHand.listed
        if listed.keys(named: name.keyID).isEmpty {
            guard policy.isOffline else { return try publishedKeySet() }
            // If an outdated snapshot has the key, the failure is not that the key does not exist.
            let outdated = atHand.outdated.first { snapshot in
                listed.keys.isEmpty || !snapshot.keySet.keys(named: name.keyID).isEmpty
            }
            if let outdated {
                throw .failed(
                    VerificationFailure(
                        .keysUnavailable,
                        "the directory's keys of this issuer are too old to rely on: "
                            + (outdated.retrieved.map { "they were retrieved at \($0)" }
                                ?? "the directory does not say when they were retrieved")))
            }
            guard !listed.keys.isEmpty else { return try publishedKeySet() }
        }
        notes.origin = .directory
        notes.retrieved = atHand.retrieved
        return listed
    }

    /// The keys that the issuer publishes.
    private mutating func publishedKeySet() throws(Interruption) -> JWKSet {
        basis = EvidenceBasis(setting.evidence, for: name.issuer)
        let published = Result { () throws(EvidenceNeeded) in
            try setting.evidence.publishedKeys(of: name.issuer, with: name.keyID)
        }
        switch try published.mapError(Interruption.needs).get() {
        case .failure(let failure): throw .failed(failure)
        case .success(let keys):
            notes.origin = keys.origin
            notes.retrieved = keys.retrieved
            if let staleness = keys.staleness {
                notes.warnings.add(
                    .staleKeys,
                    "the issuer could not be reached, and its keys in the cache are \(staleness.inWords) past their "
                        + "freshness: if the issuer has removed a key since, this is not known")
            }
            return policy.counterEvidence.applied(to: keys.set, of: name.issuer)
        }
    }
}

extension Duration {
    /// The duration rounded down to a unit that is easy to read: `90 seconds`, `3 hours`.
    var inWords: String {
        let seconds = components.seconds
        return switch seconds {
        case 1: "1 second"
        case ..<120: "\(seconds) seconds"
        case ..<7200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3600) hours"
        default: "\(seconds / 86_400) days"
        }
    }
}
