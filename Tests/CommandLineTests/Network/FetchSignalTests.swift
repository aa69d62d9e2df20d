import Foundation
import TestSupport
import Testing

/// Whether the program of a process is the one that fetches.
private func isFetcher(_ process: String) -> Bool {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    return program?.hasSuffix("/shcverify-fetch") == true
}

/// SIGINT, SIGTERM and SIGHUP while a server keeps the program waiting.
@Suite(.timeLimit(.minutes(30))) struct FetchSignalTests {
    /// A run that fetches, and the files that it leaves.
    private struct Run {
        let command: String
        let process = Process()
        let home: TemporaryDirectory

        /// - Parameter ignoresSignals: whether SIGINT and SIGTERM are ignored at the start.
        init(_ arguments: [String], options: [String], ignoresSignals: Bool = false) throws {
            command = arguments[0]
            home = try TemporaryDirectory()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let trap = ignoresSignals ? "trap '' INT TERM; " : ""
            process.arguments = ["-c", trap + #"exec "$0" "$@""#, Shcverify.path] + arguments + options
            var environment = ["HOME": home.url.path, "TMPDIR": home.url.path]
            // Coverage measurement needs this variable.
            environment["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]
            process.environment = environment
            process.currentDirectoryURL = home.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            // Shells and nohup(1) let programs ignore some signals, and the run would inherit that.
            for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal(number, SIG_DFL) }
            try process.run()
        }

        /// Waits until the fetch process runs.
        ///
        /// - Returns: its process ID; nil if there is none.
        func fetcher() -> pid_t? {
            let threads = "/proc/\(process.processIdentifier)/task"
            var found: pid_t?
            waitUntil {
                for thread in (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? [] {
                    let children = try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
                    for child in children?.split(separator: " ") ?? [] where isFetcher(String(child)) {
                        found = pid_t(child)
                    }
                }
                return found != nil
            }
            return found
        }

        /// The files that exist, except the one that coverage measurement writes.
        func filesLeft() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: home.url.path).filter { $0 != "default.profraw" }
        }

        /// The exit code as a shell reports it.
        var exitCode: Int32 {
            process.waitUntilExit()
            return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        }
    }

    /// Whether a process ends. A process without a program has ended too, and only waits to be reaped.
    private func isGone(_ process: pid_t) -> Bool { waitUntil { !isFetcher("\(process)") } }

    @Test func endsEverythingAndLeavesNothing() throws {
        let server = try TestIssuer.shared.get()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let options = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"]
        var commands: [([String], Int32)] = [
            (["verify", card], SIGINT), (["verify", card], SIGTERM), (["verify", card], SIGHUP),
            (["lint", "--issuer", issuer], SIGINT), (["directory", "update", "--url", issuer], SIGTERM),
            (["records", card], SIGINT), (["batch", card, "--resume", "state"], SIGHUP),
        ]
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            commands.append((["directory", "collect", issuer, "--output", "out.json"], signal))
            commands.append((["fetch-cards", issuer, "--patient", "p", "--output", "out.json"], signal))
        }
        let runs = try commands.map { (try Run($0.0, options: options), $0.1) }
        var fetchers: [pid_t] = []
        for (run, signal) in runs {
            fetchers.append(try #require(run.fetcher(), "\(run.command)"))
            kill(run.process.processIdentifier, signal)
        }
        for (index, (run, signal)) in runs.enumerated() {
            #expect(run.exitCode == 128 + signal, "\(run.command)")
            #expect(isGone(fetchers[index]), "\(run.command)")
            // The state of a batch stays, so that the run can be continued.
            let left = try run.filesLeft().filter { $0 != "state" }
            #expect(left.isEmpty, "\(run.command) left \(left)")
        }
    }

    /// While it waits for the server, each thread of the fetch process is in the sandbox, and of the program that waits for it.
    @Test func everyThreadHasGivenUpItsRights() throws {
        let server = try TestIssuer.shared.get()
        let folder = try TemporaryDirectory()
        let card = try folder.write(
            SignedCards.sign([.init(issuer: server.url("/issuer", port: "hang"))]).cards[0], to: "card")
        let run = try Run(
            ["verify", card],
            options: ["--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--timeout", "600"])
        let fetcher = try #require(run.fetcher())
        // It has several threads once it makes the request.
        try ProcessStatus.expectFilters(of: fetcher, threads: 3, isPowerless: true)
        try ProcessStatus.expectFilters(of: run.process.processIdentifier)
        kill(run.process.processIdentifier, SIGTERM)
        #expect(run.exitCode == 128 + SIGTERM)
    }

    /// On a file system without files that have no name, an unfinished file has one from the beginning. The one for message queues
    /// (mq_overview(7)) is such a file system. Users who may not mount it cannot run this test.
    @Test(arguments: ["TERM", "HUP"]) func removesAnUnfinishedFileThatHasAName(_ signal: String) async throws {
        let folder = try TemporaryDirectory()
        let script = #"""
            cd "$1" && mkdir q && mount -t mqueue none q || exit 77
            signal=$2; shift 2
            test $# -gt 0 || exit 0
            "$@" & run=$!
            for i in $(seq 600); do ls -A q > before; test -s before && break; sleep 0.05; done
            kill -$signal $run; wait $run; code=$?
            ls -A q > after
            exit $code
            """#
        let run = { (name: String, arguments: [String]) in
            let place = folder.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            return try await Shcverify.run(
                ["-rmi", "/bin/sh", "-c", script, "sh", place.path, signal] + arguments,
                executable: "/usr/bin/unshare")
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"),
            try await run("try", []).exitCode == 0
        else { return }
        let server = try TestIssuer.shared.get()
        let result = try await run(
            "run",
            [
                Shcverify.path, "directory", "collect", server.url("/issuer", port: "hang"), "--output", "q/out.json",
                "--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600",
            ])
        #expect(result.exitCode == 128 + (signal == "TERM" ? SIGTERM : SIGHUP), "\(result.stderr)")
        let names = try ["before", "after"].map { name in
            String(decoding: try Paths.bytes(folder.url.appendingPathComponent("run/\(name)").path), as: UTF8.self)
        }
        #expect(names[0].hasPrefix(".shcverify-") && names[0].hasSuffix(".part\n"), "\(names)")
        #expect(names[1].isEmpty, "\(names)")
    }

    /// The program may be killed before its fetch process has asked to be told of that.
    @Test func fetchProcessEndsWithoutAReader() throws {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: BuiltProduct.program("shcverify-fetch"))
        process.standardInput = input
        process.standardOutput = output
        try output.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        try input.fileHandleForWriting.close()
    }

    /// After the first signal, the cards in work are finished. The second signal does not wait for them.
    @Test(arguments: [SIGINT, SIGTERM]) func endsBatchAtTheSecondSignal(_ signal: Int32) throws {
        let server = try TestIssuer.shared.get()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let run = try Run(
            ["batch", card],
            options: ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"])
        let fetcher = try #require(run.fetcher())
        // Signals that come close together may be reported once.
        waitUntil {
            kill(run.process.processIdentifier, signal)
            return !run.process.isRunning
        }
        #expect(run.exitCode == 128 + signal)
        #expect(isGone(fetcher))
        #expect(try run.filesLeft().isEmpty)
    }

    /// A terminal sends its signals to a whole process group, so the fetch process is in another group.
    @Test(arguments: ["verify", "batch"]) func signalIgnoredAtTheStartStaysIgnored(_ command: String) throws {
        let server = try TestIssuer.shared.get()
        let issuer = server.url("/issuer", port: "hang")
        let folder = try TemporaryDirectory()
        let card = try folder.write(SignedCards.sign([.init(issuer: issuer)]).cards[0], to: "card")
        let run = try Run(
            [command, card],
            options: ["--allow-private-network", "--ca-file", server.authorityFile, "--no-cache", "--timeout", "60"],
            ignoresSignals: true)
        let fetcher = try #require(run.fetcher())
        // It has no terminal either.
        #expect(getsid(fetcher) == fetcher)
        for number in [SIGINT, SIGTERM, SIGINT] { kill(run.process.processIdentifier, number) }
        // The run ends with a verdict when the fetch ends.
        kill(fetcher, SIGKILL)
        #expect(run.exitCode == 20)
    }
}
