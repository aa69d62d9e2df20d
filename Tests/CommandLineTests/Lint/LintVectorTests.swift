import Foundation
import StrictJSON
import Testing

/// Runs the lint vectors that need options with the executable, which parses the options.
@Suite struct LintVectorTests {
    struct RuleVector: Sendable, CustomTestStringConvertible {
        let id: String
        let arguments: [String]
        let findings: [String]

        var testDescription: String { id }

        init?(_ entry: JSONValue) {
            let strings = { (name: String) in entry[name]?.elements?.compactMap(\.words) ?? [] }
            guard let id = entry["id"]?.words else { return nil }
            self.id = id
            arguments =
                strings("files").map { Paths.vector($0) }
                + strings("args").map { argument in
                    guard let begin = argument.firstIndex(of: "{"), argument.hasSuffix("}") else { return argument }
                    return argument[..<begin] + Paths.vector(String(argument[begin...].dropFirst().dropLast()))
                }
            findings = strings("findings")
        }
    }

    static let vectors: [RuleVector] = {
        guard let bytes = try? Paths.bytes(Paths.vector("lint.json")), let index = try? JSONDocument.parse(bytes) else {
            return []
        }
        let common = ["--offline", "--at", "--jwks"]
        return index["vectors"]?.elements?.compactMap { RuleVector($0) }.filter { vector in
            vector.arguments.contains { $0.hasPrefix("--") && !common.contains($0) }
        } ?? []
    }()

    @Test func thereAreVectors() {
        #expect(Self.vectors.count > 100)
    }

    @Test(arguments: vectors) func findsTheExpectedCodes(in vector: RuleVector) async throws {
        let (document, exitCode) = try await LintTests.json(vector.arguments)
        let findings = document["findings"]?.elements.map { Array($0) } ?? []
        // The command says of a link that nobody has opened it.
        let rules = Set(findings.compactMap { $0["rule"]?.words }).subtracting(["shlink-manifest-error/not-opened"])
        #expect(rules.sorted() == vector.findings)
        #expect(exitCode == (findings.contains { $0["severity"]?.words == "error" } ? 10 : 0))
    }
}
