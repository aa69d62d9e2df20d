import CData
import Encodings

/// The JSON Schemas (draft 2020-12) of what the program prints as JSON.
///
/// Schemas/ has them as files, without the definitions that they refer to. Those are in one file, `definitions.json`.
package enum OutputSchema: String, Sendable, CaseIterable {
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
    package var summary: String {
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

    /// The text of the schema. It stands alone: the definitions that it needs follow its own text.
    package var text: String {
        let (definitions, own) = files
        var waiting = [own]
        var needed: Set<UTF8Text> = []
        while let value = waiting.popLast() {
            if let name = value.definition, needed.insert(UTF8Text(name)).inserted, let used = definitions[name] {
                waiting.append(used)
            }
            waiting += value.members.map { $0.map(\.value) } ?? value.elements.map { Array($0) } ?? []
        }
        // A definition is indented in its file as it is in a schema.
        let rows = definitions.members?.filter { needed.contains($0.name) }.map { definition in
            "    \"\(definition.name)\": " + String(decoding: definition.value.rawBytes, as: UTF8.self)
        }
        let body = String(decoding: own.rawBytes.dropLast("\n}".utf8.count), as: UTF8.self)
        return body + ",\n  \"$defs\": {\n" + (rows ?? []).joined(separator: ",\n") + "\n  }\n}\n"
    }

    /// The schema as a value.
    var part: SchemaPart { SchemaPart(files.own, in: files.definitions) }

    /// All definitions, and the schema without them. `CData` has the files as the elements of an array.
    var files: (definitions: JSONValue, own: JSONValue) {
        let id = "urn:shcverify:schema:1:\(rawValue)"
        // Unsafe: the file is constant.
        guard let files = try? JSONDocument.parse(Array(unsafe EmbeddedFile(data_schemas))).elements,
            let definitions = files.lazy.compactMap({ $0["$defs"] }).first,
            let own = files.first(where: { $0["$id"]?.isString(id) == true })
        else { preconditionFailure("the program has no schema \(rawValue)") }
        return (definitions, own)
    }
}
