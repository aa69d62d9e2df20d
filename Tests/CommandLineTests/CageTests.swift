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
}
