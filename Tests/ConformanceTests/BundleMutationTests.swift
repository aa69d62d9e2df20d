import Credentials
import Encodings
import SMARTHealthCards
import TestSupport
import Testing

@testable import Conformance

/// Lint completes for Bundles with random damage.
struct BundleMutationTests {
    private static let fragments = [
        "null", "[]", "{}", "\"\"", "\"a\"", "0", "-1.5e3", "true", "[null]", "[[]]", "{\"extension\":[{}]}",
        "{\"resourceType\":\"Patient\"}", "{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{}}]}",
        "\"resource:0\"",
        "\"resource:99999999999999999999\"", "\"\\u0000\"", "\"2021-02-30\"", "{\"\":{}}", "{\"_\":{}}",
        "{\"coding\":[{\"display\":\"a\"}],\"text\":\"b\"}", "{\"reference\":\"Patient/1\"}", "\"<div\"",
    ]
    private static let names = [
        "", "_", "__", "_status", "id", "_id", "url", "extension", "value", "valueString", "_valueString", "contained",
        "resource", "resourceType", "text", "div", "status", "meta", "coding", "display", "reference", "name", "given",
        "_given", "entry", "fullUrl", "x", "value[x]", "\\u212a",
    ]

    private static func values(_ value: JSONValue) -> [JSONValue] {
        [value] + (value.members?.flatMap { values($0.value) } ?? []) + (value.elements?.flatMap { values($0) } ?? [])
    }

    private func mutated(_ text: [UInt8], using random: inout SeededGenerator) throws -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let values = Self.values(try JSONDocument.parse(text))
            let value = try #require(values.randomElement(using: &random))
            let other = try #require(values.randomElement(using: &random))
            let fragment = Array(try #require(Self.fragments.randomElement(using: &random)).utf8)
            let old = Array(value.rawBytes)
            let new: [UInt8]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: new = Array("[".utf8) + old + Array("]".utf8)
            case 1:
                let name = try #require(Self.names.randomElement(using: &random))
                new = Array("{\"\(name)\":".utf8) + old + Array("}".utf8)
            case 2: new = Array(other.rawBytes)
            case 3 where value.kind == .object:
                let name = try #require(Self.names.randomElement(using: &random))
                let rest = value.members?.count == 0 ? "" : ","
                new = Array("{\"\(name)\":".utf8) + fragment + Array(rest.utf8) + old.dropFirst()
            case 4 where value.kind == .array && value.elements?.count != 0:
                new = Array("[".utf8) + fragment + Array(",".utf8) + old.dropFirst()
            default: new = fragment
            }
            var changed = text
            changed.replaceSubrange(value.byteRange, with: new)
            // Keep the change only if the JSON is still acceptable (no member twice) and not too large.
            if changed.count < 100_000, (try? JSONDocument.parse(changed)) != nil { text = changed }
        }
        return text
    }

    static let seeds = RuleVector.all.filter { $0.rule.hasPrefix("fhir-schema-error/") && !$0.departs }.flatMap(\.files)

    @Test(arguments: [nil, "1.0.2"] as [UTF8Text?]) func lintsDamagedBundlesCompletely(fhirVersion: UTF8Text?)
        throws
    {
        var random = SeededGenerator(seed: 20_261_121)
        for _ in 0..<400 {
            let seed = try #require(Self.seeds.randomElement(using: &random))
            let text = try mutated(RuleVector.bytes(seed), using: &random)
            let value = try JSONDocument.parse(text)
            for problem in BundleWalk(value, fhirVersion: fhirVersion).problems {
                #expect(value.byteRange.contains(problem.value.byteRange.lowerBound))
                #expect(problem.message.utf8.count < 700)
                #expect(problem.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
            }
            for profile in [nil, LintPolicy.Profile.usaCOVID19Immunization] {
                #expect(try Bundles.findings(text, as: .bundle, profile: profile).count < 10_000)
            }
        }
    }

    @Test func manyProblemsOfOneKindDoNotHideOthers() throws {
        let unknown = (0..<3000).map { "\"a\($0)\":1" }.joined(separator: ",")
        let problems = try Bundles.walk(
            Bundles.text("{\"resourceType\":\"Basic\",\(unknown),\"subject\":{\"reference\":\"resource:7\"}}"))
        #expect(problems.count { $0.kind == .unknownElement } == BundleWalk.problemsOfKind)
        #expect(problems.count { $0.kind == .missingElement } == 1)
        #expect(problems.count { $0.kind == .openReference } == 1)
    }

    @Test(arguments: ["4.0.1", "4.0.0", "4.0", nil, "", "R4", "four"] as [UTF8Text?])
    func treatsVersionAsR4(_ version: UTF8Text?) {
        #expect(BundleWalk.isR4(version))
    }

    @Test(arguments: ["1.0.2", "3.0.1", "4.1.0", "4.3.0", "5.0.0", "4.00.1"]) func doesNotTreatVersionAsR4(
        _ version: UTF8Text
    ) {
        #expect(!BundleWalk.isR4(version))
    }
}
