import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing
import shcverify

/// Runs the built executable, as a user does.
enum Shcverify {
    struct Result: Sendable {
        let exitCode: Int32
        let stdout: String
        let stderr: String

        /// The lines on standard error.
        var errorLines: [Substring] { stderr.split(separator: "\n") }
        /// The first line on standard output.
        var headline: Substring { stdout.prefix { $0 != "\n" } }
    }

    private static let gate = RunGate(max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))

    static var path: String { BuiltProduct.program("shcverify") }

    /// Runs the executable.
    ///
    /// The environment is that of the test, without variables that would change the result. JSON that the run prints must follow its
    /// schema.
    static func run(
        _ arguments: [String], stdin: [UInt8] = [], environment changes: [String: String?] = [:],
        executable: String = path
    ) async throws -> Result {
        var environment = ProcessInfo.processInfo.environment
        for name in [
            "SHCVERIFY_REQUIRE_TRUSTED", "SHCVERIFY_REQUIRE_REVOCATION", "SHCVERIFY_PASSCODE", "SHCVERIFY_RECIPIENT",
            "SHCVERIFY_TOKEN", "NO_COLOR",
            "https_proxy", "HTTPS_PROXY",
        ] { environment[name] = nil }
        // Tests must not share a cache, or use the tester's own.
        environment["XDG_CACHE_HOME"] = "/dev/null"
        // Nor are lists used that are installed on this machine.
        environment["XDG_DATA_HOME"] = "/dev/null"
        environment["SHCVERIFY_SYSTEM_DIR"] = "/dev/null"
        for (name, value) in changes { environment[name] = value }
        let result = try await gate.inTurn { [environment] in
            try await Subprocess.run(
                .path(FilePath(executable)), arguments: Arguments(arguments),
                environment: .custom(
                    Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })),
                input: .fileDescriptor(try pipe(with: stdin), closeAfterSpawningProcess: true),
                output: .bytes(limit: 64 << 20), error: .bytes(limit: 1 << 20))
        }
        guard case .exited(let code) = result.terminationStatus else {
            Issue.record("a signal ended shcverify: \(arguments)")
            throw CancellationError()
        }
        // With coverage measurement, a limit on file sizes causes an extra message, which is left out.
        let errors = String(decoding: result.standardError, as: UTF8.self)
            .replacing(/(?m)^LLVM Profile .*\n/, with: "")
        let output = String(decoding: result.standardOutput, as: UTF8.self)
        if executable == path, let printed = PrintedJSON(arguments) {
            let problems = printed.problems(in: output)
            #expect(problems.isEmpty, "\(arguments) does not follow the schema \(printed.schema)")
        }
        return Result(exitCode: code, stdout: output, stderr: errors)
    }

    /// A program may end before it reads its input. That must not end the tests, nor fail one.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// The reading end of a pipe that has an input.
    private static func pipe(with input: [UInt8]) throws -> FileDescriptor {
        ignoresBrokenPipes
        let (reader, writer) = try FileDescriptor.pipe()
        for end in [reader, writer] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        // What fits into a pipe needs no thread.
        if input.count <= 4096 {
            fill(writer, with: input)
        } else {
            Thread.detachNewThread { fill(writer, with: input) }
        }
        return reader
    }

    private static func fill(_ writer: FileDescriptor, with input: [UInt8]) {
        _ = try? writer.writeAll(input)
        try? writer.close()
    }
}
