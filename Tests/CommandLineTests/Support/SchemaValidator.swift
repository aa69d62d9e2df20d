import Foundation
import StrictJSON

/// Validates JSON by a schema of draft 2020-12. It knows just the keywords that the program's schemas use.
///
/// The published schemas allow further members, since a later version may add some. This validator does not: the members that a schema
/// names are all that there are, as if it had "unevaluatedProperties": false for each object of which it names members.
struct SchemaValidator: Sendable {
    /// A keyword or a reference in a schema that this validator does not know.
    struct Unknown: Error {
        let name: String
    }

    private let rule: Rule

    /// - Parameter text: the schema.
    init(_ text: [UInt8]) throws {
        let root = try JSONDocument.parse(text)
        rule = try Rule(root, definitions: root["$defs"])
    }

    /// The departures of a value from the schema, each with its place.
    func problems(of value: JSONValue) -> [String] {
        var problems: [String] = []
        rule.check(value, at: "", &problems)
        return problems
    }
}

/// A schema, with the definitions that it refers to.
private struct Rule: Sendable {
    private var types: [String]?
    private var allowed: [String]?
    private var pattern: NSRegularExpression?
    private var minimum = Int64.min
    private var maximum = Int64.max
    private var counts: ClosedRange<Int64> = 0...Int64.max
    private var required: [String] = []
    private var properties: [(name: String, rule: Rule)] = []
    private var elements: [Rule] = []
    /// The schemas that hold for the same value.
    private var parts: [Rule] = []

    private static let annotations: Set = ["$schema", "$id", "$defs", "title", "description"]

    init(_ schema: JSONValue, definitions: JSONValue?) throws {
        guard let members = schema.members else { throw SchemaValidator.Unknown(name: schema.compact) }
        for member in members {
            let (name, value) = (member.name.description, member.value)
            let texts = value.elements?.compactMap(\.words) ?? []
            let number = value.number?.integer ?? 0
            switch name {
            case "$ref":
                let target = value.words?.split(separator: "/").last.flatMap { definitions?[String($0)] }
                guard let target else { throw SchemaValidator.Unknown(name: value.compact) }
                parts.append(try Rule(target, definitions: definitions))
            case "allOf": for part in Array(value.elements!) { parts.append(try Rule(part, definitions: definitions)) }
            case "type": types = value.words.map { [$0] } ?? texts
            case "enum": allowed = value.elements?.map(\.compact)
            case "const": allowed = [value.compact]
            case "pattern": pattern = try NSRegularExpression(pattern: value.words!)
            case "minimum": minimum = number
            case "maximum": maximum = number
            case "minItems": counts = number...counts.upperBound
            case "maxItems": counts = counts.lowerBound...number
            case "required": required = texts
            case "items": elements = [try Rule(value, definitions: definitions)]
            case "properties":
                for property in value.members! {
                    let rule = try Rule(property.value, definitions: definitions)
                    properties.append((property.name.description, rule))
                }
            default: guard Self.annotations.contains(name) else { throw SchemaValidator.Unknown(name: name) }
            }
        }
        names = parts.reduce(into: Set(properties.map(\.name))) { $0.formUnion($1.names) }
    }

    /// The names of the members, also in the schemas that hold for the same value.
    private var names: Set<String> = []

    /// Checks a value, and that it has no members that are not named.
    func check(_ value: JSONValue, at path: String, _ problems: inout [String]) {
        checkPart(value, at: path, &problems)
        guard !names.isEmpty, let members = value.members else { return }
        for member in members where !names.contains(member.name.description) {
            problems.append("\(path)/\(member.name): the schema does not name this member")
        }
    }

    private func checkPart(_ value: JSONValue, at path: String, _ problems: inout [String]) {
        for part in parts { part.checkPart(value, at: path, &problems) }
        if let types, !types.contains(where: { Self.isOfType($0, value) }) {
            problems.append("\(path): not of type \(types.joined(separator: ", "))")
        }
        if let allowed, !allowed.contains(value.compact) { problems.append("\(path): none of \(allowed)") }
        if let text = value.words, let pattern {
            let range = NSRange(location: 0, length: text.utf16.count)
            if pattern.firstMatch(in: text, range: range) == nil {
                problems.append("\(path): does not match \(pattern.pattern)")
            }
        }
        if let number = value.number?.integer, number < minimum || number > maximum {
            problems.append("\(path): \(number) is out of range")
        }
        if let list = value.elements {
            if !counts.contains(Int64(list.count)) { problems.append("\(path): \(list.count) elements") }
            for rule in elements {
                for (place, element) in list.enumerated() { rule.check(element, at: "\(path)/\(place)", &problems) }
            }
        }
        guard value.members != nil else { return }
        for name in required where value[name] == nil { problems.append("\(path): no member \(name)") }
        for property in properties {
            guard let member = value[property.name] else { continue }
            property.rule.check(member, at: "\(path)/\(property.name)", &problems)
        }
    }

    private static func isOfType(_ type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "integer": value.kind == .number && value.number?.integer != nil
        case "null", "boolean", "string", "array", "object", "number": value.kind.rawValue == type
        default: false
        }
    }
}
