import Credentials
import StrictJSON

/// The member `links` of a JSON document: the links of a run, with their files.
struct LinkJSON {
    let tool: Tool
    /// Writes more members of a link.
    var more: (OpenedLink, inout JSONWriter) -> Void = { _, _ in }

    func write(_ links: [OpenedLink], to writer: inout JSONWriter) {
        writer.name("links")
        writer.array { writer in
            for link in links { writer.object { write(link, to: &$0) } }
        }
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
        writer.name("files")
        writer.array { writer in
            for file in link.files { writer.object { write(file, to: &$0) } }
        }
        writer.name("warnings")
        writer.array { writer in
            for warning in link.warnings {
                writer.object { writer in
                    writer.member("code", warning.code.rawValue)
                    writer.member("message", warning.message)
                }
            }
        }
    }

    private func write(_ file: OpenedLink.File, to writer: inout JSONWriter) {
        writer.member("delivery", file.delivery?.rawValue)
        writer.member("contentType", file.contentType)
        writer.member("kind", file.kind?.rawValue)
        writer.name("verifiable")
        writer.value(file.isVerifiable)
        writer.member("resourceType", file.resourceType)
        writer.member("fhirVersion", file.fhirVersion)
        writer.member("lastUpdated", file.lastUpdated)
        writer.member("status", file.status)
        writer.member("aud", file.audience)
        writer.member("scope", file.scope)
        writer.name("attestation")
        if let attestation = file.attestation {
            attestation.write(to: &writer)
        } else {
            writer.value(nil as String?)
        }
        reason(file.reason, to: &writer)
    }

    private func reason(_ reason: VerificationFailure?, to writer: inout JSONWriter) {
        writer.name("reason")
        guard let reason else { return writer.value(nil as String?) }
        writer.object { writer in
            writer.member("code", reason.code.rawValue)
            writer.member("message", tool.message(of: reason))
        }
    }
}

extension AttestationReport {
    /// Writes the object `attestation`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("iss", app)
            writer.member("kid", keyID)
            writer.member("issued", issued?.description)
            writer.member("jti", id)
            writer.member("status", status.rawValue)
        }
    }
}
