import Foundation
import Processes
import TestSupport
import Testing

/// The limits of the processes: a program that tries everything in place of a decoder, of the process that verifies, or of the one that
/// fetches, gets nowhere.
@Suite(.enabled(if: ScannerProducts.hasSandboxProbe, "needs make scanner")) struct SandboxProbeTests {
    @Test(arguments: ["decoder", "threaded", "program"], [false, true])
    func decoderCannotLeaveTheSandbox(kind: String, asOtherUser: Bool) async throws {
        // Only root can become another user. Everybody else is one already.
        guard !asOtherUser || geteuid() == 0 else { return }
        #expect(try await attempts(in: kind, asOtherUser: asOtherUser) == "done\n")
    }

    @Test(arguments: ["worker", "fetcher"], [false, true])
    func noProcessGetsBackWhatItHasGivenUp(kind: String, asOtherUser: Bool) async throws {
        guard !asOtherUser || geteuid() == 0 else { return }
        let attempts = try await attempts(in: kind, asOtherUser: asOtherUser)
        #expect(attempts == (Sandbox.landlockVersion == nil ? "no Landlock\ndone\n" : "done\n"))
    }

    /// If the kernel has no Landlock, the tests above do not try what it limits.
    @Test(.enabled(if: Sandbox.landlockVersion != nil, "this kernel has no Landlock"))
    func filesAreTried() async throws {
        #expect(Sandbox.hasFilters)
        #expect(try await attempts(in: "free", asOtherUser: false).contains("open for writing\n"))
    }

    /// What the probe reports from a sandbox. It must leave the files as they are, unless it is in none.
    private func attempts(in kind: String, asOtherUser: Bool) async throws -> String {
        let server = try TestIssuer()
        return try await Paths.withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("file")
            try Data("content".utf8).write(to: file)
            let probe = directory.appendingPathComponent("probe").path
            try FileManager.default.copyItem(atPath: ScannerProducts.sandboxProbe, toPath: probe)
            let allowed = directory.appendingPathComponent("allowed").path
            try FileManager.default.createDirectory(atPath: allowed, withIntermediateDirectories: false)
            for path in [file.path, probe, allowed, directory.path] {
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
            }
            let port = try #require(URL(string: server.url("/"))?.port)
            let command = [probe, kind, file.path, "\(port)"]
            let user = asOtherUser ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
            let result = try await Shcverify.run(
                Array((user + command).dropFirst()), executable: (user + command)[0])
            #expect(result.exitCode == 0)
            if kind != "free" {
                #expect(try Data(contentsOf: file) == Data("content".utf8))
                let left = try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
                #expect(left == ["allowed", "file", "probe"])
            }
            return result.stdout
        }
    }

    /// Without the sandbox, the attempts that go round about succeed, so the test above shows something: a pipe takes another process as
    /// the one to signal, and a terminal takes what is typed into it.
    @Test func attemptsSucceedOutsideTheSandbox() async throws {
        let result = try await Shcverify.run(["open", "/nonexistent", "0"], executable: ScannerProducts.sandboxProbe)
        #expect(result.exitCode == 0)
        let lines = result.stdout.split(separator: "\n")
        for attempt in [
            "own a pipe for another process", "choose the signal of a pipe", "kill another process", "done",
        ] {
            #expect(lines.contains { $0 == attempt }, "\(attempt)")
        }
        // The attempts of the process that verifies.
        let free = try await attempts(in: "free", asOtherUser: false)
        for attempt in [
            "socket", "socket in a thread", "send", "send a message", "connect", "listen", "fork", "clone3",
            "start a program", "change the mode", "done",
        ] {
            #expect(free.split(separator: "\n").contains { $0 == attempt }, "\(attempt)")
        }
        // A kernel may let only root type into a terminal (dev.tty.legacy_tiocsti).
        guard geteuid() == 0 else { return }
        #expect(lines.contains("type into the terminal"))
    }
}
