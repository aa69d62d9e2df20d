internal import CProcess
internal import Processes
internal import Synchronization

/// Limits how many processes run at once. The others wait for their turn.
///
/// If there is no room for a thread, Dispatch keeps trying to make one, and the process waits until its time is up. So
/// the room is measured before the first process runs.
final class FetchSemaphore: Sendable {
    private struct State {
        /// Nil until the first one runs.
        var turns: TurnQueue?
        /// Whether one process has answered. Then the installation is known to work.
        var hasAnswered = false
    }

    private let state = Mutex(State())

    /// The largest number of processes. More are not faster.
    private static let most = 8
    /// The threads that one process takes of the user's limit, counting itself and one thread here. Measured: 8.
    private static let threads = 9
    /// The threads that this program may need beyond those.
    private static let furtherThreads = 6
    /// The open files that one process takes of this program's limit.
    private static let files = 3
    private static let furtherFiles = 8

    /// Waits for a turn. Call `giveBack()` when done.
    ///
    /// - Throws: `TransportFailure` of kind `installation` if there is no room for even one process.
    func take() async throws(TransportFailure) {
        let turns = try state.withLock { state throws(TransportFailure) -> TurnQueue in
            if let turns = state.turns { return turns }
            let turns = TurnQueue(try Self.room())
            state.turns = turns
            return turns
        }
        await turns.take()
    }

    /// Notes that a process has answered.
    func noteAnswer() { state.withLock { $0.hasAnswered = true } }

    /// Changes the kind of a failure if needed: once a process has answered, the installation is in order. A later
    /// failure concerns one server, or is temporary.
    func judged(_ failure: TransportFailure) -> TransportFailure {
        guard failure.kind == .installation, state.withLock({ $0.hasAnswered }) else { return failure }
        return TransportFailure(.fetcher, failure.message)
    }

    /// Gives a turn back.
    func giveBack() { state.withLock { $0.turns }?.giveBack() }

    /// The number of processes for which there is room. It is found by trying: the limit may be the user's (ulimit) or
    /// a container's, which cannot be read.
    private static func room() throws(TransportFailure) -> Int {
        let forThreads = max(0, Int(threads_room(Int32(most * threads + furtherThreads))) - furtherThreads) / threads
        guard forThreads > 0 else {
            throw TransportFailure(
                .installation,
                "a fetch needs \(threads + furtherThreads) more threads and processes than are permitted (ulimit -u, or the "
                    + "container's limit of processes)")
        }
        let forFiles = max(0, Int(files_room(Int32(most * files + furtherFiles))) - furtherFiles) / files
        guard forFiles > 0 else {
            throw TransportFailure(
                .installation, "a fetch needs \(files + furtherFiles) more open files than are permitted (ulimit -n)")
        }
        return min(forThreads, forFiles)
    }
}
