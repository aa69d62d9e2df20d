import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

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
