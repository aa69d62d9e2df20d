import Conformance
import CredentialReports
import Cryptography
import Encodings

/// Findings as SARIF 2.1.0, which code scanning reads.
struct LintSARIF: Report {
    private let summary: LintSummary
    private let tool: Tool
    private let escapesUnprintable: Bool
    private var findings: [Finding] = []

    init(summary: LintSummary, to destination: Destination, by tool: Tool) {
        self.summary = summary
        self.tool = tool
        escapesUnprintable = destination.isTerminal
    }

    mutating func add(_ finding: Finding, to sink: ReportSink) throws { findings.append(finding) }

    func finish(to sink: ReportSink) throws {
        var rules: [Rule] = []
        var places: [String: Int] = [:]
        for finding in findings where places[finding.rule.id] == nil {
            places[finding.rule.id] = rules.count
            rules.append(finding.rule)
        }
        var writer = JSONWriter(layout: .indented, escapesUnprintable: escapesUnprintable)
        writer.object { writer in
            writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            writer.member("version", "2.1.0")
            writer.array("runs") { writer in
                writer.object { writer in
                    driver(rules, to: &writer)
                    invocation(to: &writer)
                    // Columns count Unicode code points: a tab is one column, and so is a UTF-16 surrogate pair.
                    writer.member("columnKind", "unicodeCodePoints")
                    results(places, to: &writer)
                }
            }
        }
        try sink(writer.bytes + [UInt8(ascii: "\n")])
    }

    private func driver(_ rules: [Rule], to writer: inout JSONWriter) {
        writer.object("tool") { writer in
            writer.object("driver") { writer in
                writer.member("name", tool.name)
                writer.member("version", tool.version)
                if SARIFText.isSemanticVersion(tool.version) { writer.member("semanticVersion", tool.version) }
                // There is no informationUri (§3.19.13), because the program has no web page.
                writer.objects("rules", rules) { self.rule($0, to: &$1) }
            }
        }
    }

    private func rule(_ rule: Rule, to writer: inout JSONWriter) {
        writer.member("id", rule.id)
        text("shortDescription", rule.requirement, to: &writer)
        text("fullDescription", "\(rule.citation.number): \(rule.requirement)", to: &writer)
        text("help", rule.remedy, to: &writer)
        writer.member("helpUri", rule.citation.url)
        writer.object("defaultConfiguration") { $0.member("level", rule.severity.rawValue) }
        writer.object("properties") { writer in
            writer.member("tags", [rule.code, rule.subject, rule.citation.number])
            writer.member("problem.severity", rule.severity.rawValue)
        }
    }

    private func invocation(to writer: inout JSONWriter) {
        writer.array("invocations") { writer in
            writer.object { writer in
                writer.member("executionSuccessful", summary.unreadable.isEmpty)
                writer.member("exitCode", Int(summary.exitCode))
                writer.array("toolExecutionNotifications") { writer in
                    for (source, failure) in summary.unreadable {
                        writer.object { writer in
                            writer.member("level", "error")
                            text("message", "\(source): \(failure)", to: &writer)
                            location(of: source, to: &writer) { _ in }
                        }
                    }
                    guard summary.leftOut > 0 else { return }
                    writer.object { writer in
                        writer.member("level", "warning")
                        text("message", "\(summary.leftOut) findings are left out of this report", to: &writer)
                    }
                }
            }
        }
    }

    private func results(_ places: [String: Int], to writer: inout JSONWriter) {
        // Lines of a file can be equal, but results of a run must not be.
        var alike: [String: Int] = [:]
        writer.array("results") { writer in
            for finding in findings {
                let number = alike[finding.fingerprint, default: 0]
                alike[finding.fingerprint] = number + 1
                writer.object { writer in
                    result(finding, at: places[finding.rule.id], to: &writer)
                    writer.object("partialFingerprints") { writer in
                        writer.member(
                            "finding/v1",
                            number == 0 ? finding.fingerprint : Self.fingerprint(finding.fingerprint, number))
                    }
                }
            }
        }
    }

    /// The fingerprint of a finding whose own fingerprint an earlier finding has.
    private static func fingerprint(_ fingerprint: String, _ number: Int) -> String {
        SHA256.digest("\(fingerprint) \(number)".utf8).prefix(16).hexadecimal
    }

    private func result(_ finding: Finding, at place: Int?, to writer: inout JSONWriter) {
        writer.member("ruleId", finding.rule.id)
        if let place { writer.member("ruleIndex", place) }
        if finding.severity == .unchecked {
            // There was too little information to check the rule (§3.27.9). Such a result has no level (§3.27.10).
            writer.member("kind", "open")
            writer.member("level", "none")
        } else {
            writer.member("level", finding.severity.rawValue)
        }
        // SARIF has no place for the help of a single result.
        let remedy = finding.remedy == finding.rule.remedy ? "" : ". To do: \(finding.remedy)"
        text("message", finding.message + remedy, to: &writer)
        location(of: finding.source, to: &writer) { writer in
            guard finding.isInInput, let line = finding.line else { return }
            writer.object("region") { writer in
                writer.member("startLine", line)
                if let column = finding.column { writer.member("startColumn", column) }
            }
        } logical: {
            finding.path
        }
        writer.object("properties") { writer in
            if let card = finding.card { writer.member("card", card) }
            writer.member("layer", finding.layer.rawValue)
            if let offset = finding.offset { writer.member("offset", offset) }
        }
    }

    /// Writes the one location of a finding: the file, the line and column, and the path inside the JSON.
    private func location(
        of source: String, to writer: inout JSONWriter, physical: (inout JSONWriter) -> Void,
        logical: () -> String? = { nil }
    ) {
        writer.array("locations") { writer in
            writer.object { writer in
                writer.object("physicalLocation") { writer in
                    writer.object("artifactLocation") { $0.member("uri", SARIFText.uri(source)) }
                    physical(&writer)
                }
                guard let path = logical() else { return }
                writer.array("logicalLocations") { writer in
                    writer.object { $0.member("fullyQualifiedName", TerminalText.printable(path)) }
                }
            }
        }
    }

    private func text(_ name: StaticString, _ text: String, to writer: inout JSONWriter) {
        writer.object(name) { $0.member("text", SARIFText.message(text)) }
    }
}

/// Strings in the form that SARIF 2.1.0 requires.
enum SARIFText {
    /// A plain-text message. Braces are doubled, because single ones mark placeholders (§3.11.5). Whatever looks like an embedded link is
    /// broken by a space (§3.11.6).
    static func message(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{", "}": result.append(contentsOf: [scalar, scalar])
            case "(" where result.last == "]": result.append(contentsOf: [" ", scalar])
            default: result.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// Whether a version has the form of Semantic Versioning. Those of other programs may not (§3.19.4).
    static func isSemanticVersion(_ version: String) -> Bool {
        let core = version.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        let numbers = core.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 3
            && numbers.allSatisfy {
                !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } && ($0.count == 1 || $0.first != 0x30)
            }
    }

    /// A source as a URI reference. A relative path stays relative (§3.4.3). The source of a live issuer is already a URI.
    static func uri(_ source: String) -> String {
        if source.hasPrefix("https://") { return encoded(source, keeping: ":@!$&'()*+,;=?") }
        return (source.hasPrefix("/") ? "file://" : "") + encoded(source, keeping: "")
    }

    private static func encoded(_ text: String, keeping kept: String) -> String {
        PercentEncoding.encode(text.utf8) {
            PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") || kept.utf8.contains($0)
        }
    }
}
