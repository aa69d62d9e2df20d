import Bytes
import Conformance
import CredentialReports
import Credentials
import SMARTHealthCards
import StrictJSON

/// An audit as text for people: the findings as lint prints them, the issuers that were not judged, what changed, and the totals.
struct AuditText {
    private let destination: Destination
    /// The most issuers without a judgement that are named.
    private static let named = 20

    init(destination: Destination) {
        self.destination = destination
    }

    func write(_ audit: DirectoryAudit, to sink: ReportSink) throws {
        let report = LintText(summary: audit.summary, to: destination)
        var lines = report.blocks(audit.findings)
        for issuer in audit.issuersWorstFirst where !issuer.findings.isEmpty {
            lines.append(destination.palette(.heading, "Issuer ") + Self.name(issuer.entry))
            // Input by input, and the one with the worst finding first.
            var order: [String] = []
            let findings = issuer.findingsWorstFirst
            for finding in findings where !order.contains(where: { $0.utf8.elementsEqual(finding.source.utf8) }) {
                order.append(finding.source)
            }
            for source in order {
                lines += report.blocks(findings.filter { $0.source.utf8.elementsEqual(source.utf8) })
            }
            if issuer.leftOut > 0 { lines += ["Left out: \(issuer.leftOut.counted("more finding"))", ""] }
        }
        lines.append(report.totals)
        let unjudged = audit.issuers.filter { $0.outcome == .notJudged }
        if !unjudged.isEmpty {
            lines.append("Not judged, because the time of the audit was used up:")
            lines += unjudged.prefix(Self.named).map { "  \(TerminalText.printable($0.entry.issuer.url, upTo: 300))" }
            if unjudged.count > Self.named {
                lines.append("  and \(unjudged.count - Self.named) more (--format json has all)")
            }
        }
        if let comparison = audit.comparison {
            lines.append("Changes since \(TerminalText.printable(comparison.earlier, upTo: 300)):")
            lines += ChangeText.lines(comparison.changes).map { "  \($0)" }
            if let findings = comparison.findings { lines += Self.lines(findings, in: audit).map { "  \($0)" } }
        }
        lines.append(audit.totals)
        try sink(TerminalText.log(lines.joined(separator: "\n") + "\n"))
    }

    /// Name and URL of an issuer.
    private static func name(_ entry: DirectoryEntry) -> String {
        let url = TerminalText.printable(entry.issuer.url, upTo: 300)
        return entry.name.map { "\(TerminalText.printable($0.description, upTo: 200)) (\(url))" } ?? url
    }

    /// The lines on findings that are new or cured.
    private static func lines(_ changes: FindingChanges, in audit: DirectoryAudit) -> [String] {
        let entries = Dictionary(audit.issuers.map { ($0.entry.issuer, $0.entry) }) { first, _ in first }
        var lines = [
            "findings: \(changes.new.count) new, \(changes.cured.count) cured"
        ]
        for (mark, findings) in [("+ new", changes.new), ("- cured", changes.cured)] {
            lines += findings.map { finding in
                let place =
                    finding.issuer.flatMap { entries[$0] }.map { name($0) }
                    ?? TerminalText.printable(finding.source, upTo: 300)
                return "  \(mark) \(TerminalText.printable(finding.severity, upTo: 20)) "
                    + "\(TerminalText.printable(finding.rule, upTo: 100)) at \(place): "
                    + TerminalText.printable(finding.message, upTo: 500)
            }
        }
        return lines
    }
}
