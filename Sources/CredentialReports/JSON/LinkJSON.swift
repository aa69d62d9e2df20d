import Credentials
import Encodings

extension OpenedLink {
    /// Writes the members of an element of `links`.
    ///
    /// - Parameter more: writes more members.
    func write(to writer: inout JSONWriter, by tool: Tool, more: (inout JSONWriter) -> Void) {
        writer.member("source", source)
        writer.member("form", form)
        writer.member("scheme", scheme)
        writer.member("origin", origin)
        writer.member("label", label)
        writer.member("flags", flags)
        writer.member("version", version)
        writer.member("expires", expires?.calendarText)
        writer.member("recipient", recipient)
        writer.member("status", status)
        writer.member("reason", reason) { tool.message(of: $0) }
        writer.member("remainingAttempts", remainingAttempts)
        more(&writer)
        writer.objects("files", files) { $0.write(to: &$1, by: tool) }
        writer.member("warnings", warnings)
    }
}

extension OpenedLink.File {
    fileprivate func write(to writer: inout JSONWriter, by tool: Tool) {
        writer.member("delivery", delivery?.rawValue)
        writer.member("contentType", contentType)
        writer.member("kind", kind?.rawValue)
        writer.member("verifiable", isVerifiable)
        writer.member("resourceType", resourceType)
        writer.member("fhirVersion", fhirVersion)
        writer.member("lastUpdated", lastUpdated)
        writer.member("status", status)
        writer.member("aud", audience)
        writer.member("scope", scope)
        writer.object("attestation", attestation) { attestation, writer in
            writer.member("iss", attestation.app)
            writer.member("kid", attestation.keyID)
            writer.member("issued", attestation.issued?.description)
            writer.member("jti", attestation.id)
            writer.member("status", attestation.status.rawValue)
        }
        writer.member("reason", reason) { tool.message(of: $0) }
    }
}
