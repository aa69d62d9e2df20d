import Encodings

/// Checks a SARIF log against the schema of version 2.1.0, as far as our logs use it: required and allowed members,
/// enumerations, minimum values, and indices.
struct SARIFLog {
    private(set) var problems: [String] = []

    /// An object of the schema: its allowed members by type, and its required members.
    private struct Shape: Sendable {
        let members: [String: Kind]
        let required: [String]
    }

    private indirect enum Kind: Sendable {
        case string, uri, boolean, anything
        case integer(least: Int64)
        case oneOf([String])
        case object(String)
        case array(Kind)
    }

    private static let shapes: [String: Shape] = [
        "log": Shape(
            members: ["$schema": .uri, "version": .oneOf(["2.1.0"]), "runs": .array(.object("run"))],
            required: ["version", "runs"]),
        "run": Shape(
            members: [
                "tool": .object("tool"), "invocations": .array(.object("invocation")),
                "columnKind": .oneOf(["utf16CodeUnits", "unicodeCodePoints"]), "results": .array(.object("result")),
            ], required: ["tool"]),
        "tool": Shape(members: ["driver": .object("toolComponent")], required: ["driver"]),
        "toolComponent": Shape(
            members: [
                "name": .string, "version": .string, "semanticVersion": .string,
                "rules": .array(.object("reportingDescriptor")),
            ], required: ["name"]),
        "reportingDescriptor": Shape(
            members: [
                "id": .string, "shortDescription": .object("multiformatMessageString"),
                "fullDescription": .object("multiformatMessageString"), "help": .object("multiformatMessageString"),
                "helpUri": .uri, "defaultConfiguration": .object("reportingConfiguration"),
                "properties": .object("propertyBag"),
            ], required: ["id"]),
        "reportingConfiguration": Shape(
            members: ["level": .oneOf(["none", "note", "warning", "error"])], required: []),
        "multiformatMessageString": Shape(members: ["text": .string], required: ["text"]),
        "message": Shape(members: ["text": .string], required: ["text"]),
        "propertyBag": Shape(
            members: [
                "tags": .array(.string), "problem.severity": .string, "card": .integer(least: 0), "layer": .string,
                "offset": .integer(least: 0),
            ], required: []),
        "invocation": Shape(
            members: [
                "executionSuccessful": .boolean, "exitCode": .integer(least: 0),
                "toolExecutionNotifications": .array(.object("notification")),
            ], required: ["executionSuccessful"]),
        "notification": Shape(
            members: [
                "level": .oneOf(["none", "note", "warning", "error"]), "message": .object("message"),
                "locations": .array(.object("location")),
            ], required: ["message"]),
        "result": Shape(
            members: [
                "ruleId": .string, "ruleIndex": .integer(least: 0), "kind": .oneOf(["open", "fail"]),
                "level": .oneOf(["none", "note", "warning", "error"]),
                "message": .object("message"), "locations": .array(.object("location")),
                "partialFingerprints": .anything, "properties": .object("propertyBag"),
            ], required: ["message", "ruleId", "ruleIndex", "level", "locations", "partialFingerprints"]),
        "location": Shape(
            members: [
                "physicalLocation": .object("physicalLocation"), "logicalLocations": .array(.object("logicalLocation")),
            ], required: ["physicalLocation"]),
        "physicalLocation": Shape(
            members: ["artifactLocation": .object("artifactLocation"), "region": .object("region")],
            required: ["artifactLocation"]),
        "artifactLocation": Shape(members: ["uri": .uri], required: ["uri"]),
        "region": Shape(
            members: ["startLine": .integer(least: 1), "startColumn": .integer(least: 1)], required: ["startLine"]),
        "logicalLocation": Shape(members: ["fullyQualifiedName": .string], required: ["fullyQualifiedName"]),
    ]

    init(_ log: JSONValue) {
        check(log, .object("log"), at: "")
        for run in Self.list(log["runs"]?.elements) { check(run: run) }
    }

    private mutating func check(_ value: JSONValue, _ kind: Kind, at path: String) {
        let isFine: Bool
        switch kind {
        case .anything: isFine = value.kind == .object
        case .string: isFine = value.words?.isEmpty == false
        case .boolean: isFine = value.boolean != nil
        case .uri: isFine = value.words.map(Self.isURI) ?? false
        case .integer(let least): isFine = value.number?.integer.map { $0 >= least } ?? false
        case .oneOf(let names): isFine = value.words.map(names.contains) ?? false
        case .array(let element):
            isFine = value.elements != nil
            for (index, child) in Self.list(value.elements).enumerated() {
                check(child, element, at: "\(path)/\(index)")
            }
        case .object(let name):
            isFine = value.kind == .object
            guard let shape = Self.shapes[name] else { return problems.append("\(path): no such shape") }
            for member in shape.required where value[member] == nil { problems.append("\(path): lacks \(member)") }
            for (member, child) in Self.list(value.members) {
                guard let kind = shape.members[member.description] else {
                    problems.append("\(path): has \(member)")
                    continue
                }
                check(child, kind, at: "\(path)/\(member)")
            }
        }
        if !isFine { problems.append("\(path): is \(value.compact)") }
    }

    private static func list<Values: Sequence>(_ values: Values?) -> [Values.Element] { values.map { Array($0) } ?? [] }

    /// A URI or a relative reference (RFC 3986). Its first segment has no colon unless it is a scheme.
    private static func isURI(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty,
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) })
        else { return false }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            let digits = bytes[(index + 1)...].prefix(2)
            guard digits.count == 2, digits.allSatisfy({ "0123456789ABCDEF".utf8.contains($0) }) else { return false }
        }
        let segment = text.prefix { $0 != "/" }
        return !segment.contains(":") || ["https:", "http:", "file:"].contains(String(segment))
    }

    /// Checks that the schema cannot express: matching indices and levels, and no two results with the same
    /// fingerprint.
    private mutating func check(run: JSONValue) {
        let rules = Self.list(run.at("/tool/driver/rules")?.elements)
        let ids = rules.compactMap { $0["id"]?.words }
        if Set(ids).count != ids.count { problems.append("a rule is there twice") }
        var fingerprints: Set<String> = []
        for result in Self.list(run["results"]?.elements) {
            let index = result["ruleIndex"]?.number?.integer.map { Int($0) } ?? -1
            if !ids.indices.contains(index) || ids[index] != result["ruleId"]?.words {
                problems.append("ruleIndex \(index) is not \(result["ruleId"]?.compact ?? "")")
            }
            // A kind other than "fail" has no level (§3.27.10).
            if result["kind"]?.words == "open", result["level"]?.words != "none" {
                problems.append("open with a level")
            }
            let fingerprint = result["partialFingerprints"]?.compact ?? ""
            if !fingerprints.insert(fingerprint).inserted { problems.append("\(fingerprint) is there twice") }
            // A single brace would be a placeholder (§3.11.5).
            let text = result.at("/message/text")?.words ?? ""
            let single = text.replacing("{{", with: "").replacing("}}", with: "")
            if single.contains("{") || single.contains("}") || text.contains("](") {
                problems.append("\(text) is more than text")
            }
        }
    }
}
