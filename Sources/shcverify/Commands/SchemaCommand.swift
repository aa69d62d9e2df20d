import ArgumentParser
import CredentialReports
import Encodings

/// `shcverify schema [NAME]`: prints the JSON Schema of an output.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("schema")

    @Argument(help: .of("name.schema"), completion: .list(OutputSchema.allCases.map(\.rawValue))) var name: String?

    @Option(help: ArgumentHelp(SchemaFormat.help)) var format = SchemaFormat.json

    func run() throws {
        guard let name else {
            let width = OutputSchema.allCases.map(\.rawValue.utf8.count).max() ?? 0
            let lines = OutputSchema.allCases.map { schema in
                let space = String(repeating: " ", count: width + 2 - schema.rawValue.utf8.count)
                return "\(schema.rawValue)\(space)\(schema.summary)\n"
            }
            return try StandardStreams.write(Array(lines.joined().utf8))
        }
        guard let schema = OutputSchema.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
            let meant =
                name.utf8.count <= 30
                ? CommandSuggestion.nearest(to: name, among: OutputSchema.allCases.map(\.rawValue)) : nil
            let hint = meant.map { " Did you mean \"\($0)\"?" } ?? ""
            throw ValidationError("There is no such schema.\(hint) \"shcverify schema\" lists them all.")
        }
        guard let text = schema.text(as: format) else {
            throw ValidationError(
                "The output of \(schema.rawValue) is one document, not a table: \(format.rawValue) is for outputs with one object per line."
            )
        }
        try StandardStreams.write(Array(text.utf8))
    }
}

/// The members of the program's JSON, as the schemas describe them.
enum SchemaMember {
    /// What the schemas say about a member; nil if none has it.
    ///
    /// - Parameter name: the member's name, in its exact case.
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
