package import Conformance
package import CredentialReports
package import Credentials
import Cryptography
package import Directories
import Encodings
import SMARTHealthCards

/// The result of `directory audit`: what was found in a directory and at each of its issuers.
package struct DirectoryAudit: Sendable {
    /// When the audit began.
    package let time: NumericDate
    /// The names of the directories.
    package let directories: [String]
    /// The findings in the directories themselves.
    package let findings: [Finding]
    /// The issuers, in the order of the directories.
    package let issuers: [AuditedIssuer]
    /// The differences from an earlier state; nil if there was nothing to compare with.
    package let comparison: DirectoryComparison?
    /// The findings and totals as lint counts them.
    let summary: LintSummary

    /// - Parameters:
    ///   - time: when the audit began.
    ///   - directories: the names of the directories.
    ///   - findings: the findings in the directories themselves.
    ///   - issuers: the issuers, in the order of the directories.
    ///   - comparison: the differences from an earlier state; nil if there was nothing to compare with.
    ///   - waived: the number of excluded rules.
    ///   - severity: the lowest severity that makes the audit fail.
    ///   - duration: the time that the audit took.
    package init(
        at time: NumericDate, of directories: [String], findings: [Finding], issuers: [AuditedIssuer],
        comparison: DirectoryComparison?, waived: Int, failingOn severity: Severity, duration: Duration
    ) {
        self.time = time
        self.directories = directories
        self.findings = findings
        self.issuers = issuers
        self.comparison = comparison
        let kept = issuers.flatMap(\.findings)
        summary = LintSummary(
            of: findings + kept,
            inputs: directories.map { LintSummary.Input(source: $0) }
                + issuers.filter { $0.outcome != .notJudged }.map { LintSummary.Input(source: $0.entry.issuer.url) },
            waived: waived, failsOn: severity, duration: duration,
            leftOut: (
                issuers.reduce(0) { $0 + $1.errors } - kept.count { $0.severity == .error },
                issuers.reduce(0) { $0 + $1.warnings } - kept.count { $0.severity == .warning },
                issuers.reduce(0) { $0 + $1.unchecked } - kept.count { $0.severity == .unchecked }
            ))
    }

    /// How the audit ends. If some findings fail it and some issuers were not judged, the findings decide.
    package var outcome: RunOutcome { wholeSummary.outcome }

    /// The exit code of the audit.
    package var exitCode: Int32 { outcome.exitCode }

    /// The number of issuers with an outcome.
    func count(of outcome: AuditedIssuer.Outcome) -> Int { issuers.count { $0.outcome == outcome } }

    /// The issuers: first those with the worst finding, and among these those with the most errors. Issuers without findings come last.
    var issuersWorstFirst: [AuditedIssuer] {
        issuers.enumerated().map { offset, issuer in
            let worst = issuer.findings.map(\.rank).min() ?? Severity.allCases.count + 1
            return (issuer, rank: [worst, -issuer.errors, -issuer.warnings, offset])
        }.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.0)
    }

    /// The same totals, with issuers that were not judged counted as inputs that could not be read.
    var wholeSummary: LintSummary {
        let unjudged = issuers.filter { $0.outcome == .notJudged }.map { issuer in
            LintSummary.Input(
                source: issuer.entry.issuer.url, failure: "it was not checked: the audit ran out of time")
        }
        return summary.with(summary.inputs + unjudged, unreadable: .keysUnavailable)
    }

    /// The totals in one line.
    var totals: String {
        var parts = ["\(count(of: .judged)) judged"]
        let withoutKeys = issuers.count { $0.outcome == .unreachable && $0.state.lacksKeySet }
        for (count, words) in [
            (withoutKeys, "without a key set"), (count(of: .unreachable) - withoutKeys, "unreachable"),
            (count(of: .notJudged), "not judged"),
        ] where count > 0 { parts.append("\(count) \(words)") }
        let failed = issuers.count { $0.errors > 0 }
        let count = issuers.count.counted("issuer")
        return "\(count): \(parts.joined(separator: ", ")); \(failed) with errors"
    }
}

extension AuditedIssuer {
    /// The findings, the worst first.
    var findingsWorstFirst: [Finding] {
        findings.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}

extension Finding {
    /// How bad the finding is; the worst is 0. With a published private key, everybody can sign.
    fileprivate var rank: Int {
        switch severity {
        case .error: code == "invalid-key-private" ? 0 : 1
        case .warning: 2
        case .unchecked: 3
        }
    }
}

/// The differences between two states of the issuers of a directory.
package struct DirectoryComparison: Sendable {
    /// The name of the earlier state.
    package let earlier: String
    /// The differences.
    package let changes: [DirectoryChange]
    /// The differences in the findings; nil if the earlier state is not the report of an audit.
    package let findings: FindingChanges?

    package init(from earlier: String, _ changes: [DirectoryChange], findings: FindingChanges? = nil) {
        self.earlier = earlier
        self.changes = changes
        self.findings = findings
    }
}

/// The formats of the report on an audit.
package enum AuditFormat: String, ReportFormat {
    case text, json, sarif, html

    package var summary: String {
        switch self {
        case .text: "a report for people"
        case .json: "one JSON document, with which a later audit can be compared"
        case .sarif: "the findings as SARIF 2.1.0"
        case .html: "a page to look at"
        }
    }

    /// Writes the report on an audit.
    ///
    /// - Parameters:
    ///   - audit: the audit.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - sink: takes the text.
    package func write(_ audit: DirectoryAudit, to destination: Destination, by tool: Tool, sink: ReportSink) throws {
        switch self {
        case .text: try sink(TextRenderer.bytes(AuditForPeople(audit: audit).text, to: destination))
        case .json: try AuditJSON(destination: destination).write(audit, to: sink)
        case .sarif:
            var report = LintSARIF(summary: audit.wholeSummary, to: destination, by: tool)
            try report.write(audit.findings + audit.issuers.flatMap(\.findings), to: sink)
        case .html: try AuditForPeople(audit: audit).writePage(by: tool, to: sink)
        }
    }
}

/// The differences between the findings of two audits.
package struct FindingChanges: Sendable {
    /// A finding that only one of the audits has.
    struct Entry: Sendable {
        /// The issuer; nil if the finding is in a directory itself.
        let issuer: Issuer?
        let rule: String
        let severity: String
        let message: String
        let source: String
        let fingerprint: String
    }

    /// The findings that the earlier audit did not have.
    let new: [Entry]
    /// The findings that the earlier audit had, and this one does not have.
    let cured: [Entry]

    /// Compares the findings of an audit with an earlier one.
    ///
    /// What one of the audits did not examine is neither new nor cured: issuers that one of them did not judge, rules that are excluded
    /// now, and findings that may have been left out.
    ///
    /// - Parameters:
    ///   - earlier: the earlier audit.
    ///   - directories: the names of the directories.
    ///   - findings: the findings in the directories.
    ///   - issuers: the issuers, in the order of the report.
    ///   - waived: the excluded rules.
    package init(
        since earlier: AuditDocument, directories: [String], findings: [Finding], issuers: [AuditedIssuer],
        waived: Set<String>
    ) {
        var new: [Entry] = []
        var cured: [Entry] = []
        let compare = { (findings: [Finding], issuer: Issuer?, then: AuditDocument.Findings?, isWhole: Bool) in
            let now = findings.map { finding in
                Entry(
                    issuer: issuer, rule: finding.rule.id, severity: finding.severity.rawValue,
                    message: finding.message, source: finding.source, fingerprint: finding.fingerprint)
            }
            guard then?.isJudged != false else { return }
            let before = then?.entries ?? []
            if then?.isWhole != false {
                let known = Set(before.map(\.fingerprint))
                new += now.filter { !known.contains($0.fingerprint) }
            }
            if isWhole {
                let known = Set(now.map(\.fingerprint))
                cured += before.filter { !known.contains($0.fingerprint) && !waived.contains($0.rule) }
            }
        }
        let isSame = earlier.directories.map { Array($0.utf8) } == directories.map { Array($0.utf8) }
        compare(
            findings, nil,
            isSame ? earlier.findings : AuditDocument.Findings(entries: [], isWhole: false, isJudged: false), isSame)
        for issuer in issuers {
            compare(
                issuer.findings, issuer.entry.issuer, earlier.issuers[issuer.entry.issuer],
                issuer.outcome == .judged && issuer.leftOut == 0)
        }
        self.new = new
        self.cured = cured
    }
}
