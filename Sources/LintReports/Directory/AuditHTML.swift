import Bytes
import Conformance
import CredentialReports
import Credentials
import Directories
import SMARTHealthCards

/// An audit as a page: the totals first, then a list of all issuers, what changed, and the findings. The worst comes first.
struct AuditHTML {
    let tool: Tool

    func write(_ audit: DirectoryAudit, to sink: ReportSink) throws {
        var part = ReportPart()
        var writer = HTMLWriter()
        let isComplete = audit.count(of: .notJudged) == 0
        let style = audit.summary.style
        let page = HTMLPage(
            headline: audit.totals, style: style == .good && !isComplete ? .unsure : style,
            isWarning: isComplete && audit.summary.errors == 0 && audit.summary.warnings > 0,
            origin: "Audited at \(audit.time.toTheSecond) by \(tool.name) \(tool.version).")
        page.begin(to: &writer) { writer in
            HTMLPage.date("Audited at", audit.time, lists: audit.directories, to: &writer)
            writer.element(.p, text: audit.summary.result + audit.summary.rest + ".")
            if audit.summary.waived > 0 {
                writer.element(.p, text: "Excluded: \(audit.summary.waived.counted("rule")).")
            }
            if !isComplete {
                writer.element(.p, text: "The time of the audit was used up before all issuers were judged.")
            }
        }
        let issuers = audit.issuersWorstFirst
        if !issuers.isEmpty { table(of: issuers, to: &writer) }
        if let comparison = audit.comparison { changes(comparison, to: &writer) }
        try part.add(writer.bytes, to: sink)
        for (source, findings) in audit.summary.bySource(audit.findings) where !findings.isEmpty {
            writer = HTMLWriter()
            FindingArticle.write(source, findings, to: &writer)
            try part.add(writer.bytes, to: sink)
        }
        for (number, issuer) in issuers.enumerated() where !issuer.findings.isEmpty {
            writer = HTMLWriter()
            FindingArticle.write(
                issuer.entry.issuer.url, name: issuer.entry.name, number: number, issuer.findingsWorstFirst,
                to: &writer
            ) { writer in
                guard issuer.leftOut > 0 else { return }
                writer.element(.p, text: "Left out: \(issuer.leftOut.counted("more finding")).")
            }
            try part.add(writer.bytes, to: sink)
        }
        writer = HTMLWriter()
        page.end(to: &writer)
        try part.add(writer.bytes, to: sink)
        try part.flush(to: sink)
    }

    /// Writes a list of all issuers, each with its result.
    private func table(of issuers: [AuditedIssuer], to writer: inout HTMLWriter) {
        writer.element(.article) { writer in
            writer.element(.h2, text: "Issuers")
            writer.table("short", columns: ["Issuer", "Result"]) { writer in
                writer.element(.tbody) { writer in
                    for (number, issuer) in issuers.enumerated() {
                        writer.element(.tr) { writer in
                            writer.element(.td) { name(issuer, number, to: &$0) }
                            let (words, style) = Self.result(issuer)
                            writer.element(.td, .style(style.name)) { writer in
                                let warns = issuer.outcome == .judged && issuer.errors == 0 && issuer.warnings > 0
                                HTMLPage.sign(style, isWarning: warns, to: &writer)
                                writer.text(" ")
                                writer.element(.span, .style("tone"), text: words)
                            }
                        }
                    }
                }
            }
        }
    }

    private func name(_ issuer: AuditedIssuer, _ number: Int, to writer: inout HTMLWriter) {
        if let name = issuer.entry.name {
            writer.isolated(TerminalText.printable(name, upTo: 200))
            writer.text(" ")
        }
        let url = TerminalText.printable(issuer.entry.issuer.url, upTo: 300)
        if issuer.findings.isEmpty {
            writer.element(.span, .style("note")) { $0.isolated(url) }
        } else {
            writer.element(.a, .toPart(number)) { $0.isolated(url) }
        }
    }

    private static func result(_ issuer: AuditedIssuer) -> (words: String, style: Palette.Style) {
        let counts = [
            issuer.errors > 0 ? issuer.errors.counted("error") : nil,
            issuer.warnings > 0 ? issuer.warnings.counted("warning") : nil,
            issuer.unchecked > 0 ? "\(issuer.unchecked) not checked" : nil,
        ].compactMap(\.self).joined(separator: ", ")
        switch issuer.outcome {
        case .notJudged: return ("not judged", .unsure)
        case .unreachable:
            let words = issuer.state.lacksKeySet ? "no key set" : "unreachable"
            return (counts.isEmpty ? words : "\(words): \(counts)", .bad)
        case .judged where counts.isEmpty: return ("no departures", .good)
        case .judged: return (counts, issuer.errors > 0 ? .bad : .unsure)
        }
    }

    /// Writes what changed since an earlier state.
    private func changes(_ comparison: DirectoryComparison, to writer: inout HTMLWriter) {
        writer.element(.article) { writer in
            writer.element(.h2) { writer in
                writer.text("Changes since ")
                writer.isolated(TerminalText.printable(comparison.earlier, upTo: 300))
            }
            let groups = ChangeText.byIssuer(comparison.changes)
            if groups.isEmpty { writer.element(.p, text: "No differences.") }
            for group in groups { group.write(under: .h3, to: &writer) }
        }
    }
}
