import ArgumentParser
import CredentialReports

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
