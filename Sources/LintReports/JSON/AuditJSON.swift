import Conformance
import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings
import SMARTHealthCards

/// An audit as one JSON document.
struct AuditJSON {
    private let destination: Destination

    init(destination: Destination) {
        self.destination = destination
    }

    func write(_ audit: DirectoryAudit, to sink: ReportSink) throws {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.member("time", audit.time.toTheSecond.description)
        writer.member("exitCode", Int(audit.exitCode))
        writer.member("directories", audit.directories)
        writer.member("issuerCount", audit.issuers.count)
        writer.member("judged", audit.count(of: .judged))
        writer.member("unreachable", audit.count(of: .unreachable))
        writer.member("notJudged", audit.count(of: .notJudged))
        writer.member("errors", audit.summary.errors)
        writer.member("warnings", audit.summary.warnings)
        writer.member("unchecked", audit.summary.unchecked)
        writer.member("comparedWith", audit.comparison?.earlier)
        DirectoryChange.write(audit.comparison?.changes, to: &writer)
        Self.write("newFindings", audit.comparison?.findings?.new, to: &writer)
        Self.write("curedFindings", audit.comparison?.findings?.cured, to: &writer)
        writer.objects("findings", audit.findings) { $0.write(to: &$1) }
        writer.name("issuers")
        writer.begin(.array)
        for issuer in audit.issuers {
            writer.object { Self.write(issuer, to: &$0) }
            if writer.bytes.count >= ReportPart.size { try sink(writer.take()) }
        }
        writer.end(.array)
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }

    private static func write(_ name: StaticString, _ findings: [FindingChanges.Entry]?, to writer: inout JSONWriter) {
        writer.objects(name, findings) { finding, writer in
            writer.member("iss", finding.issuer?.url)
            writer.member("rule", finding.rule)
            writer.member("severity", finding.severity)
            writer.member("message", finding.message)
            writer.member("source", finding.source)
            writer.member("fingerprint", finding.fingerprint)
        }
    }

    private static func write(_ issuer: AuditedIssuer, to writer: inout JSONWriter) {
        writer.member("iss", issuer.entry.issuer.url)
        writer.member("name", issuer.entry.name)
        writer.member("website", issuer.entry.website)
        writer.member("canonicalIss", issuer.entry.canonicalIssuer?.url)
        writer.member("outcome", issuer.outcome.rawValue)
        writer.member("answered", issuer.hasAnswered)
        writer.member("problem", issuer.state.problem)
        writer.member("lacksKeySet", issuer.outcome == .notJudged ? nil : issuer.state.lacksKeySet)
        writer.member("errors", issuer.errors)
        writer.member("warnings", issuer.warnings)
        writer.member("unchecked", issuer.unchecked)
        writer.objects("keys", issuer.state.keys) { key, writer in
            writer.member("kid", key.keyID?.description)
            writer.member("fingerprint", key.fingerprint.description)
            writer.member("digest", key.digest.description)
            writer.member("hasPrivatePart", key.hasPrivatePart)
        }
        writer.objects("lists", issuer.state.lists) { list, writer in
            writer.member("kid", list.keyID.description)
            writer.member("ctr", list.counter?.description)
            writer.member("count", list.count)
            writer.member("digest", list.digest.description)
        }
        writer.member("leftOut", issuer.leftOut)
        writer.objects("findings", issuer.findings) { $0.write(to: &$1) }
    }
}
