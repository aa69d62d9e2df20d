package import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings
import HealthCertificates

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
