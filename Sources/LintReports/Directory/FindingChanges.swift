package import Conformance
import Credentials

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
    /// The findings that the earlier audit had, and this one has not.
    let cured: [Entry]

    /// Compares the findings of an audit with an earlier one.
    ///
    /// What was not looked at is neither new nor cured: issuers that one of the audits did not judge, rules that are excluded now, and
    /// findings that may have been left out.
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
