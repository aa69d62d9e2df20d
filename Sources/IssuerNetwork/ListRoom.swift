internal import Synchronization

/// How many bytes the revocation lists of a run may take together: those that are held, and the bounds of those that are
/// being fetched.
final class ListRoom: Sendable {
    /// What a list takes. It is given back when nobody holds it any longer, so it is kept with the list.
    final class Share: Sendable {
        private let room: ListRoom
        private let size: Int

        fileprivate init(_ room: ListRoom, _ size: Int) {
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

    /// How many bytes there are in all.
    let maximum: Int
    private let state = Mutex(State())

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Takes room for a list that is at hand; nil if there is not as much.
    func take(_ size: Int) -> Share? {
        let isThere = state.withLock { state in
            guard size <= maximum - state.taken - state.reserved else { return false }
            state.taken += size
            return true
        }
        return isThere ? Share(self, size) : nil
    }

    /// Reserves room for a list that is to be fetched. While that goes on, it has all that the list may need; then others
    /// see what is left.
    ///
    /// - Parameter size: how many bytes the list may have.
    /// - Returns: how many are reserved, to be released in the end: less than `size` if that is all there will be.
    func reserve(upTo size: Int) async -> Int {
        while true {
            if let room = reserveNow(upTo: size) { return room }
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    // What was reserved may have been released meanwhile.
                    guard state.reserved > 0 else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// Nil if others have reserved room that they may not need, so that it is worth waiting for them.
    private func reserveNow(upTo size: Int) -> Int? {
        state.withLock { state in
            let free = max(0, maximum - state.taken - state.reserved)
            guard free >= size || state.reserved == 0 else { return nil }
            state.reserved += min(free, size)
            return min(free, size)
        }
    }

    /// Gives back what was reserved.
    func release(_ size: Int) {
        change { $0.reserved -= size }
    }

    /// Gives back what was reserved but for what the list that was fetched takes.
    func release(_ size: Int, taking count: Int) -> Share {
        change { state in
            state.reserved -= size
            state.taken += count
        }
        return Share(self, count)
    }

    /// Makes room, and wakes those who wait for it.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
