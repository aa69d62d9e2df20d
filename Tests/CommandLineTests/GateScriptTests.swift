import Foundation
import TestSupport
import Testing

/// Runs the gate script from README.md.
@Suite(.timeLimit(.minutes(5))) struct GateScriptTests {
    @Test func onlyAVerdictOnACardIsARefusal() async throws {
        let readme = try String(contentsOf: Paths.root.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let gate = try #require(blocks.first { $0.contains("gate.sh") })
        let directory = try TemporaryDirectory()
        let script = try directory.write(gate, to: "gate.sh", permissions: 0o700)
        for (code, word) in [
            (0, "accepted"), (10, "refused"), (16, "refused"), (20, "try again later"), (21, "try again later"),
            (1, "not installed properly"), (64, "no card was named"), (66, "cannot be read"), (143, "stopped"),
        ] {
            try directory.write("#!/bin/sh\nexit \(code)\n", to: "bin/shcverify", permissions: 0o700)
            let result = try await Shcverify.run(
                [script, "card"], environment: ["PATH": "\(directory.url.path)/bin:/bin:/usr/bin"],
                executable: "/bin/sh")
            #expect(result.exitCode == Int32(code))
            #expect(result.stdout.contains(word), "\(code): \(result.stdout)")
            #expect(result.stdout.contains("refused") == (10..<20).contains(code))
            #expect(result.stdout.contains("accepted") == (code == 0))
        }
    }
}
