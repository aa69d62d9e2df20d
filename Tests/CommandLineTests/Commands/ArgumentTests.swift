import ArgumentParser
import Foundation
import HTTPSFetch
import StrictJSON
import TestSupport
import Testing

@testable import shcverify

/// How arguments are read. Some of them come from strangers, such as the text of a QR code or the name of a file.
@Suite(.timeLimit(.minutes(10))) struct ArgumentTests {
    /// An option of a command that takes a value.
    private struct Option {
        let command: [String]
        let name: String
    }

    /// The options that take a value, the names of the other ones, and the options and commands whose values can be repeated, as the
    /// program lists them.
    private func dump() async throws -> (options: [Option], flags: Set<String>, repeatable: Set<String>) {
        let result = try await Shcverify.run(["--experimental-dump-help"])
        var options: [Option] = []
        var flags: Set<String> = []
        var repeatable: Set<String> = []
        func walk(_ command: JSONValue, _ path: [String]) {
            for argument in command["arguments"]?.elements.map({ Array($0) }) ?? [] {
                let names = (argument["names"]?.elements.map { Array($0) } ?? []).map { name in
                    (name["kind"]?.words == "long" ? "--" : "-") + (name["name"]?.words ?? "")
                }
                if argument["isRepeating"]?.boolean == true, argument["kind"]?.words != "flag" {
                    repeatable.formUnion(names.isEmpty ? [path.joined(separator: " ")] : names)
                }
                if argument["kind"]?.words == "option" {
                    options += names.map { Option(command: path, name: $0) }
                } else {
                    flags.formUnion(names)
                }
            }
            for subcommand in command["subcommands"]?.elements.map({ Array($0) }) ?? [] {
                walk(subcommand, path + [subcommand["commandName"]?.words ?? ""])
            }
        }
        walk(try #require(try JSONDocument.parse(Array(result.stdout.utf8))["command"]), [])
        // Without a command, the options of verify apply.
        options += options.filter { $0.command == ["verify"] }.map { Option(command: [], name: $0.name) }
        return (options, flags, repeatable)
    }

    private static let requests = [
        "--generate-completion-script", "--generate-completion-script=zsh", "--help", "-h", "--version",
        "--experimental-dump-help", "--help-hidden", "-qh",
    ]

    /// Other values that could be misread.
    private static let oddities = ["", "-", "--", "---", "---completion", "-=x", "--=", "=", "help", "\u{301}x", "é"]

    /// Messages are logged, so a card that the parser quotes is left out. Nothing else of the message is.
    @Test func onlyQuotedCardsAreLeftOutOfMessages() async throws {
        let missing = try await Shcverify.run([OutputTests.card, "--qr"])
        #expect(missing.exitCode == 64)
        #expect(missing.stderr.hasPrefix("Error: Missing value for '--qr <qr>'\n"), "\(missing.stderr)")
        #expect(
            missing.stderr.contains("\nUsage: shcverify verify ")
                && missing.stderr.contains("See 'shcverify verify --help'"))
        for card in ["shc:/56762909", #"{"name":"O'Neill"}"#, "HC1:6BFOXN'X"] {
            for arguments in [
                ["batch", "--jobs", card], ["directory", "show", "a", card], ["batch", "--jobs=\(card)"],
            ] {
                let result = try await Shcverify.run(arguments)
                #expect(result.exitCode == 64 && result.stderr.contains("'…'"), "\(arguments) \(result.stderr)")
                #expect(!result.stderr.contains(card.suffix(7)), "\(result.stderr)")
            }
        }
    }

    @Test func everyOptionThatTakesAValueIsKnown() async throws {
        let (options, flags, repeatable) = try await dump()
        #expect(options.count > 80)
        let commands = Arguments.commandsWithInputs.map { $0.joined(separator: " ") }.filter { !$0.isEmpty }
        // The profiles are few, and the parser has a command "help".
        #expect(
            repeatable
                == Set(
                    (Arguments.repeatableOptions.union(Arguments.optionsWithSeveralValues.values.joined())).map {
                        "--\($0)"
                    }
                        + commands + ["--profile", "help"]))
        #expect(Set(options.map(\.name)) == Set(Arguments.optionsWithValue.map { "--\($0)" }))
        #expect(flags.isDisjoint(with: options.map(\.name)))
    }

    @Test func argumentAfterAnOptionIsItsValue() async throws {
        let (options, flags, _) = try await dump()
        let values = Self.requests + Self.oddities + flags + Set(options.map(\.name)) + options.map { "\($0.name)=x" }
        for option in options {
            for value in values {
                let isOwnWord = value.utf8.first.map { $0 >= 0x80 } ?? true
                let expected = isOwnWord ? [option.name, value] : ["\(option.name)=\(value)"]
                for words in [[option.name, value], ["\(option.name)=\(value)"]] {
                    let arguments = try Arguments(option.command + words + ["file", "-q"])
                    #expect(!arguments.isRequest, "\(option.command + words)")
                    #expect(arguments.command == option.command, "\(option.command + words)")
                    let takesSeveral =
                        Arguments.optionsWithSeveralValues[option.command]?.contains { "--\($0)" == option.name }
                        == true
                    guard !takesSeveral else {
                        #expect(
                            arguments.rest == ["\(option.name)=\u{0}\(value)\u{0}file", "-q"],
                            "\(option.command + words)")
                        continue
                    }
                    #expect(arguments.rest == expected + ["-q", "--", "file"], "\(option.command + words)")
                }
            }
        }
    }

    /// Some options take all arguments up to the next option: `--from cvx.txt mvx.txt`.
    @Test func listOptionsTakeAllArgumentsUpToTheNextOption() throws {
        let arguments = try Arguments(
            ["codes", "update", "--from", "a", "-", "é", "--force", "--from=--x", "b", "--", "c"])
        #expect(
            arguments.rest == ["--from=\u{0}a\u{0}-\u{0}é\u{0}--x\u{0}b", "--force", "--", "c"])
        let command = try #require(
            try CodesUpdateCommand.parseAsRoot(arguments.rest.dropLast(2)) as? CodesUpdateCommand)
        #expect(command.from.all == ["a", "-", "é", "--x", "b"] && command.isForced)
        #expect(throws: ValidationError.self) {
            try Arguments(["codes", "update", "--url", "a", String(repeating: "x", count: 8193)])
        }
        // Elsewhere, only one argument is the value.
        #expect(try Arguments(["directory", "update", "--from", "a", "b"]).rest == ["--from=a", "--", "b"])
    }

    /// All values of a repeatable option are one argument for the parser, and so are all inputs.
    @Test func repeatedValuesStayAsTheyAre() throws {
        let values = Self.requests + Self.oddities + ["a=b", "\u{301}", "e\u{301}", "\r", "\n", " "]
        #expect(
            GivenValues(argument: GivenValues.argument(for: values)).values.map { Array($0.utf8) }
                == values.map { Array($0.utf8) })
        for value in values {
            #expect(
                Array(GivenValues(argument: GivenValues.argument(for: [value])).values[0].utf8) == Array(value.utf8))
        }
        let words = values.flatMap { ["--trust", $0] } + ["-q"] + values.flatMap { ["--qr", $0] }
        let arguments = try Arguments(words + ["a", "b", "--"] + values)
        #expect(arguments.rest.count == 5)
        #expect(arguments.unprotectedInputs == ["a", "b"])
        let command = try #require(
            try VerifyCommand.parseAsRoot(arguments.rest.filter { !$0.hasPrefix("--trust") }) as? VerifyCommand)
        #expect(command.inputs.qr.all.map { Array($0.utf8) } == values.map { Array($0.utf8) })
        #expect(command.inputs.input.all.map { Array($0.utf8) } == (["a", "b"] + values).map { Array($0.utf8) })
    }

    @Test func moreOptionsThanTheLimitAreAnError() async throws {
        let many = Array(repeating: "-q", count: Arguments.maximumCount)
        #expect(throws: Never.self) { try Arguments(many) }
        #expect(throws: ValidationError.self) { try Arguments(many + ["x"]) }
        let profiles = (0..<20_000).flatMap { _ in ["--profile", "usa-covid19-immunization"] }
        for arguments in [many + ["x"], ["lint", "x"] + profiles, ["batch"] + Array(repeating: "x", count: 20_000)] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 64 && result.stdout.isEmpty)
            #expect(result.stderr.contains("more than 1000 arguments"), "\(result.stderr)")
        }
    }

    /// Each command says the version, if nothing else is asked.
    @Test func commandsKnowTheVersion() async throws {
        let version = try await Shcverify.run(["--version"]).stdout
        for command in [["lint"], ["inspect"], ["verify"], ["directory"], ["directory", "audit"]] {
            let result = try await Shcverify.run(command + ["--version"])
            #expect(result.exitCode == 0 && result.stdout == version, "\(command): \(result.stderr)")
        }
    }

    /// Each request as the value of --qr, which strangers write. The other options get one request each.
    @Test func requestAsAValueNeverSucceeds() async throws {
        let options = try await dump().options
        var runs: [[String]] = []
        for (number, option) in options.enumerated() {
            let values = option.name == "--qr" ? Self.requests : [Self.requests[number % Self.requests.count]]
            for value in values {
                let words = number.isMultiple(of: 2) ? [option.name, value] : ["\(option.name)=\(value)"]
                // In the middle, and at the end.
                runs.append(option.command + words + ["no-such-file"])
                if option.name == "--qr" { runs.append(option.command + ["no-such-file", option.name, value]) }
            }
        }
        try await expectNoSuccess(runs)
    }

    @Test func requestWithOtherArgumentsNeverSucceeds() async throws {
        var runs: [[String]] = []
        for request in Self.requests {
            runs += [
                [OutputTests.card, request] + OutputTests.keys, ["verify", "-q", request], ["batch", "x", request],
            ]
            // As the name of a file that comes before a gate's own options.
            runs.append([request, "--quiet", "--require-trusted", "--trust", OutputTests.issuer] + OutputTests.keys)
        }
        runs += [
            ["verify", "--version", "-q"], ["lint", "x", "--version"],
            ["lint", "--generate-completion-script", "bash"], ["directory"],
            ["directory", "-q"],
            ["help", "--quiet"], ["help", "verfy"], ["help", "directory", "verfy"], ["---completion", "--", "input"],
            ["--generate-completion-script", "--quiet"], ["--generate-completion-script", "bash", "x"],
        ]
        try await expectNoSuccess(runs, 64)
    }

    /// Runs all commands. None may end with exit code 0; if a code is given, all must end with it.
    private func expectNoSuccess(_ runs: [[String]], _ code: Int32? = nil) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for arguments in runs {
                group.addTask {
                    let result = try await Shcverify.run(arguments)
                    #expect(result.exitCode != 0, "\(arguments)")
                    #expect(result.exitCode == code ?? result.exitCode, "\(arguments)")
                    #expect(!result.stdout.contains("OVERVIEW"), "\(arguments)")
                    #expect(!result.stderr.isEmpty, "\(arguments)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["--version"], ["help"], ["help", "verify"], ["help", "directory", "show"],
        ["verify", "--help"],
        ["batch", "-h"], ["directory", "--help"], ["directory", "update", "--help"], ["--generate-completion-script"],
        ["--generate-completion-script", "zsh"], ["--generate-completion-script=fish"], ["--experimental-dump-help"],
    ]) func requestAloneSucceeds(_ arguments: [String]) async throws {
        let result = try await Shcverify.run(arguments, environment: ["SHELL": "/bin/bash"])
        #expect(result.exitCode == 0)
        #expect(!result.stdout.isEmpty)
        #expect(result.stderr.isEmpty)
    }

    /// The first line is the version alone. The others say what verdicts can depend on.
    @Test func versionSaysWhatItWasMadeOf() async throws {
        let lines = try await Shcverify.run(["--version"]).stdout.split(separator: "\n").map { String($0) }
        #expect(lines.first == UserAgent.version)
        let names = lines.dropFirst().map { String($0.prefix { $0 != " " }) }
        #expect(
            names == [
                "commit", "codes", "codes", "codes", "codes", "codes", "codes", "codes", "OpenSSL", "crypto_mb",
                "requests", "pictures", "PDF", "SVG", "reports",
            ])
        #expect(lines.last == "reports   to whoever built this program")
        #expect(lines[2].contains(/^codes +CVX of 20[0-9]{2}-[0-9]{2}-[0-9]{2}, built-in$/))
        #expect(lines[9].contains(/^OpenSSL +3\.[0-9]/))
        #expect(lines[11].hasSuffix("/shcverify-fetch"))
    }

    /// A folder or a text of that name is no program.
    @Test(arguments: ["mkdir shcverify-fetch", ": > shcverify-fetch; chmod 644 shcverify-fetch"])
    func versionSaysWhatCannotBeStarted(_ place: String) async throws {
        let folder = try TemporaryDirectory()
        let result = try await Shcverify.run(
            [
                "-c", #"cd "$0"; \#(place); cp "$1" shcverify; exec ./shcverify --version"#, folder.url.path,
                Shcverify.path,
            ],
            executable: "/bin/sh")
        #expect(result.exitCode == 0)
        #expect(result.stdout.contains("/shcverify-fetch cannot be started\n"), "\(result.stdout)")
    }

    @Test func textOfAQRCodeIsNeverAnOption() async throws {
        let texts = Self.requests + Self.oddities + ["--quiet", "--jwks=x", "--qr=x"]
        for (number, text) in texts.enumerated() {
            let arguments =
                number.isMultiple(of: 2) ? ["--qr", text, OutputTests.card] : [OutputTests.card, "--qr=\(text)"]
            let result = try await Shcverify.run(arguments + OutputTests.keys)
            let (code, reason): (Int32, String) = text.isEmpty ? (27, "empty-input") : (10, "malformed-input")
            #expect(result.exitCode == code, "\(arguments)")
            #expect(result.headline == "PASS (as of 2026-06-01T00:00:00Z, not now)", "\(arguments)")
            #expect(result.errorLines.count == 1 && result.stderr.hasPrefix("qr#0: \(reason): "), "\(arguments)")
        }
    }

    @Test(arguments: [
        (["verfy", "x"], "shcverify verify"), (["version"], "--version"),
        (["completion", "bash"], "completion-script bash"),
        (["--offline", "batch", "x"], "shcverify batch"), (["-q", "x", "records"], "shcverify records"),
        (["INSPECT", "x"], "shcverify inspect"), (["hlep"], "shcverify help"), (["help", "lnit"], "shcverify lint"),
        (["directory", "udpate"], "shcverify directory update"), (["update"], "shcverify directory update"),
    ]) func suggestsTheCommandThatWasMeant(_ arguments: [String], _ meant: String) async throws {
        let result = try await Shcverify.run(arguments)
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("did you mean \"") && result.stderr.contains(meant))
    }

    @Test func readsAFileWithTheNameOfACommand() async throws {
        let folder = try TemporaryDirectory()
        let card = try folder.write(String(decoding: try Paths.bytes(OutputTests.card), as: UTF8.self), to: "verfy")
        let script =
            #"cd "$0" && cp "$1" batch && shift 2 && "$S" verfy "$@" && exec "$S" --offline batch "$@" -- records"#
        let result = try await Shcverify.run(
            ["-c", script, folder.url.path, card, "x"] + OutputTests.keys, environment: ["S": Shcverify.path],
            executable: "/bin/sh")
        // Everything after the two hyphens is a file.
        #expect(result.exitCode == 66)
        #expect(result.stdout.hasPrefix("PASS (as of 2026-06-01T00:00:00Z, not now)\n"))
        #expect(result.stderr.contains("records: unreadable-input"))
        #expect(!result.stderr.contains("did you mean"))
    }

    @Test(arguments: [
        ("shc:/5676290952432060346029243740", "this is QR text: use --qr or standard input"),
        (" SHC:/1/2/56762909524320603460292437\n", "QR text"), ("eyJhbGciOiJFUzI1NiJ9.secret.secret", "standard input"),
        (#"{"verifiableCredential":["secret"]}"#, "JSON"), ("https://issuer.example/secret", "web address"),
        ("https://viewer.example/#%7B%22secret%22", "standard input"),
        ("HC1:6BFsecret", "EU Digital COVID Certificate"),
        ("shlink:/eyJsecret", "SMART Health Link"), ("https://viewer.example/#shlink:/secret", "SMART Health Link"),
    ]) func doesNotRepeatACardGivenAsAFileName(_ text: String, _ words: String) async throws {
        // Before the two hyphens, the text of a code is read as one.
        let isCode = ["shc:", " SHC:", "HC1:", "shlink:"].contains { text.hasPrefix($0) } || text.contains("#shlink:")
        let files = [["--format", "json", text], ["inspect", text], ["lint", "--offline", text]]
        for arguments in (isCode ? [] : files) + [["batch", text], ["-q", "--", text], ["inspect", "--", text]] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 66, "\(arguments)")
            #expect(result.stderr.contains("input 1: unreadable-input: "), "\(arguments): \(result.stderr)")
            if arguments[0] != "batch" { #expect(result.stderr.contains(words), "\(arguments): \(result.stderr)") }
            for output in [result.stdout, result.stderr] {
                #expect(!output.contains("secret") && !output.contains("567629"), "\(arguments): \(output)")
            }
        }
        for arguments in [["batch", "x", text], ["--format", text, "x"], ["--at", text, "x"]] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 64, "\(arguments)")
            #expect(!result.stderr.contains("secret") && !result.stderr.contains("567629"), "\(result.stderr)")
        }
    }

    /// What a file of cards' texts has is read as `--qr` if it is given as an argument.
    @Test(arguments: [[], ["verify"], ["inspect"], ["records"], ["lint"]]) func textOfACodeIsReadAsQR(
        _ command: [String]
    ) async throws {
        let code = try String(contentsOfFile: Paths.vector("cards/inputs/qr.qr.txt"), encoding: .utf8)
        let parts = try (1...3).map {
            try String(contentsOfFile: Paths.vector("cards/inputs/chunks-\($0).qr.txt"), encoding: .utf8)
        }
        let options = command == ["inspect"] ? ["--offline"] : OutputTests.keys
        for texts in [[code], parts] {
            let given = try await Shcverify.run(command + texts + options)
            let named = try await Shcverify.run(command + texts.flatMap { ["--qr", $0] } + options)
            #expect(given.exitCode == named.exitCode && given.exitCode != 66, "\(given.stderr)")
            // The reports of lint say how long it took.
            if command != ["lint"] { #expect(given.stdout == named.stdout) }
        }
        let protected = try await Shcverify.run(command + options + ["--", code])
        #expect(protected.exitCode == 66)
    }

    @Test func fileOfThatNameIsRead() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("nothing", to: "HC1:A")
        let result = try await Shcverify.run(
            ["-c", #"cd "$1" && exec "$0" --offline HC1:A"#, Shcverify.path, directory.url.path], executable: "/bin/sh")
        #expect(result.exitCode == 10 && result.stderr.contains("HC1:A#0: malformed-input"))
    }

    /// Of an input that was not read, there is nothing to report but why.
    @Test func missingFileIsOneLine() async throws {
        for path in ["/nonexistent/card", Paths.vectors.path] {
            let result = try await Shcverify.run([path, "--offline"])
            #expect(result.exitCode == 66 && result.stdout.isEmpty && result.errorLines.count == 1)
            let json = try await Shcverify.run([path, "--offline", "--format", "json"])
            #expect(json.exitCode == 66 && json.stdout.contains("unreadable-input"))
        }
    }

    @Test(arguments: [
        ("NO1:6BFOXN", "domestic certificate of Norway"), ("\u{89}PNG", "picture"),
        ("RIFF0000WEBP", "picture"),
        ("\0\0\0\u{18}ftypheic", "picture"), ("%PDF-1.7", "PDF"), ("https://issuer.example/", "download the file"),
    ]) func namesOtherKindsOfInput(_ text: String, _ words: String) async throws {
        // The first byte of a PNG is not UTF-8.
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        for command in ["verify", "inspect", "lint"] where command != "lint" || !text.hasPrefix("https://") {
            let result = try await Shcverify.run([command, "-"], stdin: bytes)
            #expect([10, 27].contains(result.exitCode))
            #expect((command == "lint" ? result.stdout : result.stderr).contains(words), "\(result.stderr)")
        }
    }

    /// The longest possible argument, made of text that takes minutes to normalise.
    @Test func doesNotCompareOrRepeatALongArgument() async throws {
        let text = "x" + String(repeating: "\u{301}\u{323}", count: 30_000)
        for arguments in [[text], ["--", text], ["inspect", text], ["lint", text, "--offline"], ["batch", text]] {
            let result = try await Shcverify.run(arguments)
            #expect(result.exitCode == 66)
            #expect(result.stderr.contains("input 1: unreadable-input: this is too long"))
            #expect(result.stdout.utf8.count + result.stderr.utf8.count < 4096)
        }
        #expect(try await Shcverify.run(["--qr", text]).exitCode == 10)
        #expect(try await Shcverify.run(["--record-type", text, "x"]).exitCode == 64)
        #expect(try await Shcverify.run(["explain", text]).exitCode == 64)
    }

    private static let hidesProc = #"mount -t tmpfs none /proc && exec "$@""#

    /// Some chroots have no /proc. Users who may not mount file systems cannot run this test.
    @Test func readsArgumentsWithoutProc() async throws {
        let run = { (program: String, arguments: [String]) in
            try await Shcverify.run(
                ["-rm", "/bin/sh", "-c", Self.hidesProc, "sh", program] + arguments, executable: "/usr/bin/unshare")
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"),
            try await run("/bin/true", []).exitCode == 0
        else { return }
        let card = try await run(Shcverify.path, ["--quiet", OutputTests.card] + OutputTests.keys)
        #expect(card.exitCode == 0, "\(card.stderr)")
        #expect(try await run(Shcverify.path, ["--quiet", "--require-trusted", OutputTests.card]).exitCode == 64)
        let fetcher = try await run(BuiltProduct.program("shcverify-fetch"), ["x"])
        #expect(fetcher.exitCode == 64)
    }
}
