import Foundation
import TestSupport
import Testing

/// Runs the pages of Tests/Sessions, whose README says what they contain. Each section is a session of its own.
@Suite(.timeLimit(.minutes(30))) struct SessionTests {
    private static let folder = "Tests/Sessions"

    private static let pages: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: Paths.root.path + "/" + folder)) ?? []
        let chosen = ProcessInfo.processInfo.environment["SHCVERIFY_PAGES"]?.split(separator: " ").map { String($0) }
        return files.filter { $0.hasSuffix(".md") && $0 != "README.md" && chosen?.contains($0) != false }.sorted()
    }()

    /// A section of a page.
    struct Section: Sendable, CustomTestStringConvertible {
        let page: String
        let heading: String

        var testDescription: String { "\(page): \(heading)" }
    }

    /// Pages that cannot be read are the matter of another test.
    private static let sections = pages.flatMap { page in
        ((try? ConsolePage("\(folder)/\(page)"))?.sections ?? []).map { Section(page: page, heading: $0) }
    }

    /// Whether the pages are changed, so that they say what the program does.
    private static let isWriting = ProcessInfo.processInfo.environment["SHCVERIFY_SESSIONS"] == "write"

    /// What a page expects of a command.
    struct Expectation {
        let lines: [String]
        let exitCode: Int

        init(_ lines: [String]) {
            guard let code = lines.last?.wholeMatch(of: /\[([0-9]+)\]/)?.1 else {
                (self.lines, exitCode) = (lines, 0)
                return
            }
            (self.lines, exitCode) = (lines.dropLast(), Int(code) ?? -1)
        }

        /// The lines of an output. A last line without an end is marked.
        static func lines(of text: String) -> [String] {
            let lines = text.components(separatedBy: "\n")
            return lines.last == "" ? lines.dropLast() : lines + [#"\ no newline at the end"#]
        }

        func isMet(by output: ConsoleSession.Output) -> Bool {
            output.exitCode == exitCode && OutputPattern(lines).matches(Self.lines(of: output.text))
        }

        /// What the page must have for an output.
        func corrected(for output: ConsoleSession.Output) -> [String] {
            let lines = OutputPattern(lines).corrected(for: Self.lines(of: output.text))
            let isNeeded = output.exitCode != 0 || lines.last?.wholeMatch(of: /\[[0-9]+\]/) != nil
            return lines + (isNeeded ? ["[\(output.exitCode)]"] : [])
        }
    }

    /// The steps of a block, and its commands.
    private static func steps(
        _ block: ConsolePage.Block
    ) throws -> (steps: [ConsoleSession.Step], commands: [ConsolePage.Command]) {
        if block.language == "console" {
            let commands = ConsolePage.commands(block)
            return (commands.map { .command($0.text) }, commands)
        }
        let heading = try #require(block.heading, "a block is neither a console nor a file: \(block.lines.first ?? "")")
        let words = try #require(heading.wholeMatch(of: /File `([^`]+)`(, without a newline at its end)?/))
        let text = block.lines.joined(separator: "\n") + (words.2 == nil && !block.lines.isEmpty ? "\n" : "")
        return ([.file(name: String(words.1), text: text)], [])
    }

    @Test(arguments: sections) func doesWhatThePageSays(_ section: Section) async throws {
        let page = try ConsolePage("\(Self.folder)/\(section.page)")
        let parts = try page.blocks.filter { [nil, section.heading].contains($0.section) }.map(Self.steps)
        let commands = parts.flatMap(\.commands)
        let directory = try TemporaryDirectory()
        let files = FileManager.default
        let place = { (name: String) -> URL in directory.url.appendingPathComponent(name) }
        for name in ["work", "home", "tmp"] {
            try files.createDirectory(at: place(name), withIntermediateDirectories: false)
        }
        try files.createSymbolicLink(at: place("work/vectors"), withDestinationURL: Paths.vectors)
        try files.createSymbolicLink(at: place("work/repository"), withDestinationURL: Paths.root)
        var environment: [String: String?] = [
            "HOME": place("home").path, "SHCVERIFY_SYSTEM_DIR": place("system").path, "TMPDIR": place("tmp").path,
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1", "SESSION_PROGRAM": Shcverify.path,
        ]
        for name in [
            "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "BASH_ENV",
            "COLUMNS", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ] { environment.updateValue(nil, forKey: name) }
        let (outputs, rest) = try await ConsoleSession.run(
            parts.flatMap(\.steps), in: place("work"),
            path: [
                Paths.root.appendingPathComponent("\(Self.folder)/bin").path,
                URL(fileURLWithPath: Shcverify.path).deletingLastPathComponent().path,
            ], environment: environment, options: "set -o pipefail")
        var corrections: [Int: [String]] = [:]
        for (command, output) in zip(commands, outputs) {
            let expectation = Expectation(command.expected)
            guard !expectation.isMet(by: output) else { continue }
            if Self.isWriting, let number = page.commands.firstIndex(where: { $0.line == command.line }) {
                corrections[number] = expectation.corrected(for: output)
                continue
            }
            Self.report(
                "$ \(command.text)\n\(output.text)[\(output.exitCode)], but the page says:\n"
                    + command.expected.joined(separator: "\n"), section, line: command.line)
        }
        if outputs.count < commands.count {
            let command = commands[outputs.count]
            Self.report("$ \(command.text)\nended the session\n\(rest)", section, line: command.line)
        } else if !rest.isEmpty {
            Self.report("printed after the last command: \(rest)", section, line: 1)
        }
        if Self.isWriting, !corrections.isEmpty { try await PageWriter.shared.write(corrections, of: section) }
    }

    private static func report(_ text: String, _ section: Section, line: Int) {
        Issue.record(
            "\(section): \(text)",
            sourceLocation: SourceLocation(
                fileID: "Sessions/\(section.page)", filePath: "\(Paths.root.path)/\(folder)/\(section.page)",
                line: line,
                column: 1))
    }

    /// Changes pages, one section after the other.
    private actor PageWriter {
        static let shared = PageWriter()

        /// - Parameter corrections: the new lines after some commands, by the number of the command on the page.
        func write(_ corrections: [Int: [String]], of section: Section) throws {
            let page = try ConsolePage("\(SessionTests.folder)/\(section.page)")
            var lines = page.lines
            for (number, command) in page.commands.enumerated().reversed() {
                if let correction = corrections[number] { lines.replaceSubrange(command.place, with: correction) }
            }
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: Paths.root.appendingPathComponent(page.name), options: .atomic)
        }
    }

    // MARK: The pages

    @Test(arguments: pages) func everyPageIsOfSessions(_ name: String) throws {
        let page = try ConsolePage("\(Self.folder)/\(name)")
        #expect(Set(page.sections).count == page.sections.count, "two sections have the same heading")
        for section in page.sections {
            #expect(
                page.blocks.contains { $0.section == section && $0.language == "console" }, "\(section) has no command")
        }
        for block in page.blocks { _ = try Self.steps(block) }
        for command in page.commands {
            // The program before it would be ended by a signal, or not, depending on which one is faster.
            #expect(
                !command.text.contains(/\| *(head|grep -[a-zA-Z]*[mq]|sed '?[0-9]+q)/), "use sed -n: \(command.text)")
            for line in command.expected {
                #expect(!line.contains(/\([0-9]+ days? old\)/), "write …, since this passes on one day only: \(line)")
            }
        }
    }

    // MARK: Patterns

    @Test func patternsMatchCorrectly() {
        let lines = ["a", "b c d", "", "e"]
        for pattern in [lines, ["…"], ["a", "…"], ["…", "e"], ["a", "b…d", "…", "e"], ["a", "…", "b …", "  …"]] {
            #expect(OutputPattern(pattern).matches(lines), "\(pattern)")
            #expect(OutputPattern(pattern).corrected(for: lines) == pattern)
        }
        for pattern in [
            [], ["a"], ["a", "…", "f"], ["b…", "…"], ["a", "b…c", "…"], ["…", "e", "e"], lines + [""],
            ["a", "b…d", "e"],
        ] {
            #expect(!OutputPattern(pattern).matches(lines), "\(pattern)")
            #expect(OutputPattern(OutputPattern(pattern).corrected(for: lines)).matches(lines), "\(pattern)")
        }
    }

    @Test func correctionsKeepWhatStillMatches() {
        let lines = ["PASS", "time 12:00", "a", "b", "end"]
        for (pattern, correction) in [
            ([], lines),
            (["FAIL", "time …", "…", "end"], ["PASS", "time …", "…", "end"]),
            (["PASS", "…", "END"], ["PASS", "…", "end"]),
            (["PASS", "gone", "time …", "a", "b", "end"], ["PASS", "time …", "a", "b", "end"]),
            (["time …", "…"], ["PASS", "time …", "…"]),
        ] { #expect(OutputPattern(pattern).corrected(for: lines) == correction, "\(pattern)") }
    }

    @Test func exitCodesAndEndsAreExpected() {
        for (lines, text, code, isMet) in [
            ([], "", 0, true), ([], "\n", 0, false), ([], "", 1, false), (["[1]"], "", 1, true),
            (["[1]"], "", 2, false),
            (["a", "[3]"], "a\n", 3, true), (["a"], "a\n", 3, false), (["a", "[3]"], "a\n[3]\n", 0, false),
            (["[3]", "[0]"], "[3]\n", 0, true), (["a"], "a", 0, false),
            (["a", #"\ no newline at the end"#], "a", 0, true),
            (["a"], "a\n\n", 0, false), (["…"], "a\nb\n", 0, true), (["…"], "a\n", 1, false),
        ] {
            let output = ConsoleSession.Output(text: text, exitCode: code)
            let expectation = Expectation(lines)
            #expect(expectation.isMet(by: output) == isMet, "\(lines) \(output)")
            #expect(Expectation(expectation.corrected(for: output)).isMet(by: output), "\(lines) \(output)")
        }
    }

    @Test func thereArePages() { #expect(!Self.sections.isEmpty) }
}
