public import Encodings
import Synchronization

/// The keys that an issuer publishes (RFC 7517 §5).
///
/// The keys are not checked when the set is read. A set may contain hundreds, but most cards need one. So only the keys
/// with a requested ID are imported. If you ask for the same ID many times, keep the answer.
public struct JWKSet: Sendable {
    /// The keys, in the order they are published.
    package private(set) var keys: [JWK]
    /// The number of elements of `keys` that are not JSON objects. They were skipped.
    public private(set) var skippedCount: Int

    /// The most usable keys of one answer. The first in the set's order are used, and the answer says if there are more.
    ///
    /// Most IDs belong to one key, but some issuers use one ID for all their keys. Without this limit, a set full of keys with one ID
    /// could make each verification very slow.
    public static let maximumCandidates = 32

    /// Whether the JSON began with a byte-order mark, which JSON must not have (RFC 8259 §8.1). It was skipped.
    package private(set) var hasByteOrderMark = false

    /// Identifies this reading of a set. Copies share it. If two sets have the same identity, they have the same keys.
    package private(set) var identity = Identity()

    /// An object that is compared by its identity. It keeps the keys that were imported.
    package final class Identity: Sendable {
        private let imported = Mutex<[P256Point: Result<P256PublicKey, JWKError>]>([:])

        /// Imports a point whose form has been checked, or returns the result of an earlier import. There are never more results
        /// than the set has keys, and no point is imported twice, also if it is not on the curve.
        fileprivate func key(at point: P256Point) throws(JWKError) -> P256PublicKey {
            if let result = imported.withLock({ $0[point] }) { return try result.get() }
            let result = Result { () throws(JWKError) in try JWK.publicKey(point) }
            imported.withLock { $0[point] = result }
            return try result.get()
        }
    }

    private var positions: [KeyID: [Int]]
    /// The keys whose private half the set itself publishes.
    package private(set) var compromised: CompromisedKeys
    /// The keys whose private half is published elsewhere.
    private var compromisedElsewhere: [CompromisedKeys] = []

    /// Reads a key set.
    ///
    /// A byte-order mark is skipped, since some editors and servers add it.
    ///
    /// - Throws: `JWKSetError` if the bytes are not strict JSON, not an object, or `keys` is not an array.
    public init(_ bytes: [UInt8]) throws(JWKSetError) {
        let mark = ArraySlice<UInt8>.byteOrderMark
        let isMarked = bytes.starts(with: mark)
        let text = isMarked ? Array(bytes.dropFirst(mark.count)) : bytes
        let value = Result { () throws(JSONError) in try JSONDocument.parse(text) }
        try self.init(value.mapError(JWKSetError.malformedJSON).get())
        hasByteOrderMark = isMarked
    }

    /// Reads a key set from parsed JSON, and notes a byte-order mark before it.
    ///
    /// - Parameters:
    ///   - value: the parsed JSON.
    ///   - bytes: the file that it was parsed from.
    /// - Throws: `JWKSetError` if the value is not an object, or its `keys` is not an array.
    package init(_ value: JSONValue, of bytes: [UInt8]) throws(JWKSetError) {
        try self.init(value)
        hasByteOrderMark = bytes.starts(with: ArraySlice<UInt8>.byteOrderMark)
    }

    /// Reads a key set from parsed JSON.
    ///
    /// - Throws: `JWKSetError` if the value is not an object, or its `keys` is not an array.
    package init(_ value: JSONValue) throws(JWKSetError) {
        guard value.kind == .object else { throw .notAnObject }
        guard let keys = value["keys"] else { throw .noKeys(looksLikeSingleKey: value["kty"] != nil) }
        guard let elements = keys.elements else { throw .keysNotAnArray }
        let objects = elements.filter { $0.kind == .object }
        self.init(objects.map { JWK($0) }, skippedCount: elements.count - objects.count)
    }

    /// Makes the union of several sets, in their order. If one set publishes a private half, that key is unusable in
    /// the union.
    public init(merging sets: [JWKSet]) {
        // What each set publishes is known, so that no set uses up the proofs of another.
        var compromised = CompromisedKeys()
        for set in sets { compromised.formUnion(set.compromised) }
        self.init(sets.flatMap(\.keys), skippedCount: sets.map(\.skippedCount).reduce(0, +), compromised: compromised)
        compromisedElsewhere = sets.flatMap(\.compromisedElsewhere)
        hasByteOrderMark = sets.contains { $0.hasByteOrderMark }
    }

    /// Adds the keys of another set. If one of the sets publishes a private half, that key is unusable in the union.
    package mutating func append(_ other: JWKSet) {
        identity = Identity()
        for (position, key) in other.keys.enumerated() {
            if let keyID = key.keyID { positions[keyID, default: []].append(keys.count + position) }
        }
        keys += other.keys
        skippedCount += other.skippedCount
        hasByteOrderMark = hasByteOrderMark || other.hasByteOrderMark
        compromised.formUnion(other.compromised)
        compromisedElsewhere += other.compromisedElsewhere
    }

    /// The same set, with these keys unusable as well.
    package func refusing(_ compromised: [CompromisedKeys]) -> JWKSet {
        var set = self
        set.compromisedElsewhere += compromised
        return set
    }

    /// A set of some of these keys. Keys that are known to be unusable stay so.
    package func limited(to keys: [JWK]) -> JWKSet {
        var set = JWKSet(keys).refusing(compromisedElsewhere + [compromised])
        set.hasByteOrderMark = hasByteOrderMark
        return set
    }

    /// Makes a set of these keys, such as those that a directory lists for an issuer.
    ///
    /// - Parameters:
    ///   - skippedCount: how many others the set has.
    ///   - compromised: the keys whose private half the set publishes; nil to look for them.
    package init(_ keys: [JWK], skippedCount: Int = 0, compromised: CompromisedKeys? = nil) {
        self.keys = keys
        self.skippedCount = skippedCount
        var positions: [KeyID: [Int]] = [:]
        for (position, key) in keys.enumerated() {
            if let keyID = key.keyID { positions[keyID, default: []].append(position) }
        }
        self.positions = positions
        self.compromised = compromised ?? CompromisedKeys(keys)
    }

    /// The entries with this ID, in the order they are published.
    package func keys(named keyID: KeyID) -> [JWK] {
        (positions[keyID] ?? []).map { keys[$0] }
    }

    /// The keys with this ID that may verify a SMART Health Card (SHC-K1, SHC-K3), at most `maximumCandidates`. Only usable keys
    /// count towards the limit, and each once.
    ///
    /// - Parameter admitted: the keys that may verify at all. Others do not count towards the limit. Nil if all may.
    package func resolve(_ keyID: KeyID, among admitted: Set<P256PublicKey>? = nil) -> KeyResolution {
        guard let positions = positions[keyID] else { return .absent }
        var found: [P256PublicKey] = []
        var areAll = true
        var points: Set<P256Point> = []
        var objection: JWKError?
        for position in positions {
            do throws(JWKError) {
                let point = try point(of: keys[position])
                // Several entries of one key differ only in their certificates, so the key is imported once.
                guard points.insert(point).inserted else { continue }
                let key = try identity.key(at: point)
                guard admitted?.contains(key) ?? true else { continue }
                guard found.count < JWKSet.maximumCandidates else {
                    areAll = false
                    break
                }
                found.append(key)
            } catch {
                if objection == nil || error.reason == .privateKey { objection = error }
            }
        }
        if found.isEmpty, let objection { return .unusable(objection) }
        return .found(found, areAll: areAll)
    }

    /// Each key that may verify, with the ID under which it is published, without duplicates. At most
    /// `maximumCandidates` are considered.
    ///
    /// Use this only for hints ("the card verifies under another key of this issuer"). Do not use it to decide about a
    /// card, since a card names its key.
    package var allUsable: [(keyID: KeyID?, key: P256PublicKey)] {
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

    /// The key with these coordinates, which are those of a key of the set; nil if they are not those of a point on P-256.
    package func key(x: [UInt8], y: [UInt8]) -> P256PublicKey? {
        guard x.count == P256Point.coordinateLength, y.count == P256Point.coordinateLength else { return nil }
        return try? identity.key(at: P256Point(x: x, y: y))
    }

    /// Says why a key must not be used although its own entry is fine: its private half is published in another entry
    /// or another set. Nil if it is not, or if the entry cannot be imported anyway.
    package func compromiseObjection(to key: JWK) -> JWKError? {
        guard let point = try? key.point() else { return nil }
        return objection(to: point, of: key.keyID)
    }

    private func objection(to point: P256Point, of keyID: KeyID?) -> JWKError? {
        if compromised.contains(point, of: keyID) {
            return JWKError(
                .privateKey,
                #"another entry of the key set publishes this key's private half ("d"), so anyone can sign with it"#)
        }
        if compromisedElsewhere.contains(where: { $0.contains(point, of: keyID) }) {
            return JWKError(
                .privateKey,
                #"another given key set or directory publishes this key's private half ("d"), so anyone can sign "#
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

/// Why JSON is not a JWK set (RFC 7517 §5).
public enum JWKSetError: Error, Equatable, Sendable {
    /// The text is not acceptable JSON.
    case malformedJSON(JSONError)
    /// The text is JSON, but not an object.
    case notAnObject
    /// The object has no member `keys`.
    case noKeys(looksLikeSingleKey: Bool)
    /// `keys` is not an array.
    case keysNotAnArray
}

extension JWKSetError: CustomStringConvertible {
    /// The error in plain words.
    public var description: String {
        switch self {
        case .malformedJSON(let error): "the key set is not acceptable JSON: \(error)"
        case .notAnObject: #"a key set must be a JSON object with a member "keys", this is not an object"#
        case .noKeys(true): #"a key set must be a JSON object with a member "keys", this is a single key"#
        case .noKeys(false): #"a key set must be a JSON object with a member "keys", which is missing"#
        case .keysNotAnArray: #"the key set's "keys" is not an array"#
        }
    }
}

/// The result of looking up a key ID in a key set.
package enum KeyResolution: Sendable {
    /// One or more different keys that have this ID and may verify. An ID should belong to one key only, but some
    /// issuers use it for several. If they are not all, keys were left out because of `JWKSet.maximumCandidates`: that a
    /// signature fits none of these keys does not show that it is wrong.
    case found([P256PublicKey], areAll: Bool)
    /// The set has no key with this ID.
    case absent
    /// The set has this ID, but no key with it may verify. The error is `privateKey` if the private half of one of them
    /// is published. Otherwise it is the error of the first.
    case unusable(JWKError)
}

/// The ID of a key: the `kid` of a header or a JWK (RFC 7515 §4.1.4, RFC 7517 §4.5).
///
/// Key IDs are compared byte for byte. Two strings that are canonically equivalent in Unicode are equal for Swift, but
/// are two different key IDs here.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// The ID in UTF-8.
    package let bytes: [UInt8]

    /// Makes a key ID from these characters.
    package init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// Makes a key ID from a JSON string. Nil if the value is not a string.
    package init?(_ value: JSONValue) {
        guard let bytes = value.stringBytes else { return nil }
        self.bytes = bytes
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        // Unsafe: the hasher reads the buffer, which lives for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// The ID as text. It comes from the card or the issuer, so quote it before you print it to a terminal.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The ID in quotes, safe to print.
    package func quoted() -> String { description.quoted() }
}
