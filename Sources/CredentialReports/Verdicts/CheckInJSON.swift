import Credentials
import StrictJSON

/// The member `checkIns` of a JSON document: the check-ins of a run, with their artifacts and items.
struct CheckInJSON {
    let tool: Tool

    func write(_ checkIns: [CheckIn], to writer: inout JSONWriter) {
        writer.name("checkIns")
        writer.array { writer in
            for checkIn in checkIns { writer.object { write(checkIn, to: &$0) } }
        }
    }

    private func write(_ checkIn: CheckIn, to writer: inout JSONWriter) {
        writer.member("source", checkIn.source)
        writer.member("form", checkIn.form.rawValue)
        writer.member("requestId", checkIn.requestID)
        writer.member("origin", checkIn.origin)
        writer.member("validUntil", checkIn.validUntil?.calendarText)
        writer.name("reason")
        if let reason = checkIn.reason {
            writer.object { writer in
                writer.member("code", reason.code.rawValue)
                writer.member("message", tool.message(of: reason))
            }
        } else {
            writer.value(nil as String?)
        }
        writer.name("artifacts")
        writer.array { writer in
            for artifact in checkIn.artifacts { writer.object { write(artifact, to: &$0) } }
        }
        writer.name("items")
        writer.array { writer in
            for item in checkIn.items { writer.object { write(item, to: &$0) } }
        }
        write("findings", checkIn.findings, to: &writer)
        write("warnings", checkIn.warnings, to: &writer)
    }

    private func write(_ name: StaticString, _ warnings: [CredentialWarning], to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in
            for warning in warnings {
                writer.object { writer in
                    writer.member("code", warning.code.rawValue)
                    writer.member("message", warning.message)
                }
            }
        }
    }

    private func write(_ artifact: CheckIn.Artifact, to writer: inout JSONWriter) {
        writer.member("id", artifact.id)
        writer.member("mediaType", artifact.mediaType)
        writer.member("kind", artifact.kind.rawValue)
        texts("fulfills", artifact.fulfills, to: &writer)
        writer.member("fhirVersion", artifact.fhirVersion)
        writer.member("resourceType", artifact.resourceType)
        writer.member("disregarded", artifact.disregarded?.rawValue)
        // No app attestation is looked for in a check-in.
        writer.member("attestation", nil as String?)
    }

    private func write(_ item: CheckIn.Item, to writer: inout JSONWriter) {
        writer.member("item", item.item)
        writer.member("status", item.status?.rawValue)
        writer.member("met", item.isMet)
        texts("artifacts", item.artifacts, to: &writer)
    }

    private func texts(_ name: StaticString, _ texts: [UTF8Text], to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in
            for text in texts { writer.value(text) }
        }
    }
}
