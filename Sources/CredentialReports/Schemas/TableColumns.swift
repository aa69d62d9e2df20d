import StrictJSON

/// The forms in which `shcverify schema` prints a schema.
public enum SchemaFormat: String, ReportFormat {
    case json, swift, duckdb, spark

    public var summary: String {
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
    /// - Returns: the text; nil if the output is not one JSON object per line, so that it is no table.
    public func text(as format: SchemaFormat) -> String? {
        switch format {
        case .json: text
        case .swift: SwiftTypes(self).text
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
        isOfLines ? TableType(part) : nil
    }
}

/// The type of a value in a table, as a JSON Schema of this program describes it.
///
/// A date may be partial (`2021`, `2021-06`), so it stays text. What has no fixed members stays JSON, as text.
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
