import Cryptography
import StrictJSON

/// The Patients of a run that are one person for the receiver: of different cards with the same trust, and equal member by member.
///
/// Nobody is matched. A name and a date of birth are shared by many people, so only what is equal as a whole counts, and nothing that
/// nobody signed.
struct HandoverPatients {
    /// What all Patients have in common that are one.
    private struct Identity: Hashable {
        let trust: HandoverTrust
        let content: [UInt8]
    }

    /// The entry that stands for a Patient, by the id of the Patient. Others stand for themselves.
    private(set) var chosen: [NameBasedUUID: NameBasedUUID] = [:]

    init(_ sources: [HandoverSource]) {
        var groups: [Identity: [NameBasedUUID]] = [:]
        // If one card has a Patient twice, such as twins without a name, nobody can tell which of them another card means.
        var ambiguous: Set<Identity> = []
        for source in sources where source.trust != .unsigned {
            var own: Set<Identity> = []
            for entry in source.entries where entry.type == "Patient" {
                guard let resource = entry.resource, !Self.hasReference(resource) else { continue }
                let identity = Identity(trust: source.trust, content: Self.content(of: resource))
                if !own.insert(identity).inserted { ambiguous.insert(identity) }
                groups[identity, default: []].append(entry.id)
            }
        }
        for (identity, ids) in groups where ids.count > 1 && !ambiguous.contains(identity) {
            guard let lowest = ids.min() else { continue }
            for id in ids { chosen[id] = lowest }
        }
    }

    /// The id of the entry that stands for a resource.
    subscript(id: NameBasedUUID) -> NameBasedUUID { chosen[id] ?? id }

    private static func hasReference(_ value: JSONValue) -> Bool {
        if let members = value.members {
            return members.contains { $0.name == "reference" || hasReference($0.value) }
        }
        return value.elements?.contains(where: hasReference) ?? false
    }

    /// A resource without its id and labels, with members in the order of their names. Numbers stay as they are written.
    private static func content(of resource: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        write(resource, to: &writer) { $0 != "id" && $0 != "meta" }
        return writer.bytes
    }

    private static func write(
        _ value: JSONValue, to writer: inout JSONWriter, where isCompared: (UTF8Text) -> Bool = { _ in true }
    ) {
        if let members = value.members {
            let sorted = members.filter { isCompared($0.name) }
                .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            writer.object { writer in
                for member in sorted {
                    writer.name(text: member.name.description)
                    write(member.value, to: &writer)
                }
            }
        } else if let elements = value.elements {
            writer.array { writer in for element in elements { write(element, to: &writer) } }
        } else if let string = value.string {
            // Without the escapes of the text.
            writer.value(string)
        } else {
            writer.value(value)
        }
    }
}
