import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of a card together with what its issuer publishes.
    static let cardRules: [Rule] = [
        cardTrust, cardKeySet, cardKey, cardKeyOwner, cardKeyName, cardSignature, cardList, cardListCounter,
        cardListAhead, cardRevoked, cardIdentifier,
    ]

    /// Applies only if lists of trusted issuers or anchors are given. One of them is enough, and issuers are compared
    /// exactly.
    static let cardTrust = Rule("issuer-not-trusted/issuer", RuleCheck.card) { card in
        guard case .untrusted(let objection) = card.trust, let issuer = card.issuer else { return [] }
        let trusted = card.policy.trustedIssuers
        var words = "the issuer \(issuer.url.quoted())"
        if trusted.hasLists { words += " is not on any list of trusted issuers" }
        if let near = trusted.nearMiss(of: issuer) { words += "; \(near)" }
        if trusted.anchors != nil, !card.published.isEmpty {
            words += trusted.hasLists ? ", and" : " is not trusted:"
            words += " \(objection?.message ?? "its key has no certificate that leads to an anchor")"
        }
        return .found(words)
    }

    /// Without keys, nobody can verify the card. Issuers that are not trusted are not contacted.
    static let cardKeySet = Rule("issuer-key-download-error/keys", RuleCheck.card) { card in
        guard case .failure(let failure) = card.keys else { return [] }
        guard failure.isUnasked else { return .found(failure.message) }
        // A user who gives keys expects the card to verify under one of them.
        guard !card.policy.verification.trustsGivenKeys else {
            return .found("the given keys belong to other issuers: \(failure.message)")
        }
        return .found("neither the key nor the signature was checked: \(failure.message)", severity: .unchecked)
    }

    static let cardKey = Rule("jws-verification-error/key-missing", RuleCheck.card) { card in
        guard case .success(let set) = card.keys else { return [] }
        guard let keyID = card.keyID else {
            return .found("the JWS header names no key, so nobody can verify the card")
        }
        switch card.key.resolution {
        case .found?: return []
        case .absent?, nil:
            let others = set.keys.count.counted("other key")
            return .found(
                "the issuer's key set does not contain the card's key \(keyID.description.quoted()); it has "
                    + others)
        case .unusable(let error)?:
            return .found(
                "the key \(keyID.description.quoted()) cannot verify the card: \(error.message)",
                remedy: error.reason == .privateKey ? keyPrivate.remedy : nil)
        }
    }

    /// With thumbprints as ids, no two issuers have a key of the same id. So the card names the wrong issuer, or the wrong key.
    static let cardKeyOwner = Rule("issuer-kid-mismatch/issuer", RuleCheck.card) { card in
        guard card.published.isEmpty, let issuer = card.issuer, let keyID = card.keyID else { return [] }
        let policy = card.policy
        guard
            let owner = policy.givenKeys.owners(of: keyID).first(where: { $0 != issuer })
                ?? policy.trustedIssuers.owner(of: keyID, besides: issuer)
        else { return [] }
        let name = policy.trustedIssuers.entry(for: owner)?.name.map { " (\($0.quoted()))" } ?? ""
        return .found(
            "the card names the key \(keyID.description.quoted()), which is not a known key of its issuer "
                + "\(issuer.url.quoted()), but of \(owner.url.quoted())\(name)")
    }

    /// The card is the issuer's, but verifiers use only the key that the header names.
    static let cardKeyName = Rule("issuer-kid-mismatch/kid", RuleCheck.card) { card in
        guard case .otherKey(let other) = card.signature, let named = card.keyID else { return [] }
        let key =
            other.map { "another key of the issuer, \($0.description.quoted())" }
            ?? "a key of the issuer that has no \"kid\" (key ID), by which cards name their key"
        return .found("the card names the key \(named.description.quoted()), but its signature verifies under \(key)")
    }

    /// The form of the signature is another rule's: this one accepts a signature in DER.
    static let cardSignature = Rule("jws-verification-error/signature", RuleCheck.card) { card in
        let isInvalid =
            switch card.signature {
            case .invalid: true
            case .otherKey: card.hasUsableKey
            case .valid, .notPossible, .tooManyKeys: false
            }
        guard let keyID = card.keyID else { return [] }
        if case .tooManyKeys = card.signature {
            return .found(
                "the signature does not verify with any of the first \(JWKSet.maximumCandidates) keys "
                    + "\(keyID.description.quoted()) of the issuer, and the rest was not tried",
                severity: .unchecked)
        }
        guard isInvalid else { return [] }
        return .found(
            "the signature does not verify under the issuer's key \(keyID.description.quoted()): the card was "
                + "changed after it was signed, or it was signed with another key")
    }

    // MARK: Revocation

    /// Verifiers have to look the card up, and must not accept it if they cannot.
    static let cardList = Rule("revocation-error/list-missing", RuleCheck.card) { card in
        guard let failure = card.listFailure else { return [] }
        guard !failure.isUnasked else {
            return .found("it was not checked whether the card is revoked: \(failure.message)", severity: .unchecked)
        }
        return .found(
            "the key of the card has `crlVersion`, but its revocation list cannot be fetched: " + failure.message)
    }

    /// A list may be ahead of the key, but not behind it: verifiers fetch the list because of the key's number.
    static let cardListCounter = Rule("revocation-error/list-behind", RuleCheck.card) { card in
        guard let newest = card.answers.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
            newest < wanted
        else { return [] }
        return .found(
            "the revocation list is outdated: its `ctr` is \(newest), but `crlVersion` of the key is \(wanted)")
    }

    /// A warning: an issuer that publishes the list first, and then the key set, is right to do so.
    static let cardListAhead = Rule("revocation-error/list-ahead", RuleCheck.card) { card in
        guard let newest = card.lists.compactMap(\.counter).max(), let wanted = card.listVersions.max(),
            wanted < newest
        else { return [] }
        return .found("`crlVersion` of the key is \(wanted), but `ctr` of its revocation list is already \(newest)")
    }

    /// A warning: the card itself violates nothing.
    static let cardRevoked = Rule("revocation-error/revoked", RuleCheck.card) { card in
        guard let identifier = card.claims?.revocationID, let issued = card.claims?.issued else { return [] }
        let isListed = card.lists.contains { list in
            list.defect == nil && list.lists(identifier, issued: issued)
        }
        guard isListed else { return [] }
        return .found("the card is revoked: a revocation list contains its `rid`, \(identifier.quoted(upTo: 40))")
    }

    static let cardIdentifier = Rule("revocation-error/no-rid", RuleCheck.card) { card in
        guard card.hasListVersion, let claims = card.claims, claims.payload["vc"]?["rid"] == nil else { return [] }
        return .found("the card has no `vc.rid`, so the revocation list of its key cannot name it")
    }
}

extension CardSubject {
    fileprivate var hasUsableKey: Bool {
        if case .found? = key.resolution { true } else { false }
    }
}
