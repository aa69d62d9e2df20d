import Conformance
import Credentials

/// An audit as text for people: the findings as lint prints them, the issuers that were not judged, what changed, and the totals.
struct AuditText {
    private let destination: Destination
    /// The most issuers without a judgement that are named.
    private static let named = 20

    init(destination: Destination) {
        self.destination = destination
    }

    func write(_ audit: DirectoryAudit, to sink: ReportSink) throws {
        var report = LintText(summary: audit.summary, to: destination)
        try report.write(audit.findings + audit.issuers.flatMap(\.findings), to: sink)
        var lines: [String] = []
        for issuer in audit.issuers where issuer.leftOut > 0 {
            lines.append(
                "Left out: \(issuer.leftOut) more findings of \(TerminalText.printable(issuer.entry.issuer.url, upTo: 300))"
            )
        }
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
        }
        lines.append(audit.totals)
        try sink(TerminalText.log(lines.joined(separator: "\n") + "\n"))
    }
}
