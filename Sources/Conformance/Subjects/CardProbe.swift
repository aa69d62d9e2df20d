import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// Finds out what is known of a card and its issuer: keys, signature, revocation lists and trust.
///
/// Like the verifier, it does no input or output: it throws a request for what it lacks.
struct CardProbe {
    let jws: JWSSubject
    let settings: LintSettings
    let evidence: EvidenceAnswers
    /// Whether other keys of the issuer are tried if the card does not verify under the key that it names.
    let mayTryOtherKeys: Bool
    /// The keys that are known without asking anybody.
    let known: CardKeys
    /// A claim about a signature, which may have been answered together with those of other cards; nil if there is none. It counts only
    /// if it is about the signature of this card.
    let claim: SignatureClaim?

    private var policy: LintPolicy { settings.policy }
    private var issuer: Issuer? { jws.issuer }
    private var keyID: KeyID? { jws.reading.keyID }

    /// The card with all that is known of it.
    ///
    /// - Throws: the evidence to get before calling this again. Nothing is requested from an issuer that is on none of
    ///   the given lists, or whose URL is not valid.
    func subject() throws(EvidenceNeeded) -> CardSubject {
        let key = try key()
        let (lists, answers, failure) = try revocationLists(of: key)
        return CardSubject(
            jws: jws, settings: settings, key: key, signature: check(by: key), lists: lists, answers: answers,
            listFailure: failure)
    }

    /// The claim that the first key with the ID that the card names made its signature; nil if there is no signature or no such key, or
    /// if evidence is missing.
    func openClaim() -> SignatureClaim? {
        guard let signature = jws.reading.es256Signature, let input = jws.reading.signingInput,
            case .found(let keys, _)? = (try? key())?.resolution, let key = keys.first
        else { return nil }
        return SignatureClaim(signature: signature, key: key, message: input)
    }

    // MARK: Keys

    /// What is known of the key that the card names.
    private func key() throws(EvidenceNeeded) -> CardKey {
        let name = issuer.flatMap { issuer in keyID.map { CardKeys.Name(issuer: issuer, keyID: $0) } }
        if let name, let key = known[name] { return key }
        let listed = isListed
        let (keys, isAtHand) = try keySet(isListed: listed)
        let set = try? keys?.get()
        let published = keyID.flatMap { set?.keys(named: $0) } ?? []
        let vouching = listed == true ? nil : vouching(for: published)
        let vouched = vouching.flatMap { $0.keys.isEmpty ? nil : $0.keys }
        let resolution = keyID.flatMap { set?.resolve($0) }
        let evidence = settings.counterEvidence
        let key = CardKey(
            keys: keys, published: published, resolution: resolution,
            admitted: vouched == nil ? resolution : keyID.flatMap { set?.resolve($0, among: vouched) },
            lists: name.map { evidence.revocationLists(of: $0.keyID, issuer: $0.issuer) },
            versions: name.map { evidence.listVersions(of: $0.keyID, issuer: $0.issuer, published: published) } ?? [],
            asked: mayAsk(isListed: listed), trust: trust(isListed: listed, vouching),
            hasGivenKeys: issuer.map { !policy.givenKeys.sets(for: $0).isEmpty } ?? false)
        if let name, isAtHand, !published.isEmpty { known.keep(key, named: name) }
        return key
    }

    /// The issuer's keys, and whether they are known without asking anybody.
    private func keySet(
        isListed: Bool?
    ) throws(EvidenceNeeded) -> (keys: Result<JWKSet, VerificationFailure>?, isAtHand: Bool) {
        guard let issuer else { return (nil, false) }
        let atHand = known.atHand.keys(of: issuer, by: settings.verification)
        if let given = atHand.given { return (.success(given), true) }
        let listed = atHand.listed
        if let keyID, !listed.keys(named: keyID).isEmpty { return (.success(listed), true) }
        // Other rules report an issuer that is not trusted or has no valid URL. Without a signature, no key is needed.
        guard jws.reading.signature != nil, let asked = mayAsk(isListed: isListed) else { return (nil, false) }
        let published = try evidence.publishedKeys(of: asked, with: keyID)
        if case .failure = published, !listed.keys.isEmpty { return (.success(listed), false) }
        return (published.map { settings.counterEvidence.applied(to: $0.set, of: issuer) }, false)
    }

    // MARK: Trust

    /// Whether the issuer is on a list of trusted issuers; nil if there is no list.
    private var isListed: Bool? {
        guard let issuer, policy.trustedIssuers.hasLists else { return nil }
        return policy.trustedIssuers.trust(in: issuer) != nil
    }

    private func trust(isListed: Bool?, _ vouching: CertificateVouching?) -> CardSubject.Trust {
        guard issuer != nil, isListed != true else { return isListed == true ? .trusted : .unknown }
        guard let vouching else { return isListed == false ? .untrusted(nil) : .unknown }
        return vouching.path == nil || vouching.keys.isEmpty ? .untrusted(vouching.objection) : .trusted
    }

    /// Whether certificates of the issuer's keys vouch for it; nil if there are no anchors or no keys.
    private func vouching(for published: [JWK]) -> CertificateVouching? {
        guard let issuer, let anchors = policy.trustedIssuers.anchors, !published.isEmpty else { return nil }
        return anchors.vouching(
            for: published, of: issuer, at: policy.now,
            refusing: [settings.verification.compromisedKeys, settings.verification.compromisedElsewhere])
    }

    /// The issuer; nil if no request may be made to it.
    private func mayAsk(isListed: Bool?) -> Issuer? {
        guard isListed != false, let issuer else { return nil }
        // As in verification, a slash at the end matters unless exactly this URL is listed.
        return isListed == true ? try? Issuer(inCard: UTF8Text(issuer.url)) : try? Issuer(UTF8Text(issuer.url))
    }

    // MARK: Signature

    /// Checks the signature.
    private func check(by key: CardKey) -> CardSubject.SignatureCheck {
        guard case .success(let set)? = key.keys, let keyID, let input = jws.reading.signingInput,
            let bytes = jws.reading.signature
        else { return .notPossible }
        guard let signature = jws.reading.es256Signature else {
            // 64 bytes out of range have the form of a signature, but verify under no key.
            return bytes.count == 64 && !key.published.isEmpty ? .invalid : .notPossible
        }
        var isTried = false
        if case .found(let keys, let areAll)? = key.admitted {
            if keys.contains(where: { isValid(signature, for: input, by: $0) }) { return .valid }
            guard areAll else { return .tooManyKeys }
            isTried = true
        }
        if mayTryOtherKeys {
            let others = set.keys.lazy.filter { $0.keyID != keyID && KeySubject.isForCards($0.value) }
            for other in others.prefix(Bounds.triedKeys) where set.compromiseObjection(to: other) == nil {
                guard let key = try? other.publicKey(), key.isValid(signature, for: input) else { continue }
                return .otherKey(other.keyID)
            }
        }
        return isTried ? .invalid : .notPossible
    }

    /// Whether the key made the signature: by the answer to the claim if it is about this, and else by EVP.
    private func isValid(_ signature: ES256Signature, for input: ArraySlice<UInt8>, by key: P256PublicKey) -> Bool {
        switch claim?.answer(about: signature, over: input, by: key) ?? .open {
        case .confirmed: true
        case .refused: false
        case .open: key.isValid(signature, for: input)
        }
    }

    // MARK: Revocation

    /// The given lists and those of directories, and the issuer's own if verification would ask for it.
    ///
    /// - Returns: all lists, those that can show that the card is not revoked, and why the issuer's own cannot be
    ///   fetched.
    private func revocationLists(
        of key: CardKey
    ) throws(EvidenceNeeded) -> ([RevocationList], [RevocationList], VerificationFailure?) {
        guard let keyID, let lists = key.lists else { return ([], [], nil) }
        let answers = lists.answers
        guard let asked = key.asked, jws.payload?.claims?.revocationID != nil,
            !lists.isComplete(for: key.versions, isOffline: false)
        else { return (lists.all, answers, nil) }
        let wanted = key.versions.compactMap { RevocationCounter($0) }.max()
        let name = RevocationListName(issuer: asked, keyID: keyID)
        switch evidence[.revocationList(name)] {
        case nil: throw EvidenceNeeded(.revocationList(name, atLeast: wanted))
        // The directory's list is older, but its counter shows that.
        case .failure(let failure): return (lists.all, answers, answers.isEmpty ? failure : nil)
        case .success(let list) where list.keyID == keyID: return (lists.all + [list], answers + [list], nil)
        case .success:
            let failure = VerificationFailure(
                .revocationUnavailable, "the revocation list that is published for the key belongs to another key")
            return (lists.all, answers, answers.isEmpty ? failure : nil)
        }
    }
}
