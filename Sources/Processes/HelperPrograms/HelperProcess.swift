import CProcess
import Dispatch
import Synchronization
import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// An untrusted program that runs in a process of its own. It reads bytes from its standard input, answers on its
/// standard output, and is always ended on time.
package struct HelperProcess: Sendable {
    /// How a run ended.
    package enum Ending: Sendable {
        /// The process has answered, or ended without an answer.
        case ended(output: [UInt8], Status)
        /// It wrote more than the limit.
        case tooMuchOutput
        /// The time was up before it ended.
        case outOfTime
        /// It could not be started, for the given reason.
        case notStarted(String)
    }

    /// How the system says that a process ended.
    package enum Status: Sendable {
        case exited(Int32)
        case signaled(Int32)
        /// The status is not known: the process had to be killed after its answer, or its status went to another
        /// waiter.
        case unknown
    }

    /// The path of the program.
    let executable: String
    /// Its whole environment.
    let environment: [String: String]

    package init(executable: String, environment: [String: String]) {
        self.executable = executable
        self.environment = environment
    }

    /// Runs the program. If the task is cancelled, the process is killed.
    ///
    /// - Parameters:
    ///   - input: the bytes for its standard input.
    ///   - outputLimit: the most bytes that it may write.
    ///   - time: how long it may run.
    /// - Returns: how it ended. The process is gone by then, unless the system itself cannot end it.
    package func run(input: [UInt8], outputLimit: Int, within time: Duration) async -> Ending {
        await run(input: input, outputLimit: outputLimit, within: time, copying: nil)
    }

    /// Runs the program, or a copy of one of its zygotes.
    func run(
        input: [UInt8], outputLimit: Int, within time: Duration, copying zygotes: Zygotes?
    ) async -> Ending {
        let run = HelperRun(self, zygotes, input: input, outputLimit: outputLimit, time: time)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { run.begin($0) }
        } onCancel: {
            run.end()
        }
    }

    /// Calls `body` with the environment in the form in which the system takes it, and in the same order each time.
    func withEnvironment(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> Int32 {
        // Unsafe: the strings are copied. The copies live until they have been used, and the list ends with a null
        // pointer.
        let sorted = environment.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let list = unsafe sorted.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for index in unsafe list.indices { unsafe free(list[index]) } }
        return unsafe list.withUnsafeBufferPointer { list in
            guard let start = list.baseAddress else { return EINVAL }
            return unsafe body(start)
        }
    }
}

/// One run of a `HelperProcess`.
///
/// The run has a thread of its own, in which all signals are blocked. It starts the process, writes the input, reads the output
/// and waits for the end. So it works even if other tasks have taken all threads, and if the program handles SIGCHLD in its own way. It also
/// matters for a process that asks to be killed when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG): this
/// thread lives long enough. (With `ForkServer`, that is the thread that began the fork server.)
final class HelperRun: Sendable {
    private struct State {
        var waiting: CheckedContinuation<HelperProcess.Ending, Never>?
        /// The process and its handle, until it has been waited for. After that, the system may give its number to another process.
        var started: helper?
        var isToEnd = false
    }

    private let program: HelperProcess
    private let zygotes: Zygotes?
    private let input: [UInt8]
    private let outputLimit: Int
    private let time: Duration
    private let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    /// How long to wait for a process after killing it. A process that waits for a disk can take longer.
    private static let killTime = Duration.milliseconds(500)

    init(
        _ program: HelperProcess, _ zygotes: Zygotes?, input: [UInt8], outputLimit: Int, time: Duration
    ) {
        self.program = program
        self.zygotes = zygotes
        self.input = input
        self.outputLimit = outputLimit
        self.time = time
        deadline = .now + time
    }

    /// Begins the run.
    ///
    /// - Parameter waiting: the continuation to resume when the run has ended.
    func begin(_ waiting: CheckedContinuation<HelperProcess.Ending, Never>) {
        state.withLock { $0.waiting = waiting }
        // In case the thread itself is delayed: starting a program takes as long as its disk.
        let latest = DispatchTime.now() + .milliseconds((time + Self.killTime * 2).milliseconds)
        DispatchQueue.global().asyncAfter(deadline: latest) { [weak self] in self?.settle(.outOfTime) }
        // Unsafe: the thread gets a retained reference as a pointer and releases it. If no thread can be made, it is released here.
        let reference = unsafe Unmanaged.passRetained(self)
        let error = unsafe thread_start(
            { pointer in
                guard let pointer = unsafe pointer else { return }
                unsafe Unmanaged<HelperRun>.fromOpaque(pointer).takeRetainedValue().work()
            }, reference.toOpaque())
        guard error != 0 else { return }
        unsafe reference.release()
        settle(.notStarted("there is no room for a thread: \(Errno(rawValue: error))"))
    }

    /// Kills the process, now or as soon as it has been started.
    func end() {
        state.withLock { state in
            state.isToEnd = true
            if let started = state.started { helper_end(started.process) }
        }
    }

    /// Says how the run ended, unless that has been said.
    private func settle(_ ending: HelperProcess.Ending) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: ending)
    }

    // MARK: The thread

    private func work() {
        var zygote = zygotes?.take()
        let ending = supervise(by: &zygote)
        if let zygote {
            let isGood = if case .ended(_, .exited(0)) = ending { true } else { false }
            zygotes?.giveBack(zygote, isGood: isGood)
        }
        settle(ending)
        // Only the system itself can make that take long.
        _ = wait(until: nil)
    }

    /// Starts the process, writes the input, reads the output, and ends the process.
    ///
    /// - Parameter zygote: what makes the process; nil to start the program. If it does not work, it is ended and becomes nil.
    private func supervise(by zygote: inout Zygote?) -> HelperProcess.Ending {
        var started = helper()
        if let ending = start(&started, by: &zygote) { return ending }
        var ending = converse(
            input: FileDescriptor(rawValue: started.input), output: FileDescriptor(rawValue: started.output))
        if case .ended(let output, _) = ending {
            // The process closes its output when it ends. If it has not answered, its status says why. If it has, there
            // is no need to wait long.
            let status = wait(until: output.isEmpty ? deadline : min(deadline, .now + Self.killTime))
            if let status { ending = .ended(output: output, status) } else if output.isEmpty { ending = .outOfTime }
        }
        end()
        _ = wait(until: .now + Self.killTime)
        return ending
    }

    /// - Returns: how it ended, if it could not be started; else nil.
    private func start(_ started: inout helper, by zygote: inout Zygote?) -> HelperProcess.Ending? {
        if let copy = zygote?.copy(within: ContinuousClock.now.duration(to: deadline)) {
            started = copy
        } else {
            zygote?.end()
            zygote = nil
            // A zygote that is too slow takes no time from the run: the program is started then.
            guard ContinuousClock.now < deadline else { return .outOfTime }
            let error = unsafe program.withEnvironment { unsafe helper_start(program.executable, $0, &started) }
            guard error == 0 else { return .notStarted(Self.reason(Errno(rawValue: error))) }
        }
        state.withLock { [started] state in
            state.started = started
            if state.isToEnd { helper_end(started.process) }
        }
        return nil
    }

    private static func reason(_ error: Errno) -> String {
        switch error {
        case .resourceTemporarilyUnavailable:
            "there is no room for another process (ulimit -u, or the container's limit of processes)"
        case .noMemory: "there is no memory for another process"
        case .tooManyOpenFiles: "too many files are open (ulimit -n)"
        case .brokenPipe, .connectionReset: "the process that starts programs has ended"
        case .socketNotConnected: "the process that starts programs does not answer"
        default: "\(error)"
        }
    }

    /// Writes the input and reads the output, as fast as the process allows and until the time is up.
    ///
    /// - Returns: `ended` if it closed its output.
    private func converse(input inputEnd: FileDescriptor, output outputEnd: FileDescriptor) -> HelperProcess.Ending {
        var toWrite: FileDescriptor? = inputEnd
        defer {
            try? toWrite?.close()
            try? outputEnd.close()
        }
        var unwritten = input[...]
        var output: [UInt8] = []
        while true {
            if unwritten.isEmpty {
                try? toWrite?.close()
                toWrite = nil
            }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .outOfTime }
            // poll(2) ignores a negative number.
            var files = [
                pollfd(fd: outputEnd.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: toWrite?.rawValue ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            // Unsafe: the call writes into the list, whose length it is given, and keeps no pointer to it.
            guard unsafe poll(&files, 2, Int32(clamping: left.milliseconds)) > 0 else { continue }
            if files[1].revents != 0 {
                do {
                    let written = try unsafe unwritten.withUnsafeBytes { try unsafe inputEnd.write($0) }
                    unwritten = unwritten.dropFirst(written)
                } catch Errno.resourceTemporarilyUnavailable {
                    // Try again later.
                } catch {
                    // The process has closed its input. Its answer will say whether that is an error.
                    unwritten = []
                }
            }
            guard files[0].revents != 0 else { continue }
            let piece = Self.read(outputEnd)
            if piece.isEmpty { return .ended(output: output, .unknown) }
            output.append(contentsOf: piece)
            guard output.count <= outputLimit else { return .tooMuchOutput }
        }
    }

    /// Reads the bytes that are available. Empty at the end of the file.
    private static func read(_ file: FileDescriptor) -> [UInt8] {
        // Unsafe: the call writes into the buffer, returns how many bytes it wrote, and keeps no pointer to it.
        unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = (try? unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }

    /// Waits for the process to end.
    ///
    /// - Returns: how it ended, or nil if it has not ended by then.
    private func wait(until latest: ContinuousClock.Instant?) -> HelperProcess.Status? {
        while true {
            // Of a process without a handle, the system is asked again after a while. poll(2) ignores a negative number.
            var end = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            let status = state.withLock { state -> HelperProcess.Status? in
                guard let started = state.started else { return .unknown }
                var status: Int32 = 0
                // Unsafe: the call writes into the variable, and keeps no pointer to it.
                let result = unsafe waitpid(started.process, &status, WNOHANG)
                guard result != 0 else {
                    end.fd = started.handle
                    return nil
                }
                state.started = nil
                if started.handle >= 0 { close(started.handle) }
                // If SIGCHLD is ignored, there is no process left to wait for.
                guard result == started.process else { return .unknown }
                return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
            }
            if let status { return status }
            let left = latest.map { ContinuousClock.now.duration(to: $0) } ?? .longest
            guard left > .zero else { return nil }
            let pause = end.fd >= 0 ? left : min(left, .milliseconds(5))
            // Unsafe: as above.
            _ = unsafe poll(&end, 1, Int32(clamping: pause.milliseconds))
        }
    }
}

/// A process that starts the helper programs of this one, which can then give up the right to start programs (`Sandbox`).
package enum ForkServer {
    /// Makes the process. From now on only these programs can be started, each with its own environment. If no process can be made, they
    /// fail to start, and say so.
    ///
    /// To be called once, before there are other threads.
    ///
    /// - Parameter programs: the programs. There need not be one at each path yet.
    package static func begin(_ programs: [HelperProcess]) {
        for program in programs {
            // Unsafe: the call copies the strings.
            let error = unsafe program.withEnvironment { unsafe fork_server_add(program.executable, $0) }
            precondition(error == 0, "there is room for all programs")
        }
        fork_server_begin()
    }
}

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
