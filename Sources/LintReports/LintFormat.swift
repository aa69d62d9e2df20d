package import Conformance
package import CredentialReports
package import Credentials

/// The formats of a report on the findings of `lint`.
package enum LintFormat: String, ReportFormat {
    case text, json, sarif, junit, github, html

    package var summary: String {
        switch self {
        case .text: "a report for people"
        case .json: "one JSON document"
        case .sarif: "SARIF 2.1.0"
        case .junit: "JUnit XML"
        case .github: "workflow commands that annotate files"
        case .html: "a page to look at"
        }
    }

    /// A report in this format. Findings are added to it in the order of the inputs.
    ///
    /// - Parameters:
    ///   - summary: the totals of the run.
    ///   - now: the time of the run.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    package func report(
        on summary: LintSummary, now: NumericDate, to destination: Destination, by tool: Tool
    ) -> any Report<Finding> {
        switch self {
        case .text, .html:
            LintDocument(summary: summary, now: now, destination: destination, tool: tool, isPage: self == .html)
        case .json: LintJSON(summary: summary, to: destination)
        case .sarif: LintSARIF(summary: summary, to: destination, by: tool)
        case .junit: LintJUnit(summary: summary, now: now, by: tool)
        case .github: LintGitHub(summary: summary)
        }
    }
}

/// The totals of a run of `lint`, without the findings themselves.
package struct LintSummary: Sendable {
    /// An input that was named on the command line.
    package struct Input: Sendable {
        /// The name of the input in findings.
        package let source: String
        /// Why the input could not be read; nil if it could be read.
        package let failure: String?

        package init(source: String, failure: String? = nil) {
            self.source = source
            self.failure = failure
        }
    }

    /// The inputs, in the order in which they were named.
    package private(set) var inputs: [Input]
    /// The profiles that the contents of cards have chosen, because none was asked for.
    package let chosenProfiles: [LintPolicy.Profile]
    /// The names of the profiles that were asked for.
    package let askedProfiles: [String]
    /// The names of those that are about nothing in the inputs.
    package let idleProfiles: [String]
    /// The number of excluded rules.
    package let waived: Int
    /// The lowest severity that makes the run fail.
    package let failsOn: Severity
    /// The time that the run took.
    package let duration: Duration
    /// The number of findings that are errors.
    package let errors: Int
    /// The number of findings that are warnings.
    package let warnings: Int
    /// The number of findings about rules that could not be checked.
    package let unchecked: Int
    /// The number of findings that are left out, because an earlier run had them.
    package let known: Int
    /// The number of findings that the report does not have, because there are too many.
    package let leftOut: Int
    /// Whether any finding makes the run fail.
    package let hasFailed: Bool
    private var unreadableReason = ReasonCode.unreadableInput

    /// - Parameters:
    ///   - findings: the findings of the rules that are not excluded.
    ///   - inputs: the inputs, in the order in which they were named.
    ///   - chosenProfiles: the profiles that the contents of cards have chosen.
    ///   - askedProfiles: the names of the profiles that were asked for.
    ///   - idleProfiles: the names of those that are about nothing in the inputs.
    ///   - waived: the number of excluded rules.
    ///   - failsOn: the lowest severity that makes the run fail.
    ///   - duration: the time that the run took.
    ///   - leftOut: the numbers of further errors, warnings and unchecked rules, whose findings were not kept.
    ///   - known: the number of findings that are left out, because an earlier run had them.
    ///   - hasFailed: whether any finding makes the run fail; nil to look at the findings.
    package init(
        of findings: [Finding], inputs: [Input], chosenProfiles: [LintPolicy.Profile] = [],
        askedProfiles: [String] = [],
        idleProfiles: [String] = [], waived: Int, failsOn: Severity, duration: Duration,
        leftOut: (errors: Int, warnings: Int, unchecked: Int) = (0, 0, 0),
        known: Int = 0, hasFailed: Bool? = nil
    ) {
        self.inputs = inputs
        self.chosenProfiles = chosenProfiles
        self.askedProfiles = askedProfiles
        self.idleProfiles = idleProfiles
        self.waived = waived
        self.failsOn = failsOn
        self.duration = duration
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count { $0.severity == .warning }
        self.errors = errors + leftOut.errors
        self.warnings = warnings + leftOut.warnings
        unchecked = findings.count - errors - warnings + leftOut.unchecked
        self.leftOut = leftOut.errors + leftOut.warnings + leftOut.unchecked
        self.known = known
        self.hasFailed = hasFailed ?? findings.contains { $0.severity >= failsOn }
    }

    /// The same totals with other inputs.
    ///
    /// - Parameter reason: the reason whose exit code means that an input could not be read.
    func with(_ inputs: [Input], unreadable reason: ReasonCode) -> LintSummary {
        var summary = self
        summary.inputs = inputs
        summary.unreadableReason = reason
        return summary
    }

    /// The inputs that could not be read, each with the reason.
    package var unreadable: [(source: String, failure: String)] {
        inputs.compactMap { input in input.failure.map { (input.source, $0) } }
    }

    /// How the run ends. If some findings fail it and some inputs are unreadable, the findings decide.
    package var outcome: RunOutcome {
        RunOutcome(hasFailed ? .given(.malformedInput) : unreadable.isEmpty ? nil : .given(unreadableReason))
    }

    /// The exit code of the run.
    package var exitCode: Int32 { outcome.exitCode }

    /// Whether a finding makes the run fail.
    func fails(_ finding: Finding) -> Bool { finding.severity >= failsOn }

    /// The findings, grouped by source, in the order of the inputs. A source that was named twice is one group.
    func bySource(_ findings: [Finding]) -> [(source: String, findings: [Finding])] {
        var order = inputs.filter { $0.failure == nil }.map(\.source)
        order += findings.map(\.source)
        var places: [[UInt8]: Int] = [:]
        var groups: [(source: String, findings: [Finding])] = []
        for source in order where places[Array(source.utf8)] == nil {
            places[Array(source.utf8)] = groups.count
            groups.append((source, []))
        }
        for finding in findings {
            guard let place = places[Array(finding.source.utf8)] else { continue }
            groups[place].findings.append(finding)
        }
        return groups
    }
}

extension Finding {
    /// The place in words, safe for a terminal; nil if the finding is about the whole input.
    var place: String? {
        var parts = path.map { [TerminalText.printable(TerminalText.beginning(of: $0, upTo: 200))] } ?? []
        if let line, isInInput {
            parts.append("line \(line)" + (column.map { ", column \($0)" } ?? ""))
        } else if let offset {
            parts.append("byte \(offset) of the \(layer.words)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Severity {
    /// The severity, as people read it.
    var words: String { self == .unchecked ? "not checked" : rawValue }
}

extension Document.Layer {
    /// The name of the layer, as it follows the word "the".
    var words: String {
        switch self {
        case .input, .file, .link, .payload, .directory, .issuer, .dcc: rawValue
        case .qr: "QR code's text"
        case .parameters: "Parameters"
        case .deeplink: "deep link"
        case .jws: "JWS"
        case .header: "JWS header"
        case .bundle: "Bundle"
        case .jwks: "key set"
        case .crl: "revocation list"
        case .hc1: "certificate's text"
        case .cwt: "CBOR Web Token"
        case .trustList: "trust list"
        }
    }
}
