import Credentials
import Encodings

extension CheckIn {
    /// Writes the members of an element of `checkIns`.
    func write(to writer: inout JSONWriter, by tool: Tool) {
        writer.member("source", source)
        writer.member("form", form.rawValue)
        writer.member("requestId", requestID)
        writer.member("origin", origin)
        writer.member("validUntil", validUntil?.calendarText)
        writer.member("reason", reason) { tool.message(of: $0) }
        writer.objects("artifacts", artifacts) { artifact, writer in
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
        writer.objects("items", items) { item, writer in
            writer.member("item", item.item)
            writer.member("status", item.status?.rawValue)
            writer.member("met", item.isMet)
            writer.member("artifacts", item.artifacts)
        }
        writer.member("findings", findings)
        writer.member("warnings", warnings)
    }
}
