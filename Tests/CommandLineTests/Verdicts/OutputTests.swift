import Foundation
import TestSupport
import Testing

/// The output of `verify` on a terminal. Tests/Sessions/output.md has it in files.
@Suite struct OutputTests {
    static let card = Paths.vector("cards/inputs/file.smart-health-card")
    static let keys = ["--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--at", "2026-06-01T00:00:00Z"]
    static let issuer = "https://issuer-a.example/cards"

    private static let bad = Paths.vector("cards/signature/der.jws")

    /// Runs the program with standard output on a terminal.
    ///
    /// - Parameter hasErrors: whether standard error is the terminal too. Then it is part of `stdout` in the result.
    /// - Returns: the result, with "\n" for line ends.
    private func onTerminal(_ arguments: [String], hasErrors: Bool = true) async throws -> Shcverify.Result {
        let script =
            "import os,pty,sys\nerrors=os.dup(2)\npid,terminal=pty.fork()\nif pid==0:\n"
            + (hasErrors ? "" : "  os.dup2(errors,2)\n") + "  os.execv(sys.argv[1],sys.argv[1:])\n"
            + "while True:\n  try: data=os.read(terminal,65536)\n  except OSError: break\n"
            + "  if not data: break\n  sys.stdout.buffer.write(data)\nsys.stdout.flush()\n"
            + "sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid,0)[1]))"
        let result = try await Shcverify.run(
            ["-c", script, Shcverify.path] + arguments, environment: ["NO_COLOR": "1"], executable: "/usr/bin/python3")
        return Shcverify.Result(
            exitCode: result.exitCode, stdout: result.stdout.replacing("\r\n", with: "\n"), stderr: result.stderr)
    }

    private func lastLine(_ text: String) -> Substring { text.split(separator: "\n").last ?? "" }

    /// The lines after the last empty one, with one blank in place of the white space between words.
    private func lastLines(_ text: String) -> String {
        (text.components(separatedBy: "\n\n").last ?? "").split { $0.isWhitespace }.joined(separator: " ")
    }

    @Test func lastLineRepeatsTheVerdictOnATerminal() async throws {
        let person = "Jana T. Anyperson, born 1951-01-20, issuer \(Self.issuer)"
        let good = try await onTerminal([Self.card] + Self.keys)
        #expect(good.exitCode == 0)
        #expect(lastLines(good.stdout) == "PASS (as of 2026-06-01T00:00:00Z, not now) \(person)")
        let bad = try await onTerminal([Self.bad] + Self.keys)
        #expect(bad.exitCode == 11)
        #expect(lastLines(bad.stdout) == "FAIL (signature-invalid) claims \(person)")
        let brief = try await onTerminal([Self.card, "--brief"] + Self.keys)
        #expect(lastLines(brief.stdout) == lastLines(good.stdout))
        #expect(!brief.stdout.contains("Checks") && !brief.stdout.contains("Bundle"))
        let none = try await onTerminal(["--qr", "shc:/1"] + Self.keys)
        #expect(lastLines(none.stdout) == "FAIL (malformed-qr) qr#0")
        let missing = try await onTerminal(["no-such-file"])
        #expect(missing.stdout.split(separator: "\n").count == 1, "the message is all that there is to say")
        #expect(lastLine(missing.stdout).hasPrefix("no-such-file: unreadable-input: "))
    }

    @Test func lastLineCountsSeveralCards() async throws {
        let asOf = "; as of 2026-06-01T00:00:00Z, not now"
        let mixed = try await onTerminal([Self.card, Self.bad, "no-such-file"] + Self.keys)
        #expect(lastLine(mixed.stdout) == "3 cards: 1 verified, 2 not\(asOf)")
        for words in [
            "\(Self.card)#0: Jana T. Anyperson,", "\(Self.bad)#0: claims Jana",
            "UNDETERMINED (unreadable-input) no-such-file",
        ] { #expect(lastLines(mixed.stdout).contains(words), "\(mixed.stdout)") }
        #expect(
            try await lastLine(onTerminal([Self.card, Self.card] + Self.keys).stdout)
                == "2 cards: 2 verified, 0 not\(asOf)")
    }

    @Test func terminalShowsTheReasonOnce() async throws {
        let words = "an ES256 signature must have 64 bytes"
        for command in ["verify", "inspect"] {
            let card = command == "verify" ? Self.bad : Paths.vector("cards/header/alg-none.jws")
            let keys = command == "verify" ? Self.keys : []
            let words = command == "verify" ? words : "unsupported-algorithm"
            let both = try await onTerminal([command, card] + keys)
            #expect(both.stdout.components(separatedBy: words).count == 2, "\(both.stdout)")
            // Each stream has the message if the other one is not on the terminal.
            let output = try await onTerminal([command, card] + keys, hasErrors: false)
            #expect(output.stdout.components(separatedBy: words).count == 2)
            #expect(output.stderr.contains(words))
        }
    }
}
