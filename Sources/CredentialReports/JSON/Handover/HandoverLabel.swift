import Credentials
import Cryptography
import Encodings

/// A security label that says how far a resource can be relied on.
struct HandoverLabel {
    let system: String
    let code: String
    /// The same code system by its OID.
    private let identifier: UTF8Text

    private static let values = (
        system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
        id: "urn:oid:2.16.840.1.113883.5.1063" as UTF8Text
    )
    private static let reasons = (
        system: "http://terminology.hl7.org/CodeSystem/v3-ActReason", id: "urn:oid:2.16.840.1.113883.5.8" as UTF8Text
    )

    static let signed = HandoverLabel(system: values.system, code: "DIGSIG", identifier: values.id)
    static let uncertain = HandoverLabel(system: values.system, code: "UNCERTREL", identifier: values.id)
    static let byPatient = HandoverLabel(system: values.system, code: "PATAST", identifier: values.id)
    static let test = HandoverLabel(system: reasons.system, code: "HTEST", identifier: reasons.id)

    /// Whether a coding is this label, as this program writes it.
    func isWritten(as coding: JSONValue) -> Bool {
        coding["system"]?.isString(system) ?? false && coding["code"]?.isString(code) ?? false
    }

    /// Whether a value is a coding that only this program gives. Nobody labels himself: only this program says what was signed, and by whom.
    static func isOwn(_ coding: JSONValue) -> Bool {
        guard let system = trimmed(coding["system"])?.asciiLowercased else { return false }
        // Of urn and the namespace no case counts (RFC 8141 §3.1).
        if system.hasPrefix("urn:shcverify:") { return true }
        return [signed, test].contains { label in
            trimmed(coding["code"]) == UTF8Text(label.code)
                && (system == UTF8Text(label.system).asciiLowercased || system == label.identifier)
        }
    }

    private static func trimmed(_ value: JSONValue?) -> UTF8Text? {
        value?.stringBytes.map { UTF8Text(decoding: $0[...].trimmingWhiteSpace()) }
    }
}

/// The labels of a handed-over resource.
struct HandoverMeta {
    let id: NameBasedUUID
    let trust: HandoverTrust

    private static let tags = "urn:shcverify:handover:"

    /// Writes the member `meta` of a resource, with what the content itself has there.
    ///
    /// - Parameters:
    ///   - omissions: what is left out of the content, such as labels that only this program gives.
    ///   - value: writes a value of the content, with references that lead to no other record.
    func write(
        _ given: JSONValue?, to writer: inout JSONWriter, leavingOut omissions: HandoverOmissions = HandoverOmissions(),
        value: (JSONValue, inout JSONWriter) -> Void = { $1.value($0) }
    ) {
        let kept = { (codings: JSONValue?) in
            (codings?.elements.map(Array.init) ?? []).filter { $0.kind == .object && !omissions.contains($0) }
        }
        writer.object { writer in
            var isTagged = false
            var isSecured = false
            for member in given?.members.map(Array.init) ?? [] {
                switch member.name {
                case "tag":
                    isTagged = true
                    tag(kept(member.value), &writer, value)
                case "security":
                    isSecured = true
                    security(kept(member.value), &writer, value)
                case _ where omissions.contains(member.value): continue
                default:
                    writer.name(text: member.name.description)
                    value(member.value, &writer)
                }
            }
            if !isSecured { security([], &writer, value) }
            if !isTagged { tag([], &writer, value) }
        }
    }

    private func tag(
        _ kept: [JSONValue], _ writer: inout JSONWriter, _ value: (JSONValue, inout JSONWriter) -> Void
    ) {
        writer.array("tag") { writer in
            for coding in kept { value(coding, &writer) }
            writer.coding(Self.tags + "id", id.description)
            writer.coding(Self.tags + "trust", trust.rawValue)
        }
    }

    private func security(
        _ kept: [JSONValue], _ writer: inout JSONWriter, _ value: (JSONValue, inout JSONWriter) -> Void
    ) {
        writer.array("security") { writer in
            for coding in kept { value(coding, &writer) }
            for label in trust.labels where !kept.contains(where: label.isWritten) {
                writer.coding(label.system, label.code)
            }
        }
    }
}
