import Credentials
import SMARTHealthCards
import TestSupport
import Testing

@testable import Conformance

/// The examples of the specification, and broken examples of the developer tools.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct BundleExampleTests {
    static let forms = ["a-fhirBundle", "b-jws-payload-expanded", "c-jws-payload-minified"]

    private func bundleFindings(_ path: String, profile: LintPolicy.Profile? = nil) throws -> [Finding] {
        let codes = Set(Rule.bundleRules.map(\.id))
        return try Bundles.findings(SharedData.bytes(path), as: nil, profile: profile)
            .filter { codes.contains($0.rule.id) }
    }

    @Test(arguments: ["00", "01", "03"], forms) func findsNothingInTheExamples(number: String, form: String) throws {
        let path = "spec-examples/example-\(number)-\(form).json"
        #expect(try bundleFindings(path).map(\.message) == [])
        #expect(try bundleFindings(path, profile: .usaCOVID19Immunization).map(\.message) == [])
    }

    /// The references have the form Type/id, but the resources have no id.
    @Test(arguments: forms) func findsOnlyLongReferencesInThePatientSummary(form: String) throws {
        let findings = try bundleFindings("spec-examples/example-02-\(form).json")
        #expect(Set(findings.map(\.rule.id)) == ["fhir-schema-error/long-reference"])
        #expect(findings.count == 8)
    }

    @Test(arguments: [
        (
            "bad_meta_extra_key",
            ["fhir-schema-error/assurance-level", "fhir-schema-error/resource-id", "fhir-schema-error/resource-meta"]
        ),
        ("empty-values", ["fhir-schema-error/empty"]),
        ("occurrence-issues", ["fhir-schema-error/choice-of-types", "fhir-schema-error/missing-element"]),
    ]) func findsErrorsInBrokenExamples(name: String, rules: [String]) throws {
        let findings = try bundleFindings("cases/test-example-00-a-fhirBundle-\(name).json")
            .filter { $0.code == "fhir-schema-error" }
        #expect(Set(findings.map(\.rule.id)) == Set(rules))
    }

    @Test func findsLongReferencesAndAddresses() throws {
        let findings = try bundleFindings("cases/test-example-00-a-short-refs.json")
        #expect(
            Set(findings.map(\.rule.id)) == [
                "fhir-schema-error/full-url", "fhir-schema-error/long-reference",
            ])
        #expect(findings.filter { $0.severity == .error }.count == 5)
    }

    /// These payloads have errors, but their Bundles do not. The rules of the implementation guide may give warnings.
    @Test(arguments: [
        "00-b-jws-payload-expanded-expired", "00-b-jws-payload-expanded-missing-covid-vc-type",
        "00-b-jws-payload-expanded-missing-shc-vc-type", "00-b-jws-payload-expanded-nbf_not_yet_valid",
        "00-b-jws-payload-expanded-trailing_chars", "00-b-jws-payload-expanded-unknown-vc-types",
        "covid-lab-jwspayload-missing-lab-vc-type",
    ]) func findsNoErrorInTheBundlesOfBrokenPayloads(name: String) throws {
        let findings = try bundleFindings("cases/test-example-\(name).json")
        #expect(findings.filter { $0.severity == .error || $0.code == "fhir-schema-error" }.map(\.message) == [])
    }
}
