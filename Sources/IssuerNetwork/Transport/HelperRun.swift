internal import CProcess
internal import Dispatch
internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// One run of a `HelperProcess`.
///
/// It has a thread of its own, which starts the process, hands over the input, reads the output and waits for the end. So
/// it does not depend on threads that others may have taken, nor on what the program around it does with SIGCHLD; and a
/// process that asks to be killed when the thread ends that started it (prctl(2), PR_SET_PDEATHSIG) is not killed early.
final class HelperRun: Sendable {
    private struct State {
        var waiting: CheckedContinuation<HelperProcess.Ending, Never>?
        /// The process, until it has been waited for: only so long does its number stand for it.
        var process: pid_t?
        var isToEnd = false
    }

    private let program: HelperProcess
    private let input: [UInt8]
    private let outputLimit: Int
    private let time: Duration
    private let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    /// How long a process that was killed is waited for. One that waits for a disk can take longer to end.
    private static let killTime = Duration.milliseconds(500)

    init(_ program: HelperProcess, input: [UInt8], outputLimit: Int, time: Duration) {
        self.program = program
        self.input = input
        self.outputLimit = outputLimit
        self.time = time
        deadline = .now + time
    }

    /// Begins the run.
    ///
    /// - Parameter waiting: is resumed when it has ended.
    func begin(_ waiting: CheckedContinuation<HelperProcess.Ending, Never>) {
        state.withLock { $0.waiting = waiting }
        // Unsafe: the thread is handed a reference to the run as a pointer, and takes it over; if there is no thread, it is
        // taken back.
        let reference = unsafe Unmanaged.passRetained(self)
        let error = unsafe thread_start(
            { pointer in
                guard let pointer = unsafe pointer else { return }
                unsafe Unmanaged<HelperRun>.fromOpaque(pointer).takeRetainedValue().supervise()
            }, reference.toOpaque())
        guard error == 0 else {
            unsafe reference.release()
            return settle(.notStarted("there is no room for a thread: \(Errno(rawValue: error))"))
        }
        // For when the thread itself is held up: to start a program takes as long as the disk it is on.
        let latest = DispatchTime.now() + .milliseconds((time + Self.killTime * 2).milliseconds)
        DispatchQueue.global().asyncAfter(deadline: latest) { [weak self] in self?.settle(.outOfTime) }
    }

    /// Kills the process, now or as soon as it has been started.
    func end() {
        state.withLock { state in
            state.isToEnd = true
            if let process = state.process { _ = kill(process, SIGKILL) }
        }
    }

    private func settle(_ ending: HelperProcess.Ending) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: ending)
    }

    // MARK: The thread

    private func supervise() {
        guard let started = start() else { return }
        var ending = converse(
            input: FileDescriptor(rawValue: started.input), output: FileDescriptor(rawValue: started.output))
        if case .ended(let output, _) = ending {
            // Now it ends, and how it does so says why it has not answered. One that has is not waited for long.
            let status = wait(until: output.isEmpty ? deadline : min(deadline, .now + Self.killTime))
            if let status { ending = .ended(output: output, status) } else if output.isEmpty { ending = .outOfTime }
        }
        end()
        _ = wait(until: .now + Self.killTime)
        settle(ending)
        _ = wait(until: nil)
    }

    /// Starts the process; nil if the run has been settled since that is not possible.
    private func start() -> helper? {
        var started = helper()
        let variables = program.environment.map { "\($0.key)=\($0.value)" }
        // Unsafe: the strings are copied into memory of their own, which lives until they have been used and ends with a
        // null pointer, as the list does.
        var list = unsafe variables.map { unsafe strdup($0) } + [nil]
        let error = unsafe helper_start(program.executable, &list, &started)
        for index in unsafe list.indices { unsafe free(list[index]) }
        guard error == 0 else {
            settle(.notStarted(Self.reason(Errno(rawValue: error))))
            return nil
        }
        state.withLock { state in
            state.process = started.process
            if state.isToEnd { _ = kill(started.process, SIGKILL) }
        }
        return started
    }

    private static func reason(_ error: Errno) -> String {
        switch error {
        case .resourceTemporarilyUnavailable:
            "there is no room for another process (ulimit -u, or the container's limit of processes)"
        case .noMemory: "there is no memory for another process"
        case .tooManyOpenFiles: "too many files are open (ulimit -n)"
        default: "\(error)"
        }
    }

    /// Hands over the input and reads the output, both as far as the process allows it and the time.
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
            // A negative number stands for no file.
            var files = [
                pollfd(fd: outputEnd.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: toWrite?.rawValue ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            // Unsafe: the call writes into the list, which has as many elements as it is told, and keeps no pointer to it.
            guard unsafe poll(&files, 2, Int32(clamping: left.milliseconds)) > 0 else { continue }
            if files[1].revents != 0 {
                do {
                    let written = try unsafe unwritten.withUnsafeBytes { try unsafe inputEnd.write($0) }
                    unwritten = unwritten.dropFirst(written)
                } catch Errno.resourceTemporarilyUnavailable {
                    // Later.
                } catch {
                    // The process does not want to read the rest. What it answers will say whether that is a fault.
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

    /// Some of what can be read; nothing at the end.
    private static func read(_ file: FileDescriptor) -> [UInt8] {
        // Unsafe: the call writes so many bytes into the buffer as it says, and keeps no pointer to it.
        unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = (try? unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }

    /// Waits for the process to end.
    ///
    /// The system has no call that waits for one process and not longer than some time, so it is asked again and again.
    ///
    /// - Returns: how it ended; nil if it has not by then.
    private func wait(until latest: ContinuousClock.Instant?) -> HelperProcess.Status? {
        var pause: UInt32 = 100
        while true {
            let status = state.withLock { state -> HelperProcess.Status? in
                guard let process = state.process else { return .unknown }
                var status: Int32 = 0
                // Unsafe: the call writes into the variable, and keeps no pointer to it.
                let result = unsafe waitpid(process, &status, WNOHANG)
                guard result != 0 else { return nil }
                state.process = nil
                // Where SIGCHLD is ignored, there is nobody to be waited for.
                guard result == process else { return .unknown }
                return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
            }
            if let status { return status }
            if let latest, latest <= .now { return nil }
            usleep(pause)
            pause = min(2 * pause, latest == nil ? 1_000_000 : 20_000)
        }
    }
}
