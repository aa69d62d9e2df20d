import Encodings
import TestSupport

/// A vector in TestVectors/lint.json: the files to lint, and the rule that it is about. `VectorTests` runs them.
struct RuleVector: Sendable {
    let id: String
    let rule: String
    let departs: Bool
    let files: [String]

    static let all: [RuleVector] = {
        guard let bytes = try? bytes("lint.json"), let index = try? JSONDocument.parse(bytes) else { return [] }
        return index["vectors"]?.elements?.compactMap { RuleVector($0) } ?? []
    }()

    init?(_ entry: JSONValue) {
        guard let id = entry["id"]?.string, let rule = entry["rule"]?.string, let departs = entry["departs"]?.boolean
        else { return nil }
        let strings = { (name: String) in entry[name]?.elements?.compactMap(\.string?.description) ?? [] }
        self.id = id.description
        self.rule = rule.description
        self.departs = departs
        files = strings("files")
    }

    static func bytes(_ path: String) throws -> [UInt8] { try VectorFiles.bytes(path) }
}
