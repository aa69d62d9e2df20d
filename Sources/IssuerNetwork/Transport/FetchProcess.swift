internal import Subprocess
internal import SystemPackage

/// The transport of the command line: each request is made by a process of its own, `shcverify-fetch`.
///
/// Whatever a server does to that process, be it to crash, flood or stall it, costs no more than the request's timeout
/// and its bound of memory here. The process is handed one request on its standard input, and ends when it has
/// answered, when the time is up, or when the task that asked is cancelled; then it is killed, and always waited for.
public struct FetchProcess: Transport {
    /// The path of `shcverify-fetch`.
    public let executable: String
    private let environment: [String: String]

    /// How much longer than its timeout the process may take, to start and to say that the time is up.
    static let grace = Duration.milliseconds(500)

    /// - Parameter executable: the path of `shcverify-fetch`; see `findExecutable()`.
    public init(executable: String) {
        self.init(executable: executable, environment: Self.inheritedEnvironment)
    }

    /// - Parameters:
    ///   - executable: the path of `shcverify-fetch`.
    ///   - environment: all of the process's environment.
    package init(executable: String, environment: [String: String]) {
        self.executable = executable
        self.environment = environment
    }

    /// Finds `shcverify-fetch` where it is installed or built together with the program that runs: beside it, in
    /// `../libexec/shcverify` or in `../libexec`. Neither PATH nor the current directory is searched.
    ///
    /// - Returns: its path, or nil where there is none.
    public static func findExecutable() -> String? {
        guard let running = HostProcess.executablePath else { return nil }
        let directory = FilePath(running).removingLastComponent()
        let libexec = directory.removingLastComponent().appending("libexec")
        return [directory, libexec.appending("shcverify"), libexec]
            .map { $0.appending("shcverify-fetch") }
            .first { isFile($0) }?.string
    }

    private static func isFile(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return false
        }
        try? file.close()
        return true
    }

    public func get(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let request = request.bounded
        let url = try HTTPSURL(request.url)
        let policy = AddressPolicy(allowsPrivateNetwork: request.allowsPrivateNetwork)
        if let refusal = policy.refusal(ofHost: url.host) { throw TransportFailure(refusal) }
        guard request.timeout > .zero else { throw .timeout(after: request.timeout) }

        let ending = await withTaskGroup(of: Ending.self) { group in
            group.addTask { await run(request) }
            group.addTask {
                // Where the other task ends first, this one is cancelled, and what it returns is not looked at.
                try? await Task.sleep(for: request.timeout + Self.grace)
                return .outOfTime
            }
            let first = await group.next() ?? .outOfTime
            group.cancelAll()
            return first
        }
        guard !Task.isCancelled else { throw TransportFailure(.cancelled, "the fetch was cancelled") }
        switch ending {
        case .outOfTime: throw .timeout(after: request.timeout)
        case .failed(let failure): throw failure
        case .ended(let output, let status):
            if output.isEmpty { throw Self.failure(for: status, after: request.timeout) }
            return try FetchAnswer.read(output, maximumBodySize: request.maximumBodySize)
        }
    }

    /// How a process ended.
    private enum Ending: Sendable {
        case outOfTime
        case failed(TransportFailure)
        case ended(output: [UInt8], TerminationStatus)
    }

    private func run(_ request: HTTPRequest) async -> Ending {
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        var configuration = Configuration(
            executable: .path(FilePath(executable)), environment: .custom(Dictionary(uniqueKeysWithValues: variables)))
        // A group of its own: a signal from the terminal, which this process may have been told to ignore, is for this process
        // alone. The other ends when this one does.
        configuration.platformOptions.processGroupID = 0
        do {
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(try Self.pipe(holding: request), closeAfterSpawningProcess: true),
                output: .bytes(limit: FetchAnswer.maximumLineLength + request.maximumBodySize), error: .discarded)
            return .ended(output: result.standardOutput, result.terminationStatus)
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failed(.tooLarge(limit: request.maximumBodySize))
        } catch let failure as TransportFailure {
            return .failed(failure)
        } catch {
            return .failed(
                TransportFailure(.fetcher, "the program that fetches, \(executable), could not be run: \(error)"))
        }
    }

    /// A pipe that the request has been written to already. Nothing is written once the process runs: it could have
    /// ended by then, and the signal that follows (SIGPIPE) would end this process too.
    private static func pipe(holding request: HTTPRequest) throws -> FileDescriptor {
        let wireForm = request.wireForm
        guard wireForm.count <= HTTPRequest.maximumWireSize else {
            throw TransportFailure(.fetcher, "the request is too long")
        }
        let (readEnd, writeEnd) = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
        do {
            try writeEnd.closeAfter { _ = try writeEnd.writeAll(wireForm) }
            return readEnd
        } catch {
            try? readEnd.close()
            throw error
        }
    }

    /// What the process is given of this one's environment: the proxies, and where its libraries are. When it crashes,
    /// Swift must not spend time on a report that nobody reads.
    private static var inheritedEnvironment: [String: String] {
        let names = [
            "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "LD_LIBRARY_PATH",
        ]
        return names.reduce(into: ["SWIFT_BACKTRACE": "enable=no"]) { $0[$1] = HostProcess.environmentVariable($1) }
    }

    /// Why a process gave no answer.
    private static func failure(for status: TerminationStatus, after timeout: Duration) -> TransportFailure {
        switch status {
        case .exited(let code):
            return TransportFailure(.fetcher, "the program that fetches ended without an answer (exit code \(code))")
        case .signaled(let signal) where signal == Signal.alarm.rawValue:
            return .timeout(after: timeout)
        case .signaled(let signal):
            return TransportFailure(
                .fetcher, "the program that fetches was ended by what the server sent (signal \(signal))")
        }
    }
}
