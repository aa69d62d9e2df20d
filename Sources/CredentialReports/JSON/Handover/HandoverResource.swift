import Credentials
import Cryptography
import Encodings

/// A reference in a handed-over resource (FHIR R4 §2.3).
enum HandoverReference {
    /// Whether a server reads an address as one of its own. It does if there is no scheme, and some readers take `https:Binary/1` for
    /// one of the same server.
    static func isOfServer(_ text: UTF8Text) -> Bool {
        guard isAbsolute(text) else { return true }
        let parts = text.asciiLowercased.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        return [Array("http".utf8), Array("https".utf8)].contains(Array(parts[0])) && !parts[1].starts(with: "//".utf8)
    }

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

/// Writes a resource as it was signed, but for its id, its labels, its references, and what would lead to records of the server.
struct HandoverResource {
    let source: HandoverSource
    let id: NameBasedUUID
    /// The id of the entry to which a reference leads; nil if it leads to none of the Bundle.
    let target: (UTF8Text) -> NameBasedUUID?
    private let resource: JSONValue
    private let contained: Set<UTF8Text>
    private let omissions: HandoverOmissions

    init(
        _ resource: JSONValue, id: NameBasedUUID, of source: HandoverSource,
        target: @escaping (UTF8Text) -> NameBasedUUID?
    ) {
        self.source = source
        self.id = id
        self.target = target
        self.resource = resource
        contained = Set((resource["contained"]?.elements.map(Array.init) ?? []).compactMap { $0["id"]?.string })
        omissions = HandoverOmissions(from: resource)
    }

    func write(to writer: inout JSONWriter) {
        let meta = HandoverMeta(id: id, trust: source.trust)
        writer.object { writer in
            var hasMeta = false
            for member in resource.members.map(Array.init) ?? [] where member.name != "id" {
                if member.name == "meta" {
                    hasMeta = true
                    writer.name("meta")
                    meta.write(member.value, to: &writer, leavingOut: omissions) { value($0, to: &$1) }
                } else {
                    write(member, of: resource, to: &writer)
                }
            }
            guard !hasMeta else { return }
            writer.name("meta")
            meta.write(nil, to: &writer)
        }
    }

    private func value(_ value: JSONValue, to writer: inout JSONWriter) {
        if let members = value.members {
            writer.object { writer in for member in members { write(member, of: value, to: &writer) } }
        } else if let elements = value.elements {
            writer.array { writer in
                for element in elements where !omissions.contains(element) { self.value(element, to: &writer) }
            }
        } else {
            writer.value(value)
        }
    }

    private func write(
        _ member: (name: UTF8Text, value: JSONValue), of object: JSONValue, to writer: inout JSONWriter
    ) {
        if omissions.contains(member.value) { return }
        if member.name == "reference", !omissions.leaflets.contains(object.byteRange.lowerBound),
            !Self.holdsObjects(member.value)
        {
            return reference(member.value, in: object, to: &writer)
        }
        writer.name(text: member.name.description)
        if member.name == "div", let text = member.value.stringBytes, let div = HandoverNarrative.withoutLinks(text) {
            return writer.value(UTF8Text(decoding: div))
        }
        value(member.value, to: &writer)
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
        writer.identifier(HandoverReference.isAbsolute(text) ? HandoverOrigin.Author.uris : nil, text)
    }
}
