import Encodings

/// What a schema says of a value, together with the definitions that it refers to.
struct SchemaPart {
    /// The schema, and those that it refers to. The value fulfils all.
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

    /// The members: those that are always there, as they follow each other in the output, then the others.
    var members: [(name: String, isRequired: Bool, schema: SchemaPart?)] {
        let listed = parts.flatMap { $0["properties"]?.members.map { $0.map(\.name) } ?? [] }
        let required = parts.flatMap { $0["required"]?.elements.map { $0.compactMap(\.string) } ?? [] }
        var seen: Set<UTF8Text> = []
        return (required.filter { listed.contains($0) } + listed).filter { seen.insert($0).inserted }.map { name in
            let found = parts.lazy.compactMap { $0["properties"]?[name.description] }.first
            return (name.description, required.contains(name), found.map { SchemaPart($0, in: definitions) })
        }
    }

    /// What the schema says of the elements of an array; nil if it says nothing.
    var items: SchemaPart? { self["items"].map { SchemaPart($0, in: definitions) } }

    /// The name of the definition, if the schema is that definition, with no more than a description of its own.
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
