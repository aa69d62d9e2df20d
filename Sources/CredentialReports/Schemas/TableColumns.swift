import StrictJSON

/// The forms in which `shcverify schema` prints a schema.
public enum SchemaFormat: String, ReportFormat {
    case json, duckdb, spark

    public var summary: String {
        switch self {
        case .json: "the JSON Schema"
        case .duckdb: "the argument columns={…} of DuckDB's read_json"
        case .spark: "a schema in Spark's DDL"
        }
    }
}

extension OutputSchema {
    /// The schema in a form.
    ///
    /// - Returns: the text; nil if the output is not one JSON object per line, so that it is no table.
    public func text(as format: SchemaFormat) -> String? {
        switch format {
        case .json: text
        case .duckdb: TableColumns(self).map { "columns = {\n" + $0.lines(DuckDBTypes()) + "\n}\n" }
        case .spark: TableColumns(self).map { $0.lines(SparkTypes()) + "\n" }
        }
    }

    /// Whether the output is one JSON object per line.
    private var isOfLines: Bool {
        switch self {
        case .batch, .batchFields, .recordsLines, .lintLines: true
        case .verify, .records, .lint, .lintRules, .inspect, .directoryShow, .directoryAudit, .directoryDiff,
            .codesShow,
            .status:
            false
        }
    }

    /// The table that the lines of the output are.
    fileprivate var table: TableType? {
        guard isOfLines, let schema = try? JSONDocument.parse(Array(text.utf8)) else { return nil }
        return TableType(schema, in: schema["$defs"])
    }
}

/// The type of a value in a table, as a JSON Schema of this program describes it.
///
/// A date may be partial (`2021`, `2021-06`), so it stays text. What has no fixed members stays JSON, as text.
private indirect enum TableType {
    case text, json, integer, boolean, time
    case list(TableType)
    case structure([(name: String, type: TableType)])

    init(_ schema: JSONValue, in definitions: JSONValue?) {
        let parts = Self.parts(of: schema, in: definitions)
        let names = Self.order(of: parts)
        if !names.isEmpty {
            self = .structure(
                names.map { name in
                    let found = parts.lazy.compactMap { $0["properties"]?[name.description] }.first
                    return (name.description, found.map { TableType($0, in: definitions) } ?? .json)
                })
        } else if let items = parts.lazy.compactMap({ $0["items"] }).first {
            self = .list(TableType(items, in: definitions))
        } else {
            self = Self.plain(parts)
        }
    }

    /// The schema and those that it refers to, of which the value fulfils all.
    private static func parts(of schema: JSONValue, in definitions: JSONValue?) -> [JSONValue] {
        var parts = [schema]
        if let name = schema["$ref"]?.string?.description.split(separator: "/").last,
            let definition = definitions?[String(name)]
        {
            parts += Self.parts(of: definition, in: definitions)
        }
        for part in schema["allOf"]?.elements.map({ Array($0) }) ?? [] {
            parts += Self.parts(of: part, in: definitions)
        }
        return parts
    }

    /// The names of the members: those that are always there, as they follow each other in the output, then the others.
    private static func order(of parts: [JSONValue]) -> [UTF8Text] {
        let listed = parts.flatMap { $0["properties"]?.members.map { $0.map(\.name) } ?? [] }
        let required = parts.flatMap { $0["required"]?.elements.map { $0.compactMap(\.string) } ?? [] }
        var seen: Set<UTF8Text> = []
        return (required.filter { listed.contains($0) } + listed).filter { seen.insert($0).inserted }
    }

    /// The type of a value without known members.
    private static func plain(_ parts: [JSONValue]) -> TableType {
        if parts.contains(where: { $0["enum"] != nil }) { return .text }
        // All constants are numbers.
        if parts.contains(where: { $0["const"] != nil }) { return .integer }
        if parts.contains(where: { $0["pattern"]?.string.map { isOfTime($0) } == true }) { return .time }
        for part in parts {
            let types = part["type"]?.elements.map { Array($0) } ?? part["type"].map { [$0] } ?? []
            for type in types {
                if type.isString("string") { return .text }
                if type.isString("integer") { return .integer }
                if type.isString("boolean") { return .boolean }
            }
        }
        return .json
    }

    private static func isOfTime(_ pattern: UTF8Text) -> Bool {
        pattern.utf8.starts(with: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T".utf8)
    }
}

/// The columns of the table that the lines of an output are.
private struct TableColumns {
    private let columns: [(name: String, type: TableType)]

    /// Fails if the output is no table.
    init?(_ schema: OutputSchema) {
        guard case .structure(let columns) = schema.table else { return nil }
        self.columns = columns
    }

    /// A line for each column.
    func lines(_ language: some TypeLanguage) -> String {
        columns.map { language.column($0.name, language.name(of: $0.type)) }.joined(separator: ",\n")
    }
}

/// How a database writes types. All names come from this program's schemas, so nothing in them has to be escaped.
private protocol TypeLanguage {
    func column(_ name: String, _ type: String) -> String
    func name(of type: TableType) -> String
}

private struct DuckDBTypes: TypeLanguage {
    func column(_ name: String, _ type: String) -> String { "  '\(name)': '\(type)'" }

    func name(of type: TableType) -> String {
        switch type {
        // Text in quotation marks is read without them, and any other value as its JSON.
        case .text, .json: "VARCHAR"
        case .integer: "BIGINT"
        case .boolean: "BOOLEAN"
        case .time: "TIMESTAMPTZ"
        case .list(let element): name(of: element) + "[]"
        case .structure(let members):
            "STRUCT(\(members.map { "\"\($0.name)\" \(name(of: $0.type))" }.joined(separator: ", ")))"
        }
    }
}

private struct SparkTypes: TypeLanguage {
    func column(_ name: String, _ type: String) -> String { "`\(name)` \(type)" }

    func name(of type: TableType) -> String {
        switch type {
        case .text, .json: "STRING"
        case .integer: "BIGINT"
        case .boolean: "BOOLEAN"
        case .time: "TIMESTAMP"
        case .list(let element): "ARRAY<\(name(of: element))>"
        case .structure(let members):
            "STRUCT<\(members.map { "`\($0.name)`: \(name(of: $0.type))" }.joined(separator: ", "))>"
        }
    }
}
