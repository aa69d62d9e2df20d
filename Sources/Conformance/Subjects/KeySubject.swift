import Credentials
import Cryptography
import Directories
import Encodings
import SMARTHealthCards

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
    func violation(of name: String, not expected: String) -> [Problem] {
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

/// A key set as an issuer publishes it.
struct KeySetSubject: Sendable {
    let document: Document
    /// The JSON, which should be a key set.
    let value: JSONValue
    /// The issuer of the set; nil if it is unknown.
    let issuer: Issuer?
    let policy: LintPolicy
    /// The keys that are checked: the objects among the first elements of `keys`, or a single key without a set.
    let keys: [KeySubject]

    /// - Parameter isGiven: whether the set was given to judge credentials by. Then it may have keys of signers of EU certificates too.
    init(document: Document, value: JSONValue, policy: LintPolicy, isGiven: Bool = false) {
        self.document = document
        self.value = value
        self.policy = policy
        issuer = policy.issuer
        let elements =
            value["keys"]?.elements.map { Array($0.prefix(Bounds.keysOfSet)) } ?? (value["kty"] == nil ? [] : [value])
        let set = policy.verification.counterEvidence.applied(
            to: JWKSet(elements.filter { $0.kind == .object }.map { JWK($0) }), of: policy.issuer)
        // Other keys may be in the set in addition to those for cards, but not instead of them (SHC-K6).
        let hasCardKey = set.keys.contains { (try? $0.publicKey()) != nil && set.compromiseObjection(to: $0) == nil }
        let sharedIDs = Self.sharedIDs(of: set.keys)
        var certified = 0
        var keys: [KeySubject] = []
        for key in set.keys {
            if key.value["x5c"] != nil { certified += 1 }
            let shares = key.keyID.map { sharedIDs.contains($0) } ?? false
            keys.append(
                KeySubject(
                    key, of: set, document: document, issuer: policy.issuer, policy: policy,
                    isForCards: !hasCardKey
                        || KeySubject.isForCards(key.value) && !(isGiven && key.isOfCertificateSigner),
                    sharesID: shares,
                    hasTooManyNeighbours: certified > Bounds.certifiedEntries))
        }
        self.keys = keys
    }

    /// The ids that belong to more than one pair of coordinates.
    private static func sharedIDs(of keys: [JWK]) -> Set<KeyID> {
        var points: [KeyID: [[UInt8]?]] = [:]
        var shared: Set<KeyID> = []
        for key in keys {
            guard let keyID = key.keyID else { continue }
            let point = [key.value["x"]?.stringBytes, key.value["y"]?.stringBytes]
            if points.updateValue(point, forKey: keyID).map({ $0 != point }) == true { shared.insert(keyID) }
        }
        return shared
    }
}

/// The certificates in a key's `x5c`.
struct CertificateChain: Sendable {
    /// `x5c`.
    let value: JSONValue
    /// The certificates in DER; empty if one of them cannot be decoded.
    let encoded: [[UInt8]]
    /// The certificates, the key's own first; empty if one of them cannot be read.
    let certificates: [Certificate]
    /// Why `certificates` is empty; nil if it is not.
    let problem: Problem?
    /// Whether the set has so many keys with certificates that the signatures in this chain are not checked.
    let hasTooManyNeighbours: Bool

    init?(of key: JWK, hasTooManyNeighbours: Bool) {
        guard let value = key.value["x5c"] else { return nil }
        self.value = value
        self.hasTooManyNeighbours = hasTooManyNeighbours
        do throws(CertificateError) {
            let chain = try key.certificateChain()
            encoded = chain.map(\.der)
            let unreadable = chain.firstIndex { $0.certificate == nil }
            certificates = unreadable == nil ? chain.compactMap(\.certificate) : []
            problem = unreadable.map { index in
                Problem("element \(index) of `x5c` is base64, but not an X.509 certificate in DER", at: value)
            }
        } catch {
            (encoded, certificates) = ([], [])
            problem = Self.encodingProblem(in: value, error)
        }
    }

    /// Why `x5c` cannot be decoded. Recognises the most common mistakes.
    private static func encodingProblem(in value: JSONValue, _ error: CertificateError) -> Problem {
        guard let elements = value.elements else {
            return Problem("`x5c` of the key is not an array of certificates but \(value.excerpt)", at: value)
        }
        for (index, element) in Array(elements.prefix(CertificateAnchors.maximumCount)).enumerated() {
            guard let text = element.stringBytes, text.count <= 2 * Certificate.maximumLength else { continue }
            if text.starts(with: "-----BEGIN".utf8) {
                return Problem(
                    "element \(index) of `x5c` is PEM, not base64 alone: it has a header, a footer and line breaks",
                    at: element)
            }
            do throws(Base64Error) {
                _ = try Base64.decode(text)
            } catch {
                return Problem("element \(index) of `x5c` is not base64: \(error)", at: element)
            }
        }
        return Problem(error.message, at: value)
    }
}

/// The answers of a live issuer's server.
struct IssuerSubject: Sendable {
    /// A key's revocation list, as far as the rules of a live issuer check it.
    struct List: Sendable {
        /// The key that the list was requested for.
        let keyID: KeyID
        /// `crlVersion` of the entries of the key.
        let versions: [RevocationCounter]
        let answer: PublishedAnswer
        /// What the server sent with status 200 instead of a JSON object; nil if it sent one, or another status.
        let problem: String?
        /// `kid` of the list.
        let listedKeyID: KeyID?
        /// `ctr` of the list.
        let counter: RevocationCounter?

        /// The list's name in messages.
        var name: String { "the revocation list of key \(keyID.description.quoted(upTo: 64))" }
    }

    /// Names the issuer's URL, and has no text.
    let document: Document
    let answers: PublishedIssuer
    let policy: LintPolicy
    /// The answer with status 200 to the request for the key set; nil if there is none.
    let published: PublishedAnswer.Response?
    /// The JSON object in that answer; nil if there is none.
    let keySet: JSONValue?
    /// What that answer has instead of a JSON object; nil if it has one, or there is no answer.
    let keySetProblem: String?
    let lists: [List]

    var issuer: Issuer { answers.issuer }

    /// Why there is no answer to the request for the key set; nil if there is one.
    var failure: PublishedAnswer.Failure? { answers.keySet.result.failure }

    /// The published keys.
    var keys: [JWK] { keySet?["keys"]?.elements?.filter { $0.kind == .object }.map { JWK($0) } ?? [] }

    init(_ answers: PublishedIssuer, policy: LintPolicy) {
        self.answers = answers
        self.policy = policy
        document = Document(source: answers.issuer.url, layer: .issuer, text: [])
        published = answers.keySet.published
        // A byte-order mark is a finding in the key set itself, and verifiers skip it.
        (keySet, keySetProblem) = published?.object(skippingMark: true) ?? (nil, nil)
        var versions: [KeyID: [RevocationCounter]] = [:]
        for key in keySet?["keys"]?.elements.map(Array.init) ?? [] {
            guard let keyID = key["kid"].flatMap({ KeyID($0) }),
                let version = key["crlVersion"].flatMap({ RevocationCounter($0) })
            else { continue }
            versions[keyID, default: []].append(version)
        }
        lists = answers.lists.map { list in
            let (value, problem) = list.answer.published?.object() ?? (nil, nil)
            return List(
                keyID: list.keyID, versions: versions[list.keyID] ?? [], answer: list.answer, problem: problem,
                listedKeyID: value?["kid"].flatMap { KeyID($0) },
                counter: value?["ctr"].flatMap { RevocationCounter($0) })
        }
    }
}
