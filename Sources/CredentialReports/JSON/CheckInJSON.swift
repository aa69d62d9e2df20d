import Credentials
import StrictJSON

/// The member `checkIns` of a JSON document: the check-ins of a run, with their artifacts and items.
struct CheckInJSON {
    let tool: Tool

    func write(_ checkIns: [CheckIn], to writer: inout JSONWriter) {
        writer.objects("checkIns", checkIns) { write($0, to: &$1) }
    }

    private func write(_ checkIn: CheckIn, to writer: inout JSONWriter) {
        writer.member("source", checkIn.source)
        writer.member("form", checkIn.form.rawValue)
        writer.member("requestId", checkIn.requestID)
        writer.member("origin", checkIn.origin)
        writer.member("validUntil", checkIn.validUntil?.calendarText)
        writer.object("reason", checkIn.reason) { reason, writer in
            writer.member("code", reason.code.rawValue)
            writer.member("message", tool.message(of: reason))
        }
        writer.objects("artifacts", checkIn.artifacts) { write($0, to: &$1) }
        writer.objects("items", checkIn.items) { write($0, to: &$1) }
        write("findings", checkIn.findings, to: &writer)
        write("warnings", checkIn.warnings, to: &writer)
    }

    private func write(_ name: StaticString, _ warnings: [CredentialWarning], to writer: inout JSONWriter) {
        writer.objects(name, warnings) { warning, writer in
            writer.member("code", warning.code.rawValue)
            writer.member("message", warning.message)
        }
    }

    private func write(_ artifact: CheckIn.Artifact, to writer: inout JSONWriter) {
        writer.member("id", artifact.id)
        writer.member("mediaType", artifact.mediaType)
        writer.member("kind", artifact.kind.rawValue)
        writer.member("fulfills", artifact.fulfills)
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
        writer.member("artifacts", item.artifacts)
    }
}
