import CData
import Encodings

/// The types of an output for a Swift program, made from the schema.
///
/// The definitions are types inside the type of the whole output, and so is everything that these types need (`Schemas/types.swift`).
/// Nothing else is declared, so a program may include the types of several outputs.
struct SwiftTypes {
    private let schema: OutputSchema
    /// The name of the type of the whole output, such as `VerifyOutput`.
    private let root: String

    init(_ schema: OutputSchema) {
        self.schema = schema
        root = Self.typeName(schema.rawValue) + "Output"
    }

    /// A file of Swift.
    var text: String {
        let (definitions, whole) = (schema.files.definitions, schema.part)
        var used: [String] = []
        var lines = Self.comment(on: whole) + declaration(of: whole, named: root, noting: &used)
        var inner: [String] = []
        var place = 0
        while place < used.count {
            if let definition = definitions[used[place]] {
                let part = SchemaPart(definition, in: definitions)
                inner += [""] + Self.comment(on: part)
                inner += declaration(of: part, named: Self.typeName(used[place]), noting: &used)
            }
            place += 1
        }
        lines.insert(contentsOf: inner.map(Self.indented), at: lines.count - 1)
        // Unsafe: the file is constant.
        let shared = String(decoding: Array(unsafe EmbeddedFile(data_swift_types)), as: UTF8.self)
        return "// Made by \"shcverify schema \(schema.rawValue) --format swift\".\n\n"
            + lines.joined(separator: "\n") + "\n\n" + shared.replacing("Root", with: root)
    }

    /// The lines that declare a type for values with known members, or for a value from a list.
    ///
    /// - Parameter used: the definitions that are types, in the order in which they were first needed.
    private func declaration(of part: SchemaPart, named name: String, noting used: inout [String]) -> [String] {
        if let values = Self.values(of: part) { return Self.enumeration(values, named: name) }
        var members: [String] = []
        var inner: [String] = []
        for member in part.members {
            guard let schema = member.schema else { continue }
            members += Self.comment(on: schema).map(Self.indented)
            var type = type(of: schema, named: member.name, noting: &used, inner: &inner)
            var wrapper = ""
            // JSON of any kind has a value for null.
            if schema.isNullable, type != "JSON" || !member.isRequired {
                wrapper = member.isRequired ? "@Nullable " : "@NullableIfPresent "
            }
            if !wrapper.isEmpty || !member.isRequired { type += "?" }
            members.append("    \(wrapper)public var \(member.name): \(type)")
        }
        return ["public struct \(name): Codable, Sendable {"] + members
            + inner.map(Self.indented) + ["}"]
    }

    /// The type of a member.
    ///
    /// - Parameter inner: declarations of types that only this member has.
    private func type(
        of part: SchemaPart, named name: String, noting used: inout [String], inner: inout [String]
    ) -> String {
        if let items = part.items {
            // The names of arrays are plurals.
            let singular = name.utf8.last == UInt8(ascii: "s") ? String(name.dropLast()) : name
            let element = type(of: items, named: singular, noting: &used, inner: &inner)
            return "[\(element)\(items.isNullable && element != "JSON" ? "?" : "")]"
        }
        guard Self.isDeclared(part) else {
            let names = ["string": "String", "integer": "Int", "boolean": "Bool"]
            // Constants that have no type are false.
            if part["const"] != nil { return "Bool" }
            return part.types.compactMap { names[$0] }.first ?? "JSON"
        }
        if let definition = part.definition {
            if !used.contains(definition) { used.append(definition) }
            return "\(root).\(Self.typeName(definition))"
        }
        let name = Self.typeName(name)
        inner += [""] + declaration(of: part, named: name, noting: &used)
        return name
    }

    private static func isDeclared(_ part: SchemaPart) -> Bool { values(of: part) != nil || !part.members.isEmpty }

    /// The values without null, if the schema lists them.
    private static func values(of part: SchemaPart) -> [JSONValue]? {
        if let constant = part["const"] { return constant.kind == .boolean ? nil : [constant] }
        return part["enum"]?.elements?.filter { !$0.isNull }
    }

    private static func enumeration(_ values: [JSONValue], named name: String) -> [String] {
        let isText = values.allSatisfy { $0.kind == .string }
        let cases = values.map { value in
            let raw = String(decoding: value.rawBytes, as: UTF8.self)
            let name = typeName(isText ? raw.lowercased() : "value-\(raw)")
            return "    case \(name.prefix(1).lowercased())\(name.dropFirst()) = \(raw)"
        }
        return ["public enum \(name): \(isText ? "String" : "Int"), Codable, Sendable {"] + cases
            + ["}"]
    }

    private static func comment(on part: SchemaPart) -> [String] {
        (part["description"] ?? part["title"])?.string.map { ["/// \($0)"] } ?? []
    }

    /// The words of a name, each with a capital letter.
    private static func typeName(_ name: String) -> String {
        name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func indented(_ line: String) -> String { line.isEmpty ? line : "    " + line }
}
