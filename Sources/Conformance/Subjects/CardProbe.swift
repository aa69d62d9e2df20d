import Credentials
import Cryptography
import JOSE
import SMARTHealthCards
import StrictJSON

/// Finds out what is known of a card and its issuer: keys, signature, revocation lists and trust.
///
/// Like the verifier, it does no input or output: it throws a request for what it lacks.
struct CardProbe {
    let jws: JWSSubject
    let policy: LintPolicy
    let evidence: Evidence
    /// Whether other keys of the issuer are tried if the card does not verify under the key that it names.
    let mayTryOtherKeys: Bool
    /// The keys of issuers under the policy that are known without asking anybody.
    let keysAtHand: KeysAtHand
    /// A claim about a signature, which may have been answered together with those of other cards; nil if there is none. It counts only
    /// if it is about the signature of this card.
    let claim: SignatureClaim?

    /// What is known without asking anybody.
    private let verification: CardPolicy

    init(
        jws: JWSSubject, policy: LintPolicy, evidence: Evidence, keysAtHand: KeysAtHand, mayTryOtherKeys: Bool,
        claim: SignatureClaim? = nil
    ) {
        self.jws = jws
        self.policy = policy
        self.evidence = evidence
        self.keysAtHand = keysAtHand
        self.mayTryOtherKeys = mayTryOtherKeys
        self.claim = claim
        verification = policy.verification
    }

    private var claims: CardClaims? { jws.payload?.claims }
    private var issuer: Issuer? { claims?.issuer.map { Issuer(unchecked: $0) } }
    private var keyID: KeyID? { jws.header?.value?["kid"].flatMap { KeyID($0) } }
    /// The signature in either of its forms; nil if it has neither.
    private var signature: ES256Signature? {
        jws.signature.flatMap { (try? ES256Signature($0)) ?? (try? ES256Signature(der: $0)) }
    }

    /// The card with all that is known of it.
    ///
    /// - Throws: the evidence to get before calling this again. Nothing is requested from an issuer that is on none of
    ///   the given lists, or whose URL is not valid.
    func subject() throws(EvidenceNeeded) -> CardSubject {
        let listed = isListed
        let keyID = keyID
        let keys = try keySet(keyID: keyID, isListed: listed)
        let set = try? keys?.get()
        let published = keyID.flatMap { set?.keys(named: $0) } ?? []
        let vouching = listed == true ? nil : vouching(for: published)
        let (lists, answers, failure) = try revocationLists(keyID: keyID, published: published, isListed: listed)
        return CardSubject(
            document: jws.document, jws: jws, policy: policy, issuer: issuer, keyID: keyID, keys: keys,
            published: published, signature: check(keyID: keyID, in: set, vouchedFor: vouching?.keys), lists: lists,
            answers: answers, listFailure: failure, trust: trust(isListed: listed, vouching))
    }

    /// The claim that the first key with the ID that the card names made its signature; nil if there is no signature or no such key, or
    /// if evidence is missing.
    func openClaim() -> SignatureClaim? {
        guard let keyID, let signature, let input = jws.signingInput,
            let set = try? keySet(keyID: keyID, isListed: isListed)?.get(),
            case .found(let keys, _) = set.resolve(keyID), let key = keys.first
        else { return nil }
        return SignatureClaim(signature: signature, key: key, message: input)
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
            refusing: [verification.compromisedKeys, verification.compromisedElsewhere])
    }

    /// The issuer; nil if no request may be made to it.
    private func mayAsk(isListed: Bool?) -> Issuer? {
        guard isListed != false, let url = claims?.issuer else { return nil }
        return try? Issuer(url)
    }

    // MARK: Keys

    private func keySet(keyID: KeyID?, isListed: Bool?) throws(EvidenceNeeded) -> Result<JWKSet, VerificationFailure>? {
        guard let issuer else { return nil }
        let atHand = keysAtHand.keys(of: issuer, by: verification)
        if let given = atHand.given { return .success(given) }
        let listed = atHand.listed
        if let keyID, !listed.keys(named: keyID).isEmpty { return .success(listed) }
        // Other rules report an issuer that is not trusted or has no valid URL. Without a signature, no key is needed.
        guard jws.signature != nil, let asked = mayAsk(isListed: isListed) else { return nil }
        let published = try evidence.publishedKeys(of: asked, with: keyID)
        if case .failure = published, !listed.keys.isEmpty { return .success(listed) }
        return published.map { verification.counterEvidence.applied(to: $0.set, of: issuer) }
    }

    /// Checks the signature.
    ///
    /// - Parameter vouched: the keys whose certificates vouch for the issuer. If there are any, only they count; nil if
    ///   certificates do not matter.
    private func check(
        keyID: KeyID?, in set: JWKSet?, vouchedFor vouched: Set<P256PublicKey>?
    ) -> CardSubject.SignatureCheck {
        guard let set, let keyID, let input = jws.signingInput, let bytes = jws.signature else { return .notPossible }
        guard let signature else {
            // 64 bytes out of range have the form of a signature, but verify under no key.
            return bytes.count == 64 && !set.keys(named: keyID).isEmpty ? .invalid : .notPossible
        }
        var isTried = false
        let admitted = vouched.flatMap { $0.isEmpty ? nil : $0 }
        if case .found(let keys, let areAll) = set.resolve(keyID, among: admitted) {
            if keys.contains(where: { isValid(signature, for: input, by: $0) }) { return .valid }
            guard areAll else { return .tooManyKeys }
            isTried = true
        }
        if mayTryOtherKeys {
            let others = set.keys.lazy.filter { $0.keyID != keyID && KeySubject.isForCards($0.value) }
            for other in others.prefix(Bounds.triedKeys) where set.compromiseObjection(to: other) == nil {
                guard let key = try? other.publicKey(), key.isValid(signature, for: input) else { continue }
                return .otherKey(other.keyID ?? key.thumbprint)
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
        keyID: KeyID?, published: [JWK], isListed: Bool?
    ) throws(EvidenceNeeded) -> ([RevocationList], [RevocationList], VerificationFailure?) {
        guard let keyID, let issuer else { return ([], [], nil) }
        let lists = verification.counterEvidence.revocationLists(of: keyID, issuer: issuer)
        let answers = lists.answers
        let versions = verification.counterEvidence.listVersions(of: keyID, issuer: issuer, published: published)
        guard claims?.revocationID != nil, !lists.isComplete(for: versions, isOffline: false),
            let asked = mayAsk(isListed: isListed)
        else { return (lists.all, answers, nil) }
        let wanted = versions.compactMap { RevocationCounter($0) }.max()
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
