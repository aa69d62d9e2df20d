import CData
import Encodings

/// The JSON Schemas (draft 2020-12) of the program's JSON outputs.
///
/// Schemas/ has them as files, without the definitions that they refer to. `definitions.json` has those.
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

    /// The text of the schema. It is complete: the definitions that it needs follow its own text.
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
        // A definition has the same indentation in its file and in a schema.
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

/// What a schema says about a value, together with the definitions that it refers to.
struct SchemaPart {
    /// The schema, and those that it refers to. The value satisfies all of them.
    let parts: [JSONValue]
    private let definitions: JSONValue?

    init(_ schema: JSONValue, in definitions: JSONValue?) {
        parts = Self.parts(of: schema, in: definitions)
        self.definitions = definitions
    }

    private static func parts(of schema: JSONValue, in definitions: JSONValue?) -> [JSONValue] {
        var parts = [schema]
        if let name = schema.definition, let definition = definitions?[name] {
            parts += Self.parts(of: definition, in: definitions)
        }
        for part in schema["allOf"]?.elements.map({ Array($0) }) ?? [] {
            parts += Self.parts(of: part, in: definitions)
        }
        return parts
    }

    /// The members: first those that are always there, in the order of the output, then the others.
    var members: [(name: String, isRequired: Bool, schema: SchemaPart?)] {
        let listed = parts.flatMap { $0["properties"]?.members.map { $0.map(\.name) } ?? [] }
        let required = parts.flatMap { $0["required"]?.elements.map { $0.compactMap(\.string) } ?? [] }
        var seen: Set<UTF8Text> = []
        return (required.filter { listed.contains($0) } + listed).filter { seen.insert($0).inserted }.map { name in
            let found = parts.lazy.compactMap { $0["properties"]?[name.description] }.first
            return (name.description, required.contains(name), found.map { SchemaPart($0, in: definitions) })
        }
    }

    /// What the schema says about the elements of an array; nil if it says nothing.
    var items: SchemaPart? { self["items"].map { SchemaPart($0, in: definitions) } }

    /// The name of the definition, if the schema consists of it, with at most its own description.
    var definition: String? {
        guard parts[0]["properties"] == nil, parts[0]["allOf"] == nil else { return nil }
        return parts[0].definition
    }

    /// The first value of a keyword.
    subscript(keyword: String) -> JSONValue? { parts.lazy.compactMap { $0[keyword] }.first }

    /// The types that the value may have; empty if the schema does not say.
    var types: [String] { Self.words(self["type"]) }

    /// Whether the value may be null.
    var isNullable: Bool {
        parts.allSatisfy { part in
            guard part["const"] == nil else { return false }
            return Self.allowsNull(part["type"]) && Self.allowsNull(part["enum"])
        }
    }

    private static func allowsNull(_ list: JSONValue?) -> Bool {
        guard let list else { return true }
        return list.elements?.contains { $0.isNull || $0.isString("null") } == true
    }

    private static func words(_ value: JSONValue?) -> [String] {
        (value?.elements.map { Array($0) } ?? value.map { [$0] } ?? []).compactMap { $0.string?.description }
    }
}

extension JSONValue {
    /// The name of the definition that a schema refers to.
    var definition: String? { self["$ref"]?.string?.description.split(separator: "/").last.map(String.init) }
}
