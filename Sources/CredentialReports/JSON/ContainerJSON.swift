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
    /// Writes the member of a card that says where it was.
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
