import ArgumentParser
import CProcess
import Glibc
import JOSE

/// What the process makes sure of before it reads a byte or an argument.
enum ProcessSetup {
    static func run() {
        fillStandardStreams()
        // A reader that goes away, and a file that must not grow, are errors of a write. They must not end us before the
        // exit code says what was found.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // If this is inherited as ignored, nobody is told how the process that fetches has ended.
        _ = signal(SIGCHLD, SIG_DFL)
        forbidCore()
        threads_take_less(limit(RLIMIT_AS) != .max)
        checkLimits()
    }

    /// Opens something in place of standard streams that are closed. The next file that is opened would take the number
    /// of one: a key file would be written to where the report goes, or read as the input.
    ///
    /// They are opened the wrong way round, so that who reads or writes them is told, as if they were closed still.
    private static func fillStandardStreams() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
            // Unsafe: the C library reads the path during the call and does not keep it. The lowest number that is free
            // is the one that is missing, since those below it were seen to.
            guard unsafe open("/dev/null", mode) == number else { _exit(CommandExit.internalError.rawValue) }
        }
    }

    /// How many files are open at once, without those of fetching, which sees to its own.
    private static let files: Int32 = 12

    /// Ends the program if it is allowed too little to run: an error is better than a crash or a gate that stands still.
    private static func checkLimits() {
        let least: [(resource: __rlimit_resource, value: rlim_t, words: String)] = [
            (RLIMIT_NOFILE, 32, "32 open files (ulimit -n)"),
            (RLIMIT_AS, 256 << 20, "256 MiB of address space (ulimit -v)"),
            (RLIMIT_DATA, 128 << 20, "128 MiB of data (ulimit -d)"),
        ]
        for (resource, value, words) in least where limit(resource) < value {
            refuse("at least \(words) are needed, and less is allowed here")
        }
        if files_room(files) < files {
            refuse(
                "room for at least \(files) more open files is needed (ulimit -n), and too many were open at the start")
        }
    }

    /// How many threads wait for what is fetched, at one time. Measured: 5.
    private static let threads = 6

    /// Ends the program if there is no room for so many threads.
    ///
    /// A command asks this before it waits for anything, on the main thread: Dispatch tries for ever to make a thread for
    /// which there is no room. One that never waits needs no other thread, and saves the time.
    static func makeSureOfThreads(_ count: Int = threads) {
        guard threads_room(Int32(count)) < count else { return }
        refuse("at least \(count) more threads are needed (ulimit -u), and there is no room for them here")
    }

    /// What is allowed of something.
    private static func limit(_ resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        return unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_cur : rlim_t.max
    }

    private static func refuse(_ reason: String) -> Never {
        StandardStreams.warn("shcverify: \(reason)")
        _exit(CommandExit.internalError.rawValue)
    }

    /// Makes sure that OpenSSL verifies signatures on this machine, before any is judged.
    ///
    /// - Throws: `ExitCode` 1, after a line on standard error.
    static func checkOpenSSL() throws {
        let configuration = EnvironmentVariable.value(of: "OPENSSL_CONF")
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        let isFile = configuration.map { unsafe stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG }
        guard let problem = OpenSSLProcess.problem(configuration: configuration, isFile: isFile ?? false) else {
            return
        }
        StandardStreams.warn("shcverify: \(problem)")
        throw CommandExit.internalError
    }

    /// Has no core made of a crash: it would hold the card, which is somebody's health record.
    ///
    /// To Linux a limit of 1 means that no core goes anywhere, while 0 means only that none is written to a file, and a
    /// program that collects cores by a pipe gets one all the same. What is left out is `PR_SET_DUMPABLE`, which would
    /// also keep debuggers out, but makes `/proc/self` another user's, where this program finds its arguments and
    /// `shcverify-fetch`.
    private static func forbidCore() {
        var limit = rlimit()
        // Unsafe: the calls read and write the variable, and keep no pointer to it.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
        limit = rlimit(rlim_cur: min(1, limit.rlim_max), rlim_max: min(1, limit.rlim_max))
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}
