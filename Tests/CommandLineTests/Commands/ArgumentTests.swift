import ArgumentParser
import Encodings
import Foundation
import TestSupport
import Testing

@testable import shcverify

/// How all options are read. Some arguments come from strangers, such as the text of a QR code or the name of a file.
@Suite(.timeLimit(.minutes(30))) struct ArgumentTests {
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
        try await withThrowingTaskGroup(of: Void.self) { group in
            for arguments in runs {
                group.addTask {
                    let result = try await Shcverify.run(arguments)
                    #expect(result.exitCode != 0, "\(arguments)")
                    #expect(!result.stdout.contains("OVERVIEW"), "\(arguments)")
                    #expect(!result.stderr.isEmpty, "\(arguments)")
                }
            }
            try await group.waitForAll()
        }
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
