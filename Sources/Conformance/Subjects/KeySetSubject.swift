import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

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
