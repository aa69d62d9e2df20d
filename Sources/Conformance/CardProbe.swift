import JOSE
import JSON
import SMARTHealthCards

/// Finds out what is known of a card's issuer: its keys, whether the signature verifies, its revocation lists, trust.
///
/// Like the verifier it does no input or output: it says what it lacks.
struct CardProbe {
    /// What has to be known first.
    struct Needs: Error {
        let request: EvidenceRequest
    }

    let jws: JWSSubject
    let policy: LintPolicy
    let evidence: Evidence
    /// Whether other keys of the issuer are tried where the card does not verify under the one it names.
    let mayTryOtherKeys: Bool

    private var claims: CardClaims? { jws.payload?.claims }
    private var issuer: Issuer? { claims?.issuer.map { Issuer(unchecked: $0) } }

    /// The card with all that is known.
    ///
    /// - Throws: what to get before asking again. Nothing is asked of an issuer that is on none of the lists that were
    ///   given, or that no request can be made to.
    func subject() throws(Needs) -> CardSubject {
        let listed = isListed
        let keyID = jws.header?.value?["kid"].flatMap { KeyID($0) }
        let keys = try keySet(keyID: keyID, isListed: listed)?.map { set in
            policy.counterEvidence.applied(to: set, of: issuer)
        }
        let set = try? keys?.get()
        let published = keyID.flatMap { set?.keys(named: $0) } ?? []
        let (lists, answers, failure) = try revocationLists(keyID: keyID, published: published, isListed: listed)
        return CardSubject(
            document: jws.document, jws: jws, policy: policy, issuer: issuer, keyID: keyID, keys: keys,
            published: published, signature: check(keyID: keyID, in: set), lists: lists, answers: answers,
            listFailure: failure, trust: trust(isListed: listed, published: published))
    }

    // MARK: Trust

    /// Whether the issuer is on a list of trusted ones; nil if there is no list.
    private var isListed: Bool? {
        guard let issuer, policy.trustedIssuers.hasLists else { return nil }
        return policy.trustedIssuers.trust(in: issuer) != nil
    }

    private func trust(isListed: Bool?, published: [JWK]) -> CardSubject.Trust {
        guard let issuer, isListed != true else { return isListed == true ? .trusted : .unknown }
        guard let anchors = policy.trustedIssuers.anchors, !published.isEmpty else {
            return isListed == false ? .untrusted(nil) : .unknown
        }
        // As the verifier has it, a certificate vouches for an issuer that is on no list.
        var objection: CertificateError?
        for key in published.prefix(Bounds.certifiedEntries) {
            do throws(CertificateError) {
                _ = try anchors.validate(key, for: issuer.url, at: policy.now.sinceEpoch.components.seconds)
                return .trusted
            } catch {
                if objection == nil || objection?.reason == .noCertificate { objection = error }
            }
        }
        return .untrusted(objection)
    }

    /// The issuer, where a request may be made to it.
    private func mayAsk(isListed: Bool?) -> Issuer? {
        guard isListed != false, let url = claims?.issuer else { return nil }
        return try? Issuer(url)
    }

    // MARK: Keys

    private func keySet(keyID: KeyID?, isListed: Bool?) throws(Needs) -> Result<JWKSet, VerificationFailure>? {
        guard let issuer else { return nil }
        let given = policy.givenKeys.sets(for: issuer)
        if !given.isEmpty { return .success(given.count == 1 ? given[0] : JWKSet(merging: given)) }
        let listed = JWKSet(merging: policy.trustedIssuers.snapshots(of: issuer).map(\.keySet))
        if let keyID, !listed.keys(named: keyID).isEmpty { return .success(listed) }
        // That the issuer is not trusted, or has a URL that is none, is for other rules to say. And where there is no
        // signature there is nothing to verify.
        guard jws.signature != nil, let asked = mayAsk(isListed: isListed) else { return nil }
        switch evidence.keys[asked] {
        case nil: throw Needs(request: .keys(asked))
        case .failure(let failure): return listed.keys.isEmpty ? .failure(failure) : .success(listed)
        case .success(let keys):
            if let keyID, !keys.isCurrent, keys.set.keys(named: keyID).isEmpty,
                evidence.refusedRefreshes[asked] == nil
            {
                throw Needs(request: .currentKeys(asked))
            }
            return .success(keys.set)
        }
    }

    private func check(keyID: KeyID?, in set: JWKSet?) -> CardSubject.SignatureCheck {
        guard let set, let keyID, let input = jws.signingInput, let bytes = jws.signature else { return .notPossible }
        guard let signature = (try? ES256Signature(bytes)) ?? (try? ES256Signature(der: bytes)) else {
            // Of the right length and out of range, it is a signature, under no key.
            return bytes.count == 64 && !set.keys(named: keyID).isEmpty ? .invalid : .notPossible
        }
        var isTried = false
        if case .found(let keys) = set.resolve(keyID) {
            if keys.contains(where: { $0.isValid(signature, for: input) }) { return .valid }
            isTried = true
        }
        if mayTryOtherKeys {
            let others = set.keys.lazy.filter { $0.keyID != keyID && KeySubject.isForCards($0.value) }
            for other in others.prefix(Bounds.triedKeys) where set.burntObjection(to: other) == nil {
                guard let key = try? other.publicKey(), key.isValid(signature, for: input) else { continue }
                return .otherKey(other.keyID ?? key.thumbprint)
            }
        }
        return isTried ? .invalid : .notPossible
    }

    // MARK: Revocation

    /// The lists that were given or that a directory has, and the issuer's own if it is needed: the key says that there is
    /// one, at least as new, and the card has an identifier to look up. The second are those that can show that the card is
    /// not revoked.
    private func revocationLists(
        keyID: KeyID?, published: [JWK], isListed: Bool?
    ) throws(Needs) -> ([RevocationList], [RevocationList], VerificationFailure?) {
        guard let keyID, let issuer else { return ([], [], nil) }
        let lists = policy.counterEvidence.revocationLists(of: keyID, issuer: issuer)
        let answers = lists.answers
        guard claims?.revocationID != nil, lists.given.isEmpty,
            published.contains(where: { $0.value["crlVersion"] != nil }), let asked = mayAsk(isListed: isListed)
        else { return (lists.all, answers, nil) }
        let wanted = published.compactMap { $0.value["crlVersion"].flatMap { RevocationCounter($0) } }.max()
        if let newest = answers.compactMap(\.counter).max(), wanted.map({ newest >= $0 }) ?? true {
            return (lists.all, answers, nil)
        }
        let name = RevocationListName(issuer: asked, keyID: keyID)
        switch evidence.lists[name] {
        case nil: throw Needs(request: .revocationList(name, atLeast: wanted))
        // What a directory has is older, and says so itself.
        case .failure(let failure): return (lists.all, answers, answers.isEmpty ? failure : nil)
        case .success(let list) where list.keyID == keyID: return (lists.all + [list], answers + [list], nil)
        case .success:
            let failure = VerificationFailure(
                .revocationUnavailable, "the revocation list that is published for the key is of another key")
            return (lists.all, answers, answers.isEmpty ? failure : nil)
        }
    }
}
