import Conformance
import CredentialReports
import Credentials
import Directories
import JOSE
import SMARTHealthCards
import StrictJSON

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
        writer.name("directories")
        writer.array { writer in for name in audit.directories { writer.value(name) } }
        writer.member("issuerCount", audit.issuers.count)
        writer.member("judged", audit.count(of: .judged))
        writer.member("unreachable", audit.count(of: .unreachable))
        writer.member("notJudged", audit.count(of: .notJudged))
        writer.member("errors", audit.summary.errors)
        writer.member("warnings", audit.summary.warnings)
        writer.member("unchecked", audit.summary.unchecked)
        writer.member("comparedWith", audit.comparison?.earlier)
        writer.name("changes")
        if let comparison = audit.comparison {
            DirectoryChange.write(comparison.changes, to: &writer)
        } else {
            writer.value(nil as String?)
        }
        writer.name("newFindings")
        Self.write(audit.comparison?.findings?.new, to: &writer)
        writer.name("curedFindings")
        Self.write(audit.comparison?.findings?.cured, to: &writer)
        writer.name("findings")
        writer.array { writer in
            for finding in audit.findings { writer.object { finding.write(to: &$0) } }
        }
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

    private static func write(_ findings: [FindingChanges.Entry]?, to writer: inout JSONWriter) {
        guard let findings else { return writer.value(nil as String?) }
        writer.array { writer in
            for finding in findings {
                writer.object { writer in
                    writer.member("iss", finding.issuer?.url)
                    writer.member("rule", finding.rule)
                    writer.member("severity", finding.severity)
                    writer.member("message", finding.message)
                    writer.member("source", finding.source)
                    writer.member("fingerprint", finding.fingerprint)
                }
            }
        }
    }

    private static func write(_ issuer: AuditedIssuer, to writer: inout JSONWriter) {
        writer.member("iss", issuer.entry.issuer.url)
        writer.member("name", issuer.entry.name)
        writer.member("website", issuer.entry.website)
        writer.member("canonicalIss", issuer.entry.canonicalIssuer?.url)
        writer.member("outcome", issuer.outcome.rawValue)
        writer.name("answered")
        if let hasAnswered = issuer.hasAnswered { writer.value(hasAnswered) } else { writer.value(nil as String?) }
        writer.member("problem", issuer.state.problem)
        writer.member("lacksKeySet", issuer.outcome == .notJudged ? nil : issuer.state.lacksKeySet)
        writer.member("errors", issuer.errors)
        writer.member("warnings", issuer.warnings)
        writer.member("unchecked", issuer.unchecked)
        writer.name("keys")
        if let keys = issuer.state.keys {
            writer.array { writer in
                for key in keys {
                    writer.object { writer in
                        writer.member("kid", key.keyID?.description)
                        writer.member("fingerprint", key.fingerprint.description)
                        writer.member("digest", key.digest.description)
                        writer.member("hasPrivatePart", key.hasPrivatePart)
                    }
                }
            }
        } else {
            writer.value(nil as String?)
        }
        writer.name("lists")
        if let lists = issuer.state.lists {
            writer.array { writer in
                for list in lists {
                    writer.object { writer in
                        writer.member("kid", list.keyID.description)
                        writer.member("ctr", list.counter?.description)
                        writer.member("count", list.count)
                        writer.member("digest", list.digest.description)
                    }
                }
            }
        } else {
            writer.value(nil as String?)
        }
        writer.member("leftOut", issuer.leftOut)
        writer.name("findings")
        writer.array { writer in
            for finding in issuer.findings { writer.object { finding.write(to: &$0) } }
        }
    }
}
