import JOSE
import JSON
import SMARTHealthCards

/// One key of a set, taken apart as far as it goes.
struct KeySubject: Sendable {
    let document: Document
    /// The key, an object.
    let value: JSONValue
    /// Whose it is; nil if nobody says.
    let issuer: Issuer?
    let policy: LintPolicy
    let key: JWK
    /// Whether it has to be fit to verify cards: a card names it, or its members say so, or no other key of the set is.
    let isForCards: Bool
    /// Whether the set has another key, of another point, under the same id.
    let sharesID: Bool
    /// Why it may not be used for what another entry of the set says.
    let burntObjection: JWKError?
    /// Whether it says nothing that no key on P-256 says of its kind.
    let mayBeOnP256: Bool
    /// The coordinates; nil for a key that is no point on P-256 by what it says itself.
    let x: KeyCoordinate?
    let y: KeyCoordinate?
    /// The point, where the coordinates are that of one on P-256, whatever else the key says.
    let point: P256PublicKey?
    /// What is in `x5c`; nil if there is none.
    let chain: CertificateChain?

    init(
        _ key: JWK, of set: JWKSet, document: Document, issuer: Issuer?, policy: LintPolicy, isForCards: Bool,
        sharesID: Bool, hasTooManyNeighbours: Bool
    ) {
        self.key = key
        self.document = document
        self.issuer = issuer
        self.policy = policy
        self.isForCards = isForCards
        self.sharesID = sharesID
        value = key.value
        burntObjection = set.burntObjection(to: key)
        mayBeOnP256 = Self.allows(key.value["kty"], "EC") && Self.allows(key.value["crv"], "P-256")
        x = mayBeOnP256 ? KeyCoordinate(key.value["x"]) : nil
        y = mayBeOnP256 ? KeyCoordinate(key.value["y"]) : nil
        point = x?.padded.flatMap { [y] x in y?.padded.flatMap { try? P256PublicKey(x: x, y: $0) } }
        chain =
            isForCards && key.value["x5c"] != nil
            ? CertificateChain(of: key, hasTooManyNeighbours: hasTooManyNeighbours) : nil
    }

    /// Whether a member may be this: it is, or it is missing.
    private static func allows(_ value: JSONValue?, _ text: String) -> Bool {
        value.map { $0.isString(text) } ?? true
    }

    /// Whether a key among others is meant for cards, which is a matter of judgement (SHC-K6).
    ///
    /// It is another issuer's business what other keys stand in its set: of another type, on another curve, to encrypt
    /// with. But one that says ES256 is for cards, and what is of no known kind is more likely a mistake.
    static func isForCards(_ value: JSONValue) -> Bool {
        let has = { (name: String, texts: [String]) in texts.contains { value[name]?.isString($0) == true } }
        if has("alg", ["ES256"]) { return true }
        let isOther =
            has("kty", ["RSA", "oct", "OKP", "AKP"]) || has("crv", ["P-384", "P-521", "secp256k1"])
            || has("use", ["enc"])
            || has("alg", ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW"])
        return !isOther
    }

    /// What is wrong with the key's own certificate, save that nobody says whose key it should be of.
    var leafProblems: [CertificateError] {
        let moment = policy.now.sinceEpoch.components.seconds
        return key.certificateProblems(for: issuer?.url ?? "", at: moment)
            .filter { $0.reason != .otherName || issuer != nil }
    }

    /// How a member departs from the one string that it has in a key for cards.
    ///
    /// One that is no string is for the rule of the members' types.
    func departure(of name: String, from expected: String) -> [Problem] {
        guard isForCards else { return [] }
        guard let found = value[name] else {
            return [
                Problem(
                    #"the key has no "\#(name)"; a key for health cards has "#
                        + #""\#(expected)""#, at: value, member: name)
            ]
        }
        guard let text = found.string, !found.isString(expected) else { return [] }
        let fold = { (text: UTF8Text) in
            text.utf8.prefix(64).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }.map { $0 | 0x20 }
        }
        let hint = fold(text) == fold(UTF8Text(expected)) ? " (compared character by character)" : ""
        return [
            Problem(
                #"the key's "\#(name)" is \#(found.excerpt); a key for health cards has "#
                    + #""\#(expected)"\#(hint)"#, at: found)
        ]
    }
}
