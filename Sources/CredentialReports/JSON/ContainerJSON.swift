import Containers
import Credentials
import Encodings

extension Container {
    /// The member of the document that lists the containers of this kind.
    var listName: StaticString {
        switch inputForm {
        case .link: "links"
        case .checkIn: "checkIns"
        default: "containers"
        }
    }

    /// Writes the members of an element of the list.
    func write(to writer: inout JSONWriter, by tool: Tool) {
        switch self {
        case let link as OpenedLink: link.write(to: &writer, by: tool) { _ in }
        case let checkIn as CheckIn: checkIn.write(to: &writer, by: tool)
        default:
            writer.member("source", source)
            writer.member("reason", reason) { tool.message(of: $0) }
            writer.member("warnings", warnings)
        }
    }
}

extension PlaceInContainer {
    /// Writes the member of a card that says where it was found.
    func write(to writer: inout JSONWriter) {
        let name: StaticString =
            switch container.inputForm {
            case .link: "link"
            case .checkIn: "checkIn"
            default: "container"
            }
        writer.object(name) { writer in
            writer.member("index", container.index)
            if let checkIn = container as? CheckIn {
                writer.member("artifact", item.flatMap { checkIn.artifacts[$0].id })
            } else {
                writer.member("file", item)
            }
        }
    }
}

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
            // Nobody looks for the attestation of an app in a check-in.
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

/// Decoded cards as one JSON document.
struct InspectionJSON: Report {
    private var writer: JSONWriter
    /// The links, which come after the cards.
    private var links: [(link: OpenedLink, opening: LinkClient.Opening)] = []

    init(to destination: Destination) {
        writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
    }

    mutating func begin(to sink: ReportSink) throws {
        writer.begin(.object)
        writer.member("schemaVersion", 1)
        writer.member("notice", InspectionFormat.notice)
        writer.name("cards")
        writer.begin(.array)
    }

    mutating func add(_ item: Inspection, to sink: ReportSink) throws {
        switch item {
        case .card(let card, let defects): Self.write(card, defects, to: &writer)
        case .link(let link, let opening): links.append((link, opening))
        }
        try sink(writer.take())
    }

    mutating func finish(to sink: ReportSink) throws {
        writer.end(.array)
        if !links.isEmpty {
            writer.objects("links", links) { inspection, writer in
                inspection.link.write(to: &writer, by: Tool(name: "shcverify", version: "")) { writer in
                    Self.write(inspection.opening, to: &writer)
                }
            }
        }
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }

    /// Writes the members that only an inspection has. The key itself is never written.
    private static func write(_ opening: LinkClient.Opening, to writer: inout JSONWriter) {
        writer.member("verified", false)
        writer.member("url", opening.link.url)
        writer.object("key") { writer in
            writer.member("present", opening.link.keyLength != nil)
            writer.member("length", opening.link.keyLength)
        }
        writer.member("unknownMembers", opening.link.unknownMembers)
        guard opening.isFollowed else { return }
        writer.array("contents") { writer in
            for file in opening.files { writer.value(file.json) }
        }
    }

    private static func write(
        _ card: CredentialInspection, _ defects: [Inspection.Defect], to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("source", card.presented.source)
            writer.member("inputKind", card.presented.form?.rawValue)
            writer.member("verified", false)
            writer.member("problem", card.failure, message: \.message)
            writer.objects("defects", defects) { defect, writer in
                writer.member("code", defect.code)
                writer.member("rule", defect.rule)
                writer.member("message", defect.message)
                writer.member("layer", defect.layer)
                writer.member("path", defect.path)
                writer.member("offset", defect.offset)
            }
            writer.name("header")
            writer.value(card.header)
            writer.name("payload")
            writer.value(card.payload)
            writer.member("signatureLength", card.signatureLength)
        }
    }
}
