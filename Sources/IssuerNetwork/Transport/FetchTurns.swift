internal import CProcess
internal import Synchronization

/// Lets as many processes run at once as there is room for, and has the others wait for their turn.
///
/// How many that is, is found out when the first wants to run. A process for which there is no room would wait for it
/// until its time is up: so does Dispatch.
final class FetchTurns: Sendable {
    private struct State {
        /// How many more may run; nil before it is known.
        var free: Int?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// More are not of use.
    private static let most = 8
    /// What each process takes of the user's threads: its own, measured as 7, and one here. The process counts as one.
    private static let threads = 9
    /// What this program may need besides.
    private static let furtherThreads = 6
    /// What each takes of this program's open files, and what this program may need besides.
    private static let files = 3
    private static let furtherFiles = 8

    /// Waits for a turn. Who was given one has to give it back.
    func take() async throws(TransportFailure) {
        try state.withLock { state throws(TransportFailure) in
            if state.free == nil { state.free = try Self.room() }
        }
        await withCheckedContinuation { continuation in
            let mayRun = state.withLock { state in
                guard let free = state.free, free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free = free - 1
                return true
            }
            if mayRun { continuation.resume() }
        }
    }

    /// Gives a turn back.
    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free = (state.free ?? 0) + 1
            return nil
        }
        next?.resume()
    }

    private static func room() throws(TransportFailure) -> Int {
        let threads = Int(threads_room(Int32(most * threads + furtherThreads)))
        guard threads >= Self.threads + furtherThreads else {
            throw TransportFailure(
                .installation,
                "there is no room for the \(Self.threads + furtherThreads) threads and processes that a fetch takes (ulimit -u)")
        }
        let files = Int(files_room(Int32(most * files + furtherFiles)))
        guard files >= Self.files + furtherFiles else {
            throw TransportFailure(.installation, "a fetch takes \(Self.files + furtherFiles) open files more (ulimit -n)")
        }
        return min((threads - furtherThreads) / Self.threads, (files - furtherFiles) / Self.files)
    }
}
