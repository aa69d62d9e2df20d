/// How many bytes the revocation lists of a run may take together: those that are held, and the bounds of those that are
/// being fetched.
struct ListRoom {
    /// How many there are in all.
    let maximum: Int
    private var taken = 0
    private var reserved = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Takes room for a list that is at hand.
    ///
    /// - Returns: whether there is as much.
    mutating func take(_ size: Int) -> Bool {
        guard size <= maximum - taken - reserved else { return false }
        taken += size
        return true
    }

    /// Gives back what a list has taken that is not held any longer, and wakes who waits.
    mutating func free(_ size: Int) {
        guard size > 0 else { return }
        taken -= size
        wake()
    }

    /// Reserves room for a list that is to be fetched, to be released when that is done.
    ///
    /// - Parameter size: how many bytes it may have.
    /// - Returns: how many are reserved: less than `size` if that is all there ever will be. Nil if others have reserved
    ///   room that they may not need, so that it is worth waiting for them.
    mutating func reserve(upTo size: Int) -> Int? {
        let free = max(0, maximum - taken - reserved)
        guard free >= size || reserved == 0 else { return nil }
        reserved += min(free, size)
        return min(free, size)
    }

    /// Gives back what was reserved but for what the list has taken, and wakes who waits.
    mutating func release(_ size: Int, taking count: Int) {
        reserved -= size
        taken += count
        wake()
    }

    private mutating func wake() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Wakes somebody when there may be more room.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }
}
