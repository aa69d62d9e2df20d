import Foundation
import StrictJSON
import TestSupport
import Testing

/// The output of `verify` on both streams.
@Suite struct OutputTests {
    static let card = Paths.vector("cards/inputs/file.smart-health-card")
    static let keys = ["--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json"), "--at", "2026-06-01T00:00:00Z"]
    static let issuer = "https://issuer-a.example/cards"

    @Test func textBeginsWithTheVerdictAndNamesIssuerSubjectAndRecords() async throws {
        let result = try await Shcverify.run([Self.card] + Self.keys)
        #expect(result.exitCode == 0)
        #expect(result.stderr.isEmpty)
        #expect(result.headline == "PASS (as of 2026-06-01T00:00:00Z, not now)")
        for words in [
            Self.issuer, "Jana T. Anyperson", "1951-01-20", "2025-01-29", "COVID-19, mRNA (Moderna)", "TEST-0001",
            "signature",
        ] {
            #expect(result.stdout.contains(words), "\(words)")
        }
        #expect(result.stdout.contains("\n  \"resourceType\": \"Bundle\",\n"))
    }

    /// Cards wait for the beginning of the report, compressed if they are many. They come out as they went in, in their order.
    @Test func manyCardsThatPassStandInTheirOrder() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let card = try Data(contentsOf: URL(filePath: Self.card))
            let names = (0..<300).map { "\(directory.path)/card \($0)" }
            for name in names { try card.write(to: URL(filePath: name)) }
            let json = try await Shcverify.run(["--format", "json"] + Self.keys + names)
            #expect(json.exitCode == 0 && json.stdout.utf8.count > 1 << 20)
            let cards = try #require(try JSONDocument.parse(Array(json.stdout.utf8))["cards"]?.elements)
            #expect(cards.map { $0["source"]?.string?.description } == names.map { $0 + "#0" })
            let one = try await Shcverify.run(["--format", "json"] + Self.keys + [names[299]])
            #expect(
                json.stdout.hasSuffix(
                    try #require(one.stdout.range(of: "\"cards\": [").map { one.stdout[$0.upperBound...] })))
            let page = try await Shcverify.run(["--format", "html"] + Self.keys + names)
            let headings = page.stdout.components(separatedBy: "<article id=").dropFirst().enumerated()
            #expect(headings.count == 300 && headings.allSatisfy { $1.contains("card \($0)#0<") })
        }
    }

    @Test func claimsOfAFailingCardAreLabelled() async throws {
        let result = try await Shcverify.run([Self.card, "--trust", "https://other.example"] + Self.keys)
        #expect(result.exitCode == 13)
        #expect(result.headline == "FAIL (issuer-not-trusted)")
        let name = try #require(result.stdout.range(of: "Jana"))
        let label = try #require(result.stdout.range(of: "NOT VERIFIED"))
        #expect(label.lowerBound < name.lowerBound)
    }

    @Test func jsonHasEveryMemberOfTheContract() async throws {
        let result = try await Shcverify.run([Self.card, "--format", "json"] + Self.keys)
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        for member in ["schemaVersion", "verdict", "exitCode", "verifiedAt", "madeAt", "cards"] {
            #expect(document[member] != nil, "\(member)")
        }
        let card = try #require(document.at("/cards/0"))
        for member in [
            "source", "inputKind", "verdict", "reason", "checks", "issuer", "key", "issued", "expires", "relevantDate",
            "sourceType", "types", "subject", "records", "warnings", "fhirVersion", "fhirBundle",
        ] {
            #expect(card[member] != nil, "\(member)")
        }
        #expect(document["verifiedAt"]?.words == "2026-06-01T00:00:00Z")
        #expect(
            card["checks"]?.elements?.compactMap { $0["name"]?.words }
                == ["format", "issuer-trust", "key", "signature", "validity", "revocation", "records"])
    }

    @Test func fhirPrintsOneBundlePerLineAndNoFailingCards() async throws {
        let bad = Paths.vector("cards/signature/der.jws")
        let result = try await Shcverify.run([Self.card, bad, Self.card, "--format", "fhir"] + Self.keys)
        #expect(result.exitCode == 11)
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { #expect(try JSONDocument.parse(Array(line.utf8))["resourceType"]?.words == "Bundle") }
    }

    @Test(arguments: ["text", "json", "fhir"]) func quietPrintsNothingToStandardOutput(_ format: String) async throws {
        let good = try await Shcverify.run([Self.card, "-q", "--format", format] + Self.keys)
        #expect(good.exitCode == 0)
        #expect(good.stdout.isEmpty && good.stderr.isEmpty)
        let bad = try await Shcverify.run([Paths.vector("cards/signature/der.jws"), "--quiet"] + Self.keys)
        #expect(bad.exitCode == 11)
        #expect(bad.stdout.isEmpty)
        #expect(bad.errorLines.count == 1)
        #expect(bad.stderr.contains("der.jws#0: signature-invalid: "))
    }

    @Test func exitCodeIsThatOfTheFirstCardThatDidNotVerify() async throws {
        let result = try await Shcverify.run(
            [Self.card, "no-such-file", Paths.vector("cards/signature/der.jws")] + Self.keys)
        #expect(result.exitCode == 66)
        #expect(result.errorLines.count == 2)
    }

    @Test func colourFollowsTheOption() async throws {
        let escape = "\u{1B}["
        let piped = try await Shcverify.run([Self.card] + Self.keys)
        #expect(!piped.stdout.contains(escape))
        let always = try await Shcverify.run(
            [Self.card, "--color", "always"] + Self.keys, environment: ["NO_COLOR": "1"])
        #expect(always.stdout.contains(escape))
        let never = try await Shcverify.run([Self.card, "--color", "never"] + Self.keys)
        #expect(!never.stdout.contains(escape))
    }

    @Test func unreadableInputStillGivesAJSONDocument() async throws {
        let result = try await Shcverify.run(["no-such-file", "--format", "json"] + Self.keys)
        #expect(result.exitCode == 66)
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(document.at("/cards/0/verdict")?.words == "undetermined")
        #expect(document.at("/cards/0/reason/code")?.words == "unreadable-input")
    }

    /// If something is missing offline, the message names the option for it.
    @Test func namesTheListThatIsMissingOffline() async throws {
        let folder = try TemporaryDirectory()
        let signed = try SignedCards.sign([.init(issuer: Self.issuer, rid: "someone")])
        let card = Array(signed.cards[0].utf8)
        let url = "\(Self.issuer)/.well-known/crl/\(signed.keyID()).json"
        let keys = try folder.write(signed.keySet(adding: ["crlVersion": 2]), to: "keys.json")
        let old = try folder.write(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":["x"]}"#, to: "old.json")
        for list in [[], ["--crl", old]] {
            let options = ["-", "--offline", "--no-cache", "--jwks", keys] + list
            let result = try await Shcverify.run(options, stdin: card)
            #expect(result.exitCode == 21)
            let json = try await Shcverify.run(options + ["--format", "json"], stdin: card)
            let message = try JSONDocument.parse(Array(json.stdout.utf8)).at("/cards/0/reason/message")?.words
            for text in [result.stderr, result.stdout, message ?? ""] {
                for words in [url, "\"\(signed.keyID())\"", "--crl"] { #expect(text.contains(words), "\(text)") }
            }
        }
        let none = try await Shcverify.run(["-", "--offline", "--no-cache"], stdin: card)
        #expect(none.exitCode == 20 && none.stderr.contains("--jwks"))
    }

    @Test func saysThatTheIssuerWasNotChecked() async throws {
        // A key set for one issuer is a statement of trust in its keys, and so is a key set for all.
        let scoped = try await Shcverify.run([
            Self.card, "--offline", "--jwks", "\(Self.issuer)=\(Paths.vector("keys/issuer-a.jwks.json"))",
        ])
        #expect(scoped.headline == "PASS")
    }

    // MARK: The last line

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

    @Test func lastLineRepeatsTheVerdictOnATerminal() async throws {
        let good = try await onTerminal([Self.card] + Self.keys)
        #expect(good.exitCode == 0)
        #expect(lastLine(good.stdout) == "PASS (as of 2026-06-01T00:00:00Z, not now) \(Self.card)")
        let bad = try await onTerminal([Self.bad] + Self.keys)
        #expect(bad.exitCode == 11)
        #expect(lastLine(bad.stdout) == "FAIL (signature-invalid) \(Self.bad)")
        let missing = try await onTerminal(["no-such-file"])
        #expect(missing.stdout.split(separator: "\n").count == 1, "the message is all that there is to say")
        #expect(lastLine(missing.stdout).hasPrefix("no-such-file: unreadable-input: "))
        // In a file, the verdict is in the first line, and nothing follows the Bundle.
        #expect(try await lastLine(Shcverify.run([Self.card] + Self.keys).stdout) == "}")
    }

    @Test func lastLineCountsSeveralCards() async throws {
        let asOf = "; as of 2026-06-01T00:00:00Z, not now"
        for isTerminal in [false, true] {
            let run = { (arguments: [String]) in
                isTerminal ? try await onTerminal(arguments) : try await Shcverify.run(arguments)
            }
            let mixed = try await run([Self.card, Self.bad, "no-such-file"] + Self.keys)
            #expect(lastLine(mixed.stdout) == "3 cards: 1 verified, 2 not\(asOf)")
            #expect(
                try await lastLine(run([Self.card, Self.card] + Self.keys).stdout)
                    == "2 cards: 2 verified, 0 not\(asOf)")
        }
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
