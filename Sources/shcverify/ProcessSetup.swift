import CProcess
import Credentials
import Cryptography
import Glibc
import Processes

/// Prepares the process, before it reads any input or argument.
enum ProcessSetup {
    static func run() {
        fillStandardStreams()
        // If the reader goes away or a file may not grow, the write fails. The signals would end the program before it
        // sets its exit code.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // If SIGCHLD is ignored by inheritance, the exit status of the process that fetches cannot be read.
        _ = signal(SIGCHLD, SIG_DFL)
        UnfinishedFiles.watch()
        silenceDispatch()
        forbidCore()
        use_small_stacks(limit(RLIMIT_AS) != .max)
        checkLimits()
    }

    /// Opens /dev/null in place of closed standard streams. Otherwise the next opened file would get the stream's
    /// number: a report would be written into a key file, or a key file read as the input.
    ///
    /// Each is opened for the wrong direction, so that reading or writing fails as it does on a closed stream.
    private static func fillStandardStreams() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
            // Unsafe: the C library reads the path during the call and does not keep it. The lowest free number is the
            // missing one, because those below it have been filled.
            guard unsafe open("/dev/null", mode) == number else { _exit(RunReason.internalError.exitCode) }
        }
    }

    /// Keeps Dispatch from writing to the system's log: a line for each thread whose priority it may not raise, as hardly
    /// anybody may. It reads the variable when it writes first.
    private static func silenceDispatch() {
        // Unsafe: the C library copies the texts. No other thread runs yet.
        _ = unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    }

    /// The number of files that are open at once. Fetching counts its own files.
    private static let files: Int32 = 12

    /// Ends the program if the limits of the process are too low. An error is better than a crash, or a gate that
    /// hangs.
    private static func checkLimits() {
        let least: [(resource: __rlimit_resource, value: rlim_t, words: String)] = [
            (RLIMIT_NOFILE, 32, "32 open files (ulimit -n)"),
            (RLIMIT_AS, 256 << 20, "256 MiB of address space (ulimit -v)"),
            (RLIMIT_DATA, 128 << 20, "128 MiB of data (ulimit -d)"),
        ]
        for (resource, value, words) in least where limit(resource) < value {
            refuse("the limits of this process are too low: at least \(words) are needed")
        }
        if files_room(files) < files {
            refuse(
                "room for at least \(files) more open files is needed (ulimit -n): too many files were open at the start"
            )
        }
    }

    /// The number of threads that wait during a fetch. Measured: 5.
    private static let threads = 6

    /// Ends the program if there is no room for this many threads, or if /proc does not show them.
    ///
    /// Whatever waits for something calls this first, on the main thread. Otherwise Dispatch would retry for ever to start a thread, and
    /// would end the program if it cannot read the state of one in /proc.
    static func requireThreads(_ count: Int = threads) {
        guard HostProcess.isShownInProc else {
            refuse("/proc must be mounted for this PID namespace: it does not show this process")
        }
        guard threads_room(Int32(count)) < count else { return }
        refuse("at least \(count) more threads are needed than are permitted (ulimit -u)")
    }

    /// The current limit on a resource.
    private static func limit(_ resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        return unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_cur : rlim_t.max
    }

    private static func refuse(_ reason: String) -> Never {
        StandardStreams.warn("shcverify: \(reason)")
        _exit(RunReason.internalError.exitCode)
    }

    /// Checks that OpenSSL verifies signatures correctly on this machine.
    ///
    /// - Throws: `CommandFailure` if it does not.
    static func checkOpenSSL() throws {
        if let openSSLProblem { throw CommandFailure(.internalError, openSSLProblem) }
    }

    /// Why OpenSSL does not verify signatures correctly on this machine; nil if it does.
    static var openSSLProblem: String? {
        let configuration = EnvironmentVariable.value(of: "OPENSSL_CONF")
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        let isFile = configuration.map { unsafe stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG }
        return OpenSSLProcess.problem(configuration: configuration, isFile: isFile ?? false)
    }

    /// Forbids core dumps: a core would contain the card, which is a person's health record.
    ///
    /// On Linux, a limit of 0 only means that no core file is written; a program that collects cores through a pipe
    /// still gets one. With a limit of 1, it gets none either.
    ///
    /// `PR_SET_DUMPABLE` would also keep debuggers out. But it gives `/proc/self` to another user, and this program
    /// needs it to find its arguments and `shcverify-fetch`.
    private static func forbidCore() {
        var limit = rlimit()
        // Unsafe: the calls read and write the variable, and keep no pointer to it.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
        limit = rlimit(rlim_cur: min(1, limit.rlim_max), rlim_max: min(1, limit.rlim_max))
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}

enum EnvironmentVariable {
    /// The value of an environment variable; nil if it is not set.
    static func value(of name: String) -> String? {
        // Unsafe: the value is copied at once, and nothing in this program changes the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
