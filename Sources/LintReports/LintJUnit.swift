import Conformance
import CredentialReports
import Credentials

/// Findings as JUnit XML, which CI servers read. Each input is a test suite.
///
/// Each rule with findings is a test case. An input without findings gets one test case that passes, so that no suite is empty. Findings
/// that do not fail the run are in a test case that passes, or in a skipped one if the rule could not be checked.
struct LintJUnit: Report {
    private let summary: LintSummary
    /// The time of the run.
    private let now: NumericDate
    private let tool: Tool
    private var findings: [Finding] = []

    init(summary: LintSummary, now: NumericDate, by tool: Tool) {
        self.summary = summary
        self.now = now
        self.tool = tool
    }

    mutating func add(_ finding: Finding, to sink: ReportSink) throws { findings.append(finding) }

    private struct Suite {
        let source: String
        var cases: [String] = []
        var failures = 0
        var errors = 0
        var skipped = 0
    }

    func finish(to sink: ReportSink) throws {
        var suites = summary.bySource(findings).map { suite($0, $1) }
        suites += summary.unreadable.map { source, failure in
            let head = XML.tag("testcase", [("name", "readable"), ("classname", source), ("time", "0")])
            let error = XML.tag("error", [("message", failure), ("type", "unreadable-input")])
            return Suite(source: source, cases: ["\(head)>\n      \(error)/>\n    </testcase>"], errors: 1)
        }
        let total = { (count: (Suite) -> Int) in String(suites.reduce(0) { $0 + count($1) }) }
        let head = XML.tag(
            "testsuites",
            [
                ("name", "\(tool.name) lint"), ("tests", total(\.cases.count)), ("failures", total(\.failures)),
                ("errors", total(\.errors)), ("time", Self.seconds(summary.duration)),
            ])
        let leftOut =
            summary.leftOut == 0
            ? ""
            : "    <properties>\n      "
                + XML.tag("property", [("name", "findings left out"), ("value", "\(summary.leftOut)")])
                + "/>\n    </properties>\n"
        let body = suites.map { suite in
            let head = XML.tag(
                "testsuite",
                [
                    ("name", suite.source), ("tests", String(suite.cases.count)), ("failures", String(suite.failures)),
                    ("errors", String(suite.errors)), ("skipped", String(suite.skipped)), ("time", "0"),
                    // The schemas require a time without a time zone, and a host name.
                    ("timestamp", String(now.toTheSecond.description.prefix { $0 != "Z" })), ("hostname", "localhost"),
                ])
            return "  \(head)>\n" + leftOut + suite.cases.map { "    \($0)\n" }.joined() + "  </testsuite>\n"
        }
        try sink(Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(head)>\n\(body.joined())</testsuites>\n".utf8))
    }

    private func suite(_ source: String, _ findings: [Finding]) -> Suite {
        var suite = Suite(source: source)
        var order: [String] = []
        let byRule = Dictionary(grouping: findings, by: \.rule.id)
        for finding in findings where !order.contains(finding.rule.id) { order.append(finding.rule.id) }
        for id in order {
            let found = byRule[id] ?? []
            if found.contains(where: summary.fails) {
                suite.failures += 1
            } else if Self.isUnchecked(found) {
                suite.skipped += 1
            }
            suite.cases.append(testCase(id, source, found))
        }
        if findings.isEmpty {
            suite.cases.append(
                XML.tag("testcase", [("name", "no violations"), ("classname", source), ("time", "0")]) + "/>")
        }
        return suite
    }

    private func testCase(_ id: String, _ source: String, _ findings: [Finding]) -> String {
        let head = XML.tag("testcase", [("name", id), ("classname", source), ("time", "0")])
        let text = XML.text(Self.text(findings))
        guard let mostSevere = findings.filter(summary.fails).max(by: { $0.severity < $1.severity }) else {
            let skipped = XML.tag("skipped", [("message", findings.first?.message)]) + "/>\n      "
            let start = Self.isUnchecked(findings) ? skipped : ""
            return "\(head)>\n      \(start)<system-out>\(text)</system-out>\n    </testcase>"
        }
        let failure = XML.tag("failure", [("message", mostSevere.message), ("type", mostSevere.severity.rawValue)])
        return "\(head)>\n      \(failure)>\(text)</failure>\n    </testcase>"
    }

    /// Whether all findings of a rule say that it could not be checked.
    private static func isUnchecked(_ findings: [Finding]) -> Bool { findings.allSatisfy { $0.severity == .unchecked } }

    private static func text(_ findings: [Finding]) -> String {
        var lines = findings.map { finding in
            let place = [finding.subject, finding.place].compactMap(\.self).joined(separator: ", ")
            return "\(finding.severity.words): \(place): \(finding.message)"
        }
        if let rule = findings.first?.rule {
            lines += ["\(rule.citation.number): \(rule.requirement)", rule.citation.url]
            var remedies: [String] = []
            for finding in findings where !remedies.contains(finding.remedy) { remedies.append(finding.remedy) }
            lines += remedies.map { "To do: \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The duration in seconds, with three decimals.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

/// XML 1.0 text.
enum XML {
    /// The text as character data, or as the value of an attribute in quotation marks.
    ///
    /// Characters that XML does not allow (§2.2), and those that could control a terminal, are replaced. Line breaks are written as
    /// references, because a parser turns them into spaces in attributes (§3.3.3).
    static func text(_ text: String) -> String {
        TerminalText.escaped(
            text,
            ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;", "\n": "&#10;"], secondSign: "&#35;")
    }

    /// The beginning of a tag, with the attributes in order. Attributes without a value are left out.
    static func tag(_ name: String, _ attributes: [(name: String, value: String?)]) -> String {
        attributes.reduce("<\(name)") { tag, attribute in
            attribute.value.map { "\(tag) \(attribute.name)=\"\(text($0))\"" } ?? tag
        }
    }
}
