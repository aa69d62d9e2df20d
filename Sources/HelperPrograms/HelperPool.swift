internal import CProcess
internal import Dispatch
internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Runs one program many times, several at once.
///
/// Loading a program's libraries can take longer than its work. So after the first run, the program is started as a template, which
/// makes a copy of itself for each run. A copy is a process with limits of its own, and ends with its run. It has the memory of the
/// template, which has read nothing but the program itself, so no run can see or change anything of another one.
///
/// If there is no template, because it cannot be started or ends, the program is started for the run.
package final class HelperPool: Sendable {
    private struct State {
        var isFirst = true
        var idle: [HelperKeeper] = []
    }

    private let program: HelperProcess
    private let turns: TurnQueue
    private let state = Mutex(State())

    /// - Parameters:
    ///   - executable: the path of the program.
    ///   - environment: its whole environment.
    ///   - most: how many runs may be going on at once, at least 1. The others wait.
    package init(executable: String, environment: [String: String], most: Int) {
        program = HelperProcess(executable: executable, environment: environment)
        turns = TurnQueue(most)
    }

    deinit {
        for keeper in state.withLock({ $0.idle }) { keeper.stop() }
    }

    /// Whether another run could begin at once.
    package var hasRoom: Bool { turns.hasRoom }

    /// Runs the program, as `HelperProcess.run` does. The time begins when it is its turn.
    package func run(input: [UInt8], outputLimit: Int, within time: Duration) async -> HelperProcess.Ending {
        await turns.take()
        defer { turns.giveBack() }
        guard !isFirst() else { return await program.run(input: input, outputLimit: outputLimit, within: time) }
        let run = HelperRun(program, input: input, outputLimit: outputLimit, time: time)
        let keeper = state.withLock { $0.idle.popLast() } ?? HelperKeeper(program)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                keeper.take(run, waiting) { [weak self] in
                    guard let self else { return keeper.stop() }
                    state.withLock { $0.idle.append(keeper) }
                }
            }
        } onCancel: {
            run.end()
        }
    }

    /// Whether no run has begun before. Then a template would be of no use yet.
    private func isFirst() -> Bool {
        state.withLock { state in
            defer { state.isFirst = false }
            return state.isFirst
        }
    }
}

/// A thread that keeps a template, and makes one run after the other.
///
/// The copies of a template are children of this thread, and are killed if it ends.
final class HelperKeeper: Sendable {
    private struct Job {
        let run: HelperRun
        /// Is called when the process of the run is gone.
        let isDone: @Sendable () -> Void
    }

    private let program: HelperProcess
    private let jobs = Mutex<[Job?]>([])
    private let signal = DispatchSemaphore(value: 0)
    private let isStarted = Mutex(false)

    init(_ program: HelperProcess) { self.program = program }

    /// Makes a run. The keeper must have no other.
    ///
    /// - Parameters:
    ///   - waiting: is resumed when the run has ended.
    ///   - isDone: is called when the process is gone, before `waiting` is resumed if possible.
    func take(
        _ run: HelperRun, _ waiting: CheckedContinuation<HelperProcess.Ending, Never>,
        isDone: @escaping @Sendable () -> Void
    ) {
        run.expect(waiting)
        let mustStart = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        if mustStart, let error = HelperThread.start({ self.work() }) {
            isStarted.withLock { $0 = false }
            run.settle(.notStarted(error))
            return isDone()
        }
        jobs.withLock { $0.append(Job(run: run, isDone: isDone)) }
        signal.signal()
    }

    /// Ends the thread and the template.
    func stop() {
        jobs.withLock { $0.append(nil) }
        signal.signal()
    }

    private func work() {
        var template: HelperTemplate?
        while true {
            signal.wait()
            guard let job = jobs.withLock({ $0.removeFirst() }) else { break }
            if template == nil { template = HelperTemplate(program) }
            let ending = job.run.supervise(by: &template)
            // After a run that ended badly, the next one gets a process with other addresses.
            let isGood = if case .ended(_, .exited(0)) = ending { true } else { false }
            if !isGood || template?.isUsedUp == true {
                template?.end()
                template = nil
            }
            if job.run.isOver {
                job.isDone()
                job.run.settle(ending)
            } else {
                job.run.settle(ending)
                job.run.waitForEnd()
                job.isDone()
            }
        }
        template?.end()
    }
}

/// A process that makes copies of itself. The thread that starts it must live as long as the copies.
struct HelperTemplate {
    private let source: helper_template
    private var count = 0

    /// The most copies that are made of one template. They all have the same addresses.
    private static let mostCopies = 100

    /// Starts a program as a template; nil if that fails.
    init?(_ program: HelperProcess) {
        var started = helper_template()
        let error = unsafe program.withEnvironment { unsafe helper_start_template(program.executable, $0, &started) }
        guard error == 0 else { return nil }
        source = started
    }

    /// Whether it has made as many copies as it may.
    var isUsedUp: Bool { count >= Self.mostCopies }

    /// Makes a copy for a run.
    ///
    /// - Parameter time: how long it may take.
    /// - Throws: `timedOut` if there is no answer in time, or another error if the template does not work.
    mutating func copy(within time: Duration) throws(Errno) -> helper {
        count += 1
        var started = helper()
        // Unsafe: the call reads and writes these two values, and keeps no pointers to them.
        let error = unsafe withUnsafePointer(to: source) { source in
            unsafe helper_copy(source, Int32(clamping: time.milliseconds), &started)
        }
        guard error == 0 else { throw Errno(rawValue: error) }
        return started
    }

    /// Ends the process. The copies go on.
    func end() {
        // Unsafe: the call reads the value, and keeps no pointer to it.
        unsafe withUnsafePointer(to: source) { unsafe helper_end_template($0) }
        var status: Int32 = 0
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        while unsafe waitpid(source.process, &status, 0) < 0, errno == EINTR {}
    }
}
