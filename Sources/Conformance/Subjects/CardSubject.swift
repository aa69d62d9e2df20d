import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// A card, and what is known of its issuer.
final class CardSubject: Sendable {
    /// Whether the signature verifies.
    enum SignatureCheck: Sendable {
        /// There is no key, or nothing that could be a signature.
        case notPossible
        case valid
        case invalid
        /// The signature does not verify with any of the keys that were tried, and there are more with the key id.
        case tooManyKeys
        /// The signature verifies under another key of the issuer than the one that the card names: one with this ID, or without any.
        case otherKey(KeyID?)
    }

    let jws: JWSSubject
    private let settings: LintSettings
    /// What is known of the key that the card names.
    let key: CardKey
    let signature: SignatureCheck
    /// The revocation lists of the card's key: given lists and the issuer's own. Each of them can revoke the card.
    let lists: [RevocationList]
    /// The lists that can show that the card is not revoked. Those of directories that do not list the issuer cannot.
    let answers: [RevocationList]
    /// Why the issuer's own list cannot be fetched, if it is needed.
    let listFailure: VerificationFailure?

    /// Whether the issuer is trusted.
    enum Trust: Sendable {
        /// There is no list, or the certificate cannot be fetched.
        case unknown
        case trusted
        /// The issuer is on no list, and its key has no certificate that leads to an anchor; the error is the
        /// certificate's.
        case untrusted(CertificateError?)
    }

    init(
        jws: JWSSubject, settings: LintSettings, key: CardKey, signature: SignatureCheck, lists: [RevocationList],
        answers: [RevocationList], listFailure: VerificationFailure?
    ) {
        self.jws = jws
        self.settings = settings
        self.key = key
        self.signature = signature
        self.lists = lists
        self.answers = answers
        self.listFailure = listFailure
    }

    var document: Document { jws.document }
    var policy: LintPolicy { settings.policy }
    /// The issuer that the payload names, even if the URL is not valid; nil if it names none.
    var issuer: Issuer? { jws.issuer }
    /// The key id that the header names.
    var keyID: KeyID? { jws.reading.keyID }
    /// The issuer's keys, or why they cannot be fetched; nil if the issuer is unknown or must not be contacted.
    var keys: Result<JWKSet, VerificationFailure>? { key.keys }
    /// The entries of the key set that have the card's key id.
    var published: [JWK] { key.published }
    /// Whether the issuer is trusted.
    var trust: Trust { key.trust }

    /// The payload's claims.
    var claims: CardClaims? { jws.payload?.claims }

    /// Whether the signature verifies under the key that the card names.
    var isSigned: Bool { if case .valid = signature { true } else { false } }

    /// `crlVersion` of the entries of the key.
    var listVersions: [RevocationCounter] {
        published.compactMap { $0.value["crlVersion"].flatMap { RevocationCounter($0) } }
    }

    /// Whether the key has a revocation list, according to its entries.
    var hasListVersion: Bool { published.contains { $0.value["crlVersion"] != nil } }
}

/// What is known of the key that a card names, apart from the card.
final class CardKey: Sendable {
    /// The issuer's keys, or why they cannot be fetched; nil if the issuer is unknown or must not be contacted.
    let keys: Result<JWKSet, VerificationFailure>?
    /// The entries of the key set that have the key's id.
    let published: [JWK]
    /// The keys with the id that may verify cards; nil if there is no key set, or no key id.
    let resolution: KeyResolution?
    /// Those of them that may verify for this issuer: if certificates vouch for some, only these.
    let admitted: KeyResolution?
    /// The given revocation lists of the key; nil if the card names no issuer or no key.
    let lists: GivenRevocationLists?
    /// All values of `crlVersion` for the key.
    let versions: [JSONValue]
    /// The issuer; nil if no request may be made to it.
    let asked: Issuer?
    /// Whether the issuer is trusted.
    let trust: CardSubject.Trust
    /// Whether keys were given for the issuer, so that other findings tell what is wrong with them.
    let hasGivenKeys: Bool

    init(
        keys: Result<JWKSet, VerificationFailure>?, published: [JWK], resolution: KeyResolution?,
        admitted: KeyResolution?, lists: GivenRevocationLists?, versions: [JSONValue], asked: Issuer?,
        trust: CardSubject.Trust, hasGivenKeys: Bool
    ) {
        self.keys = keys
        self.published = published
        self.resolution = resolution
        self.admitted = admitted
        self.lists = lists
        self.versions = versions
        self.asked = asked
        self.trust = trust
        self.hasGivenKeys = hasGivenKeys
    }
}

/// The keys that cards named, under one policy, as far as that alone decides what is known of them: keys that were given or that
/// directories list. What a server answered is never kept.
///
/// Cards choose what they name, but only keys that are in something given are kept. Their number is limited nevertheless.
final class CardKeys {
    /// The name of a key.
    struct Name: Hashable {
        let issuer: Issuer
        let keyID: KeyID
    }

    /// What a rule found in the entry of a key, or in one of its revocation lists.
    struct Found {
        let rule: Rule
        let problems: [Problem]
        let layer: Document.Layer
        /// The JSON that has them.
        let root: JSONValue
        /// Whether the JSON was given, and checked as a whole.
        let isGiven: Bool
    }

    private struct Known {
        let key: CardKey
        var found: [Found]?
    }

    static let maximumCount = 1024
    /// The number of problems of one key that are kept.
    private static let maximumProblems = 100

    /// The keys of issuers.
    let atHand = KeysAtHand()
    private var known: [Name: Known] = [:]

    subscript(name: Name) -> CardKey? { known[name]?.key }

    /// Keeps what is known of a key.
    func keep(_ key: CardKey, named name: Name) {
        if known.count >= Self.maximumCount { known = [:] }
        known[name] = Known(key: key)
    }

    /// What the rules found in a key that is kept, and in its given lists; nil if they were not applied yet.
    func found(in key: CardKey, named name: Name) -> [Found]? {
        known[name].flatMap { $0.key === key ? $0.found : nil }
    }

    /// Keeps what the rules found in a key, if the key is kept and they did not find too much.
    func keep(_ found: [Found], in key: CardKey, named name: Name) {
        guard known[name]?.key === key, found.reduce(0, { $0 + $1.problems.count }) <= Self.maximumProblems else {
            return
        }
        known[name]?.found = found
    }
}

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
