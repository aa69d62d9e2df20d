import Conformance
package import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings
import HealthCertificates
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

extension DirectoryChange {
    /// Differences as one JSON document.
    static func json(_ changes: [DirectoryChange], to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { write(changes, to: &$0) }
    }

    /// Writes the member `changes`.
    static func write(_ changes: [DirectoryChange]?, to writer: inout JSONWriter) {
        writer.objects("changes", changes) { change, writer in
            writer.member("kind", change.kind.rawValue)
            writer.member("iss", change.issuer.url)
            writer.member("kid", change.keyID?.description)
            writer.member("before", change.before)
            writer.member("after", change.after)
        }
    }
}

extension DirectoryListing {
    /// The list as one JSON document.
    package func json(to destination: Destination) -> [UInt8] {
        JSONWriter.document(to: destination) { writer in
            if let time {
                writer.member("at", time.description)
                writer.objects("snapshots", snapshots) { dated, writer in
                    writer.member("file", dated.snapshot.path)
                    writer.member("time", dated.snapshot.time.description)
                    writer.member("next", dated.next?.time.description)
                }
            }
            writer.objects("lists", lists) { list, writer in
                writer.member("source", list.source)
                writer.member("form", list.list?.list.form.rawValue ?? "issuers")
                writer.member("id", list.list?.list.id)
                writer.member("environment", list.list?.list.environment?.rawValue)
                writer.object("proof", list.list?.proof) { proof, writer in
                    writer.member("status", list.proofStatus)
                    writer.member("created", proof.statement?.created?.toTheSecond.description)
                    writer.member("signer", proof.statement?.signer)
                    writer.member("key", proof.key)
                }
            }
            writer.objects("issuers", issuers) { row, writer in
                writer.member("iss", row.entry.issuer.url)
                writer.member("name", row.entry.name)
                writer.member("website", row.entry.website)
                writer.member("canonicalIss", row.entry.canonicalIssuer?.url)
                writer.array("kids") { writer in for key in row.keys { writer.value(key.keyID?.description) } }
                writer.member("retrieved", row.retrieved?.description)
            }
            if signers.hasLists { writer.objects("signers", signers.rows) { $0.write(to: &$1) } }
        }
    }
}

extension SignerRows.Row {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("kid", keyID)
        writer.member("country", country)
        writer.member("list", form.rawValue)
        writer.member("domain", domain)
        writer.member("participant", participant)
        writer.member("environment", environment?.rawValue)
        writer.member("algorithm", algorithm)
        writer.member("problem", problem)
        writer.member("subject", certificate?.subject)
        writer.member("notBefore", certificate?.notBefore?.calendarText)
        writer.member("notAfter", certificate?.notAfter?.calendarText)
        let usages = RecordGroup.allCases.filter { signer?.usages.contains($0) == true }
        writer.member("usages", usages.map(\.name))
    }
}
