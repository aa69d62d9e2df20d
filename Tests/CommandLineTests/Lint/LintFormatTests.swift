import Encodings
import Foundation
import TestSupport
import Testing
import shcverify

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The formats that CI servers read, with hostile text in them.
@Suite struct LintFormatTests {
    /// Text with a meaning for a terminal, a CI runner, XML, SARIF or a shell.
    static let hostile = [
        "\u{1B}[2J", "\u{9B}31m", "\u{202E}evil", "a\n::error file=x::pwned", "\r\n::stop-commands::x",
        "##[error]pwned",
        "]]></failure><testcase name=\"pwned\"/>", "<!ENTITY x \"pwned\">&x;", "\u{0}", "\u{FFFE}", "{0}",
        "[here](https://evil.example)",
        "%0A::error::pwned", "::warning::pwned", "\u{2028}::error::pwned", "\u{7}", "'\"`$(pwned)",
    ]

    /// A card with that text in every member.
    static let card: [UInt8] = {
        let strings = hostile.map { JSONWriter.quoted($0) }
        let members = strings.enumerated().map { "\($0.element):\($0.offset)" }.joined(separator: ",")
        let payload =
            #"{"iss":\#(strings[3]),"nbf":\#(strings[0]),"exp":\#(strings[4]),\#(members),"vc":{"type":[\#(strings.joined(separator: ","))],"#
            + #""rid":\#(strings[1]),"credentialSubject":{"fhirVersion":\#(strings[5]),\#(members),"fhirBundle":{"resourceType":\#(strings[6]),"#
            + #"\#(members),"entry":[{"fullUrl":\#(strings[3]),"resource":{"resourceType":\#(strings[7]),\#(members)}}]}}}}"#
        let header =
            #"{"alg":\#(strings[3]),"zip":\#(strings[6]),"kid":\#(strings[0]),"jku":\#(strings[4]),\#(members)}"#
        return UnsignedCard.jws(header: header, payload: Array(payload.utf8))
    }()

    /// Lints the hostile card in a file with a hostile name, a broken card, and a file that does not exist.
    private static func lint(_ format: String, _ more: [String] = []) async throws -> Shcverify.Result {
        try await Paths.withTemporaryDirectory { directory in
            let folder = directory.appendingPathComponent("a:b,c%0A<&>]]>\u{1B}[2J\n::error::pwned ##[error]\u{FFFD}")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("card")
            try Data(card).write(to: file)
            let missing = folder.appendingPathComponent("missing")
            let result = try await LintTests.lint(
                [file.path, LintTests.broken, LintTests.card, missing.path, "--format", format] + LintTests.options
                    + more)
            #expect(result.exitCode == 10)
            for output in [result.stdout, result.stderr] {
                #expect(
                    !output.unicodeScalars.contains {
                        "\u{1B}\u{9B}\u{202E}\u{7}\u{0}\u{2028}\r\u{FFFE}".unicodeScalars.contains($0)
                    } || format == "json" || format == "sarif")
            }
            return result
        }
    }

    /// No line is a command to a CI runner.
    private static func isInert(_ output: String) -> Bool {
        output.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }).allSatisfy { line in
            !String(line).trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("::")
        }
    }

    @Test func textContainsNoControlCharacters() async throws {
        let result = try await Self.lint("text")
        #expect(Self.isInert(result.stdout) && Self.isInert(result.stderr))
        #expect(
            result.stdout.hasSuffix(
                "; 1 input could not be read (profile chosen by the contents: shc-vaccination-ad)\n"))
        #expect(result.errorLines.count == 1)
    }

    @Test func jsonCountsWhatItLists() async throws {
        let result = try await Self.lint("json")
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        let findings = try #require(document["findings"]?.elements)
        let severities = findings.compactMap { $0["severity"]?.words }
        #expect(document["errors"]?.number?.integer == Int64(severities.count { $0 == "error" }))
        #expect(document["warnings"]?.number?.integer == Int64(severities.count { $0 == "warning" }))
        #expect(document["unreadable"]?.elements?.count == 1)
        #expect(findings.count > 10)
        #expect(!result.stdout.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test func sarifFollowsItsSchema() async throws {
        let result = try await Self.lint("sarif")
        let log = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(SARIFLog(log).problems.isEmpty)
        let run = try #require(log.at("/runs/0"))
        #expect(run.at("/invocations/0/executionSuccessful")?.boolean == false)
        #expect(run.at("/invocations/0/toolExecutionNotifications")?.elements?.count == 1)
        let json = try JSONDocument.parse(Array(try await Self.lint("json").stdout.utf8))
        #expect(run["results"]?.elements?.count == json["findings"]?.elements?.count)
        // Findings in the input have a place in it; findings in decoded data have none.
        let regions = run["results"]?.elements?.compactMap { $0.at("/locations/0/physicalLocation/region") }
        #expect(regions?.isEmpty == false)
    }

    /// Without findings, with one that is open, and with one in a line of a file.
    @Test(arguments: [
        [LintTests.card] + LintTests.options, [LintTests.card, "--offline", "--at", "2026-06-01T00:00:00Z"],
        ["--lines", LintTests.broken] + LintTests.options,
    ]) func sarifOfOneInputFollowsItsSchema(_ arguments: [String]) async throws {
        let result = try await LintTests.lint(arguments + ["--format", "sarif"])
        let log = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(SARIFLog(log).problems.isEmpty)
        let isClean = arguments[0] == LintTests.card && arguments.contains("--jwks")
        #expect(log.at("/runs/0/results")?.elements?.count == (isClean ? 0 : 1))
        #expect(log.at("/runs/0/invocations/0/executionSuccessful")?.boolean == true)
    }

    @Test(arguments: [[], ["--fail-on", "warning"]]) func junitCountsWhatItLists(_ options: [String]) async throws {
        let result = try await Self.lint("junit", options)
        let suites = try #require(JUnitReader.read(result.stdout), "it is not XML")
        #expect(suites.map(\.cases.isEmpty) == [false, false, false, false], "one suite for each input, none empty")
        for suite in suites {
            #expect(suite.attributes["tests"] == String(suite.cases.count))
            #expect(suite.attributes["failures"] == String(suite.cases.count { $0.contains("failure") }))
            #expect(suite.attributes["errors"] == String(suite.cases.count { $0.contains("error") }))
        }
        #expect(suites[0].cases.contains(["failure"]))
        #expect(suites[0].cases.contains(["system-out"]) == options.isEmpty, "warnings pass unless they are to fail")
        #expect(suites[2].cases == [[]])
        #expect(suites[3].cases == [["error"]])
        #expect(!result.stdout.contains("<testcase name=\"pwned\""))
    }

    @Test func onlyFindingsBecomeGitHubCommands() async throws {
        let result = try await Self.lint("github")
        #expect(Self.isInert(result.stderr))
        #expect(!result.stderr.contains("##["))
        let json = try JSONDocument.parse(Array(try await Self.lint("json").stdout.utf8))
        let lines = result.stdout.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }).map { String($0) }
        #expect(lines.count == (json["findings"]?.elements?.count ?? 0) + 1)
        for line in lines {
            let command = try #require(WorkflowCommand(line), "\(line)")
            #expect(["error", "warning"].contains(command.name))
            #expect(Set(command.properties.keys).isSubset(of: ["file", "line", "col", "title"]))
            let file = try #require(command.properties["file"])
            #expect(file == LintTests.broken || file.hasSuffix("/card") || file.hasSuffix("/missing"), "\(file)")
            #expect(!command.data.isEmpty)
        }
        #expect(lines.contains { $0.hasPrefix("::error file=") && $0.contains(",line=1,col=") })
    }
}

/// A workflow command, as the runner reads it.
private struct WorkflowCommand {
    let name: String
    var properties: [String: String] = [:]
    let data: String

    init?(_ line: String) {
        guard line.hasPrefix("::"), let end = line.dropFirst(2).range(of: "::") else { return nil }
        let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound].split(separator: " ", maxSplits: 1)
        guard let name = head.first else { return nil }
        self.name = String(name)
        for property in head.dropFirst().first?.split(separator: ",") ?? [] {
            let pair = property.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            properties[String(pair[0])] = Self.decoded(pair[1])
        }
        data = Self.decoded(line[end.upperBound...])
    }

    private static func decoded(_ text: Substring) -> String {
        String(text).replacingOccurrences(of: "%0D", with: "\r").replacingOccurrences(of: "%0A", with: "\n")
            .replacingOccurrences(of: "%3A", with: ":").replacingOccurrences(of: "%2C", with: ",")
            .replacingOccurrences(of: "%25", with: "%")
    }
}

/// Reads JUnit XML with Foundation's parser.
private final class JUnitReader: NSObject, XMLParserDelegate {
    struct Suite {
        let attributes: [String: String]
        /// The elements inside each test case.
        var cases: [[String]] = []
    }

    private var suites: [Suite] = []

    static func read(_ text: String) -> [Suite]? {
        let reader = JUnitReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        return parser.parse() ? reader.suites : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "testsuites": break
        case "testsuite": suites.append(Suite(attributes: attributes))
        case "testcase": suites[suites.count - 1].cases.append([])
        default: suites[suites.count - 1].cases[suites[suites.count - 1].cases.count - 1].append(name)
        }
    }
}
