import Foundation
import Processes
import TestSupport
import Testing

/// The rights that a run gives up, and the process that starts its helpers, as the system shows them. `SandboxProbeTests` tries to get the rights back.
@Suite(.timeLimit(.minutes(30))) struct SandboxTests {
    private static let policy = [
        "--no-cache", "--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--at", "2026-06-01T00:00:00Z",
    ]

    /// The processes that start the helpers of a run.
    private func forkServers(of process: pid_t) -> [pid_t] {
        let threads = "/proc/\(process)/task"
        let children = ((try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []).flatMap { thread in
            (try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8))?.split(separator: " ") ?? []
        }
        return children.compactMap { pid_t($0) }.filter { isForkServer($0) }
    }

    /// The process that starts the helpers of a run. It takes a moment until it has its name.
    private func forkServer(of process: pid_t) throws -> pid_t {
        for _ in 0..<1200 where forkServers(of: process).isEmpty { usleep(50_000) }
        return try #require(forkServers(of: process).first)
    }

    private func isForkServer(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == "shcverify-start\n"
    }

    @Test func everyThreadOfARunHasGivenUpItsRights() async throws {
        let run = try BatchProcess(Self.policy)
        _ = try await run.verdict(on: "no card")
        try ProcessStatus.expectFilters(of: run.process.processIdentifier)
        // The process that starts the helpers has nothing open but the connection to the run.
        _ = try forkServer(of: run.process.processIdentifier)
        let forkServers = forkServers(of: run.process.processIdentifier)
        #expect(forkServers.count == 1)
        for forkServer in forkServers {
            let files = "/proc/\(forkServer)/fd"
            for file in try FileManager.default.contentsOfDirectory(atPath: files) {
                let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(file)")
                #expect(target.hasPrefix("socket:"), "\(target)")
            }
        }
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 10)
        // The run has waited for it.
        for forkServer in forkServers { #expect(!isForkServer(forkServer)) }
    }

    @Test func theForkServerEndsWithARunThatIsKilled() async throws {
        let run = try BatchProcess(Self.policy)
        _ = try await run.verdict(on: "no card")
        let forkServer = try forkServer(of: run.process.processIdentifier)
        // A signal for a whole process group is for the run.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { kill(forkServer, number) }
        #expect(forkServers(of: run.process.processIdentifier) == [forkServer])
        run.signal(SIGKILL)
        #expect(run.wait() == -SIGKILL)
        for _ in 0..<1200 where isForkServer(forkServer) && !isDead(forkServer) { usleep(50_000) }
        #expect(!isForkServer(forkServer) || isDead(forkServer))
    }

    /// Whether a process has ended, and only waits to be waited for.
    private func isDead(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))?.contains("\nState:\tZ") != false
    }

    /// - Parameter withGroup: whether the whole process group is killed, as `timeout -s KILL` and the end of a CI job do.
    @Test(.enabled(if: ScannerProducts.areBuilt, "needs make scanner"), arguments: [false, true])
    func helpersThatReadPicturesEndWithARunThatIsKilled(withGroup: Bool) throws {
        let run = try BatchProcess(Self.policy + ["--pictures"])
        // Looking for a code where there is none takes the longest.
        let paths = [String](repeating: PictureTests.picture("nothing.png"), count: 500)
        try run.input.fileHandleForWriting.write(contentsOf: Data((paths.joined(separator: "\n") + "\n").utf8))
        // At least a zygote and its copy.
        try expectStoppedHelpersEnd(with: run, program: "shcverify-scan", count: 2, withGroup: withGroup)
    }

    @Test(arguments: [false, true]) func theHelperThatFetchesEndsWithARunThatIsKilled(withGroup: Bool) throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: server.url("/issuer", port: "hang"))])
        let run = try BatchProcess([
            "--no-cache", "--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600",
        ])
        try run.input.fileHandleForWriting.write(contentsOf: Data("\(signed.cards[0])\n".utf8))
        try expectStoppedHelpersEnd(with: run, program: "shcverify-fetch", count: 1, withGroup: withGroup)
    }

    /// Stops the helpers of a run, kills the run, and expects that all of its processes end. One that is stopped does not notice the end of
    /// its input, and Landlock does not let the run send a signal with its end (PR_SET_PDEATHSIG).
    ///
    /// - Parameter count: how many helpers there are at least.
    private func expectStoppedHelpersEnd(
        with run: BatchProcess, program: String, count: Int, withGroup: Bool
    ) throws {
        let parent = try #require(RunningProcess(run.process.processIdentifier))
        var family: Set<RunningProcess> = []
        var helpers: [RunningProcess] = []
        for _ in 0..<1200 where helpers.count < count {
            family = parent.descendants
            helpers = family.filter { $0.program == program && $0.isStopped }
            for process in family where process.program == program { kill(process.number, SIGSTOP) }
            usleep(50_000)
        }
        #expect(helpers.count >= count, "\(family)")
        #expect(family.contains { isForkServer($0.number) })
        if withGroup {
            try #require(getpgid(parent.number) == parent.number)
            killpg(parent.number, SIGKILL)
        } else {
            run.signal(SIGKILL)
        }
        #expect(run.wait() == -SIGKILL)
        for _ in 0..<400 where family.contains(where: { !$0.isGone }) { usleep(50_000) }
        let left = family.filter { !$0.isGone }
        #expect(left.isEmpty)
        for process in left { kill(process.number, SIGKILL) }
    }

    @Test func aRunThatNeedsNoHelperStartsNone() async throws {
        let run = try BatchProcess(Self.policy + ["--offline"])
        _ = try await run.verdict(on: "no card")
        #expect(forkServers(of: run.process.processIdentifier).isEmpty)
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 10)
    }

    /// If helpers can no longer be started, that is an error of the installation, and no verdict.
    @Test func aRunWithoutItsForkServerIsAnError() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: server.url("/issuer"))])
        try server.serve(signed.keySet(), at: "/issuer/.well-known/jwks.json")
        let run = try BatchProcess([
            "--no-cache", "--allow-private-network", "--ca-file", server.authorityFile,
        ])
        _ = try await run.verdict(on: "no card")
        let forkServer = try forkServer(of: run.process.processIdentifier)
        kill(forkServer, SIGKILL)
        try run.input.fileHandleForWriting.write(contentsOf: Data("\(signed.cards[0])\n".utf8))
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 1)
        #expect(try run.output.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    /// A run does not wait for a fork server that was stopped, and says what is wrong. The fork server ends when it is continued.
    @Test func aRunWhoseForkServerIsStoppedIsAnError() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: server.url("/issuer"))])
        try server.serve(signed.keySet(), at: "/issuer/.well-known/jwks.json")
        let errors = Pipe()
        let run = try BatchProcess(
            ["--no-cache", "--allow-private-network", "--ca-file", server.authorityFile], errors: errors)
        _ = try await run.verdict(on: "no card")
        let forkServer = try #require(RunningProcess(try forkServer(of: run.process.processIdentifier)))
        kill(forkServer.number, SIGSTOP)
        try run.input.fileHandleForWriting.write(contentsOf: Data("\(signed.cards[0])\n".utf8))
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 1)
        #expect(try run.output.fileHandleForReading.readToEnd() ?? Data() == Data())
        let words = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(words.contains("the process that starts programs does not answer"), "\(words)")
        kill(forkServer.number, SIGCONT)
        for _ in 0..<1200 where !forkServer.isGone { usleep(50_000) }
        #expect(forkServer.isGone)
    }

    /// The right to write the state is bound to its folder. If that is replaced, the run says that it cannot write, and goes no further.
    @Test(.enabled(if: Sandbox.landlockVersion != nil, "this kernel has no Landlock"))
    func aStateThatCannotBeWrittenIsAnError() async throws {
        let folder = try TemporaryDirectory()
        let place = folder.url.appendingPathComponent("place")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let run = try BatchProcess(Self.policy + ["--resume", place.appendingPathComponent("state").path])
        _ = try await run.verdict(on: "no card")
        try FileManager.default.moveItem(at: place, to: folder.url.appendingPathComponent("other"))
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }

}
