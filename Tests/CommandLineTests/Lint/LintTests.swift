import Encodings
import Foundation

/// Inputs and options for tests of `lint`. The pages `lint.md` and `lint-lines.md` of Tests/Sessions have most of these tests.
enum LintTests {
    /// A genuine card without violations, and a card with a signature in DER.
    static let card = Paths.vector("cards/inputs/file.smart-health-card")
    static let broken = Paths.vector("cards/signature/der.jws")
    static let options = [
        "--offline", "--at", "2026-06-01T00:00:00Z", "--jwks", Paths.vector("keys/issuer-a.jwks.json"),
    ]

    static func lint(_ arguments: [String], stdin: [UInt8] = []) async throws -> Shcverify.Result {
        try await Shcverify.run(["lint"] + arguments, stdin: stdin)
    }

    static func json(_ arguments: [String], stdin: [UInt8] = []) async throws -> (JSONValue, Int32) {
        let result = try await lint(arguments + ["--format", "json"], stdin: stdin)
        return (try JSONDocument.parse(Array(result.stdout.utf8)), result.exitCode)
    }

    static func codes(_ document: JSONValue) -> [String] {
        document["findings"]?.elements?.compactMap { $0["code"]?.words } ?? []
    }
}
