internal import Synchronization

/// Limits the memory for the revocation lists of a run, in bytes. It counts the sizes of the lists that are held, and
/// the size limits of those that are being fetched.
final class MemoryBudget: Sendable {
    /// The memory that one list takes. It is kept with the list, and released when the last reference to it is gone.
    final class Share: Sendable {
        private let room: MemoryBudget
        private let size: Int

        fileprivate init(_ room: MemoryBudget, _ size: Int) {
            self.room = room
            self.size = size
        }

        deinit {
            room.change { $0.taken -= size }
        }
    }

    private struct State {
        var taken = 0
        var reserved = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The total, in bytes.
    let maximum: Int
    private let state = Mutex(State())

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Takes room for a list that is already in memory. Nil if there is not enough.
    func take(_ size: Int) -> Share? {
        let isThere = state.withLock { state in
            guard size <= maximum - state.taken - state.reserved else { return false }
            state.taken += size
            return true
        }
        return isThere ? Share(self, size) : nil
    }

    /// Reserves room for a list before it is fetched. The part that is not needed is free again afterwards.
    ///
    /// - Parameter size: the largest size of the list, in bytes.
    /// - Returns: how many bytes were reserved. They must be released in the end. This is less than `size` if no more
    ///   can become free.
    func reserve(upTo size: Int) async -> Int {
        while true {
            if let room = reserveNow(upTo: size) { return room }
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    // The reserved room may have been released in the meantime.
                    guard state.reserved > 0 else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// Nil if others have reserved room that they may not need, so that it is worth waiting.
    private func reserveNow(upTo size: Int) -> Int? {
        state.withLock { state in
            let free = max(0, maximum - state.taken - state.reserved)
            guard free >= size || state.reserved == 0 else { return nil }
            state.reserved += min(free, size)
            return min(free, size)
        }
    }

    /// Releases reserved room.
    func release(_ size: Int) {
        change { $0.reserved -= size }
    }

    /// Releases reserved room, except for the part that the fetched list takes.
    func release(_ size: Int, taking count: Int) -> Share {
        change { state in
            state.reserved -= size
            state.taken += count
        }
        return Share(self, count)
    }

    /// Changes the state, and wakes all who wait for room.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
