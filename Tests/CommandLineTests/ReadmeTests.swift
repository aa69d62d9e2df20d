import Foundation
import TestSupport
import Testing

/// Runs every command in README.md, and checks its tables and links.
///
/// The page is one shell session, from top to bottom. In a `console` block, a line that begins with `$ ` is a command,
/// and the lines up to the next command are its output on both streams. In the output, `…` stands for any text in a
/// line, or for any number of lines if it is alone. A command without output must succeed. An `sh` block is a script;
/// its second line gives the file name: `# usage: NAME …`.
@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    /// The commands that are not run, and why.
    private static let notRun = [
        "make install PREFIX=/usr/local": "installs programs and packages",
        "shcverify card.smart-health-card": "fetches keys; the test issuer has no server",
        "shcverify directory update": "fetches VCI's directory",
        "shcverify lint --issuer https://issuer-a.example/cards": "asks a live issuer; this one has no server",
        "shcverify directory audit --directory vci-issuers.json --format json > audit.json": "asks live issuers",
        "shcverify directory audit --directory vci-issuers.json --compare audit.json": "asks live issuers",
        "shcverify directory collect --directory vci-issuers.json --output snapshot.json": "asks live issuers",
        "shcverify directory diff old.json snapshot.json": "compares what the reader has collected",
        "shcverify directory show https://issuer.example --directory snapshots --at 2026-05-01T00:00:00Z":
            "shows what the reader has collected",
    ]

    private struct Block {
        let language: String
        let lines: [String]
    }

    private struct Command {
        let text: String
        let expected: [String]
    }

    private let text: String
    private let blocks: [Block]

    init() throws {
        text = try String(contentsOf: Paths.root.appendingPathComponent("README.md"), encoding: .utf8)
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if let block = open {
                if line == "```" {
                    blocks.append(Block(language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open = (block.language, block.lines + [line])
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            }
        }
        self.blocks = blocks
        try #require(open == nil)
    }

    private static func commands(_ block: Block) -> [Command] {
        var commands: [Command] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                commands.append(Command(text: String(line.dropFirst(2)), expected: []))
            } else if let last = commands.popLast() {
                commands.append(Command(text: last.text, expected: last.expected + [line]))
            } else {
                Issue.record("a console block begins with its first command, not with \(line)")
            }
        }
        return commands
    }

    private var commands: [Command] { blocks.filter { $0.language == "console" }.flatMap(Self.commands) }

    /// Blocks of other kinds would not be tested.
    @Test func everyBlockIsOfATestedKind() {
        for block in blocks { #expect(["console", "sh", "swift"].contains(block.language), "\(block.lines)") }
        for line in text.split(separator: "\n") where line.hasPrefix("    ") {
            #expect(blocks.contains { $0.lines.contains(String(line)) }, "not in a block with a language: \(line)")
        }
    }

    @Test func commandsThatAreNotRunAreStillOnThePage() {
        for command in Self.notRun.keys { #expect(commands.contains { $0.text == command }, "\(command)") }
    }

    @Test func everyCommandDoesWhatThePageSays() async throws {
        let directory = try TemporaryDirectory()
        let vectors = directory.url.appendingPathComponent("TestVectors").path
        try FileManager.default.createSymbolicLink(atPath: vectors, withDestinationPath: Paths.vectors.path)
        // Both streams in the order of writing. After each command, its exit code follows between two separators.
        var script = "cd '\(directory.url.path)'\nexec 2>&1\n"
        var run: [Command] = []
        for block in blocks {
            switch block.language {
            case "console":
                for command in Self.commands(block) where Self.notRun[command.text] == nil {
                    script += "\(command.text)\ncode=$?; printf '\\036%s\\036' $code; (exit $code)\n"
                    run.append(command)
                }
            case "sh":
                let name = try #require(block.lines.dropFirst().first?.firstMatch(of: /^# usage: (\S+)/)?.1)
                script += (["cat > \(name) <<'SAVED'"] + block.lines + ["SAVED", "chmod +x \(name)", ""])
                    .joined(separator: "\n")
            default: break
            }
        }
        #expect(run.count > 20)
        let path = "\(URL(fileURLWithPath: Shcverify.path).deletingLastPathComponent().path):/usr/bin:/bin"
        let result = try await Shcverify.run(
            ["-c", script], environment: ["PATH": path, "HOME": directory.url.path], executable: "/bin/sh")
        let parts = result.stdout.components(separatedBy: "\u{1E}")
        try #require(parts.count == 2 * run.count + 1, "\(result.stdout) \(result.stderr)")
        for (number, command) in run.enumerated() {
            let (output, code) = (parts[2 * number], parts[2 * number + 1])
            guard !command.expected.allSatisfy(\.isEmpty) else {
                #expect(code == "0", "$ \(command.text)\n\(output)")
                continue
            }
            #expect(
                Self.matches(Self.trimmed(output.components(separatedBy: "\n")), Self.trimmed(command.expected)),
                "$ \(command.text)\n\(output)")
        }
    }

    /// The lines without empty lines at the end.
    private static func trimmed(_ lines: [String]) -> ArraySlice<String> {
        lines[..<((lines.lastIndex { !$0.isEmpty } ?? -1) + 1)]
    }

    /// Whether lines match a pattern. In a pattern, `…` stands for anything.
    private static func matches(_ lines: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
        guard let first = pattern.first else { return lines.isEmpty }
        let rest = pattern.dropFirst()
        if first.trimmingCharacters(in: .whitespaces) == "…" {
            return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], rest) }
        }
        guard let line = lines.first, matches(line, first) else { return false }
        return matches(lines.dropFirst(), rest)
    }

    /// Whether a line matches a pattern.
    private static func matches(_ line: String, _ pattern: String) -> Bool {
        let pieces = pattern.components(separatedBy: "…")
        guard pieces.count > 1 else { return line == pattern }
        guard line.hasPrefix(pieces[0]) else { return false }
        var rest = line.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.range(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(pieces[pieces.count - 1])
    }

    @Test func patternsMatchCorrectly() {
        let lines = ["a", "b c d", "", "e"]
        for pattern in [lines, ["…"], ["a", "…"], ["…", "e"], ["a", "b…d", "…", "e"], ["a", "…", "b …", "  …"]] {
            #expect(Self.matches(lines[...], pattern[...]), "\(pattern)")
        }
        for pattern in [["a"], ["a", "…", "f"], ["b…", "…"], ["a", "b…c", "…"], ["…", "e", "e"]] {
            #expect(!Self.matches(lines[...], pattern[...]), "\(pattern)")
        }
    }

    /// The table of exit codes lists exactly the program's reasons, in the same order.
    @Test func exitCodesAreTheProgramsOwn() async throws {
        let section = try #require(text.components(separatedBy: "\n## Exit codes\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        var listed: [String: [String]] = [:]
        for row in rows.dropFirst() {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            listed[cells[0]] = (cells.count > 2 ? cells[2] : "").matches(of: /`([a-z-]+)`/).map { String($0.1) }
        }
        let list = try await Shcverify.run(["explain"])
        var reasons: [String: [String]] = [:]
        for line in list.stdout.split(separator: "\n") {
            guard let match = line.firstMatch(of: /^(\S+) \(exit code ([0-9]+)/) else { continue }
            reasons[String(match.2), default: []].append(String(match.1))
        }
        #expect(reasons.count > 10)
        #expect(listed.filter { !$0.value.isEmpty } == reasons)
        for code in listed.keys {
            let explanation = try await Shcverify.run(["explain", code])
            #expect(explanation.exitCode == 0, "\(code)")
        }
        // The help lists them too.
        let help = try await Shcverify.run(["--help"])
        let sentence = try #require(help.stdout.components(separatedBy: "Exit codes:").dropFirst().first)
        let known = sentence.components(separatedBy: "\n\n")[0].matches(of: /\b([0-9]+)\b/).map { String($0.1) }
        #expect(Set(known) == Set(listed.keys))
    }

    @Test func everyOptionExists() async throws {
        var help = ""
        for command in [
            "verify", "batch", "records", "lint", "inspect", "directory show", "directory update", "directory audit",
            "directory collect", "directory diff", "fetch-cards",
        ] {
            help += try await Shcverify.run(["help"] + command.split(separator: " ").map { String($0) }).stdout
        }
        for option in Set(text.matches(of: /--[a-z][a-z-]+/).map { String($0.0) }) {
            #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(option)")
        }
    }

    @Test func everyLinkLeadsToAFile() {
        let links = text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
        #expect(links.count > 5)
        for link in links where !link.hasPrefix("https://") {
            #expect(FileManager.default.fileExists(atPath: Paths.root.appendingPathComponent(link).path), "\(link)")
        }
    }
}
