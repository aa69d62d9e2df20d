import Foundation
import StrictJSON
import Testing

/// What a run printed as JSON, and the schema that it promises to follow.
struct PrintedJSON {
    /// The name of the schema.
    let schema: String
    private let isOfLines: Bool

    /// - Returns: nil if these arguments ask for nothing that has a schema.
    init?(_ arguments: [String]) {
        guard let first = arguments.first, !arguments.contains(where: { ["-h", "--help"].contains($0) }) else {
            return nil
        }
        let format = arguments.lastIndex { $0 == "--format" || $0.hasPrefix("--format=") }.map { place in
            let joined = arguments[place].split(separator: "=").dropFirst().first.map { String($0) }
            return joined ?? arguments.dropFirst(place + 1).first ?? ""
        }
        let asksForLines = arguments.contains { $0 == "--lines" || $0.hasPrefix("--lines=") }
        switch (first, format) {
        case ("batch", _):
            schema = arguments.contains { $0.hasPrefix("--fields") } ? "batch-fields" : "batch"
            isOfLines = true
        case ("lint", nil), ("lint", "text"), ("lint", "json"):
            guard asksForLines || format == "json" else { return nil }
            schema = asksForLines ? "lint-lines" : arguments.contains("--list") ? "lint-rules" : "lint"
            isOfLines = asksForLines
        case ("records", "ndjson"):
            schema = "records-lines"
            isOfLines = true
        case (_, "json"):
            switch first {
            case "records", "inspect", "status": schema = first
            case "codes": schema = "codes-show"
            case "directory": schema = "directory-" + (arguments.dropFirst().first ?? "")
            default: schema = "verify"
            }
            isOfLines = false
        default: return nil
        }
    }

    /// The schemas in the repository, by name.
    private static let validators: [String: SchemaValidator] = {
        let folder = Paths.root.appendingPathComponent("Schemas")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var validators: [String: SchemaValidator] = [:]
        for file in files where file.hasSuffix(".schema.json") {
            do {
                let text = try Paths.bytes(folder.appendingPathComponent(file).path)
                validators[file.replacing(".schema.json", with: "")] = try SchemaValidator(text)
            } catch {
                Issue.record("\(file): \(error)")
            }
        }
        return validators
    }()

    /// How many lines of an output are validated. Some tests print thousands of lines that are all alike.
    private static let maximumLines = 200

    /// The first departures of an output from its schema; none if there is no output.
    func problems(in output: String) -> [String] {
        guard let validator = Self.validators[schema] else { return ["there is no schema \(schema)"] }
        let texts =
            isOfLines
            ? output.utf8.split(separator: 0x0A, maxSplits: Self.maximumLines).prefix(Self.maximumLines).map {
                Array($0)
            }
            : [Array(output.utf8)]
        var problems: [String] = []
        for (number, text) in texts.enumerated() where !text.isEmpty && problems.isEmpty {
            guard let value = try? JSONDocument.parse(text) else { return ["line \(number + 1) is not JSON"] }
            problems = validator.problems(of: value)
        }
        return problems
    }
}
