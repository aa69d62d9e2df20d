internal import CProcess
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Runs one program many times, several at once.
///
/// Loading a program's libraries can take longer than its work. So after the first run, the fork server (`ForkServer`) starts the program as
/// a zygote, which makes a copy of itself for each run. A copy is a process with limits of its own, and ends with its run. It has the
/// memory of the zygote, which has read nothing but the program itself, so no run can see or change anything of another one.
///
/// If there is no zygote, because there is no fork server, or it cannot be started or ends, the program is started for the run.
package final class HelperPool: Sendable {
    private let program: HelperProcess
    private let turns: TurnQueue
    private let zygotes: Zygotes
    private let isUsed = Mutex(false)

    /// - Parameters:
    ///   - executable: the path of the program.
    ///   - environment: its whole environment.
    ///   - most: how many runs may be going on at once, at least 1. The others wait.
    package init(executable: String, environment: [String: String], most: Int) {
        program = HelperProcess(executable: executable, environment: environment)
        zygotes = Zygotes(program)
        turns = TurnQueue(most)
    }

    /// Whether another run could begin at once.
    package var hasRoom: Bool { turns.hasRoom }

    /// Runs the program, as `HelperProcess.run` does. The time begins when it is its turn.
    package func run(input: [UInt8], outputLimit: Int, within time: Duration) async -> HelperProcess.Ending {
        await turns.take()
        defer { turns.giveBack() }
        // For a single run, a zygote would be of no use.
        let isFirst = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        return await program.run(
            input: input, outputLimit: outputLimit, within: time, copying: isFirst ? nil : zygotes)
    }
}

/// The zygotes of a program. Each serves one run at a time.
final class Zygotes: Sendable {
    private let program: HelperProcess
    private let idle = Mutex<[Zygote]>([])

    init(_ program: HelperProcess) { self.program = program }

    /// A program keeps its pools until it ends, so nobody has to wait for the zygotes.
    deinit { for zygote in idle.withLock({ $0 }) { zygote.kill() } }

    /// A zygote that no run uses; nil if there is none, and none can be started.
    func take() -> Zygote? { idle.withLock { $0.popLast() } ?? Zygote(program) }

    /// Gives a zygote back after a run.
    ///
    /// - Parameter isGood: whether its copy ended well. If not, the next run gets a process with other addresses.
    func giveBack(_ zygote: Zygote, isGood: Bool) {
        guard isGood, !zygote.isUsedUp else { return zygote.end() }
        idle.withLock { $0.append(zygote) }
    }
}

/// A process that makes copies of itself.
struct Zygote {
    private let process: pid_t
    private var count = 0

    /// The most copies that are made of one zygote. They all have the same addresses.
    private static let mostCopies = 100

    /// Starts a program as a zygote; nil if that fails.
    init?(_ program: HelperProcess) {
        var started = helper()
        let error = unsafe program.withEnvironment {
            unsafe fork_server_start_zygote(program.executable, $0, &started)
        }
        guard error == 0 else { return nil }
        process = started.process
        if started.handle >= 0 { close(started.handle) }
    }

    /// Whether it has made as many copies as it may.
    var isUsedUp: Bool { count >= Self.mostCopies }

    /// Makes a copy for a run.
    ///
    /// - Parameter time: how long it may take.
    /// - Returns: nil if there is no answer in time, or the zygote does not work.
    mutating func copy(within time: Duration) -> helper? {
        count += 1
        var made = helper()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        return unsafe helper_copy(process, Int32(clamping: time.milliseconds), &made) == 0 ? made : nil
    }

    /// Kills the process. The copies go on.
    func kill() { helper_end(process) }

    /// Kills the process, and waits for its end.
    func end() {
        kill()
        var status: Int32 = 0
        // Unsafe: as above.
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
