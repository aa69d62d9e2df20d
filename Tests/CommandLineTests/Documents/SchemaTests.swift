import Foundation
import StrictJSON
import TestSupport
import Testing

/// The JSON Schemas of what the program prints. `Shcverify.run` validates every output of all other tests.
@Suite(.timeLimit(.minutes(10))) struct SchemaTests {
    private static let folder = Paths.root.appendingPathComponent("Schemas")
    private static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".schema.json") }.map { $0.replacing(".schema.json", with: "") }.sorted()

    private static func file(_ name: String) -> String {
        folder.appendingPathComponent("\(name).schema.json").path
    }

    @Test func allSchemasAreListed() async throws {
        let list = try await Shcverify.run(["schema"])
        let listed = list.stdout.split(separator: "\n").compactMap { $0.split(separator: " ").first.map { String($0) } }
        #expect(listed.sorted() == Self.names)
        #expect(Self.names.count > 10)
    }

    @Test(arguments: names) func programPrintsTheSchemasOfTheRepository(_ name: String) async throws {
        let result = try await Shcverify.run(["schema", name])
        #expect(result.exitCode == 0)
        #expect(Array(result.stdout.utf8) == (try Paths.bytes(Self.file(name))))
        let schema = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(schema["$schema"]?.words == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$id"]?.words == "urn:shcverify:schema:1:\(name)")
        #expect(schema["additionalProperties"] == nil && schema["unevaluatedProperties"] == nil)
    }

    @Test(arguments: [
        ("verfy", "Did you mean \"verify\"?"), ("no-such-schema", "lists them all"), ("", "lists them all"),
    ])
    func otherNameIs64(_ name: String, _ words: String) async throws {
        let result = try await Shcverify.run(["schema", name])
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains(words))
    }

    /// Documents are no tables.
    @Test(arguments: ["duckdb", "spark"]) func onlyLinesAreTables(_ format: String) async throws {
        for name in Self.names {
            let result = try await Shcverify.run(["schema", name, "--format", format])
            let isTable = ["batch", "batch-fields", "records-lines", "lint-lines"].contains(name)
            #expect(result.exitCode == (isTable ? 0 : 64), "\(name)")
            #expect(result.stdout.isEmpty != isTable)
            #expect(isTable || result.stderr.contains("not a table"))
        }
    }

    /// Every member of the schema is a column, and its type can hold what the schema allows.
    @Test(arguments: ["batch", "batch-fields", "records-lines", "lint-lines"])
    func columnsAreThoseOfTheSchema(_ name: String) async throws {
        let script = Paths.root.appendingPathComponent("Scripts/check-columns.py").path
        let result = try await Shcverify.run(
            ["-B", script, Shcverify.path, name], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
    }

    /// The validator of these tests finds what it has to find.
    @Test(arguments: [
        (#"{"a":1,"b":[],"c":null}"#, 0), (#"{"a":0}"#, 1), (#"{"a":1.5}"#, 1), (#"{"b":[]}"#, 1),
        (#"{"a":1,"d":2}"#, 1),
        (#"{"a":1,"b":[{"e":"x"}]}"#, 0), (#"{"a":1,"b":[{"e":"X"}]}"#, 1), (#"{"a":1,"b":[{"f":1}]}"#, 2),
        (#"{"a":1,"b":[{"e":"x"},{"e":"x"}]}"#, 1), (#"{"a":1,"c":{"any":1}}"#, 0), (#"{"a":1,"c":2}"#, 1), ("[]", 1),
        (#"{"a":1,"g":"two"}"#, 0), (#"{"a":1,"g":"three"}"#, 1), (#"{"a":9}"#, 1),
    ])
    func validatorKnowsItsKeywords(_ value: String, count: Int) throws {
        let schema = #"""
            {"type":"object","allOf":[{"$ref":"#/$defs/part"}],"required":["a"],"properties":{
              "b":{"type":"array","items":{"$ref":"#/$defs/item"},"maxItems":1},"c":{"type":["object","null"]},
              "g":{"enum":["one","two"]}},
             "$defs":{"part":{"properties":{"a":{"type":"integer","minimum":1,"maximum":8}}},
              "item":{"type":"object","required":["e"],"properties":{"e":{"type":"string","pattern":"^[a-z]+$"}}}}}
            """#
        let validator = try SchemaValidator(Array(schema.utf8))
        let problems = validator.problems(of: try JSONDocument.parse(Array(value.utf8)))
        #expect(problems.count == count, "\(problems)")
    }

    @Test func validatorRefusesUnknownKeywords() {
        for schema in [
            #"{"oneOf":[]}"#, #"{"properties":{"a":{"format":"date"}}}"#, ##"{"$ref":"#/$defs/a"}"##, "true",
        ] {
            #expect(throws: SchemaValidator.Unknown.self) { _ = try SchemaValidator(Array(schema.utf8)) }
        }
    }

    /// An independent implementation of JSON Schema accepts the schemas, and the outputs on all vectors.
    @Test func independentImplementationAgrees() async throws {
        let script = Paths.root.appendingPathComponent("Scripts/check-schemas.py").path
        let result = try await Shcverify.run(
            ["-B", script, Shcverify.path, Paths.vectors.path], executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(result.stdout.contains("valid"))
    }
}
