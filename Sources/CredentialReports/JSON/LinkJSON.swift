import Credentials
import StrictJSON

/// The member `links` of a JSON document: the links of a run, with their files.
struct LinkJSON {
    let tool: Tool
    /// Writes more members of a link.
    var more: (OpenedLink, inout JSONWriter) -> Void = { _, _ in }

    func write(_ links: [OpenedLink], to writer: inout JSONWriter) {
        writer.objects("links", links) { write($0, to: &$1) }
    }

    private func write(_ link: OpenedLink, to writer: inout JSONWriter) {
        writer.member("source", link.source)
        writer.member("form", link.form)
        writer.member("scheme", link.scheme)
        writer.member("origin", link.origin)
        writer.member("label", link.label)
        writer.member("flags", link.flags)
        writer.member("version", link.version)
        writer.member("expires", link.expires?.calendarText)
        writer.member("recipient", link.recipient)
        writer.member("status", link.status)
        reason(link.reason, to: &writer)
        writer.member("remainingAttempts", link.remainingAttempts)
        more(link, &writer)
        writer.objects("files", link.files) { write($0, to: &$1) }
        writer.objects("warnings", link.warnings) { warning, writer in
            writer.member("code", warning.code.rawValue)
            writer.member("message", warning.message)
        }
    }

    private func write(_ file: OpenedLink.File, to writer: inout JSONWriter) {
        writer.member("delivery", file.delivery?.rawValue)
        writer.member("contentType", file.contentType)
        writer.member("kind", file.kind?.rawValue)
        writer.member("verifiable", file.isVerifiable)
        writer.member("resourceType", file.resourceType)
        writer.member("fhirVersion", file.fhirVersion)
        writer.member("lastUpdated", file.lastUpdated)
        writer.member("status", file.status)
        writer.member("aud", file.audience)
        writer.member("scope", file.scope)
        writer.object("attestation", file.attestation) { $0.write(to: &$1) }
        reason(file.reason, to: &writer)
    }

    private func reason(_ reason: VerificationFailure?, to writer: inout JSONWriter) {
        writer.object("reason", reason) { reason, writer in
            writer.member("code", reason.code.rawValue)
            writer.member("message", tool.message(of: reason))
        }
    }
}

extension AttestationReport {
    /// Writes the members of `attestation`.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("iss", app)
        writer.member("kid", keyID)
        writer.member("issued", issued?.description)
        writer.member("jti", id)
        writer.member("status", status.rawValue)
    }
}
