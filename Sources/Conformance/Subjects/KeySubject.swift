import Credentials
import Cryptography
import Encodings

/// One key of a set, parsed as far as possible.
final class KeySubject: Sendable {
    let document: Document
    /// The key, an object.
    let value: JSONValue
    /// The issuer of the key; nil if it is unknown.
    let issuer: Issuer?
    let policy: LintPolicy
    let key: JWK
    /// Whether the key has to be able to verify cards: a card names it, its members say so, or no other key of the set
    /// is.
    let isForCards: Bool
    /// Whether the set has another key with the same id.
    let sharesID: Bool
    /// Why the key must not be used, because of another entry of the set that has its private key; nil if it may.
    let compromiseObjection: JWKError?
    /// Whether `kty` and `crv` are those of a key on P-256, or missing.
    let mayBeOnP256: Bool
    /// The coordinates; nil if `kty` or `crv` is that of another kind of key.
    let x: JWKCoordinate?
    let y: JWKCoordinate?
    /// The point on P-256; nil if the coordinates are not those of one.
    let point: P256PublicKey?
    /// The certificates in `x5c`; nil if the key has no `x5c` or is not for cards.
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
        compromiseObjection = set.compromiseObjection(to: key)
        mayBeOnP256 = Self.allows(key.value["kty"], "EC") && Self.allows(key.value["crv"], "P-256")
        x = mayBeOnP256 ? JWKCoordinate(key.value["x"]) : nil
        y = mayBeOnP256 ? JWKCoordinate(key.value["y"]) : nil
        point = x?.padded.flatMap { [y] x in y?.padded.flatMap { set.key(x: x, y: $0) } }
        chain =
            isForCards && key.value["x5c"] != nil
            ? CertificateChain(of: key, hasTooManyNeighbours: hasTooManyNeighbours) : nil
    }

    /// Whether a member has a value or is missing.
    private static func allows(_ value: JSONValue?, _ text: String) -> Bool {
        value.map { $0.isString(text) } ?? true
    }

    /// Whether a key among others is meant for cards, as far as its members show (SHC-K6).
    ///
    /// An issuer may have other keys in its set: of another type, on another curve, or for encryption. A key with ES256
    /// is for cards. A key of no known kind is more likely a mistake than one of these.
    static func isForCards(_ value: JSONValue) -> Bool {
        let has = { (name: String, texts: [String]) in texts.contains { value[name]?.isString($0) == true } }
        if has("alg", ["ES256"]) { return true }
        let isOther =
            has("kty", ["RSA", "oct", "OKP", "AKP"]) || has("crv", ["P-384", "P-521", "secp256k1"])
            || has("use", ["enc"])
            || has("alg", ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW"])
        return !isOther
    }

    /// The errors in the key's own certificate. If the issuer is unknown, the name in it is not an error.
    var leafProblems: [CertificateError] {
        let moment = policy.now.sinceEpoch.components.seconds
        return key.certificateProblems(for: issuer?.url ?? "", at: moment)
            .filter { $0.reason != .otherName || issuer != nil }
    }

    /// How a member differs from the one value that it has in a key for cards.
    ///
    /// A value that is not a string is found by the rule of the members' types.
    func departure(of name: String, from expected: String) -> [Problem] {
        guard isForCards else { return [] }
        guard let found = value[name] else {
            return [
                Problem(
                    "the key has no `\(name)`; in a key for health cards it is \"\(expected)\"", at: value, member: name
                )
            ]
        }
        guard let text = found.string, !found.isString(expected) else { return [] }
        let fold = { (text: UTF8Text) in
            text.utf8.prefix(64).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }.map { $0 | 0x20 }
        }
        let hint = fold(text) == fold(UTF8Text(expected)) ? "; verifiers compare it character by character" : ""
        return [
            Problem("`\(name)` of the key is \(found.excerpt), not \"\(expected)\"\(hint)", at: found)
        ]
    }
}

extension KeySubject {
    /// The entries of the key that a card names, wherever they came from.
    static func named(by card: CardSubject) -> [KeySubject] {
        guard let set = try? card.keys?.get() else { return [] }
        let entries = card.published.prefix(Bounds.certifiedEntries)
        let points = Set(entries.map { [$0.value["x"]?.stringBytes, $0.value["y"]?.stringBytes] })
        return entries.map { key in
            KeySubject(
                key, of: set,
                document: Document(
                    source: card.document.source, layer: .jwks, text: key.value.text, root: key.value.root),
                issuer: card.issuer, policy: card.policy, isForCards: true, sharesID: points.count > 1,
                hasTooManyNeighbours: false)
        }
    }
}
