import Foundation
import TestSupport
import Testing

/// Text from strangers is never a command to a build server that reads the output.
///
/// Build servers execute a line that begins with `::` (after optional white space), and `##[` or `##vso[` anywhere in a
/// line.
@Suite(.timeLimit(.minutes(30))) struct BuildLogTests {
    /// A text that is a command at the beginning of a line, and contains several kinds of line breaks.
    static let command =
        "\u{A0} ::error::y ##[error]z ##vso[task.complete]z\n::error::y\u{2028}::error::y\u{85}::error::y\r\n\t::error::y"
        + "\u{B}::error::y ###[group]z"

    private static func check(_ arguments: [String], stdin: [UInt8] = []) async throws {
        let result = try await Shcverify.run(arguments, stdin: stdin)
        #expect(!(result.stdout + result.stderr).isEmpty, "\(arguments) printed nothing")
        for text in [result.stdout, result.stderr] {
            #expect(BuildLog.isInert(text), "\(arguments): \(text.debugDescription)")
        }
    }

    @Test func noTextOfACardBecomesACommand() async throws {
        let folder = try TemporaryDirectory()
        let string = #""\#(TerminalSafetyTests.escaped(Self.command))""#
        let bundle = TerminalSafetyTests.bundle(saying: string)
        let signed = try SignedCards.sign([.init(issuer: "https://hostile.example", bundle: bundle)])
        let keys = ["--offline", "--jwks", try folder.write(signed.keySet(), to: "keys.json")]
        let header = #"{"alg":"ES256","zip":"DEF","kid":\#(string),"typ":\#(string),\#(string):\#(string)}"#
        let payload = #"""
            {"iss":\#(string),"nbf":1600000000,\#(string):1,"vc":{"type":[\#(string)],"rid":\#(string),
              "credentialSubject":{"fhirVersion":\#(string),"fhirBundle":\#(bundle)}}}
            """#
        let forged = String(
            decoding: UnsignedCard.jws(header: header, payload: Array(payload.utf8)), as: UTF8.self)
        for card in [signed.cards[0], forged] {
            // Strangers also choose the name of the file.
            let file = folder.url.appendingPathComponent("::error::y ##[error]z").path
            try Data(card.utf8).write(to: URL(fileURLWithPath: file))
            let script = #"cd "$1" && shift && exec "$@""#
            for arguments in [
                ["verify"], ["verify", "--color", "always"], ["verify", "--format", "json"],
                ["verify", "--format", "fhir"], ["verify", "--format", "html"], ["lint", "--format", "html"],
                ["records", "--format", "html"],
                ["verify", "--quiet"], ["inspect"], ["inspect", "--format", "json"], ["lint"],
                ["lint", "--color", "always"],
                ["lint", "--format", "json"], ["lint", "--format", "sarif"], ["lint", "--format", "junit"],
                ["records"], ["records", "--format", "json"], ["records", "--format", "ndjson"],
                ["records", "--format", "csv"], ["batch"], ["batch", "--records", "--bundle"],
            ] {
                let options = arguments[0] == "inspect" ? [] : keys
                let result = try await Shcverify.run(
                    ["-c", script, "sh", folder.url.path, Shcverify.path] + arguments + options
                        + ["::error::y ##[error]z"],
                    executable: "/bin/sh")
                #expect(!(result.stdout + result.stderr).isEmpty || arguments == ["verify", "--quiet"])
                for output in [result.stdout, result.stderr] {
                    #expect(BuildLog.isInert(output), "\(arguments): \(output.debugDescription)")
                }
            }
            let literal = "##[error]\u{2028}::error::y"
            let line = #"{"id":[\#(string), "\#(literal)"],"card":"\#(card)"}"#
            try await Self.check(["batch", "-"] + keys, stdin: Array(line.utf8))
        }
    }

    @Test func noArgumentBecomesACommand() async throws {
        let text = Self.command
        let folder = try TemporaryDirectory()
        let string = #""\#(TerminalSafetyTests.escaped(text))""#
        let list = try folder.write(
            #"{"participating_issuers":[{"iss":\#(string),"name":\#(string)},"#
                + #"{"iss":"\#(OutputTests.issuer)","name":\#(string),"website":\#(string),"canonical_iss":\#(string)}]}"#,
            to: "list.json")
        let card = OutputTests.card
        for arguments in [
            [card, "--directory", list] + OutputTests.keys, ["lint", list],
            ["lint", card, "--directory", list, "--offline"],
            ["directory", "show", "--directory", list], ["directory", "show", "--directory", list, "--format", "json"],
            ["directory", "show", text, "--directory", list], [text], ["--qr", text], ["inspect", text],
            ["explain", text],
            ["lint", text], ["lint", text, "--format", "json"], ["batch", text], [card, "--jwks", text], [card, text],
            [card, "--record-type", text], [card, "--since", text], [card, "--\(text)"],
            ["lint", "--issuer", text, "--offline"],
            ["records", card, "--resource-type", text], ["directory", "verify", text, "--signature", text],
            ["directory", "update", "--from", text], ["lint", card, "--exclude", text], [card, "--at", text],
        ] { try await Self.check(arguments) }
    }
}
