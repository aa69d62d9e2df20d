import Foundation
import StrictJSON
import Testing

/// A vector: a command with its inputs, and the expected result.
struct Vector: Sendable, CustomTestStringConvertible {
    let id: String
    let mode: String
    let files: [String]
    let arguments: [String]
    let feed: String
    let exitCodes: [Int]
    /// The allowed reasons for the first card that did not verify; nil means that all cards verified.
    let reasons: [String?]
    let pointers: [(pointer: String, value: JSONValue)]
    let bundle: String?
    let stderrContains: [String]
    /// Codes that lint must find. Each entry is a list of alternatives.
    let mustFind: [[String]]
    /// Codes that lint must not find.
    let mustNotFind: [String]

    var testDescription: String { id }

    /// Reads an entry of an index. Its paths are relative to `folder`.
    init?(_ entry: JSONValue, in folder: URL) {
        guard let id = entry["id"]?.words, let mode = entry["mode"]?.words, let expect = entry["expect"] else {
            return nil
        }
        let path = { (relative: String) in folder.appendingPathComponent(relative).path }
        self.id = id
        self.mode = mode
        files = entry["files"]?.elements?.compactMap { $0.words.map(path) } ?? []
        arguments =
            entry["args"]?.elements?.compactMap { argument in
                guard let text = argument.words, let open = text.firstIndex(of: "{"), text.hasSuffix("}") else {
                    return argument.words
                }
                return text[..<open] + path(String(text[text.index(after: open)...].dropLast()))
            } ?? []
        feed = entry["feed"]?.words ?? "paths"
        exitCodes = expect["exit"].map(Self.list)?.compactMap { $0.number?.integer.map { Int($0) } } ?? []
        let allowed = expect["reason"] ?? expect["reasons"]
        reasons = allowed.map(Self.list)?.map(\.words) ?? [nil]
        pointers = expect["json"]?.members?.map { ($0.name.description, $0.value) } ?? []
        bundle = expect["bundle"]?.words
        stderrContains = expect["stderrContains"].map(Self.list)?.compactMap(\.words) ?? []
        let findings = { (name: String) in expect["findings"]?[name]?.elements?.compactMap(\.words) ?? [] }
        mustFind = findings("must").map { $0.split(separator: "|").map { String($0) } }
        mustNotFind = findings("mustNot")
    }

    private static func list(_ value: JSONValue) -> [JSONValue] { value.elements.map { Array($0) } ?? [value] }

    /// All vectors of an index.
    static func all(_ index: URL, member: String, folder: URL) -> [Vector] {
        guard let data = try? Data(contentsOf: index), let document = try? JSONDocument.parse(Array(data)) else {
            return []
        }
        return document[member]?.elements?.compactMap { Vector($0, in: folder) } ?? []
    }

    /// Runs the vector with `--format json`.
    func run() async throws -> Shcverify.Result {
        var command = [mode]
        var stdin: [UInt8] = []
        switch feed {
        case "qr":
            for file in files { command += ["--qr", String(decoding: try Paths.bytes(file), as: UTF8.self)] }
        case "lines":
            stdin = Array(try files.map { try Paths.bytes($0) }.joined(separator: [0x0A]))
            command.append("-")
        case "stdin":
            stdin = try Paths.bytes(files[0])
            command.append("-")
        default: command += files
        }
        return try await Shcverify.run(command + arguments + ["--format", "json"], stdin: stdin)
    }
}

extension JSONValue {
    /// The value at a JSON pointer (RFC 6901) without escapes; nil if there is none.
    func at(_ pointer: String) -> JSONValue? {
        pointer.split(separator: "/").reduce(self as JSONValue?) { value, step in
            if let elements = value?.elements {
                guard let index = Int(step), index < elements.count else { return nil }
                return Array(elements)[index]
            }
            return value?[String(step)]
        }
    }

    /// The value as JSON on one line, with its digits and order unchanged.
    var compact: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
