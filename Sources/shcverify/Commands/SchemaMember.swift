import CredentialReports
import Encodings

/// The members of what the program prints as JSON, as its schemas describe them.
enum SchemaMember {
    /// What the schemas say about a member; nil if none has it.
    ///
    /// - Parameter name: the member's name, with its capitals.
    static func lines(named name: String) -> [String]? {
        var descriptions: [String] = []
        var places: [OutputSchema] = []
        for schema in OutputSchema.allCases {
            guard let root = try? JSONDocument.parse(Array(schema.text.utf8)) else { continue }
            let found = definitions(of: name, in: root)
            guard !found.isEmpty else { continue }
            places.append(schema)
            for text in found.compactMap({ $0["description"]?.string?.description }) where !descriptions.contains(text)
            {
                descriptions.append(text)
            }
        }
        guard !places.isEmpty else { return nil }
        return [name, "", "A member of JSON."] + descriptions + ["", "Outputs that have it, with the schema of each:"]
            + places.map { "  \($0.summary): shcverify schema \($0.rawValue)" }
    }

    /// All definitions of a member in a schema.
    private static func definitions(of name: String, in value: JSONValue) -> [JSONValue] {
        var found: [JSONValue] = []
        if let definition = value["properties"]?[name] { found.append(definition) }
        if let members = value.members {
            for member in members { found += definitions(of: name, in: member.value) }
        }
        if let elements = value.elements {
            for element in elements { found += definitions(of: name, in: element) }
        }
        return found
    }
}
