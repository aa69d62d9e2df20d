import Conformance
import SMARTHealthCards

/// `lint --format junit`: XML as CI servers read it, a suite for each input.
///
/// A test case is a rule that something was found of; an input without findings has one that passes, so that no suite is
/// empty. What does not make the run fail stands in a case that passes, or that was skipped where it was not checked.
struct LintJUnitReport: LintReport {
    /// When the run was.
    let now: NumericDate

    private struct Suite {
        let source: String
        var cases: [String] = []
        var failures = 0
        var errors = 0
        var skipped = 0
    }

    func bytes(_ outcome: LintOutcome) -> [UInt8] {
        var suites = outcome.bySource.map { suite($0, $1, outcome) }
        suites += outcome.unreadable.map { source, failure in
            let head = XML.tag("testcase", [("name", "readable"), ("classname", source), ("time", "0")])
            let error = XML.tag("error", [("message", failure), ("type", "unreadable-input")])
            return Suite(source: source, cases: ["\(head)>\n      \(error)/>\n    </testcase>"], errors: 1)
        }
        let total = { (count: (Suite) -> Int) in String(suites.reduce(0) { $0 + count($1) }) }
        let head = XML.tag(
            "testsuites",
            [
                ("name", "shcverify lint"), ("tests", total(\.cases.count)), ("failures", total(\.failures)),
                ("errors", total(\.errors)), ("time", Self.seconds(outcome.duration)),
            ])
        let body = suites.map { suite in
            let head = XML.tag(
                "testsuite",
                [
                    ("name", suite.source), ("tests", String(suite.cases.count)), ("failures", String(suite.failures)),
                    ("errors", String(suite.errors)), ("skipped", String(suite.skipped)), ("time", "0"),
                    // The schemas want it without a zone, and a host that need not be ours.
                    ("timestamp", String(now.toTheSecond.description.prefix { $0 != "Z" })), ("hostname", "localhost"),
                ])
            return "  \(head)>\n" + suite.cases.map { "    \($0)\n" }.joined() + "  </testsuite>\n"
        }
        return Array(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(head)>\n\(body.joined())</testsuites>\n".utf8)
    }

    private func suite(_ source: String, _ findings: [Finding], _ outcome: LintOutcome) -> Suite {
        var suite = Suite(source: source)
        var order: [String] = []
        let byRule = Dictionary(grouping: findings, by: \.rule.id)
        for finding in findings where !order.contains(finding.rule.id) { order.append(finding.rule.id) }
        for id in order {
            let found = byRule[id] ?? []
            if found.contains(where: outcome.fails) {
                suite.failures += 1
            } else if Self.isUnchecked(found) {
                suite.skipped += 1
            }
            suite.cases.append(testCase(id, source, found, outcome))
        }
        if findings.isEmpty {
            suite.cases.append(
                XML.tag("testcase", [("name", "no departures"), ("classname", source), ("time", "0")]) + "/>")
        }
        return suite
    }

    private func testCase(_ id: String, _ source: String, _ findings: [Finding], _ outcome: LintOutcome) -> String {
        let head = XML.tag("testcase", [("name", id), ("classname", source), ("time", "0")])
        let text = XML.text(Self.text(findings))
        guard let gravest = findings.filter(outcome.fails).max(by: { $0.severity < $1.severity }) else {
            guard !Self.isUnchecked(findings) else {
                let skipped = XML.tag("skipped", [("message", findings.first?.message)])
                return "\(head)>\n      \(skipped)/>\n      <system-out>\(text)</system-out>\n    </testcase>"
            }
            return "\(head)>\n      <system-out>\(text)</system-out>\n    </testcase>"
        }
        let failure = XML.tag("failure", [("message", gravest.message), ("type", gravest.severity.rawValue)])
        return "\(head)>\n      \(failure)>\(text)</failure>\n    </testcase>"
    }

    /// Whether nothing is known of a rule but that it was not checked.
    private static func isUnchecked(_ findings: [Finding]) -> Bool { findings.allSatisfy { $0.severity == .unchecked } }

    private static func text(_ findings: [Finding]) -> String {
        var lines = findings.map { finding in
            let place = [finding.subject, finding.place].compactMap(\.self).joined(separator: ", ")
            return "\(finding.severity.words): \(place): \(finding.message)"
        }
        if let rule = findings.first?.rule {
            lines += ["\(rule.citation.number): \(rule.requirement)", rule.citation.url, "To do: \(rule.remedy)"]
        }
        return lines.joined(separator: "\n")
    }

    /// Seconds with three decimals.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
