internal import Encodings
package import Processes

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The transport of the command line. Each request is made by a process of its own, `shcverify-fetch`.
///
/// A server can crash, flood or stall that process, but it costs this program no more than the request's timeout and
/// its limit on memory. The process reads one request from its standard input. It ends when it has answered. If the
/// time is up or the task is cancelled, it is killed. It is always waited for.
public struct FetchProcess: Transport {
    /// The path of `shcverify-fetch`, or why there is none.
    private let executable: Result<String, TransportFailure>
    private let environment: [String: String]
    private let turns = FetchSemaphore()

    /// How much longer than the request's timeout the process may run, to start and to report that the time is up.
    static let grace = Duration.milliseconds(500)

    /// - Parameter executable: the path of `shcverify-fetch`.
    public init(executable: String) {
        self.init(executable: executable, environment: Self.inheritedEnvironment)
    }

    /// The process judges each address that it connects to.
    public var checksAddresses: Bool { true }

    /// The `shcverify-fetch` that is installed with the running program. If it is missing, each request fails with that
    /// error. A run that makes no requests does not need it.
    public static var installed: FetchProcess {
        FetchProcess()
    }

    /// The programs of which `installed` starts one, for `ForkServer`.
    package static var startable: [HelperProcess] {
        InstalledProgram.places(of: "shcverify-fetch").map {
            HelperProcess(executable: $0, environment: inheritedEnvironment)
        }
    }

    /// - Parameters:
    ///   - executable: the path of `shcverify-fetch`.
    ///   - environment: the whole environment of the process.
    package init(executable: String, environment: [String: String]) {
        self.executable = .success(executable)
        self.environment = environment
    }

    private init() {
        executable = Result(catching: Self.findExecutable)
        environment = Self.inheritedEnvironment
    }

    /// Finds `shcverify-fetch` next to the running program, in `../libexec/shcverify` or in `../libexec`. Neither PATH
    /// nor the current directory is searched.
    ///
    /// - Returns: its path.
    /// - Throws: `TransportFailure` of kind `installation` that names the places that were searched.
    static func findExecutable() throws(TransportFailure) -> String {
        do throws(InstalledProgram.Problem) {
            return try InstalledProgram.path(of: "shcverify-fetch")
        } catch .missing(let places) {
            throw TransportFailure(
                .installation,
                "the program that fetches is missing; it was looked for at \(places.joined(separator: ", "))")
        } catch {
            throw TransportFailure(
                .installation,
                "the program that fetches, shcverify-fetch, cannot be found: without /proc this program does not know its "
                    + "own path")
        }
    }

    /// How the program that fetches is known to work: it refuses this address before it makes a connection.
    private static let refusedAddress = "not-an-address"

    /// Starts the program once, to see that it works and understands what it is asked. It makes no request.
    ///
    /// - Parameter time: how long it may take.
    /// - Throws: `TransportFailure` of kind `installation` that says why the program does not work.
    public func check(within time: Duration) async throws(TransportFailure) {
        let executable = try executable.get()
        if let objection = InstalledProgram.objection(toStarting: executable) {
            throw TransportFailure(.installation, "the program that fetches is not started from \(objection)")
        }
        let request = HTTPRequest(url: Self.refusedAddress, timeout: time, maximumBodySize: 0).bounded
        let ending = await HelperProcess(executable: executable, environment: environment).run(
            input: request.wireForm, outputLimit: FetchAnswer.maximumLength(bodySize: 0), within: time)
        if case .outOfTime = ending { throw Self.fault(of: executable, "does not answer within \(time.inSeconds)") }
        do throws(TransportFailure) {
            _ = try answer(to: request, from: executable, ending)
        } catch {
            switch error.kind {
            case .invalidURL: return
            case .installation, .fetcher: throw TransportFailure(.installation, error.message)
            default: break
            }
        }
        throw Self.fault(of: executable, "gives answers that cannot be right")
    }

    /// Makes one request in a process of its own.
    ///
    /// - Returns: the final response, with any status.
    /// - Throws: `TransportFailure` if there is no response.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let request = request.bounded
        let url = try HTTPSURL(request.url)
        let policy = AddressPolicy(allowsPrivateNetwork: request.allowsPrivateNetwork)
        if let refusal = policy.refusal(ofHost: url.host) { throw TransportFailure(refusal) }
        try request.checkOrigin(of: url)
        guard request.timeout > .zero else { throw .timeout(after: request.timeout) }
        let executable = try executable.get()
        if let objection = InstalledProgram.objection(toStarting: executable) {
            throw TransportFailure(.installation, "the program that fetches is not started from \(objection)")
        }
        var wireForm = request.wireForm
        // Overwritten, if it has an access token.
        defer { if request.bearerToken != nil { _ = SecretBytes(&wireForm) } }
        guard wireForm.count <= HTTPRequest.maximumWireSize, request.canBeSent else {
            throw TransportFailure(.fetcher, "the request is too long, or one of its fields cannot be sent")
        }
        do throws(TransportFailure) {
            try await turns.take()
        } catch {
            throw Self.fault(of: executable, "cannot be started: \(error.message)")
        }
        defer { turns.giveBack() }
        guard !Task.isCancelled else { throw TransportFailure(.cancelled, "the fetch was cancelled") }
        let ending = await HelperProcess(executable: executable, environment: environment).run(
            input: wireForm,
            outputLimit: FetchAnswer.maximumLength(bodySize: max(request.maximumBodySize, request.errorBodySize)),
            within: request.timeout + Self.grace)
        guard !Task.isCancelled else { throw TransportFailure(.cancelled, "the fetch was cancelled") }
        do throws(TransportFailure) {
            let response = try answer(to: request, from: executable, ending)
            turns.noteAnswer()
            return response
        } catch {
            throw turns.judged(error)
        }
    }

    /// Turns the end of a process into the response to a request, or into a failure.
    private func answer(
        to request: HTTPRequest, from executable: String, _ ending: HelperProcess.Ending
    ) throws(TransportFailure) -> HTTPResponse {
        switch ending {
        case .outOfTime: throw .timeout(after: request.timeout)
        case .tooMuchOutput: throw .tooLarge(limit: request.maximumBodySize)
        case .notStarted(let reason):
            throw Self.fault(of: executable, "cannot be started: \(reason)")
        case .ended(let output, let status):
            let hasContacted = output.first == FetchAnswer.contact
            guard output.count > (hasContacted ? 1 : 0) else {
                throw Self.failure(of: executable, status, hasContacted: hasContacted, after: request.timeout)
            }
            do throws(TransportFailure) {
                return try FetchAnswer.read(
                    output, maximumBodySize: request.maximumBodySize, errorBodySize: request.errorBodySize)
            } catch {
                let isMalformed = error.kind == .fetcher
                guard error.kind == .installation || isMalformed else {
                    turns.noteAnswer()
                    throw error
                }
                // The process can tell that it is installed wrongly before it contacts a server. After that, the server
                // may have caused this, and a server must not be able to end the whole run.
                guard !hasContacted else { throw FetchAnswer.malformed }
                throw Self.fault(
                    of: executable,
                    isMalformed ? "gives answers that cannot be read" : "cannot do so: \(error.message)")
            }
        }
    }

    /// The environment of the process: the proxies, and the paths of its libraries. Swift's backtraces are switched
    /// off, because nobody reads them and they cost time. Dispatch would write a line to the system's log for each
    /// thread. Foundation would make folders for a cache and cookies, even if there are none, so it is told a place where
    /// nothing can be made.
    private static var inheritedEnvironment: [String: String] {
        let names = EnvironmentProxy.variables + ["LD_LIBRARY_PATH"]
        let nowhere = "/dev/null"
        let fixed = [
            "SWIFT_BACKTRACE": "enable=no", "LIBDISPATCH_LOG": "NO", "HOME": nowhere, "XDG_CACHE_HOME": nowhere,
            "XDG_DATA_HOME": nowhere,
        ]
        return names.reduce(into: fixed) { $0[$1] = HostProcess.environmentVariable($1) }
    }

    private static func fault(of executable: String, _ words: String) -> TransportFailure {
        TransportFailure(.installation, "the program that fetches, \(executable), \(words)")
    }

    /// The failure of a process that gave no answer.
    ///
    /// - Parameter hasContacted: whether it had already contacted a server.
    private static func failure(
        of executable: String, _ status: HelperProcess.Status, hasContacted: Bool, after timeout: Duration
    ) -> TransportFailure {
        switch status {
        case .exited(127) where !hasContacted:
            // The dynamic loader's exit code.
            return fault(
                of: executable,
                "cannot start (exit code 127): a library that it needs is missing or of another version; ldd names them"
            )
        case .exited(64) where !hasContacted:
            return fault(
                of: executable,
                "does not know this request (exit code 64): it is of another version than shcverify")
        case .exited(let code) where !hasContacted:
            return fault(of: executable, "ended before it contacted a server (exit code \(code))")
        case .exited(let code):
            return TransportFailure(.fetcher, "the program that fetches ended without an answer (exit code \(code))")
        case .signaled(SIGALRM):
            return .timeout(after: timeout)
        case .signaled(let signal) where hasContacted && crashes.contains(signal):
            return TransportFailure(
                .fetcher, "the program that fetches was ended by what the server sent (signal \(signal))")
        case .signaled(let signal) where crashes.contains(signal):
            return fault(of: executable, "crashed before it contacted a server (signal \(signal))")
        case .signaled(SIGKILL):
            return TransportFailure(
                .fetcher, "the program that fetches was killed (signal 9), perhaps because there was no memory left")
        case .signaled(let signal):
            let time = hasContacted ? "" : ", before it contacted a server"
            return TransportFailure(.fetcher, "the program that fetches was ended by signal \(signal)\(time)")
        case .unknown:
            return TransportFailure(.fetcher, "the program that fetches ended without an answer")
        }
    }

    /// The signals of a crash.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
}
