public import Credentials
public import Cryptography
import Encodings

/// Key sets that the verifier was given. They are used instead of the keys that issuers publish.
///
/// If a policy has no list of trusted issuers, given keys are its statement of trust: only cards that verify with them can pass.
public struct GivenKeys: Sendable {
    /// The keys for cards of any issuer; nil if none were given.
    private(set) var forAnyIssuer: JWKSet?
    private var byIssuer: [Issuer: JWKSet] = [:]
    /// The public keys whose private key is in one of the sets. They are unusable for all issuers and kinds of credential.
    package private(set) var compromised = CompromisedKeys()
    /// Whether a file was given that is for no issuer in particular, even if none of its keys is one of cards.
    private(set) var isForAnyIssuer = false

    /// Creates given keys without a key set.
    public init() {}

    /// Adds a key set. Its entries for signers of EU certificates (`JWK.isOfCertificateSigner`) are no keys of cards.
    ///
    /// - Parameters:
    ///   - keySet: the keys.
    ///   - issuer: the issuer whose keys they are; nil to use them for every issuer. Where several issuers are trusted by name, keys
    ///     for every issuer are not used: any owner of such a key could sign as any of the issuers.
    public mutating func add(_ keySet: JWKSet, for issuer: Issuer? = nil) {
        compromised.formUnion(CompromisedKeys(given: keySet.keys).provenAlone)
        let cardKeys = keySet.keys.filter { !$0.isOfCertificateSigner }
        let set = cardKeys.count == keySet.keys.count ? keySet : keySet.limited(to: cardKeys)
        if let issuer {
            byIssuer[issuer, default: JWKSet([JWK]())].append(set)
            return
        }
        isForAnyIssuer = true
        // A file that has only signers says nothing about the keys of cards.
        guard !cardKeys.isEmpty || keySet.keys.isEmpty else { return }
        forAnyIssuer = forAnyIssuer ?? JWKSet([JWK]())
        forAnyIssuer?.append(set)
    }

    /// Notes that keys of signers of EU certificates were given, in a file that cannot have keys of cards.
    package mutating func addSigners() { isForAnyIssuer = true }

    /// Whether keys of cards were given that are for no issuer in particular.
    package var hasCardKeysForAnyIssuer: Bool { forAnyIssuer?.keys.isEmpty == false }

    /// Whether no key set was given.
    public var isEmpty: Bool { !isForAnyIssuer && byIssuer.isEmpty }

    /// The issuers for which keys were given, in no order.
    var issuers: some Collection<Issuer> { byIssuer.keys }

    /// The issuers for which keys with this ID were given, by their URL.
    package func owners(of keyID: KeyID) -> [Issuer] {
        byIssuer.filter { !$0.value.keys(named: keyID).isEmpty }.keys
            .sorted { $0.url.utf8.lexicographicallyPrecedes($1.url.utf8) }
    }

    /// Whether keys were given for an issuer whose URL ends with a slash.
    package var hasIssuersWithSlash: Bool { byIssuer.keys.contains { $0.endsWithSlash } }

    /// The issuer for which keys were given, if it differs from an issuer without given keys only in a slash at its end; nil if there is
    /// none.
    package func slashedIssuer(meantFor issuer: Issuer) -> Issuer? {
        byIssuer[issuer] == nil && byIssuer[issuer.withSlash] != nil ? issuer.withSlash : nil
    }

    /// The keys that were given for one issuer alone; nil if there are none.
    func keys(onlyFor issuer: Issuer) -> JWKSet? { byIssuer[issuer] }

    /// The key sets that may concern an issuer's cards; empty if the keys must come from a directory or from the issuer. If there is one
    /// for this issuer, its cards are verified with that one alone.
    public func sets(for issuer: Issuer) -> [JWKSet] {
        [byIssuer[issuer], forAnyIssuer].compactMap(\.self)
    }
}

extension CardPolicy {
    /// The keys whose private half is published in a given key set or directory. They are unusable for all kinds of credential.
    package var compromisedKeys: CompromisedKeys {
        var compromised = givenKeys.compromised
        compromised.formUnion(trustedIssuers.compromised)
        return compromised
    }

    /// Whether the policy says whom to trust. If it does, no card passes without the check `issuer-trust`.
    var trustRequirement: TrustRequirement {
        requiresTrust || !trustedIssuers.isEmpty || trustedIssuers.refusesUnlisted || trustsGivenKeys
            ? .required : .notAsked
    }

    /// Whether keys were given for an issuer because it is a patient's app, and for nothing else: no list names it as an issuer of cards,
    /// and there is no anchor, by which a certificate could.
    func isAppAlone(_ issuer: Issuer) -> Bool {
        apps.contains { $0.withoutSlash == issuer.withoutSlash } && givenKeys.keys(onlyFor: issuer) != nil
            && trustedIssuers.anchors == nil && trustedIssuers.trust(in: issuer) == nil
    }

    /// The issuers of cards for which keys were given, in no order.
    private var issuersOfGivenKeys: some Collection<Issuer> { givenKeys.issuers.lazy.filter { !isAppAlone($0) } }

    /// Whether given keys are a statement of trust. Those of apps are none.
    package var trustsGivenKeys: Bool { givenKeys.isForAnyIssuer || !issuersOfGivenKeys.isEmpty }

    /// Whether keys were given for every issuer although several issuers are trusted by name, or some by name and others by
    /// certificate. Such keys are not used: any owner of one could sign as any of these issuers.
    package var hasKeysForSeveralIssuers: Bool {
        guard givenKeys.hasCardKeysForAnyIssuer else { return false }
        // An anchor trusts more issuers than those that are named.
        if trustedIssuers.namesSeveral || trustedIssuers.anchors != nil && trustedIssuers.hasLists { return true }
        return trustedIssuers.isEmpty && issuersOfGivenKeys.count > 1
    }

    /// The given keys for an issuer's cards; nil if the keys must come from a directory or from the issuer.
    func keysGiven(for issuer: Issuer) -> JWKSet? {
        guard !isAppAlone(issuer) else { return nil }
        // Keys that were given for this issuer say all: another's must not sign in its name.
        if let own = givenKeys.keys(onlyFor: issuer) { return own }
        if let keys = givenKeys.forAnyIssuer {
            return hasKeysForSeveralIssuers && !mayGuessOwnersOfKeys ? nil : keys
        }
        // Keys that are the only statement of trust refuse all others, even if none of them is a key of cards.
        let isAlone = trustedIssuers.isEmpty && !trustedIssuers.refusesUnlisted
        return isAlone && givenKeys.isForAnyIssuer ? JWKSet([JWK]()) : nil
    }

    /// Whether an issuer is trusted by exactly this name: on a list, or because its keys were given.
    func trustsByName(_ issuer: Issuer) -> Bool {
        trustedIssuers.trust(in: issuer) != nil
            || trustedIssuers.isEmpty && givenKeys.keys(onlyFor: issuer) != nil
    }

    /// A hint about an issuer that is trusted by name, or whose keys were given, and that resembles one that is not trusted;
    /// nil if there is none.
    func nearMiss(of issuer: Issuer) -> String? {
        if let near = trustedIssuers.nearMiss(of: issuer) { return near }
        if isAppAlone(issuer) {
            return
                "its keys were given for a patient's app (--app), and those sign no cards: add --trust \(issuer.url.quoted()) if it "
                + "issues cards too"
        }
        if givenKeys.issuers.contains(issuer) {
            return
                "keys of this issuer were given with --jwks, but beside --trust and --directory they do not make it trusted: add "
                + "--trust \(issuer.url.quoted())"
        }
        var given = IssuerSuggestion()
        for issuer in issuersOfGivenKeys { given.insert(issuer, aliasOf: nil) }
        return given.spelling(of: issuer).map { near in
            "keys were given for the issuer \(near.url.quoted()), which differs only in case or in a trailing slash (URLs are "
                + "compared exactly)"
        }
    }
}
