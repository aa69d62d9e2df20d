import Cryptography
import Encodings
import Foundation
import TestSupport
import Testing

/// `batch` with crypto_mb, and with libraries that only look like it. A build for debugging takes them from SHCVERIFY_TEST_LANES.
@Suite(
    .timeLimit(.minutes(30)),
    .enabled(
        if: (ProcessInfo.processInfo.environment["SHCVERIFY_PROGRAMS"] ?? "").isEmpty,
        "a release reads no such variable"))
struct LanesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func run(_ arguments: [String], _ lines: String = "", lanes: String) async throws -> Shcverify.Result {
        try await Shcverify.run(
            arguments, stdin: Array(lines.utf8), environment: ["SHCVERIFY_TEST_LANES": lanes])
    }

    /// Lines with a card, in turn with the same card and another signature.
    private static func lines(_ count: Int) throws -> String {
        let card = try BatchTests.card.filter { !$0.isWhitespace }
        // A character of r, so that both numbers are still in range.
        let place = card.index(card.endIndex, offsetBy: -60)
        let other = card[place] == "x" ? "y" : "x"
        let forged = card[..<place] + other + card[card.index(after: place)...]
        return (0..<count).map { $0.isMultiple(of: 2) ? card : String(forged) }.joined(separator: "\n")
    }

    private func expectVerdicts(_ result: Shcverify.Result, _ count: Int) throws {
        let lines = try BatchTests.lines(result.stdout)
        #expect(lines.count == count)
        #expect(
            lines.enumerated().allSatisfy { $1["verdict"]?.words == ($0.isMultiple(of: 2) ? "pass" : "fail") },
            "\(result.stderr)")
    }

    // MARK: Where it says what is used

    @Test(.enabled(if: SignatureLanes.problemOfMachine == nil, "this processor cannot run crypto_mb"))
    func saysWhyItIsNotUsed() async throws {
        let missing = "is not used: \(LaneLibrary.name) is not installed (Debian: libcrypto-mb11)"
        #expect(try await run(["--version"], lanes: folder.url.path).stdout.contains("\ncrypto_mb \(missing)\n"))
        let status = try await run(["status"], lanes: folder.url.path)
        #expect(status.stdout.contains(/\nopenssl +ok +3\.[^;\n]+; crypto_mb is not used:/))
        let trace = try await run(["batch", "-v"] + BatchTests.options, try Self.lines(2), lanes: folder.url.path)
        #expect(trace.stderr.contains("trace: signatures: crypto_mb \(missing)\n"))
        let path = try folder.write("no library\n", to: LaneLibrary.name)
        #expect(
            try await run(["--version"], lanes: folder.url.path).stdout.contains(
                "crypto_mb is not used: \(path): it cannot be loaded: \(path): "))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(
            try await run(["--version"], lanes: folder.url.path).stdout.contains(
                "crypto_mb is not used: \(path): other users may write to it"))
    }

    @Test(.enabled(if: LaneLibrary.path != nil, "\(LaneLibrary.absence)")) func saysWhatIsUsed() async throws {
        let path = try #require(LaneLibrary.path)
        let lanes = URL(fileURLWithPath: path).deletingLastPathComponent().path
        #expect(try await run(["--version"], lanes: lanes).stdout.contains(/\ncrypto_mb [0-9]+\.[0-9]+\.[0-9]+, .*\n/))
        let lines = try Self.lines(50)
        let result = try await run(["batch", "-v"] + BatchTests.options, lines, lanes: lanes)
        #expect(result.stderr.contains(/trace: signatures: crypto_mb [0-9.]+,/), "\(result.stderr)")
        try expectVerdicts(result, 50)
        let without = try await run(["batch", "-v", "--no-precompute"] + BatchTests.options, lines, lanes: lanes)
        #expect(without.stderr.contains("trace: signatures: OpenSSL alone, because of --no-precompute\n"))
        try expectVerdicts(without, 50)
    }

    /// A file whose end is missing, as after a copy to a full disk. Whatever is missing, nothing ends with a signal.
    @Test(
        .enabled(if: SignatureLanes.problemOfMachine == nil, "this processor cannot run crypto_mb"),
        .enabled(if: LaneLibrary.hasCompiler, "no C compiler, or no headers of OpenSSL"))
    func cutLibraryIsNotUsed() async throws {
        let double = try #require(try LaneLibrary.double(.refusesAll))
        let whole = try Data(contentsOf: double.appendingPathComponent(LaneLibrary.name))
        for size in stride(from: 0, to: whole.count, by: whole.count / 8) {
            let path = folder.url.appendingPathComponent(LaneLibrary.name).path
            try whole.prefix(size).write(to: URL(fileURLWithPath: path))
            let result = try await run(["--version"], lanes: folder.url.path)
            #expect(result.exitCode == 0)
            // Behind that, only names are missing that nobody needs.
            guard size <= whole.count / 2 else { continue }
            #expect(result.stdout.contains("\ncrypto_mb is not used: \(path): "), "\(size) bytes: \(result.stdout)")
        }
        let lines = try Self.lines(2)
        try expectVerdicts(try await run(["batch"] + BatchTests.options, lines, lanes: folder.url.path), 2)
    }

    // MARK: Libraries that answer wrongly

    /// The library is found to be wrong by what fills an empty lane, or by a sample. That is said once, and OpenSSL goes on. The first 32
    /// cards find the key; the seven after them are the first that are verified together.
    @Test(
        .enabled(if: SignatureLanes.problemOfMachine == nil, "this processor cannot run crypto_mb"),
        .enabled(if: LaneLibrary.hasCompiler, "no C compiler, or no headers of OpenSSL"),
        arguments: [(LaneLibrary.Lie.acceptsAll, 39), (.refusesAll, 12_000)])
    func wrongLibraryIsSaidOnce(_ lie: LaneLibrary.Lie, _ count: Int) async throws {
        let lanes = try #require(try LaneLibrary.double(lie))
        let result = try await run(
            ["batch", "--jobs", "1"] + BatchTests.options, try Self.lines(count), lanes: lanes.path)
        try expectVerdicts(result, count)
        let said = result.errorLines.filter {
            $0.hasPrefix("shcverify: crypto_mb (\(lanes.path)/\(LaneLibrary.name)) and OpenSSL disagree")
        }
        #expect(said.count == 1, "\(result.stderr)")
        // It had confirmed nothing before, so all verdicts are right.
        #expect(result.exitCode == 11)
    }

    /// The first four calls for cards are answered rightly. So the library had confirmed signatures before it was found to be wrong, and
    /// verdicts may be wrong: the run does not end like one that judged all cards, and no other run continues it.
    @Test(
        .enabled(if: SignatureLanes.problemOfMachine == nil, "this processor cannot run crypto_mb"),
        .enabled(if: LaneLibrary.hasCompiler, "no C compiler, or no headers of OpenSSL"),
        arguments: ["batch", "lint"])
    func runOfAWrongLibraryFails(_ command: String) async throws {
        let lanes = try #require(try LaneLibrary.double(.refusesAll, after: 6))
        let card = try BatchTests.card.filter { !$0.isWhitespace }
        let lines = Array(repeating: card, count: 400).joined(separator: "\n")
        let state = folder.url.appendingPathComponent("state").path
        let arguments = command == "batch" ? ["batch", "--resume", state] : ["lint", "--lines"]
        let path = try folder.write(lines, to: "cards")
        let result = try await run(
            arguments + [path, "--jobs", "1"] + BatchTests.options, lanes: lanes.path)
        #expect(result.exitCode == 1, "\(result.stderr)")
        #expect(
            result.errorLines.contains {
                $0.contains("judge all cards of this run again, from the first one, with --no-precompute.")
            }, "\(result.stderr)")
        guard command == "batch" else { return }
        let next = try await run(
            arguments + [path, "--no-precompute"] + BatchTests.options, lanes: lanes.path)
        #expect(next.exitCode == 64)
        #expect(next.stdout.isEmpty)
        #expect(next.stderr.contains("crypto_mb was found to be wrong in this run"), "\(next.stderr)")
    }
}
