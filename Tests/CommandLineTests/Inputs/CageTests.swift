import Foundation
import TestSupport
import Testing

/// The limits around the decoders of pictures: a program that tries everything in place of a decoder gets nowhere.
@Suite(.enabled(if: ScannerProducts.hasCageProbe, "needs make scanner")) struct CageTests {
    @Test(arguments: ["decoder", "threaded", "program"], [false, true])
    func decoderCannotLeaveTheCage(kind: String, asOtherUser: Bool) async throws {
        // Only root can become another user. Everybody else is one already.
        guard !asOtherUser || geteuid() == 0 else { return }
        let server = try TestIssuer()
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appendingPathComponent("file")
            try Data("content".utf8).write(to: file)
            let probe = directory.appendingPathComponent("probe").path
            try FileManager.default.copyItem(atPath: ScannerProducts.cageProbe, toPath: probe)
            for path in [file.path, probe, directory.path] {
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
            }
            let port = try #require(URL(string: server.url("/"))?.port)
            let command = [probe, kind, file.path, "\(port)"]
            let user = asOtherUser ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
            let result = try await Shcverify.run(
                Array((user + command).dropFirst()), executable: (user + command)[0])
            #expect(result.exitCode == 0)
            #expect(result.stdout == "done\n")
            #expect(try Data(contentsOf: file) == Data("content".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["file", "probe"])
        }
    }

    /// Without the cage, the attempts that go round about succeed, so the test above shows something: a pipe takes another process as
    /// the one to signal, and a terminal takes what is typed into it.
    @Test func attemptsSucceedOutsideTheCage() async throws {
        let result = try await Shcverify.run(["open", "/nonexistent", "0"], executable: ScannerProducts.cageProbe)
        #expect(result.exitCode == 0)
        let lines = result.stdout.split(separator: "\n")
        for attempt in [
            "own a pipe for another process", "choose the signal of a pipe", "kill another process", "done",
        ] {
            #expect(lines.contains { $0 == attempt }, "\(attempt)")
        }
        // A kernel may let only root type into a terminal (dev.tty.legacy_tiocsti).
        guard geteuid() == 0 else { return }
        #expect(lines.contains("type into the terminal"))
    }
}
