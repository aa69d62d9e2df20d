import CBuild
import CProcess
import Containers
import CredentialReports
import Credentials
import Cryptography
import Directories
import FHIR
import Glibc
import Processes
import SMARTHealthCards

/// Prepares the process before it reads any input or argument.
enum ProcessSetup {
    static func run() {
        fillStandardStreams()
        // If the reader goes away, or a file may not grow, the write must fail. The signals would end the program before it sets its exit
        // code.
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // If the process has inherited an ignored SIGCHLD, it cannot read the exit status of the fetch process.
        _ = signal(SIGCHLD, SIG_DFL)
        UnfinishedFiles.watch()
        silenceDispatch()
        forbidCore()
        use_small_stacks(limit(RLIMIT_AS) != .max)
        checkLimits()
    }

    /// Opens /dev/null in place of closed standard streams. Otherwise the next file to be opened would get the stream's number: a report
    /// would be written into a key file, or a key file would be read as the input.
    ///
    /// Each is opened for the wrong direction, so that reading or writing fails as on a closed stream.
    private static func fillStandardStreams() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
            // Unsafe: the C library reads the path during the call and does not keep it. The lowest free number is the
            // missing one, because those below it have been filled.
            guard unsafe open("/dev/null", mode) == number else { _exit(RunReason.internalError.exitCode) }
        }
    }

    /// Keeps Dispatch from writing to the system's log: a line for each thread whose priority it may not raise, which hardly anybody may.
    /// It reads the variable when it first writes.
    private static func silenceDispatch() {
        // Unsafe: the C library copies the texts. No other thread runs yet.
        _ = unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
    }

    /// The number of files that are open at the same time. Fetching counts its own files.
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

    /// Ends the program if it cannot start this many threads, or if /proc does not show them.
    ///
    /// To be called on the main thread before waiting for anything. Otherwise Dispatch would try for ever to start a thread, and would end
    /// the program if it cannot read the state of a thread in /proc.
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

    /// Forbids core dumps, because a core would contain the card, which is a person's health record.
    ///
    /// On Linux, a limit of 0 only means that no core file is written. A program that collects cores through a pipe still gets one. With a
    /// limit of 1, it gets none either.
    ///
    /// `PR_SET_DUMPABLE` would also keep debuggers out. But it would give `/proc/self` to another user, and this program needs that to find
    /// its arguments and `shcverify-fetch`.
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

/// Intel's crypto_mb, if this machine has it: it verifies eight signatures at once.
enum InstalledLanes {
    /// The name of the library, with the interface version that this program knows. Debian's package is libcrypto-mb11.
    static let name = "libcrypto_mb.so.11"

    /// What speeds up signatures in a run; nil if OpenSSL is to verify each of them in the usual way.
    ///
    /// - Parameters:
    ///   - isWanted: whether anything may be used in addition to OpenSSL's usual verification.
    ///   - trace: says what is used.
    static func precomputation(isWanted: Bool, _ trace: Trace) -> Precomputation? {
        guard isWanted else {
            trace.noteSignatures("OpenSSL alone, because of --no-precompute")
            return nil
        }
        let (lanes, words) = load()
        trace.noteSignatures("crypto_mb \(words)")
        return Precomputation(lanes: lanes)
    }

    /// Loads the library.
    ///
    /// - Returns: the library, or nil if it is not used; with its version and path, or the reason why it is not used.
    static func load() -> (lanes: SignatureLanes?, words: String) {
        if let problem = SignatureLanes.problemOfMachine { return (nil, "is not used: \(words(for: problem))") }
        do throws(SystemLibrary.Problem) {
            let path = try SystemLibrary.path(of: name, in: testFolders)
            do throws(SignatureLanes.Problem) {
                let lanes = try SignatureLanes(path: path) { warn(of: path, confirmed: $0) }
                return (lanes, "\(lanes.version), \(path)")
            } catch {
                return (nil, "is not used: \(path): \(words(for: error))")
            }
        } catch .unsafe(let path, let objection) {
            return (nil, "is not used: \(path): \(objection)")
        } catch .cut(let path) {
            return (nil, "is not used: \(path): the end of the file is missing")
        } catch {
            return (nil, "is not used: \(name) is not installed (Debian: libcrypto-mb11)")
        }
    }

    /// Says that the library gave wrong results.
    private static func warn(of path: String, confirmed count: Int) {
        let earlier =
            count == 0
            ? ""
            : " It had confirmed \(count) before: judge all cards of this run again, from the first one, with --no-precompute."
        StandardStreams.warn(
            "shcverify: crypto_mb (\(path)) and OpenSSL disagree on a signature. It is not used any more in this run.\(earlier)"
        )
    }

    private static func words(for problem: SignatureLanes.Problem) -> String {
        switch problem {
        case .noInstructions: "this processor lacks the instructions for it"
        case .noRegisters: "this system does not keep the registers for it"
        case .notLoaded(let words): words.isEmpty ? "it cannot be loaded" : "it cannot be loaded: \(words)"
        case .otherInterface: "it lacks a function"
        case .notApplicable: "it says that it cannot be used on this processor"
        case .wrongAnswers: "its answers about an example are wrong"
        }
    }

    /// The only folder in which the library is searched; nil for those of the system. A debug build takes it from the environment, so that
    /// tests can use an unpacked package, or a library that gives wrong results.
    private static var testFolders: [String]? {
        #if DEBUG
            return EnvironmentVariable.value(of: "SHCVERIFY_TEST_LANES").map { [$0] }
        #else
            return nil
        #endif
    }
}

/// This machine's clock, by which cards are judged unless `--at` gives a time.
///
/// A clock that shows a time before the release of this program, or before the date of an installed list, is wrong. With such a clock,
/// genuine cards would be refused as not yet valid, and expired ones would pass.
enum MachineClock {
    /// The day on which this version was released, as in the heading of CHANGELOG.md. It is a constant, so that the same sources always
    /// make the same program.
    static let released = "2026-11-29"

    /// How far the clock may be behind. A release has the date of its makers' time zone, and an update accepts a list that is somewhat
    /// ahead of this machine's clock.
    private static let tolerance = Duration.seconds(2 * 86_400)

    /// Something that is older than now if the clock is right.
    struct Mark: Sendable {
        /// What it is, as it follows "is before".
        let name: String
        let time: NumericDate
    }

    /// What is wrong with a clock that shows this time; nil if nothing is known to be wrong.
    ///
    /// - Parameter marks: what is older than now if the clock is right; nil for what this machine has.
    static func problem(at now: NumericDate = .now, marks: [Mark]? = nil) -> String? {
        let latest = (marks ?? Self.marks).filter { now.sinceEpoch + tolerance < $0.time.sinceEpoch }.max {
            $0.time < $1.time
        }
        return latest.map { mark in
            "this machine's clock shows \(now.toTheSecond), which is before \(mark.name) (\(mark.time.description.prefix(10))): "
                + "set the clock"
        }
    }

    /// Ends the command if this machine's clock is wrong.
    ///
    /// - Parameter takesTime: whether the command accepts the time with `--at` instead.
    static func requireRight(takesTime: Bool = true) throws {
        guard let problem = problem() else { return }
        let way = takesTime ? ", or give the time with --at" : ""
        throw CommandFailure(.internalError, "\(problem)\(way)")
    }

    /// The release and the installed lists.
    private static var marks: [Mark] {
        let release = NumericDate(text: "\(released)T00:00:00Z").map { time in
            [Mark(name: "the release of this program", time: time)]
        }
        let lists = ListPlaces.standard.lists(after: .now).map { list in
            Mark(name: "the installed list \"\(list.name.rawValue)\" in \(list.store.parent)", time: list.time)
        }
        return (release ?? []) + lists
    }
}

/// What `--version` prints: the version on the first line, then everything that verdicts can depend on, and what is installed.
enum ProgramVersion {
    static var text: String {
        let rows =
            [("commit", commit)] + codes + [
                ("OpenSSL", OpenSSLProcess.version),
                ("crypto_mb", InstalledLanes.load().words),
                ("requests", place(of: "shcverify-fetch")),
                ("pictures", place(of: "shcverify-scan")),
                ("PDF", words(isInstalled: DocumentScanner.readsPDF, "poppler-utils")),
                ("SVG", words(isInstalled: DocumentScanner.readsSVG, "librsvg2-bin")),
            ] + contact
        let lines = rows.map { name, value in
            "\(name)\(String(repeating: " ", count: max(1, 10 - name.utf8.count)))\(TerminalText.printable(value))"
        }
        return ([Tool.shcverify.version] + lines).joined(separator: "\n")
    }

    /// The commit from which the program was built, or a note that it is not known.
    static var commit: String {
        // Unsafe: the text is a constant, and ends with a zero byte.
        unsafe String(cString: build_commit())
    }

    /// Where to report bugs and weaknesses: to the contact that the builder of the program has named, or else to the builder.
    private static var contact: [(String, String)] {
        // Unsafe: the texts are constants, and end with a zero byte.
        let (maintainer, homepage) = unsafe (String(cString: build_maintainer()), String(cString: build_homepage()))
        let named = [("maintainer", maintainer), ("homepage", homepage)].filter { !$0.1.isEmpty }
        return named.isEmpty ? [("reports", "to whoever built this program")] : named
    }

    /// One row for each list of codes that is in use.
    private static var codes: [(String, String)] {
        var names = CodeNames.builtIn
        names.add(InstalledCodes.newest())
        return names.lists.map { list in
            let date = list.date.map { " of \($0)" } ?? ""
            return ("codes", "\(list.name)\(date), \(list.source.rawValue)")
        }
    }

    /// The place of a program of this installation.
    private static func place(of program: String) -> String {
        guard let path = try? InstalledProgram.path(of: program) else { return "\(program) is not installed" }
        return InstalledProgram.canStart(path) ? path : "\(path) cannot be started"
    }

    private static func words(isInstalled: Bool, _ package: String) -> String {
        isInstalled ? "installed" : "\(package) is not installed"
    }
}
