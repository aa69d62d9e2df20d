import Credentials
import Cryptography
import StrictJSON

/// The labels of a handed-over resource.
struct HandoverMeta {
    let id: NameBasedUUID
    let trust: HandoverTrust

    private static let tags = "urn:shcverify:handover:"
    private static let values = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"

    /// Writes the member `meta` of a resource, with what the content itself has there, but for labels that only this program gives.
    ///
    /// - Parameter value: writes a value of the content, with references that lead to no other record.
    func write(
        _ given: JSONValue?, to writer: inout JSONWriter,
        value: (JSONValue, inout JSONWriter) -> Void = { $1.value($0) }
    ) {
        writer.object { writer in
            var isTagged = false
            var isSecured = false
            for member in given?.members.map(Array.init) ?? [] {
                switch member.name {
                case "tag":
                    isTagged = true
                    tag(member.value, &writer, value)
                case "security":
                    isSecured = true
                    security(member.value, &writer, value)
                default:
                    writer.name(text: member.name.description)
                    value(member.value, &writer)
                }
            }
            if !isSecured { security(nil, &writer, value) }
            if !isTagged { tag(nil, &writer, value) }
        }
    }

    private func tag(
        _ given: JSONValue?, _ writer: inout JSONWriter, _ value: (JSONValue, inout JSONWriter) -> Void
    ) {
        writer.name("tag")
        writer.array { writer in
            for coding in Self.permitted(given) { value(coding, &writer) }
            Self.coding(Self.tags + "id", id.description, &writer)
            Self.coding(Self.tags + "trust", trust.rawValue, &writer)
        }
    }

    private func security(
        _ given: JSONValue?, _ writer: inout JSONWriter, _ value: (JSONValue, inout JSONWriter) -> Void
    ) {
        writer.name("security")
        writer.array { writer in
            let kept = Self.permitted(given)
            for coding in kept { value(coding, &writer) }
            for label in trust.labels where !kept.contains(where: { Self.isLabel($0, label) }) {
                Self.coding(Self.values, label, &writer)
            }
        }
    }

    private static func coding(_ system: String, _ code: String, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("system", system)
            writer.member("code", code)
        }
    }

    /// The codings that content may have. Nobody labels himself: only this program says what was signed and whom to trust.
    static func permitted(_ codings: JSONValue?) -> [JSONValue] {
        (codings?.elements.map(Array.init) ?? []).filter { $0.kind == .object && !isForbidden($0) }
    }

    /// Whether a value is a coding that only this program gives.
    static func isForbidden(_ coding: JSONValue) -> Bool {
        coding["system"]?.string?.hasPrefix("urn:shcverify:") ?? false || isLabel(coding, "DIGSIG")
    }

    private static func isLabel(_ coding: JSONValue, _ code: String) -> Bool {
        coding["system"]?.isString(values) ?? false && coding["code"]?.isString(code) ?? false
    }
}

/// A reference in a handed-over resource (FHIR R4 §2.3).
enum HandoverReference {
    /// Whether a text is an absolute URI: it begins with a scheme (RFC 3986 §3.1).
    static func isAbsolute(_ text: UTF8Text) -> Bool {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
            (0x61...0x7A).contains(first | 0x20)
        else { return false }
        return bytes[..<colon].allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
        }
    }
}

/// Writes a resource as it was signed, but for its id, its labels and its references.
struct HandoverResource {
    let source: HandoverSource
    let id: NameBasedUUID
    /// The id of the entry to which a reference leads; nil if it leads to none of the Bundle.
    let target: (UTF8Text) -> NameBasedUUID?
    private let contained: Set<UTF8Text>

    init(
        _ resource: JSONValue, id: NameBasedUUID, of source: HandoverSource,
        target: @escaping (UTF8Text) -> NameBasedUUID?
    ) {
        self.source = source
        self.id = id
        self.target = target
        contained = Set((resource["contained"]?.elements.map(Array.init) ?? []).compactMap { $0["id"]?.string })
    }

    func write(_ resource: JSONValue, to writer: inout JSONWriter) {
        let meta = HandoverMeta(id: id, trust: source.trust)
        writer.object { writer in
            var hasMeta = false
            for member in resource.members.map(Array.init) ?? [] where member.name != "id" {
                writer.name(text: member.name.description)
                switch member.name {
                case "meta":
                    hasMeta = true
                    meta.write(member.value, to: &writer) { value($0, to: &$1) }
                default: value(member.value, to: &writer)
                }
            }
            guard !hasMeta else { return }
            writer.name("meta")
            meta.write(nil, to: &writer)
        }
    }

    private func value(_ value: JSONValue, to writer: inout JSONWriter) {
        switch value.kind {
        case .object: members(of: value, to: &writer)
        case .array:
            writer.array { writer in
                for element in value.elements.map(Array.init) ?? [] { self.value(element, to: &writer) }
            }
        default: writer.value(value)
        }
    }

    /// Writes an object. The labels that only this program gives go at every depth: in contained resources, which have labels against the
    /// rules (FHIR R4, dom-5), and in extensions of the type Meta.
    private func members(of object: JSONValue, to writer: inout JSONWriter) {
        writer.object { writer in
            for member in object.members.map(Array.init) ?? [] {
                switch member.name {
                case "reference" where !Self.holdsObjects(member.value):
                    reference(member.value, in: object, to: &writer)
                case "tag" where HandoverMeta.isForbidden(member.value),
                    "security" where HandoverMeta.isForbidden(member.value):
                    continue
                case "tag" where member.value.kind == .array, "security" where member.value.kind == .array:
                    writer.name(text: member.name.description)
                    writer.array { writer in
                        for element in member.value.elements.map(Array.init) ?? []
                        where !HandoverMeta.isForbidden(element) { value(element, to: &writer) }
                    }
                default:
                    writer.name(text: member.name.description)
                    value(member.value, to: &writer)
                }
            }
        }
    }

    /// Whether a value is an object, or an array of objects. The member `reference` of some resources is one, and then has references of
    /// its own.
    private static func holdsObjects(_ value: JSONValue) -> Bool {
        value.kind == .object || value.elements?.allSatisfy { $0.kind == .object } == true
    }

    /// Writes the member `reference`: to an entry of the Bundle, or to a contained resource. Any other would be the record of somebody
    /// else on the server that takes it, so only its text stays, as an identifier.
    private func reference(_ reference: JSONValue, in object: JSONValue, to writer: inout JSONWriter) {
        guard let text = reference.string else { return }
        if text.hasPrefix("#") {
            // It means a contained resource, even if an entry has this address.
            if contained.contains(UTF8Text(decoding: Array(text.utf8.dropFirst()))) {
                return writer.member("reference", text)
            }
        } else if let target = target(text) {
            return writer.member("reference", "urn:uuid:\(target)")
        }
        guard !text.isEmpty, object["identifier"] == nil else { return }
        writer.name("identifier")
        writer.object { writer in
            if HandoverReference.isAbsolute(text) { writer.member("system", "urn:ietf:rfc:3986") }
            writer.member("value", text)
        }
    }
}
