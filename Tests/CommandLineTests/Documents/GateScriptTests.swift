import Foundation
import TestSupport
import Testing

/// Runs the scripts from docs/ with each exit code that they may get.
@Suite(.timeLimit(.minutes(5))) struct GateScriptTests {
    /// Runs a script from a page with a program that ends with an exit code.
    private func run(
        _ name: String, from page: String, code: Int, _ arguments: [String] = ["card"], printing output: String = ""
    ) async throws -> Shcverify.Result {
        let text = try String(contentsOf: Paths.root.appendingPathComponent(page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let script = try #require(blocks.first { $0.contains("# usage: \(name)") })
        let directory = try TemporaryDirectory()
        let path = try directory.write(script, to: name, permissions: 0o700)
        try directory.write(
            "#!/bin/sh\necho \"run: $1 $2\" >&2\nprintf '%s' '\(output)'\nexit \(code)\n", to: "bin/shcverify",
            permissions: 0o700)
        return try await Shcverify.run(
            [path] + arguments.map { $0.replacing("{folder}", with: directory.url.path) },
            environment: ["PATH": "\(directory.url.path)/bin:/bin:/usr/bin"], executable: "/bin/sh")
    }

    /// The exit codes of the table in docs/exit-codes.md, and one of a program that was stopped.
    private static func codes() throws -> [Int] {
        let page = try String(contentsOf: Paths.root.appendingPathComponent("docs/exit-codes.md"), encoding: .utf8)
        let codes = page.split(separator: "\n").compactMap {
            $0.firstMatch(of: /^\| ([0-9]+) \|/).flatMap { Int($0.1) }
        }
        return codes + [143]
    }

    private static let gate = [
        0: "accepted", 1: "the clock of this machine is wrong", 10: "no card that this gate can read",
        26: "cannot tell: update the code lists", 27: "could not be read: scan it again", 64: "no card was named",
        66: "cannot be read or relied on", 143: "stopped",
    ]

    @Test func onlyAVerdictOnACardIsARefusal() async throws {
        let codes = try Self.codes()
        #expect(codes.count > 20)
        for code in codes { try await gate(code) }
    }

    private func gate(_ code: Int) async throws {
        let word = Self.gate[code] ?? (code < 20 ? "refused" : "if a server was down, try again later")
        let result = try await run("gate.sh", from: "docs/gate.md", code: code)
        #expect(result.exitCode == Int32(code))
        #expect(result.stdout.contains(word), "\(code): \(result.stdout)")
        #expect(result.stdout.contains("refused") == (11..<20).contains(code))
        #expect((result.stdout == "accepted\n") == (code == 0))
    }

    private static let desk = [
        0: "genuine", 10: "scan it again", 11: "not genuine, or revoked", 12: "not accepted: read the message",
        13: "not on this desk's list", 14: "not valid at this time", 15: "not valid at this time",
        16: "not genuine, or revoked", 17: "not accepted: read the message", 18: "not valid at this time",
        19: "nothing that is signed", 22: "passcode", 26: "cannot tell: update the code lists",
        27: "could not be read: scan it again",
    ]

    @Test func deskSaysWhatToDo() async throws {
        for code in try Self.codes() { try await desk(code) }
    }

    private func desk(_ code: Int) async throws {
        let word = Self.desk[code] ?? ((20..<30).contains(code) ? "cannot be checked now" : "not checked")
        let result = try await run("desk.sh", from: "docs/links.md", code: code)
        #expect(result.exitCode == Int32(code))
        #expect(result.stdout.contains(word), "\(code): \(result.stdout)")
        #expect((result.stdout == "genuine\n") == (code == 0))
        // Only a signature that fails and a revocation speak against the card.
        #expect(result.stdout.contains("not genuine") == [11, 16].contains(code))
    }

    private static let frontDesk = [
        0: "Genuine", 1: "Call the IT department", 10: "Nothing that can be checked", 11: "Not as its issuer signed it",
        12: "no such key", 13: "not on this desk's list", 14: "Not valid yet", 15: "Expired", 16: "Revoked",
        17: "another request", 18: "no longer active", 19: "Nobody signed this", 20: "Cannot be checked now",
        21: "Cannot be checked now", 22: "Ask the patient for the passcode", 23: "server does not answer",
        24: "Cannot be checked now", 25: "Cannot be checked now", 26: "code lists are old", 27: "Scan again",
        64: "Call the IT department", 66: "cannot be read", 143: "Call the IT department",
    ]

    /// Each exit code has words of its own for the clerk, with and without a check-in.
    @Test func frontDeskSaysWhatToDo() async throws {
        for code in try Self.codes() {
            let words = try #require(Self.frontDesk[code], "\(code)")
            for checkIn in [[], ["request.json", "key.json", "https://clinic.example"]] {
                let result = try await run(
                    "front-desk.sh", from: "docs/desk.md", code: code, ["card", "{folder}/bundle"] + checkIn)
                #expect(result.exitCode == Int32(code))
                #expect(result.stdout.contains(words), "\(code): \(result.stdout)")
                #expect(result.stdout.contains("Genuine") == (code == 0))
            }
        }
        #expect(try await run("front-desk.sh", from: "docs/desk.md", code: 0).exitCode == 64)
    }

    @Test func borderSaysWhatToDo() async throws {
        for code in try Self.codes() {
            let result = try await run("border.sh", from: "docs/border.md", code: code)
            #expect(result.exitCode == Int32(code))
            let words =
                switch code {
                case 0: "accepted\n"
                case 10..<20: "not accepted: read the message\n"
                case 27: "could not be read: scan it again\n"
                case 20..<30: "cannot tell: read the message\n"
                default: "not checked: read the message\n"
                }
            #expect(result.stdout == words, "\(code)")
        }
    }

    /// Exit code 0 is not enough: an officer looks at what has ended, and at whose signature it is.
    @Test(arguments: ["record-expired", "record-not-yet-valid", "issuer-mismatch", "test-list"])
    func borderReadsWarnings(_ warning: String) async throws {
        let report = #"{"cards": [{"warnings": [{"code": "\#(warning)"}]}]}"#
        let result = try await run("border.sh", from: "docs/border.md", code: 0, printing: report)
        #expect(result.exitCode == 17 && result.stdout == "not accepted: look at the certificate (\(warning))\n")
        let other = report.replacing(warning, with: "schema-error")
        #expect(try await run("border.sh", from: "docs/border.md", code: 0, printing: other).stdout == "accepted\n")
    }

    /// The script with the real program: a vaccination that has ended is not accepted, one that is valid is.
    @Test func borderRefusesAVaccinationThatHasEnded() async throws {
        let page = try String(contentsOf: Paths.root.appendingPathComponent("docs/border.md"), encoding: .utf8)
        let script = try #require(page.components(separatedBy: "```sh\n").last?.components(separatedBy: "```").first)
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            script.replacing("--list-key who-key.did.json", with: "--at 2022-06-01T00:00:00Z"), to: "border.sh",
            permissions: 0o700)
        let list = Paths.vector("hcert/trust/who-domains.did.json")
        try FileManager.default.createSymbolicLink(
            atPath: directory.url.path + "/who.did.json", withDestinationPath: list)
        try FileManager.default.createDirectory(
            atPath: directory.url.path + "/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: directory.url.path + "/bin/shcverify", withDestinationPath: Shcverify.path)
        for (card, code, words) in [
            ("icvp-record-expired", Int32(17), "not accepted: look at the certificate (record-expired)\n"),
            ("icvp-date-time", 0, "accepted\n"),
        ] {
            let result = try await Shcverify.run(
                ["-c", "cd '\(directory.url.path)' && '\(path)' '\(Paths.vector("hcert/cards/\(card).hc1"))'"],
                environment: ["PATH": "\(directory.url.path)/bin:/bin:/usr/bin"], executable: "/bin/sh")
            #expect(result.exitCode == code && result.stdout == words, "\(card): \(result.stdout)\(result.stderr)")
        }
    }

    /// The second list is updated even if the first cannot be.
    @Test(arguments: [0, 20, 26]) func weeklyScriptUpdatesBothLists(code: Int) async throws {
        let result = try await run("shcverify-update", from: "docs/operation.md", code: code)
        #expect(result.exitCode == Int32(code))
        #expect(result.stderr == "run: directory update\nrun: codes update\n")
    }
}
