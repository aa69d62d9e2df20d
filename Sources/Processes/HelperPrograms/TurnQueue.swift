internal import Synchronization

/// Lets only so many go on at once. The others wait for their turn, in the order in which they came.
package final class TurnQueue: Sendable {
    private struct State {
        /// How many more may go on at once.
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    package init(_ most: Int) { state = Mutex(State(free: most)) }

    /// Whether another one could go on at once.
    package var hasRoom: Bool { state.withLock { $0.free > 0 } }

    /// Waits for a turn. Call `giveBack()` when done.
    package func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a turn back.
    package func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
