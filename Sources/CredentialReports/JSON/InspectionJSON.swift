import Containers
import Credentials
import Encodings

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
        case .card(let card): Self.write(card, to: &writer)
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

    private static func write(_ card: CredentialInspection, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("source", card.presented.source)
            writer.member("inputKind", card.presented.form?.rawValue)
            writer.member("verified", false)
            writer.member("problem", card.failure, message: \.message)
            writer.name("header")
            writer.value(card.header)
            writer.name("payload")
            writer.value(card.payload)
            writer.member("signatureLength", card.signatureLength)
        }
    }
}
