internal import Synchronization

/// Tables of the keys that many signatures are by, for all threads of a run.
///
/// A table costs about 27 ms and 150 KB, and saves some 38 µs a signature (58 without, 20 with it), so it has paid for
/// itself after 710. How many signatures by a key are still to come, nobody knows. So a key gets its table once so many of
/// its signatures were valid that it would have paid for itself by now. Table and waiting together then never cost more
/// than twice what they would to who knows the future, which no other threshold can promise; and where keys are met by
/// Zipf's law, as issuers are, none takes less time on the whole. Who sends junk gets none.
package final class KeyTables: Sendable {
    /// How many tables there are at most: about 10 MB.
    package static let maximumCount = 64
    /// How many valid signatures a key must have.
    package static let threshold = 700
    /// How many keys are counted; past it counting starts anew.
    private static let maximumCounted = 10_000

    private struct State {
        var counts: [P256PublicKey: Int] = [:]
        var tables: [P256PublicKey: P256KeyTable] = [:]
        /// How many tables there are, those being made included.
        var promised = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts valid signatures of a key, and makes its table where there have been enough. Only the thread that comes
    /// to the threshold waits for the table.
    ///
    /// - Returns: the key's table; nil if it has none yet.
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
