import ArgumentParser
import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import shcverify

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
    /// The environment is that of the test (`CTestEnvironment`).
    static func run(
        _ arguments: [String], stdin: [UInt8] = [], environment changes: [String: String?] = [:],
        executable: String = path
    ) async throws -> Result {
        var environment = ProcessInfo.processInfo.environment
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
        return Result(exitCode: code, stdout: output, stderr: errors)
    }

    /// Runs a command of the program within this process, with the program's own parsing of the arguments.
    ///
    /// It has no standard input, and no rights are given up.
    static func runHere(_ arguments: [String]) async -> Result {
        let kept = KeptOutput()
        let code = await StandardStreams.$replacement.withValue(kept) {
            await Main.run(
                { () throws(ValidationError) in try Arguments(arguments) }, parse: { try parsed.command($0) })
        }
        return Result(
            exitCode: code.rawValue, stdout: String(decoding: kept.output, as: UTF8.self),
            stderr: String(decoding: kept.errors, as: UTF8.self))
    }

    private static let parsed = ParsedCommands()

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
