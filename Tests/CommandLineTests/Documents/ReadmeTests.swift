import Foundation
import TestSupport
import Testing

/// Runs every command in README.md and on the pages of docs/, and checks their tables and links.
///
/// A page is one shell session, from top to bottom. In a `console` block, a line that begins with `$ ` is a command,
/// and the lines up to the next command are its output on both streams. In the output, `…` stands for any text in a
/// line, or for any number of lines if it is alone. A command without output must succeed. An `sh` block is a script;
/// its second line gives the file name: `# usage: NAME …`. Tests/TestSupport/ci.py looks at `yaml` blocks.
@Suite(.timeLimit(.minutes(30))) struct ReadmeTests {
    private static let container =
        "podman run --rm --volume shcverify-lists:/home/shcverify/.local/share/shcverify"

    /// The commands that are not run, and why.
    private static let notRun = [
        "sudo apt install ./shcverify_1.0.0-1_amd64.deb ./shcverify-scan_1.0.0-1_amd64.deb": "installs packages",
        "sudo apt update": "needs the network",
        "make deb": "makes packages",
        "make deb MAINTAINER='Jane Doe <jane@clinic.example>' HOMEPAGE=https://clinic.example/shcverify":
            "makes packages",
        "make release-archive": "makes a release",
        "make release-archive KEY=path/to/key": "makes a release, and needs the maintainer's key",
        "ssh-keygen -Y verify -f allowed_signers -I maintainers@shcverify.example -n shcverify-release "
            + "-s SHA256SUMS.sig < SHA256SUMS": "needs a signed release; make release-archive-check runs it",
        "sha256sum -c SHA256SUMS": "needs a release; make release-archive-check runs it",
        "git checkout COMMIT": "needs a clone of the reader",
        "diff path/to/release/SHA256SUMS .build/release-archive/SHA256SUMS": "needs a release and a second build",
        "sudo apt install ./.build/packages/shcverify*.deb": "installs packages",
        "sudo apt autoremove shcverify shcverify-scan": "removes packages",
        "make install PREFIX=$HOME/.local": "installs programs and packages",
        "make container IMAGE=shcverify": "makes a container",
        #"podman run --rm --volume "$PWD:/work:ro" localhost/shcverify card.smart-health-card"#: "starts a container",
        "\(container) localhost/shcverify codes update": "starts a container",
        "\(container) localhost/shcverify directory update": "starts a container",
        #"\#(container) --volume "$PWD:/work:ro" localhost/shcverify card.smart-health-card --directory vci"#:
            "starts a container",
        "sudo systemctl enable --now shcverify-update.timer": "changes the machine",
        "sudo systemctl start shcverify-update.service": "changes the machine",
        "systemctl list-timers shcverify-update.timer": "needs systemd",
        "journalctl --unit shcverify-update.service": "needs systemd",
        "sudo shcverify directory update --system": "fetches VCI's directory",
        "sudo shcverify codes update --system": "fetches CDC's lists",
        "sudo shcverify directory update --system --url https://tng-cdn.who.int/v2/trustlist/did.json":
            "fetches WHO's list",
        "for table in cvx TRADENAME mvx VG; do "
            + "curl -fO https://www2.cdc.gov/vaccines/iis/iisstandards/downloads/$table.txt; done": "needs the network",
        "curl -fO https://tng-cdn.who.int/v2/trustlist/did.json": "needs the network",
        "git clone --depth 1 https://github.com/the-commons-project/vci-directory": "needs the network",
        "sudo shcverify directory update --system --from /media/usb/vci-directory": "needs a directory of VCI",
        "shcverify my-card.smart-health-card": "verifies a card of the reader",
        "shcverify card.smart-health-card --directory vci": "needs an installed directory",
        "shcverify directory update": "fetches VCI's directory",
        "shcverify - --once --brief --directory vci --require-trusted": "waits for a scanner",
        "shcverify link.txt --directory vci --require-trusted --recipient \"Example Clinic\" --format handover --include-unsigned":
            "needs a link and an installed directory",
        "shcverify lint shared.json --profile ktc --offline": "lints what the reader shares",
        "curl --fail -H 'Content-Type: application/fhir+json' --data-binary @bundle.json https://fhir.clinic.example/r4":
            "needs a FHIR server",
        "shcverify directory show https://issuer.example --directory vci": "needs an installed directory",
        "shcverify lint --issuer https://issuer-a.example/cards": "asks a live issuer; this one has no server",
        "shcverify directory audit --directory vci-issuers.json --format json > audit.json": "asks live issuers",
        "shcverify directory audit --directory vci-issuers.json --compare audit.json": "asks live issuers",
        "shcverify directory collect --directory vci-issuers.json --output snapshot.json": "asks live issuers",
        "shcverify directory diff old.json snapshot.json": "compares what the reader has collected",
        "shcverify directory show https://issuer.example --directory snapshots --at 2026-05-01":
            "shows what the reader has collected",
    ]

    /// What a page has in place of a path on the reader's machine.
    private static let paths = [
        "cp -r /usr/share/shcverify/examples try": "'\(Paths.root.path)/Packaging/examples.sh' try",
        // The tests install for all users into a folder of their own, so they need no rights.
        "sudo shcverify": "shcverify",
        "/media/usb": "$HOME/usb",
    ]

    /// What the reader has on a USB stick.
    private static func fill(_ stick: URL) throws {
        try FileManager.default.createDirectory(at: stick, withIntermediateDirectories: false)
        for (name, line) in [
            ("cvx.txt", "309       |COVID-19, mRNA |COVID-19 vaccine, mRNA |made up |Active |False |2025/09/03"),
            ("TRADENAME.txt", "Example vaccine |COVID-19, mRNA |309 |Example Maker |EXA |Active |Active |2025/09/03 |"),
            ("mvx.txt", "EXA |Example Maker |made up |Active |2025/09/03"),
            ("VG.txt", "COVID-19, mRNA |309 |Active |COVID-19 |213"),
        ] { try Data("\(line)\r\n".utf8).write(to: stick.appendingPathComponent(name)) }
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: Paths.vector("hcert/trust/gdhcn-v2.did.json")),
            to: stick.appendingPathComponent("did.json"))
    }

    private static let pages = [
        "README.md", "docs/gate.md", "docs/install.md", "docs/trust.md", "docs/exit-codes.md", "docs/links.md",
        "docs/certificates.md", "docs/border.md",
        "docs/records.md", "docs/batch.md", "docs/lint.md", "docs/profiles.md", "docs/directories.md",
        "docs/operation.md",
        "docs/library.md", "docs/releases.md", "docs/stability.md", "docs/handover.md", "docs/check-in.md",
        "docs/desk.md", "docs/found.md",
        "docs/receiver.md", "docs/examples.md", "docs/pipelines.md", "docs/explanations.md", "docs/threats.md",
        "docs/limits.md", tables,
    ]

    /// The page whose commands need DuckDB.
    static let tables = "docs/tables.md"

    /// Blocks of other kinds would not be tested.
    @Test(arguments: pages) func everyBlockIsOfATestedKind(name: String) throws {
        let page = try ConsolePage(name)
        for block in page.blocks {
            #expect(["console", "sh", "swift", "yaml"].contains(block.language), "\(block.lines)")
        }
        for line in page.text.split(separator: "\n") where line.hasPrefix("    ") {
            #expect(page.blocks.contains { $0.lines.contains(String(line)) }, "not in a block with a language: \(line)")
        }
    }

    @Test func commandsThatAreNotRunAreStillOnAPage() throws {
        let commands = try Self.pages.flatMap { try ConsolePage($0).commands }
        for command in Self.notRun.keys { #expect(commands.contains { $0.text == command }, "\(command)") }
    }

    @Test func everyPageIsTested() throws {
        let documents = try FileManager.default.contentsOfDirectory(atPath: Paths.root.path + "/docs")
        // docs/specification.md has no commands. Another test compares it with the rules.
        #expect(Set(documents.map { "docs/\($0)" }) == Set(Self.pages.dropFirst() + ["docs/specification.md"]))
    }

    /// The README shows the version in the name of a file.
    @Test func packagesAreOfThisVersion() async throws {
        let version = try await Shcverify.run(["--version"]).stdout.split(separator: "\n")[0]
        #expect(try ConsolePage("README.md").text.contains("./shcverify_\(version)-1_"))
    }

    /// The first page makes the folder `try`. The commands of the other pages run in such a folder.
    @Test(arguments: pages.filter { $0 != tables }) func everyCommandDoesWhatThePageSays(name: String) async throws {
        try await Self.runCommands(of: name)
    }

    /// Runs the commands of a page.
    ///
    /// - Parameter folder: a folder with further programs.
    static func runCommands(of name: String, programs folder: String = "") async throws {
        let page = try ConsolePage(name)
        let directory = try TemporaryDirectory()
        try Self.fill(directory.url.appendingPathComponent("usb"))
        var run: [ConsolePage.Command] = []
        var steps: [ConsoleSession.Step] = []
        for block in page.blocks {
            switch block.language {
            case "console":
                for command in ConsolePage.commands(block) where Self.notRun[command.text] == nil {
                    steps.append(.command(Self.paths.reduce(command.text) { $0.replacing($1.key, with: $1.value) }))
                    run.append(command)
                }
            case "sh":
                let name = try #require(block.lines.dropFirst().first?.firstMatch(of: /^# usage: (\S+)/)?.1)
                steps.append(.file(name: String(name), text: block.lines.joined(separator: "\n") + "\n"))
            default: break
            }
        }
        #expect(name != "README.md" || run.count > 6)
        // An empty name would be the current folder.
        let folders = [URL(fileURLWithPath: Shcverify.path).deletingLastPathComponent().path, folder]
        let (outputs, rest) = try await ConsoleSession.run(
            steps, in: directory.url, path: folders.filter { !$0.isEmpty },
            environment: [
                "HOME": directory.url.path, "SHCVERIFY_SYSTEM_DIR": "\(directory.url.path)/system",
                "XDG_DATA_HOME": "\(directory.url.path)/share",
            ],
            options: name == "README.md" ? "" : "'\(Paths.root.path)/Packaging/examples.sh' try && cd try")
        try #require(outputs.count == run.count, "\(outputs.last?.text ?? "") \(rest)")
        for (command, output) in zip(run, outputs) {
            guard !command.expected.allSatisfy(\.isEmpty) else {
                #expect(output.exitCode == 0, "$ \(command.text)\n\(output.text)")
                continue
            }
            #expect(
                OutputPattern(Self.trimmed(command.expected))
                    .matches(Self.trimmed(output.text.components(separatedBy: "\n"))),
                "$ \(command.text)\n\(output.text)")
        }
    }

    /// The lines without empty lines at the end.
    private static func trimmed(_ lines: [String]) -> [String] {
        Array(lines[..<((lines.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    }

    /// The table of exit codes lists exactly the program's reasons, in the same order, and has the advice of the program.
    @Test func exitCodesAreTheProgramsOwn() async throws {
        let rows = try ConsolePage("docs/exit-codes.md").text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        var listed: [String: [String]] = [:]
        var advice: [String: String] = [:]
        for row in rows.dropFirst() {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            listed[cells[0]] = (cells.count > 2 ? cells[2] : "").matches(of: /`([a-z-]+)`/).map { String($0.1) }
            advice[cells[0]] = cells.last
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
            let first = explanation.stdout.prefix { $0 != "\n" }
            #expect(first == "Exit code \(code). At the desk: \(advice[code] ?? "")")
        }
        // The help lists them too.
        let help = try await Shcverify.run(["--help"])
        let sentence = try #require(help.stdout.components(separatedBy: "Exit codes:").dropFirst().first)
        let known = sentence.components(separatedBy: "\n\n")[0].matches(of: /\b([0-9]+)\b/).map { String($0.1) }
        #expect(Set(known) == Set(listed.keys))
        // README.md says what to do about each, in ranges.
        let table = try ConsolePage("README.md").text.components(separatedBy: "| exit code | meaning |")[1]
        let cells = table.components(separatedBy: "\n\n")[0].matches(of: /(?m)^\| ([0-9][^|]*) \|/)
        let ranges = cells.flatMap { $0.1.components(separatedBy: ", ") }.map { range in
            range.components(separatedBy: " to ").compactMap { Int($0) }
        }
        for code in listed.keys.compactMap({ Int($0) }) {
            #expect(ranges.count { ($0.first ?? 0)...($0.last ?? 0) ~= code } == 1, "\(code)")
        }
    }

    @Test func everyOptionExists() async throws {
        var help = ""
        for command in [
            "verify", "batch", "records", "lint", "inspect", "directory show", "directory verify", "directory update",
            "directory remove", "directory audit",
            "directory collect", "directory diff", "fetch-cards", "codes update", "codes show", "status",
        ] {
            help += try await Shcverify.run(["help"] + command.split(separator: " ").map { String($0) }).stdout
        }
        // The options of other programs, and of the program itself.
        help +=
            "--fail --data-binary --rm --volume --version --help --now --unit --depth --allow-downgrades --install --no-install-recommends "
        for page in try Self.pages.map(ConsolePage.init(_:)) {
            for option in Set(page.text.matches(of: /--[a-z][a-z-]+/).map { String($0.0) }) {
                #expect(help.contains("\(option) ") || help.contains("\(option)\n"), "\(page.name): \(option)")
            }
        }
    }

    /// The pages whose commands are not run.
    private static let otherPages = [
        "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "Fuzzing/README.md", "TestKit/README.md",
        "TestVectors/README.md",
    ]

    @Test func everyLinkLeadsToAFile() throws {
        for page in try (Self.pages + Self.otherPages).map(ConsolePage.init(_:)) {
            let folder = Paths.root.appendingPathComponent(page.name).deletingLastPathComponent().path
            let links = page.text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
            #expect(page.name != "README.md" || links.count > 5)
            for link in links where !link.hasPrefix("https://") {
                // A heading of this page or of another one may follow.
                let parts = link.components(separatedBy: "#")
                let file =
                    parts[0].isEmpty ? Paths.root.appendingPathComponent(page.name).path : "\(folder)/\(parts[0])"
                #expect(FileManager.default.fileExists(atPath: file), "\(page.name): \(link)")
                guard parts.count > 1 else { continue }
                let headings = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
                    .filter { $0.hasPrefix("#") }.map { heading in
                        heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                            .filter { $0.isLetter || $0.isNumber || $0 == "-" }
                    }
                #expect(headings.contains(parts[1]), "\(page.name): \(link)")
            }
        }
    }
}
