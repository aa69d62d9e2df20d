import Foundation
import StrictJSON
import TestSupport
import Testing

/// The JSON Schemas of what the program prints. `Shcverify.run` and the sessions validate every output of all other tests.
@Suite(.timeLimit(.minutes(30))) struct SchemaTests {
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
