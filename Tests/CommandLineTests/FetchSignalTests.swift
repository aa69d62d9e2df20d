import Foundation
import TestSupport
import Testing

/// SIGINT, SIGTERM and SIGHUP while a server keeps the program waiting.
@Suite(.timeLimit(.minutes(10))) struct FetchSignalTests {
    /// A run that fetches, and what it leaves.
    private struct Run {
        let command: String
        let process = Process()
        let home: TemporaryDirectory

        /// - Parameter ignoresSignals: whether SIGINT and SIGTERM are ignored when it starts.
        init(_ arguments: [String], options: [String], ignoresSignals: Bool = false) throws {
            command = arguments[0]
            home = try TemporaryDirectory()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let trap = ignoresSignals ? "trap '' INT TERM; " : ""
            process.arguments = ["-c", trap + #"exec "$0" "$@""#, Shcverify.path] + arguments + options
            var environment = ["HOME": home.url.path, "TMPDIR": home.url.path]
            // Where coverage is measured, this says where to.
            environment["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]
            process.environment = environment
            process.currentDirectoryURL = home.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            // A shell has what runs in the background ignore it, and what that starts inherits this.
            for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
            try process.run()
        }

        /// Waits, for up to two minutes, for the process that fetches.
        ///
        /// - Returns: its id; nil if there is none.
        func fetcher() -> pid_t? {
            let threads = "/proc/\(process.processIdentifier)/task"
            for _ in 0..<2400 {
                for thread in (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? [] {
                    let children = try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
                    for child in children?.split(separator: " ") ?? [] {
                        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/exe")
                        if program?.hasSuffix("/shcverify-fetch") == true { return pid_t(child) }
                    }
                }
                usleep(50_000)
            }
            return nil
        }

        /// The files that are there, but for the one that a fetcher which is built to measure coverage makes.
        func filesLeft() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: home.url.path).filter { $0 != "default.profraw" }
        }

        /// The exit code as a shell has it.
        var exitCode: Int32 {
            process.waitUntilExit()
            return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        }
    }

    /// Whether a process ends within a minute. One that nobody has waited for yet has ended too, and has no program.
    private func isGone(_ process: pid_t) -> Bool {
        for _ in 0..<1200 {
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
            guard program?.hasSuffix("/shcverify-fetch") == true else { return true }
            usleep(50_000)
        }
        return false
    }

    @Test func endsEverythingAndLeavesNothing() throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let options = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"]
        let commands: [([String], Int32)] = [
            (["verify", card], SIGINT), (["verify", card], SIGTERM), (["verify", card], SIGHUP),
            (["lint", "--issuer", issuer], SIGINT), (["directory", "update", "--url", issuer], SIGTERM),
            (["records", card], SIGINT),
        ]
        let runs = try commands.map { (try Run($0.0, options: options), $0.1) }
        var fetchers: [pid_t] = []
        for (run, signal) in runs {
            fetchers.append(try #require(run.fetcher(), "\(run.command)"))
            kill(run.process.processIdentifier, signal)
        }
        for (index, (run, signal)) in runs.enumerated() {
            #expect(run.exitCode == 128 + signal, "\(run.command)")
            #expect(isGone(fetchers[index]), "\(run.command)")
            let left = try run.filesLeft()
            #expect(left.isEmpty, "\(run.command) left \(left)")
        }
    }

    /// As where the program was killed before the process that it had started could ask to be told of that.
    @Test func fetcherThatNobodyListensToEnds() throws {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "shcverify-fetch"))
        process.standardInput = input
        process.standardOutput = output
        try output.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        try input.fileHandleForWriting.close()
    }

    /// The first signal has the cards in hand finished; the second does not wait for that.
    @Test(arguments: [SIGINT, SIGTERM]) func endsBatchAtTheSecondSignal(_ signal: Int32) throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let run = try Run(
            ["batch", card],
            options: ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"])
        let fetcher = try #require(run.fetcher())
        // Of two signals that come before it sees to the first, it is told once.
        for _ in 0..<300 where run.process.isRunning {
            kill(run.process.processIdentifier, signal)
            usleep(100_000)
        }
        #expect(run.exitCode == 128 + signal)
        #expect(isGone(fetcher))
        #expect(try run.filesLeft().isEmpty)
    }

    /// A terminal sends its signals to a whole group. The process that fetches is in none that was told to ignore them.
    @Test(arguments: ["verify", "batch"]) func signalThatIsIgnoredAtTheStartStaysIgnored(_ command: String) throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let run = try Run(
            [command, card],
            options: ["--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--timeout", "60"],
            ignoresSignals: true)
        let fetcher = try #require(run.fetcher())
        #expect(getpgid(fetcher) != getpgid(run.process.processIdentifier))
        for number in [SIGINT, SIGTERM, SIGINT] { kill(run.process.processIdentifier, number) }
        // It ends when the fetch does, and has a verdict.
        kill(fetcher, SIGKILL)
        #expect(run.exitCode == 20)
    }
}
