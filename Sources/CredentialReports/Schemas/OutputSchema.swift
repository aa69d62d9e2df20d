/// The JSON Schemas (draft 2020-12) of what the program prints as JSON.
///
/// Schemas/ has them as files. `Scripts/generate-schemas.py` makes the parts of the texts from those, each part once.
public enum OutputSchema: String, Sendable, CaseIterable {
    case verify, batch
    case batchFields = "batch-fields"
    case records
    case recordsLines = "records-lines"
    case lint
    case lintLines = "lint-lines"
    case lintRules = "lint-rules"
    case inspect
    case directoryShow = "directory-show"
    case directoryAudit = "directory-audit"
    case directoryDiff = "directory-diff"
    case codesShow = "codes-show"
    case status

    /// The output that the schema describes, in a few words.
    public var summary: String {
        switch self {
        case .verify: "verify --format json, fetch-cards --format json"
        case .batch: "a line of batch"
        case .batchFields: "a line of batch --fields"
        case .records: "records --format json"
        case .recordsLines: "a line of records --format ndjson"
        case .lint: "lint --format json"
        case .lintLines: "a line of lint --lines"
        case .lintRules: "lint --list --format json"
        case .inspect: "inspect --format json"
        case .directoryShow: "directory show --format json"
        case .directoryAudit: "directory audit --format json"
        case .directoryDiff: "directory diff --format json"
        case .codesShow: "codes show --format json"
        case .status: "status --format json"
        }
    }

    /// The text of the schema, as in its file.
    public var text: String {
        let shared = definitions.map(\.text).joined(separator: ",\n")
        return body + (shared.isEmpty ? "" : ",\n  \"$defs\": {\n\(shared)\n  }") + "\n}\n"
    }
}
