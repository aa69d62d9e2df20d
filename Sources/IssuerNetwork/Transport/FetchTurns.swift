internal import CProcess
internal import Synchronization

/// Lets as many processes run at once as there is room for, and has the others wait for their turn.
///
/// A process for which there is no room would wait for it until its time is up: Dispatch tries for ever to make a thread.
/// So room is looked for before the first one runs.
final class FetchTurns: Sendable {
    private struct State {
        /// How many more may run; nil before any has.
        var free: Int?
        /// Whether one has answered, so that the installation is in order.
        var hasAnswered = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// More would not be faster.
    private static let most = 8
    /// What each process takes of the threads that a user may have, itself and one thread here included. Measured: 8.
    private static let threads = 9
    /// What this program may need besides.
    private static let furtherThreads = 6
    /// What each takes of the files that this program may have open, and what it may need besides.
    private static let files = 3
    private static let furtherFiles = 8

    /// Waits for a turn. It has to be given back.
    ///
    /// - Throws: `TransportFailure` of kind `installation` if there is not even room for one process.
    func take() async throws(TransportFailure) {
        try state.withLock { state throws(TransportFailure) in
            if state.free == nil { state.free = try Self.room() }
        }
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                guard let free = state.free, free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free = free - 1
                return true
            }
            if isFirst { continuation.resume() }
        }
    }

    /// Notes that a process has answered.
    func noteAnswer() { state.withLock { $0.hasAnswered = true } }

    /// A failure as what it is: once a process has answered, there is nothing wrong with the installation. What fails then
    /// has to do with one issuer, or lasts a moment.
    func judged(_ failure: TransportFailure) -> TransportFailure {
        guard failure.kind == .installation, state.withLock({ $0.hasAnswered }) else { return failure }
        return TransportFailure(.fetcher, failure.message)
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

    /// For how many processes there is room. It is found out by trying, since a limit may be the user's (ulimit) or that of
    /// a container, which says nothing of itself.
    private static func room() throws(TransportFailure) -> Int {
        let forThreads = max(0, Int(threads_room(Int32(most * threads + furtherThreads))) - furtherThreads) / threads
        guard forThreads > 0 else {
            throw TransportFailure(
                .installation,
                "there is no room for the \(threads + furtherThreads) threads and processes of a fetch (ulimit -u, or the "
                    + "container's limit of processes)")
        }
        let forFiles = max(0, Int(files_room(Int32(most * files + furtherFiles))) - furtherFiles) / files
        guard forFiles > 0 else {
            throw TransportFailure(
                .installation, "there is no room for the \(files + furtherFiles) open files of a fetch (ulimit -n)")
        }
        return min(forThreads, forFiles)
    }
}
