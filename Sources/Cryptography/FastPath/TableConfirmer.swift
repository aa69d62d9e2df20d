internal import CLibraries

/// Confirms signatures with libcrypto's arithmetic, and with the tables of keys that all threads share.
package final class TableConfirmer: SignatureConfirmer {
    private let confirmation: SignatureConfirmation
    private let tables: KeyTables
    private let hash: SHA256Context
    private var known: [ObjectIdentifier: KnownKey] = [:]

    /// The most keys that are kept. When there are more, all are dropped.
    static let maximumKnown = 4096
    /// The number of valid signatures that are reported to the shared tables at a time.
    private static let reportSize = 50

    /// Nil if libcrypto lacks a needed function.
    ///
    /// - Parameter tables: the tables that all threads of a run share.
    package init?(tables: KeyTables) {
        guard let confirmation = SignatureConfirmation(), let hash = SHA256Context() else { return nil }
        self.hash = hash
        self.confirmation = confirmation
        self.tables = tables
    }

    /// The signatures share one modular inversion, but their cards must still fit in the processor's cache.
    package let bestCount = 32

    package func confirmed(_ claims: [SignatureClaim?]) -> [Int] {
        var places: [Int] = []
        var digested: [DigestClaim] = []
        places.reserveCapacity(claims.count)
        digested.reserveCapacity(claims.count)
        for place in claims.indices {
            guard let claim = claims[place], let key = knownKey(claim.key) else { continue }
            var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
            guard hash.digest(claim.message, into: &digest) else { continue }
            places.append(place)
            digested.append(DigestClaim(signature: claim.signature, key: key, digest: digest))
        }
        var confirmed: [Int] = []
        confirmed.reserveCapacity(places.count)
        for (index, isConfirmed) in confirmation.confirm(digested).enumerated() where isConfirmed {
            confirmed.append(places[index])
            count(digested[index].key)
        }
        return confirmed
    }

    /// Whether signatures of a key are verified with its table.
    func hasTable(of key: P256PublicKey) -> Bool { known[ObjectIdentifier(key)]?.table != nil }

    /// Counts a good signature that something else has verified. A key with many of them gets its table.
    func countSignature(of key: P256PublicKey) {
        if let known = knownKey(key) { count(known) }
    }

    /// The number of keys that are kept.
    var keyCount: Int { known.count }

    private func knownKey(_ key: P256PublicKey) -> KnownKey? {
        // The prepared key keeps its key alive, so no other key can have the same identity.
        if let known = known[ObjectIdentifier(key)] { return known }
        guard let made = confirmation.know(key) else { return nil }
        if known.count >= Self.maximumKnown { known = [:] }
        known[ObjectIdentifier(key)] = made
        return made
    }

    private func count(_ key: KnownKey) {
        guard key.table == nil else { return }
        key.news += 1
        guard key.news >= Self.reportSize else { return }
        key.table = tables.add(key.news, to: key.key)
        key.news = 0
    }
}

/// A key whose signatures a thread confirms, with data that is reused from one signature to the next.
@safe
final class KnownKey {
    // Safe: not null, belongs to this object alone, freed once, never changed after `init`, and passed to libcrypto
    // only while the object lives.
    private let point: OpaquePointer
    /// Kept alive, so that no other key can have the same identity.
    let key: P256PublicKey
    /// Multiples of the key's point, or nil if there are none yet.
    var table: P256KeyTable?
    /// The valid signatures that have not been reported to the shared tables.
    var news = 0

    /// Reads the key's point. Nil if libcrypto fails or there is no memory.
    ///
    /// - Parameters:
    ///   - group: libcrypto's P-256.
    ///   - context: libcrypto's scratch memory.
    ///
    /// Unsafe: the pointers must be live objects of libcrypto. They are not kept.
    @unsafe
    init?(_ key: P256PublicKey, table: P256KeyTable? = nil, group: OpaquePointer, context: OpaquePointer) {
        // Unsafe: the point is checked, and freed on failure. The bytes live during the call that reads them.
        guard let point = unsafe EC_POINT_new(group) else {
            // There is no memory. No test can provoke that.
            ERR_clear_error()
            return nil
        }
        let encoded = key.uncompressed
        guard unsafe EC_POINT_oct2point(group, point, encoded, encoded.count, context) == 1 else {
            // Never reached: the key's point was on the curve when it was imported.
            unsafe EC_POINT_free(point)
            ERR_clear_error()
            return nil
        }
        unsafe self.point = point
        self.key = key
        self.table = table
    }

    deinit {
        // Unsafe: the only free.
        unsafe EC_POINT_free(point)
    }

    /// Calls `body` with libcrypto's point, which must not escape or be changed.
    ///
    /// Unsafe: the pointer is valid only inside `body`.
    @unsafe
    func withPoint<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(point) }
    }
}
