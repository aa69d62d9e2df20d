public import JSON

/// The keys that an issuer publishes (RFC 7517 §5).
///
/// A set is read without judging its keys. Only those of an id that is asked for are imported, since a set may hold
/// hundreds and most cards need one; who asks for the same id again and again does well to keep the answer.
public struct JWKSet: Sendable {
    /// The keys, in the order they are published.
    public let keys: [JWK]
    /// How many elements of `keys` are no JSON objects, and were passed over.
    public let skippedCount: Int

    /// How many distinct points are imported at most for one answer, the first in the set's order.
    ///
    /// An issuer has a few. Each costs about as much as to verify a signature, so a set that was made to be full of
    /// keys, all of one id, must not decide how long a verification takes.
    public static let maximumCandidates = 4

    /// Which reading of a set this is; copies share it. Where it is the same, so are the keys.
    package let identity = Identity()

    package final class Identity: Sendable {}

    private let positions: [KeyID: [Int]]
    /// The keys whose private half the set itself publishes.
    package let burnt: BurntKeys
    /// The keys whose private half is published elsewhere.
    private var burntElsewhere: [BurntKeys] = []

    /// Reads a key set.
    ///
    /// - Parameter bytes: the JSON text.
    /// - Throws: `JWKSetError` if the bytes are not strict JSON, not an object, or `keys` is not an array.
    public init(_ bytes: [UInt8]) throws(JWKSetError) {
        let value: JSONValue
        do {
            value = try JSONDocument.parse(bytes)
        } catch {
            throw .malformedJSON(error)
        }
        try self.init(value)
    }

    /// Reads a key set out of parsed JSON.
    ///
    /// - Throws: `JWKSetError` if the value is not an object, or its `keys` is not an array.
    public init(_ value: JSONValue) throws(JWKSetError) {
        guard value.kind == .object else { throw .notAnObject }
        guard let keys = value["keys"] else { throw .noKeys(looksLikeSingleKey: value["kty"] != nil) }
        guard let elements = keys.elements else { throw .keysNotAnArray }
        let objects = elements.filter { $0.kind == .object }
        self.init(objects.map { JWK($0) }, skippedCount: elements.count - objects.count)
    }

    /// A set of these keys, such as those that a directory lists for an issuer.
    public init(_ keys: [JWK]) {
        self.init(keys, skippedCount: 0)
    }

    /// The union of several sets, in their order. A key whose private half is published in one is of no use in all.
    public init(merging sets: [JWKSet]) {
        self.init(sets.flatMap(\.keys), skippedCount: sets.map(\.skippedCount).reduce(0, +))
        burntElsewhere = sets.flatMap(\.burntElsewhere)
    }

    /// The same set, in which these keys are of no use either.
    package func refusing(_ burnt: [BurntKeys]) -> JWKSet {
        var set = self
        set.burntElsewhere += burnt
        return set
    }

    /// A set of some of these keys. What is known to be burnt stays so.
    package func limited(to keys: [JWK]) -> JWKSet {
        JWKSet(keys).refusing(burntElsewhere + [burnt])
    }

    private init(_ keys: [JWK], skippedCount: Int) {
        self.keys = keys
        self.skippedCount = skippedCount
        var positions: [KeyID: [Int]] = [:]
        for (position, key) in keys.enumerated() {
            if let keyID = key.keyID { positions[keyID, default: []].append(position) }
        }
        self.positions = positions
        burnt = BurntKeys(keys)
    }

    /// The entries of this id, in the order they are published.
    package func keys(named keyID: KeyID) -> [JWK] {
        (positions[keyID] ?? []).map { keys[$0] }
    }

    /// The keys of this id that may verify a SMART Health Card (SHC-K1, SHC-K3), of the first `maximumCandidates`.
    public func resolve(_ keyID: KeyID) -> KeyResolution {
        guard let positions = positions[keyID] else { return .absent }
        var found: [P256PublicKey] = []
        var points: Set<P256Point> = []
        var objection: JWKError?
        for position in positions {
            do throws(JWKError) {
                let point = try point(of: keys[position])
                // Several entries of one key differ in their certificates; the key itself is imported once.
                guard points.insert(point).inserted else { continue }
                guard points.count <= JWKSet.maximumCandidates else { break }
                found.append(try P256PublicKey(point))
            } catch {
                if objection == nil || error.reason == .privateKey { objection = error }
            }
        }
        if found.isEmpty, let objection { return .unusable(objection) }
        return .found(found)
    }

    /// Every key that may verify, with the id it is published under, no pair twice, of the first `maximumCandidates`.
    ///
    /// This imports all of them. It is meant for hints ("the card verifies under another key of this issuer"), never
    /// for deciding about a card, since a card names its key.
    public var allUsable: [(keyID: KeyID?, key: P256PublicKey)] {
        var usable: [(keyID: KeyID?, key: P256PublicKey)] = []
        var imported: [P256Point: P256PublicKey?] = [:]
        var seen: [P256Point: Set<KeyID?>] = [:]
        for jwk in keys {
            guard let point = try? point(of: jwk), seen[point, default: []].insert(jwk.keyID).inserted else { continue }
            guard seen.count <= JWKSet.maximumCandidates else { break }
            let key = imported[point] ?? (try? P256PublicKey(point))
            imported[point] = .some(key)
            if let key { usable.append((jwk.keyID, key)) }
        }
        return usable
    }

    /// Why a key may not verify although nothing in its own entry says so: its private half is published in another entry
    /// or elsewhere. Nil if it is not, or if the entry says nothing by itself.
    package func burntObjection(to key: JWK) -> JWKError? {
        guard let point = try? key.point() else { return nil }
        return objection(to: point, of: key.keyID)
    }

    private func objection(to point: P256Point, of keyID: KeyID?) -> JWKError? {
        if burnt.contains(point, of: keyID) {
            return JWKError(
                .privateKey,
                #"another entry of the key set publishes this key's private half ("d"), so anyone can sign with it"#)
        }
        if burntElsewhere.contains(where: { $0.contains(point, of: keyID) }) {
            return JWKError(
                .privateKey,
                #"a key set or directory that was given publishes this key's private half ("d"), so anyone can sign "#
                    + "with it")
        }
        return nil
    }

    private func point(of key: JWK) throws(JWKError) -> P256Point {
        let point = try key.point()
        if let objection = objection(to: point, of: key.keyID) { throw objection }
        return point
    }
}
