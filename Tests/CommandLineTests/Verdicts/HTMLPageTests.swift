import Foundation
import TestSupport
import Testing

/// The pages that `--format html` writes, from the cards of TestVectors. Tests/Sessions/html.md shows parts of them.
@Suite(.timeLimit(.minutes(30))) struct HTMLPageTests {
    /// Debian's browser. `make pages-check` installs it.
    private static let hasBrowser = FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")

    private static let trustList = [
        "--directory", Paths.vector("hcert/trust/gdhcn-v2.did.json"), "--at", "2022-06-01T00:00:00Z",
    ]
    private static let certificates = ["vaccination", "test", "recovery"].map {
        Paths.vector("hcert/cards/valid-\($0).hc1")
    }
    /// Cards with HTML in every text. The first is genuine.
    private static let marked = ["valid/markup", "keys/markup"].map { Paths.vector("cards/\($0).jws") }
    private static let insurance = ["valid/laboratory", "records/coverage", "records/coverage-numbers"].map {
        Paths.vector("cards/\($0).jws")
    }
    private static let foreign = Paths.vector("cards/valid/right-to-left.jws")
    private static let changed = Paths.vector("cards/signature/payload-changed.jws")

    /// A page: its name, the command, and the exit code.
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        let exitCode: Int32
        var testDescription: String { name }
    }

    static let pages = [
        Page(name: "pass", arguments: [OutputTests.card] + OutputTests.keys, exitCode: 0),
        Page(
            name: "unchecked", arguments: [OutputTests.card, "--offline", "--at", "2026-06-01T00:00:00Z"], exitCode: 20),
        Page(name: "fail", arguments: [changed] + OutputTests.keys, exitCode: 11),
        Page(name: "markup", arguments: [marked[0]] + OutputTests.keys, exitCode: 0),
        Page(name: "failing-markup", arguments: [marked[1]] + OutputTests.keys, exitCode: 12),
        Page(name: "foreign", arguments: [foreign] + OutputTests.keys, exitCode: 0),
        Page(name: "certificates", arguments: certificates + trustList, exitCode: 0),
        Page(name: "missing", arguments: ["/no/<such>/file", OutputTests.card] + OutputTests.keys, exitCode: 66),
        Page(
            name: "hundreds",
            arguments: Array(repeating: OutputTests.card, count: 290) + [changed, foreign] + marked + OutputTests.keys,
            exitCode: 11),
        Page(
            name: "records", arguments: ["records", OutputTests.card, foreign, marked[0]] + OutputTests.keys,
            exitCode: 0),
        Page(name: "records-of-certificates", arguments: ["records"] + certificates + trustList, exitCode: 0),
        // Nearly all columns that there are.
        Page(
            name: "records-of-insurance",
            arguments: ["records", OutputTests.card, foreign, marked[0]] + insurance + OutputTests.keys, exitCode: 0),
        Page(name: "no-records", arguments: ["records", changed] + OutputTests.keys, exitCode: 11),
        Page(name: "clean", arguments: ["lint", LintTests.card] + LintTests.options, exitCode: 0),
        Page(
            name: "lint",
            arguments: ["lint", LintTests.broken, LintTests.card, "/no/<such>/file", foreign] + marked
                + LintTests.options,
            exitCode: 10),
        Page(name: "lint-directory", arguments: ["lint", Paths.vector("keys/sets"), "--offline"], exitCode: 66),
    ]

    private static func written(_ page: Page) async throws -> String {
        let result = try await Shcverify.run(page.arguments + ["--format", "html"])
        #expect(result.exitCode == page.exitCode, "\(result.stderr)")
        return result.stdout
    }

    @Test(arguments: pages) func textNeverBecomesMarkup(_ page: Page) async throws {
        let html = try await Self.written(page)
        #expect(PageMarkup.faults(in: html).isEmpty)
        #expect(
            !html.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
                && !html.unicodeScalars.contains("\u{202E}"))
    }

    /// Markup in a file's name, and in the JSON of a key set, a revocation list and a directory.
    @Test func textOfFilesNeverBecomesMarkup() async throws {
        let folder = try TemporaryDirectory()
        let markup = "'\"><img src=x onerror=alert(1)><!-- &amp; \u{202E}\u{0}"
        let string = #""\#(TerminalSafetyTests.escaped(markup))""#
        let name = "a'\"><script>b&amp;\u{202E}"
        let keys = try folder.write(
            #"{"keys":[{"kty":"EC","kid":\#(string),"crv":\#(string),"x5c":[\#(string)],\#(string):1}]}"#,
            to: "keys \(name)")
        let list = try folder.write(
            #"{"kid":\#(string),"method":\#(string),"ctr":\#(string),"rids":[\#(string)]}"#, to: "list \(name)")
        let directory = try folder.write(
            #"{"participating_issuers":[{"iss":\#(string),"name":\#(string),"website":\#(string)},"#
                + #"{"iss":"\#(OutputTests.issuer)","name":\#(string),"website":\#(string),"canonical_iss":\#(string)}]}"#,
            to: "directory \(name)")
        let other = try folder.write(
            #"{"participating_issuers":[{"iss":"\#(OutputTests.issuer)","name":"<b>"}]}"#, to: "other \(name)")
        let card = try folder.write(
            String(decoding: try Paths.bytes(LintTests.broken), as: UTF8.self), to: "card \(name)")
        // The directory has two issuers, so it has to be known whose keys these are.
        let owned = OutputTests.keys.map { $0.hasSuffix(".jwks.json") ? "\(OutputTests.issuer)=\($0)" : $0 }
        for arguments in [
            ["lint", keys, list, directory, card, "--offline"], ["lint", keys, "--as", "jwks"],
            ["lint", list, "--as", "crl"], ["lint", directory], [card] + OutputTests.keys,
            [OutputTests.card, "--directory", directory] + owned, [card, "--qr", markup] + OutputTests.keys,
            ["records", OutputTests.card, "--directory", directory] + owned, ["directory", "diff", other, directory],
        ] {
            let result = try await Shcverify.run(arguments + ["--format", "html"])
            #expect(PageMarkup.faults(in: result.stdout).isEmpty, "\(arguments)")
        }
    }

    /// The page says everything that the text says.
    @Test(arguments: pages.filter { !["records", "lint"].contains($0.arguments[0]) && $0.name != "hundreds" })
    func pageHasWhatTheTextHas(_ page: Page) async throws {
        let text = try await Shcverify.run(page.arguments).stdout
        let shown = PageMarkup.text(of: try await Self.written(page))
        for line in text.split(separator: "\n") {
            // The title of a line is before the first gap of two spaces, or of one after a long title.
            let isTitled = line.first != " " && line.count > 9 && line.dropFirst(8).first == " "
            for part in (isTitled ? line.dropFirst(9) : line[...]).split(separator: "  ") {
                var words = part.split(separator: " ").joined(separator: " ")
                // The page names files without their folders, and has the code of a warning after its words.
                if words.hasPrefix("/"), let slash = words.lastIndex(of: "/") {
                    words = String(words[slash...].dropFirst())
                }
                // A page names no option where a person reads.
                words = words.replacing(" with --jwks", with: "").replacing(
                    "named with --trust", with: "named as trusted")
                // The code of a reason is folded away, and that of a warning follows its words.
                // The last lines repeat what is said of a card.
                let coded =
                    words.contains(", issuer ")
                    ? words.split(separator: /:\s|,\s(?:born|issuer)\s/)
                    : words.wholeMatch(of: /([a-z-]+): (.*)/).map { [$0.output.1, $0.output.2] } ?? []
                #expect(
                    shown.contains(words) || !coded.isEmpty && coded.allSatisfy { shown.contains($0) }, "\(words)")
            }
        }
    }

    /// An audit of three issuers, compared with an earlier one.
    @Test func auditIsAPage() async throws {
        let server = try TestIssuer()
        let keys = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        for name in ["good", "gone"] { try server.serve(keys, at: "/\(name)/.well-known/jwks.json") }
        let markup = TerminalSafetyTests.escaped("'\"><img src=x onerror=alert(1)><!-- &amp; \u{202E}\u{0}אבג")
        let entries = ["good", "gone", "missing"].map {
            #"{"iss":"\#(server.url("/\($0)"))","name":"\#($0) \#(markup)"}"#
        }
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            #"{"participating_issuers":[\#(entries.joined(separator: ","))]}"#, to: "list '\"><b>.json")
        let command = [
            "directory", "audit", "--directory", list, "--ca-file", server.authorityFile, "--allow-private-network",
        ]
        let earlier = try folder.write(
            try await Shcverify.run(command + ["--format", "json"]).stdout, to: "earlier '\"><b>.json")
        try FileManager.default.removeItem(at: server.directory.appendingPathComponent("gone"))
        let result = try await Shcverify.run(command + ["--compare", earlier, "--format", "html"])
        #expect(result.exitCode == 10, "\(result.stderr)")
        #expect(PageMarkup.faults(in: result.stdout).isEmpty)
        let text = PageMarkup.text(of: result.stdout)
        #expect(text.hasPrefix("✗ 3 issuers: 1 judged, 2 without a key set; 2 with errors "))
        #expect(text.contains("Audited at 20") && text.contains("directory: list '\"><b>.json"))
        let article = try #require(text.range(of: "issuer-key-download-error", options: .backwards))
        #expect(text[..<article.lowerBound].suffix(200).contains("missing '\"><img"))
        #expect(!result.stdout.contains("`"))
        for words in ["Changes since", "! no longer publishes keys", "issuer-key-download-error", "To do: "] {
            #expect(text.contains(words), "\(words)")
        }
        guard Self.hasBrowser else { return }
        let opened = try await Self.open([try folder.write(result.stdout, to: "audit.html")])
        #expect(opened.exitCode == 0, "\(opened.stdout)\(opened.stderr)")
    }

    /// Opens files in a browser, on a phone and a desk, light, dark and printed.
    private static func open(_ files: [String]) async throws -> Shcverify.Result {
        let script = Paths.root.appendingPathComponent("Tests/TestSupport/pages.py").path
        return try await Shcverify.run(["-B", script] + files, executable: "/usr/bin/python3")
    }

    @Test(.enabled(if: hasBrowser, "needs chromium: make pages-check")) func browserFindsNoFault() async throws {
        let folder = try TemporaryDirectory()
        var files: [String] = []
        for page in Self.pages {
            files.append(try folder.write(try await Self.written(page), to: "\(page.name).html"))
        }
        let result = try await Self.open(files)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(result.stdout == "\(files.count) pages are as they should be\n")
    }

    /// The browser would find faults, if there were any.
    @Test(
        .enabled(if: hasBrowser, "needs chromium: make pages-check"),
        arguments: [
            ("<p class=\"note\" id=\"x\" style=\"color: #999\">faint</p>", "contrast 2.85: p"),
            ("<div style=\"width: 2000px\">wide</div>", "outside the window: div"),
            ("<script>console.log(1)</script>", "Runtime.consoleAPICalled"),
            ("<img src=\"https://other.example/x.png\">", "request: https://other.example/x.png"),
            ("<a href=\"javascript:x()\">link</a>", "link a"), ("<b>bold</b>", "element b"),
        ])
    func browserFindsFaults(_ markup: String, _ fault: String) async throws {
        let folder = try TemporaryDirectory()
        let page =
            "<!DOCTYPE html><html lang=\"en\"><title>x</title><body style=\"background: #fff\">\(markup)</body></html>"
        let result = try await Self.open([try folder.write(page, to: "page.html")])
        #expect(result.exitCode == 1, "\(result.stderr)")
        #expect(result.stdout.contains(fault), "\(result.stdout)")
    }

    @Test(.enabled(if: hasBrowser, "needs chromium: make pages-check"))
    func browserFindsWhatThePolicyForbids() async throws {
        let folder = try TemporaryDirectory()
        let page = try await Self.written(Self.pages[0])
        let result = try await Self.open([
            try folder.write(page.replacing("--page: #f5f5f2", with: "--page: #f5f5f3"), to: "changed.html")
        ])
        #expect(result.exitCode == 1)
        #expect(result.stdout.contains("ContentSecurityPolicyIssue"), "\(result.stdout)\(result.stderr)")
    }
}
