import Foundation
import TestSupport
import Testing

/// What the completion scripts offer, in the real shells. A shell that is not installed is skipped.
@Suite(.timeLimit(.minutes(30))) struct CompletionTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var isInstalled: Bool {
            ["/usr/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(rawValue)") }
        }
    }

    /// A line, and what its last word is completed to.
    private static let cases: [(line: String, words: [String])] = [
        (
            "shcverify ",
            [
                "batch", "card.jws", "codes", "directory", "explain", "fetch-cards", "folder", "help", "inspect",
                "keys.json",
                "lint",
                "my", "card.jws", "records", "schema", "status", "verify",
            ]
        ),
        ("shcverify ba", ["batch"]), ("shcverify ca", ["card.jws"]), ("shcverify my", ["my", "card.jws"]),
        ("shcverify card.jws ke", ["keys.json"]), ("shcverify batch ca", ["card.jws"]),
        ("shcverify card.jws ba", []),
        // Files after options, and folders where a folder is needed.
        ("shcverify --jwks k", ["keys.json"]), ("shcverify card.jws --jwks=k", ["--jwks=keys.json"]),
        ("shcverify lint --signature c", ["card.jws"]), ("shcverify records --cache ", ["folder"]),
        ("shcverify --directory ", ["card.jws", "folder", "gdhcn", "keys.json", "my", "card.jws", "vci"]),
        ("shcverify --directory v", ["vci"]),
        // Words that are known.
        ("shcverify card.jws --color ", ["always", "auto", "never"]), ("shcverify --format=j", ["--format=json"]),
        ("shcverify records --format c", ["csv"]), ("shcverify lint --as j", ["jwks", "jws"]),
        ("shcverify --record-type covi", ["covid19"]),
        (
            "shcverify fetch-cards --type Immunization",
            [
                "Immunization", "ImmunizationEvaluation", "ImmunizationRecommendation",
            ]
        ),
        ("shcverify lint --profile usa", ["usa-covid19-immunization"]),
        (
            "shcverify lint --exclude signature-format-error/",
            [
                "signature-format-error/certificate", "signature-format-error/length", "signature-format-error/range",
            ]
        ),
        ("shcverify explain signature-i", ["signature-invalid"]), ("shcverify sta", ["status"]),
        ("shcverify status --require g", ["gdhcn"]), ("shcverify status --cache ", ["folder"]),
        ("shcverify codes ", ["show", "update"]),
        ("shcverify help ba", ["batch"]),
        ("shcverify directory ", ["audit", "collect", "diff", "remove", "show", "update", "verify"]),
        ("shcverify batch --fields reas", ["reason"]),
        ("shcverify batch --fields id,verdict,reas", ["id,verdict,reason"]),
        ("shcverify batch --fields=line,reas", ["--fields=line,reason"]),
        // The issuers of the installed directory.
        ("shcverify --trust ", ["https://issuer-a.example/cards"]),
        ("shcverify card.jws --trust https://is", ["https://issuer-a.example/cards"]),
        ("shcverify directory show ht", ["https://issuer-a.example/cards"]),
        ("shcverify lint --issuer ", ["https://issuer-a.example/cards"]),
        // Options, of the named command only.
        ("shcverify --require-t", ["--require-trusted"]), ("shcverify batch --res", ["--resume"]),
        ("shcverify --resu", []), ("shcverify directory verify --sig", ["--signature"]),
        ("shcverify --versio", ["--version"]), ("shcverify card.jws --versio", []),
        // Free text, and file names after "--".
        ("shcverify --recipient ", []), ("shcverify -- --f", []),
        ("shcverify -- k", ["keys.json"]),
    ]

    @Test(arguments: Shell.allCases.filter(\.isInstalled)) func completesWhatCanFollow(_ shell: Shell) async throws {
        let published = try DirectoryTests.Published.shared.get()
        let (folder, data) = (try TemporaryDirectory(), try TemporaryDirectory())
        for name in ["card.jws", "my card.jws", "keys.json"] { try folder.write("", to: name) }
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: false)
        let environment = ["XDG_DATA_HOME": data.url.path, "HOME": folder.url.path]
        let update = ["directory", "update", "--from", published.path] + published.certificate
        #expect(try await Shcverify.run(update, environment: environment).exitCode == 0)
        let lines = try JSONEncoder().encode(Self.cases.map(\.line))
        let script = Paths.root.appendingPathComponent("Tests/TestSupport/complete.py").path
        let result = try await Shcverify.run(
            ["-c", "cd '\(folder.url.path)' && exec python3 -B '\(script)' \(shell) '\(Shcverify.path)'"],
            stdin: Array(lines), environment: environment, executable: "/bin/sh")
        #expect(result.exitCode == 0, "\(result.stderr)")
        let answers = try JSONDecoder().decode([[String]].self, from: Data(result.stdout.utf8))
        try #require(answers.count == Self.cases.count)
        for (expected, answer) in zip(Self.cases, answers) {
            #expect(
                Self.words(answer, shell, of: expected.line).sorted() == expected.words.sorted(),
                "\(expected.line) in \(shell): \(answer)")
        }
    }

    /// The words that were completed, in the same form for all shells.
    private static func words(_ answer: [String], _ shell: Shell, of line: String) -> [String] {
        let before = line.split(separator: " ").map { String($0) }
        var words = answer
        if shell == .fish {
            words = words.flatMap { $0.split(separator: " ").map { String($0) } }
        } else if words == before {
            // Nothing was completed.
            words = []
        } else {
            words = Array(words.dropFirst(line.hasSuffix(" ") ? before.count : before.count - 1))
        }
        return words.map { word in
            // zsh puts "=" after an option that takes a value, "/" after a folder, and "," after a word of a list.
            let end = ["\\", "/", "=", ","].contains { word.hasSuffix($0) } ? 1 : 0
            return String(word.dropLast(end))
        }
    }
}
