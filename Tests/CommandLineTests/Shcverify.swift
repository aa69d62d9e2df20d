import Foundation
import Subprocess
import SystemPackage
import Testing

/// The built executable, run as a user would.
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

    /// Where the products of the build are: beside the test bundle, or beside what runs it.
    static let productsDirectory: URL = {
        let candidates = [Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)
            + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        for candidate in candidates {
            for directory in [candidate, candidate.deletingLastPathComponent()]
            where FileManager.default.isExecutableFile(atPath: directory.appendingPathComponent("shcverify").path) {
                return directory
            }
        }
        return URL(fileURLWithPath: ".build/debug")
    }()

    static var path: String { productsDirectory.appendingPathComponent("shcverify").path }

    /// Runs the executable.
    ///
    /// The environment is that of the test, less what would change the outcome.
    static func run(
        _ arguments: [String], stdin: [UInt8] = [], environment changes: [String: String?] = [:]
    ) async throws -> Result {
        var environment = ProcessInfo.processInfo.environment
        for name in ["SHCVERIFY_REQUIRE_TRUSTED", "NO_COLOR", "https_proxy", "HTTPS_PROXY"] { environment[name] = nil }
        for (name, value) in changes { environment[name] = value }
        let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments),
            environment: .custom(Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })),
            input: .array(stdin), output: .bytes(limit: 64 << 20), error: .bytes(limit: 1 << 20))
        guard case .exited(let code) = result.terminationStatus else {
            Issue.record("shcverify was ended by a signal: \(arguments)")
            throw CancellationError()
        }
        return Result(
            exitCode: code, stdout: String(decoding: result.standardOutput, as: UTF8.self),
            stderr: String(decoding: result.standardError, as: UTF8.self))
    }
}
