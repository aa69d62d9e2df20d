import Encodings

/// The forms in which `shcverify schema` prints a schema.
package enum SchemaFormat: String, ReportFormat {
    case json, swift, duckdb, spark

    package var summary: String {
        switch self {
        case .json: "the JSON Schema"
        case .swift: "Codable types for a Swift program"
        case .duckdb: "the argument columns={…} of DuckDB's read_json"
        case .spark: "a schema in Spark's DDL"
        }
    }
}

extension OutputSchema {
    /// The schema in a form.
    ///
    /// - Returns: the text; nil if the output is not one JSON object per line, and so not a table.
    package func text(as format: SchemaFormat) -> String? {
        switch format {
        case .json: text
        case .swift: SwiftTypes(self).text
        case .duckdb: columns(in: .duckDB).map { "columns = {\n\($0)\n}\n" }
        case .spark: columns(in: .spark).map { $0 + "\n" }
        }
    }

    /// A line for each column of the table that the output's lines form; nil if the output is not one JSON object per line.
    private func columns(in language: TypeLanguage) -> String? {
        guard [.batch, .batchFields, .recordsLines, .lintLines].contains(self),
            case .structure(let columns) = TableType(part)
        else { return nil }
        return columns.map { language.column($0.name, language.name(of: $0.type)) }.joined(separator: ",\n")
    }
}

/// The type of a value in a table, from its description in a JSON Schema of this program.
///
/// A date may be partial (`2021`, `2021-06`), so it stays text. A value without fixed members stays JSON, as text.
private indirect enum TableType {
    case text, json, integer, boolean, time
    case list(TableType)
    case structure([(name: String, type: TableType)])

    init(_ schema: SchemaPart) {
        let members = schema.members
        if !members.isEmpty {
            self = .structure(members.map { ($0.name, $0.schema.map { TableType($0) } ?? .json) })
        } else if let items = schema.items {
            self = .list(TableType(items))
        } else {
            self = Self.plain(schema)
        }
    }

    /// The type of a value without known members.
    private static func plain(_ schema: SchemaPart) -> TableType {
        if schema["enum"] != nil { return .text }
        // All constants are numbers.
        if schema["const"] != nil { return .integer }
        if schema["pattern"]?.string.map({ isOfTime($0) }) == true { return .time }
        for type in schema.types {
            switch type {
            case "string": return .text
            case "integer": return .integer
            case "boolean": return .boolean
            default: continue
            }
        }
        return .json
    }

    private static func isOfTime(_ pattern: UTF8Text) -> Bool {
        pattern.utf8.starts(with: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T".utf8)
    }
}

/// How a database writes types. All names come from this program's schemas, so nothing in them needs escaping.
private struct TypeLanguage {
    /// The type of text, and of JSON: text in quotation marks is read without them, and any other value as its JSON.
    let text: String
    let time: String
    let column: (_ name: String, _ type: String) -> String
    let list: (_ element: String) -> String
    let member: (_ name: String, _ type: String) -> String
    let structure: (_ members: String) -> String

    static var duckDB: TypeLanguage {
        TypeLanguage(
            text: "VARCHAR", time: "TIMESTAMPTZ", column: { "  '\($0)': '\($1)'" }, list: { "\($0)[]" },
            member: { "\"\($0)\" \($1)" }, structure: { "STRUCT(\($0))" })
    }

    static var spark: TypeLanguage {
        TypeLanguage(
            text: "STRING", time: "TIMESTAMP", column: { "`\($0)` \($1)" }, list: { "ARRAY<\($0)>" },
            member: { "`\($0)`: \($1)" }, structure: { "STRUCT<\($0)>" })
    }

    func name(of type: TableType) -> String {
        switch type {
        case .text, .json: text
        case .integer: "BIGINT"
        case .boolean: "BOOLEAN"
        case .time: time
        case .list(let element): list(name(of: element))
        case .structure(let members):
            structure(members.map { member($0.name, name(of: $0.type)) }.joined(separator: ", "))
        }
    }
}
