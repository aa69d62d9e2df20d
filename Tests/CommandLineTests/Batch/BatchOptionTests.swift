import Foundation
import StrictJSON
import TestSupport
import Testing

/// `batch --fields` and `batch --fail-on`, which programs around a batch rely on.
@Suite(.timeLimit(.minutes(5))) struct BatchOptionTests {
    /// All members of a line, in their order.
    private static let members = [
        "line", "id", "source", "inputKind", "verdict", "reason", "checks", "claimsVerified", "issuer", "key", "issued",
        "expires", "relevantDate", "sourceType", "types", "subject", "subjects", "records", "warnings", "fhirVersion",
        "fhirBundle", "certificate", "schemaVersion",
    ]

    private static func run(_ input: String, _ arguments: [String]) async throws -> Shcverify.Result {
        try await Shcverify.run(["batch", "-"] + arguments + BatchTests.options, stdin: Array(input.utf8))
    }

    private static func names(_ line: JSONValue) -> [String] { line.members?.map(\.name.description) ?? [] }

    // MARK: Fields

    @Test func fieldsMakeCompactLines() async throws {
        let result = try await Self.run(
            "{\"id\":\"a\",\"card\":\"\(try BatchTests.card)\"}\n{\"id\":7}\nx\n", ["--fields", "id,verdict,reason"])
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.first == #"{"id":"a","verdict":"pass","reason":null}"#)
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix(#"{"id":7,"verdict":"fail","reason":{"code":"malformed-input","message":""#))
        #expect(lines[2].hasPrefix(#"{"verdict":"fail","#), "a line without an id")
        #expect(result.exitCode == 10)
    }

    /// Each member alone is the member of the whole line.
    @Test(arguments: members) func fieldIsTheMemberOfTheWholeLine(_ name: String) async throws {
        let certificate = String(
            decoding: try Paths.bytes(Paths.vector("hcert/cards/valid-vaccination.hc1")), as: UTF8.self)
        let input = try [BatchTests.card, certificate, "x"].map { text in
            let card = JSONWriter.quoted(text.trimmingCharacters(in: .newlines))
            return #"{"id":"a","card":\#(card)}"#
        }.joined(separator: "\n")
        let options = ["--records", "--bundle", "--directory", Paths.vector("hcert/trust/signers.pem")]
        let whole = try BatchTests.lines(await Self.run(input, options).stdout)
        let lines = try BatchTests.lines(await Self.run(input, options + ["--fields", name]).stdout)
        #expect(whole.count == 3 && lines.count == 3)
        for (line, all) in zip(lines, whole) {
            #expect(Self.names(line) == (all[name] == nil ? [] : [name]))
            #expect(line[name]?.compact == all[name]?.compact)
        }
    }

    @Test func orderIsThatOfTheWholeLine() async throws {
        let card = try BatchTests.card
        let backwards = Self.members.reversed().joined(separator: ",")
        let some = try await Self.run(card, ["--fields", "reason,line,verdict,line"])
        #expect(some.stdout == "{\"line\":1,\"verdict\":\"pass\",\"reason\":null}\n")
        let all = try await Self.run(card, ["--records", "--bundle", "--fields", backwards])
        let whole = try await Self.run(card, ["--records", "--bundle"])
        #expect(all.stdout == whole.stdout)
    }

    @Test(arguments: [
        (["--fields", "verdikt"], "no member \"verdikt\""), (["--fields", ""], "no member"),
        (["--fields", "id,,verdict"], "no member"), (["--fields", "id, verdict"], "no member"),
        (["--fields", "Verdict"], "no member"), (["--fields", "version"], "no member"),
        (["--fields", "id,records"], "--fields records needs --records"),
        (["--fields", "subject", "--bundle"], "--fields subject needs --records"),
        (["--fields", "fhirBundle", "--records"], "--fields fhirBundle needs --bundle"),
        (["--fields", "id,verdict", "--resume", "/nonexistent/state"], "--resume needs \"line\" among --fields"),
    ])
    func fieldsAreCheckedAtTheStart(_ options: [String], _ words: String) async throws {
        let result = try await Self.run("x", options)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains(words), "\(result.stderr)")
        if words.contains("no member") {
            for member in Self.members { #expect(result.stderr.contains(member)) }
        }
    }

    /// A run that was continued with other fields would write lines of two forms into one file.
    @Test func fieldsBelongToTheTermsOfAState() async throws {
        let folder = try TemporaryDirectory()
        let input = try folder.write("x\ny\n", to: "cards")
        let state = folder.url.appendingPathComponent("state").path
        let run = { (fields: String) in
            try await Shcverify.run(
                ["batch", input, "--resume", state, "--fields", fields, "--fail-on", "none"] + BatchTests.options)
        }
        #expect(try await run("line,verdict").exitCode == 0)
        #expect(try await run("verdict,line").exitCode == 0)
        let other = try await run("line,reason")
        #expect(other.exitCode == 64)
        #expect(other.stderr.contains("output (--fields)"))
    }

    // MARK: Exit codes

    /// Lines that are verified, malformed, and signed by an unknown key, each alone and together.
    @Test(arguments: [
        ("any", [0, 10, 11, 11, 10]), ("malformed", [0, 10, 0, 10, 10]), ("none", [0, 0, 0, 0, 0]),
    ])
    func failOnChoosesWhichVerdictsCount(_ value: String, _ codes: [Int32]) async throws {
        let card = try BatchTests.card
        let changed = card.dropLast(9) + "AAAA" + card.suffix(5)
        let inputs = [card, "x", String(changed), "\(changed)\nx", "x\n\(changed)"]
        for (input, code) in zip(inputs, codes) {
            let result = try await Self.run(input, ["--fail-on", value])
            #expect(result.exitCode == code, "\(value): \(result.stderr)")
            let any = try await Self.run(input, [])
            #expect(result.stdout == any.stdout)
        }
    }

    /// Whatever `--fail-on` says, a run that was not completed is not 0.
    @Test func failOnNoneForgivesNoFaultOfTheRun() async throws {
        let options = ["--fail-on", "none"]
        #expect(try await Self.run("", options).exitCode == 27)
        #expect(try await Self.run("x", options + ["--jwks", "/nonexistent"]).exitCode == 66)
        #expect(try await Self.run("x", ["--fail-on", "sometimes"]).exitCode == 64)
        let missing = try await Shcverify.run(["batch", "/nonexistent/cards"] + options + BatchTests.options)
        #expect(missing.exitCode == 66)
        let full = try await Shcverify.run(
            ["-c", #"exec "$0" "$@" >/dev/full"#, Shcverify.path, "batch", "-"] + options + BatchTests.options,
            stdin: Array("x".utf8), executable: "/bin/sh")
        #expect(full.exitCode == 1)
    }

    /// The state counts all verdicts, so a run may be continued with another value.
    @Test func failOnMayChangeFromRunToRun() async throws {
        let folder = try TemporaryDirectory()
        let input = try folder.write("x\n", to: "cards")
        let state = folder.url.appendingPathComponent("state").path
        for (value, code) in [("none", Int32(0)), ("any", 10), ("malformed", 10), ("none", 0)] {
            let result = try await Shcverify.run(
                ["batch", input, "--resume", state, "--fail-on", value] + BatchTests.options)
            #expect(result.exitCode == code, "\(value)")
        }
    }

    // MARK: Lines as they come

    /// The promise of the help: each line is answered before the next one comes, whatever the line is and the options are.
    @Test(arguments: [
        ["-"], ["-", "--jobs", "1"], ["-", "--fields", "line,verdict"], ["-", "--records", "--bundle"], ["/dev/stdin"],
    ])
    func everyLineIsAnsweredAsItComes(_ arguments: [String]) async throws {
        let run = try BatchProcess(arguments + BatchTests.options)
        let card = try BatchTests.card
        let lines = [card, "", "nonsense", "{\"id\":1}", card, "shc:/1/2/567629", card]
        for (number, line) in lines.enumerated() {
            let verdict = try await run.verdict(on: line)
            #expect(verdict["line"]?.number?.integer == Int64(number + 1))
            let isOpen = line.isEmpty || line.hasPrefix("shc:")
            #expect(verdict["verdict"]?.words == (line == card ? "pass" : isOpen ? "undetermined" : "fail"))
        }
        try run.input.fileHandleForWriting.close()
        #expect(run.wait() == 27, "the first line that did not pass is empty")
    }
}
