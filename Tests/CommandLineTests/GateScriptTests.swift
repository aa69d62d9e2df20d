import Foundation
import TestSupport
import Testing

/// Runs the scripts from README.md and docs/ with each exit code that they may get.
@Suite(.timeLimit(.minutes(5))) struct GateScriptTests {
    /// Runs a script from a page with a program that ends with an exit code.
    private func run(_ name: String, from page: String, code: Int) async throws -> Shcverify.Result {
        let text = try String(contentsOf: Paths.root.appendingPathComponent(page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let script = try #require(blocks.first { $0.contains("# usage: \(name)") })
        let directory = try TemporaryDirectory()
        let path = try directory.write(script, to: name, permissions: 0o700)
        try directory.write(
            "#!/bin/sh\necho \"run: $1 $2\" >&2\nexit \(code)\n", to: "bin/shcverify", permissions: 0o700)
        return try await Shcverify.run(
            [path, "card"], environment: ["PATH": "\(directory.url.path)/bin:/bin:/usr/bin"], executable: "/bin/sh")
    }

    @Test(arguments: [
        (0, "accepted"), (10, "refused"), (16, "refused"), (17, "refused"), (20, "try again later"),
        (21, "try again later"), (26, "cannot tell: update the code lists"), (27, "could not be read: scan it again"),
        (1, "not installed properly"),
        (64, "no card was named"), (66, "cannot be read"), (143, "stopped"),
    ]) func onlyAVerdictOnACardIsARefusal(code: Int, word: String) async throws {
        let result = try await run("gate.sh", from: "README.md", code: code)
        #expect(result.exitCode == Int32(code))
        #expect(result.stdout.contains(word), "\(code): \(result.stdout)")
        #expect(result.stdout.contains("refused") == (10..<20).contains(code))
        #expect(result.stdout.contains("accepted") == (code == 0))
    }

    @Test(arguments: [
        (0, "genuine"), (11, "not genuine"), (19, "nothing that is signed"), (20, "cannot be checked now"),
        (22, "passcode"), (26, "cannot tell: update the code lists"), (27, "could not be read: scan it again"),
        (64, "not checked"), (143, "not checked"),
    ]) func deskSaysWhatToDo(code: Int, word: String) async throws {
        let result = try await run("desk.sh", from: "docs/links.md", code: code)
        #expect(result.exitCode == Int32(code))
        #expect(result.stdout.contains(word), "\(code): \(result.stdout)")
        #expect((result.stdout == "genuine\n") == (code == 0))
    }

    /// The second list is updated even if the first cannot be.
    @Test(arguments: [0, 20, 26]) func weeklyScriptUpdatesBothLists(code: Int) async throws {
        let result = try await run("shcverify-update", from: "docs/operation.md", code: code)
        #expect(result.exitCode == Int32(code))
        #expect(result.stderr == "run: directory update\nrun: codes update\n")
    }
}
