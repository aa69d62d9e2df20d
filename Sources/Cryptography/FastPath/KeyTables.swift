internal import CLibraries
internal import Synchronization

/// Precomputed tables for keys with many signatures, shared by all threads of a run.
///
/// A table costs about 27 ms and 150 KB. It saves about 38 µs for each signature (58 µs without it, 20 µs with it), so
/// it pays off after 710 signatures. How many signatures of a key are still to come is unknown. So a key gets its table
/// once it has had as many valid signatures as it takes to pay off. That way the total time is never more than twice
/// the best possible, which no other threshold guarantees. With keys distributed by Zipf's law, as issuers' keys are,
/// no other threshold takes less time on average. Invalid signatures do not count, so junk input causes no tables.
package final class KeyTables: Sendable {
    /// The most tables that are made: about 10 MB.
    package static let maximumCount = 64
    /// The number of valid signatures after which a key gets its table.
    package static let threshold = 700
    /// The most keys that are counted. When there are more, counting starts again.
    private static let maximumCounted = 10_000

    private struct State {
        var counts: [P256PublicKey: Int] = [:]
        var tables: [P256PublicKey: P256KeyTable] = [:]
        /// The number of tables, including those that are being made.
        var promised = 0
    }

    private let state = Mutex(State())

    /// Starts without any tables.
    package init() {}

    /// Counts valid signatures of a key, and makes its table once there are enough. Only the thread that reaches the
    /// threshold waits for the table.
    ///
    /// - Returns: the key's table, or nil if it has none yet.
    func add(_ count: Int, to key: P256PublicKey) -> P256KeyTable? {
        let (known, isDue) = state.withLock { state -> (P256KeyTable?, Bool) in
            if let table = state.tables[key] { return (table, false) }
            if state.counts.count >= Self.maximumCounted { state.counts = [:] }
            let before = state.counts[key, default: 0]
            state.counts[key] = before + count
            guard before < Self.threshold, before + count >= Self.threshold, state.promised < Self.maximumCount else {
                return (nil, false)
            }
            state.promised += 1
            return (nil, true)
        }
        guard isDue, let table = P256KeyTable(key) else { return known }
        state.withLock { $0.tables[key] = table }
        return table
    }
}

/// Precomputed multiples of a key's point, which speed up multiplications. A table takes about 150 KB, and about 30 ms
/// to make.
@safe
final class P256KeyTable: @unchecked Sendable {
    // Sendable: the group never changes after `init`. A multiplication only reads it.
    //
    // Safe: not null, belongs to this object alone, freed once, and passed to libcrypto only while the object lives.
    private let group: OpaquePointer
    private let key: P256PublicKey

    /// Makes the table. Nil if libcrypto fails or there is no memory.
    init?(_ key: P256PublicKey) {
        defer { ERR_clear_error() }
        // Unsafe: each pointer is checked. The point and the context are freed here, the group here on failure or else
        // in `deinit`.
        guard shc_has_precomputation() == 1, let context = unsafe BN_CTX_new() else { return nil }
        defer { unsafe BN_CTX_free(context) }
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        guard let point = unsafe EC_POINT_new(group) else {
            // There is no memory. No test can provoke that.
            unsafe EC_GROUP_free(group)
            return nil
        }
        defer { unsafe EC_POINT_free(point) }
        let encoded = key.uncompressed
        let isMade = unsafe encoded.withUnsafeBufferPointer { encoded in
            unsafe EC_POINT_oct2point(group, point, encoded.baseAddress, encoded.count, context) == 1
                && EC_GROUP_set_generator(group, point, EC_GROUP_get0_order(group), EC_GROUP_get0_cofactor(group)) == 1
                && shc_precompute(group, context) == 1
        }
        guard isMade else {
            // Never reached either: the key's point was on the curve when it was imported, and is not the point at
            // infinity.
            unsafe EC_GROUP_free(group)
            return nil
        }
        unsafe self.group = group
        self.key = key
    }

    deinit {
        // Unsafe: the only free.
        unsafe EC_GROUP_free(group)
    }

    /// Whether the table was made for this key.
    func isOf(_ key: P256PublicKey) -> Bool { self.key === key || self.key == key }

    /// Multiplies the key's point.
    ///
    /// Unsafe: the pointers must be live objects of libcrypto.
    @unsafe
    func multiply(by number: OpaquePointer, into result: OpaquePointer, _ context: OpaquePointer) -> Bool {
        unsafe EC_POINT_mul(group, result, number, nil, nil, context) == 1
    }
}
