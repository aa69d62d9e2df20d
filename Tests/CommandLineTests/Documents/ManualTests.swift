import Foundation
import TestSupport
import Testing

/// The manual pages, which `Scripts/manual.py` makes from what the program says about itself.
@Suite(.timeLimit(.minutes(5))) struct ManualTests {
    private static func exists(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    private let folder: TemporaryDirectory
    private let pages: [String: String]

    init() async throws {
        folder = try TemporaryDirectory()
        let script = Paths.root.appendingPathComponent("Scripts/manual.py").path
        let result = try await Shcverify.run(
            ["-B", script, Shcverify.path, folder.url.path], environment: ["SOURCE_DATE_EPOCH": "1700000000"],
            executable: "/usr/bin/python3")
        try #require(result.exitCode == 0, "\(result.stderr)")
        var pages: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            pages[name] = try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
        }
        self.pages = pages
    }

    @Test func eachCommandHasAPageWithAllSections() {
        #expect(pages.count > 11)
        for (name, page) in pages {
            for section in [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "REPORTING BUGS", "SEE ALSO",
            ] {
                #expect(page.contains(".SH \(section)\n"), "\(name)")
            }
            #expect(page.contains(#".TH \#(name.dropLast(2).uppercased()) 1 2023-11-14 "shcverify "#), "\(name)")
        }
    }

    /// Without UTF-8, as in cron, other characters would be left out.
    @Test func pagesHaveOnlyASCII() {
        for (name, page) in pages {
            #expect(page.utf8.allSatisfy { $0 < 0x80 } && !page.contains("\\[u"), "\(name)")
        }
    }

    @Test func reasonsAndExitCodesAreThoseOfExplain() async throws {
        let page = try #require(pages["shcverify.1"])
        for line in try await Shcverify.run(["explain"]).stdout.split(separator: "\n") {
            guard let match = line.firstMatch(of: /^(\S+) \(exit code ([0-9]+)/) else { continue }
            let code = match.1.replacing("-", with: "\\-")
            #expect(page.contains("\\fB\(code)\\fR (exit code \(match.2))\n"))
            #expect(page.contains(".TP\n\\fB\(match.2)\\fR\n"))
        }
    }

    /// The variables are described in the script.
    @Test func everyVariableThatTheHelpNamesIsDescribed() {
        let names = pages.values.flatMap { $0.matches(of: /SHCVERIFY_[A-Z_]+/).map { String($0.0) } }
        for name in Set(names) { #expect(pages["shcverify.1"]?.contains(".TP\n\\fB\(name)\\fR\n") == true, "\(name)") }
    }

    /// The examples are in the script. An example may use options of `verify`, which is the default command.
    @Test func everyOptionInAnExampleExists() {
        func options(_ page: String?) -> Set<String> {
            Set((page ?? "").matches(of: /(?m)^\\fB(?:\\-q\\fR, \\fB)?(\\-\\-[a-z\\-]+)\\fR/).map { String($0.1) })
        }
        for (name, page) in pages {
            let known = options(page).union(options(pages["shcverify-verify.1"]))
            #expect(known.count > 20)
            let examples = page.components(separatedBy: ".SH EXAMPLES\n").dropFirst().first ?? ""
            for match in examples.matches(of: /\\-\\-[a-z\\-]+/) { #expect(known.contains(String(match.0)), "\(name)") }
        }
    }

    @Test(.enabled(if: exists("groff"))) func groffHasNoWarnings() async throws {
        for name in pages.keys {
            let path = folder.url.appendingPathComponent(name).path
            let result = try await Shcverify.run(
                ["-man", "-ww", "-Tutf8", "-z", path], executable: "/usr/bin/groff")
            #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(name): \(result.stderr)")
        }
    }

    @Test(.enabled(if: exists("mandoc"))) func mandocHasNoWarnings() async throws {
        for name in pages.keys {
            let path = folder.url.appendingPathComponent(name).path
            let result = try await Shcverify.run(["-Tlint", "-Wwarning", path], executable: "/usr/bin/mandoc")
            #expect(result.exitCode == 0 && result.stdout.isEmpty, "\(name): \(result.stdout)")
        }
    }
}
