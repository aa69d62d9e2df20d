import Foundation
import TestSupport
import Testing

/// SIGINT, SIGTERM and SIGHUP while a server keeps the program waiting.
@Suite(.timeLimit(.minutes(2))) struct FetchSignalTests {
    /// A run that fetches, and what it leaves.
    private struct Run {
        let command: String
        let process = Process()
        /// Stands in the environment of the process that fetches, and in no other's but its parent's.
        let marker = "marker-\(UUID().uuidString)"
        let home: TemporaryDirectory

        init(_ arguments: [String], options: [String]) throws {
            command = arguments[0]
            home = try TemporaryDirectory()
            process.executableURL = URL(fileURLWithPath: Shcverify.path)
            process.arguments = arguments + options
            process.environment = ["HOME": home.url.path, "TMPDIR": home.url.path, "no_proxy": marker]
            process.currentDirectoryURL = home.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        /// Whether a process that fetches for it is there.
        var isFetching: Bool {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.contains { id in
                guard Int32(id) != nil, Int32(id) != process.processIdentifier,
                    let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ")
                else { return false }
                return environment.range(of: Data(marker.utf8)) != nil
            }
        }

        /// Waits until that is so, or for five seconds.
        func fetching(is wanted: Bool) -> Bool {
            for _ in 0..<100 where isFetching != wanted { usleep(50_000) }
            return isFetching == wanted
        }

        /// The exit code as a shell has it.
        var exitCode: Int32 {
            process.waitUntilExit()
            return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        }
    }

    @Test func endsEverythingAndLeavesNothing() throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let options = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "20"]
        let commands: [([String], Int32)] = [
            (["verify", card], SIGINT), (["verify", card], SIGTERM), (["verify", card], SIGHUP),
            (["lint", "--issuer", issuer], SIGINT), (["directory", "update", "--url", issuer], SIGTERM),
            (["records", card], SIGINT),
        ]
        let runs = try commands.map { (try Run($0.0, options: options), $0.1) }
        for (run, signal) in runs {
            #expect(run.fetching(is: true), "\(run.command)")
            kill(run.process.processIdentifier, signal)
        }
        for (run, signal) in runs {
            #expect(run.exitCode == 128 + signal, "\(run.command)")
            #expect(run.fetching(is: false), "\(run.command)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: run.home.url.path)
            #expect(left.isEmpty, "\(run.command) left \(left)")
        }
    }

    /// The first signal has the cards in hand finished; the second does not wait for that.
    @Test(arguments: [SIGINT, SIGTERM]) func endsBatchAtTheSecondSignal(_ signal: Int32) throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let run = try Run(
            ["batch", card],
            options: ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "20"])
        #expect(run.fetching(is: true))
        kill(run.process.processIdentifier, signal)
        usleep(100_000)
        kill(run.process.processIdentifier, signal)
        #expect(run.exitCode == 128 + signal)
        #expect(run.fetching(is: false))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: run.home.url.path).isEmpty)
    }
}
