import Credentials
import Foundation
import TestSupport
import Testing

@testable import Conformance

/// Makes a violation of each constraint in the source of HL7's guide, and compares what lint finds.
@Suite(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) struct GuideSourceTests {
    /// A kind of resource in a profile for Bundles, and its profile in the guide.
    struct Part: Sendable, CustomTestStringConvertible {
        let profile: LintPolicy.Profile
        let resource: String
        let id: String
        var testDescription: String { "\(id) in \(profile.rawValue)" }
    }

    static let parts: [Part] = [
        Part(profile: .vaccinationDM, resource: "Immunization", id: "shc-vaccination-dm"),
        Part(profile: .vaccinationAD, resource: "Immunization", id: "shc-vaccination-ad"),
        Part(profile: .vaccinationDM, resource: "Patient", id: "shc-patient-general-dm"),
        Part(profile: .vaccinationAD, resource: "Patient", id: "shc-patient-general-ad"),
        Part(profile: .vaccinationDM, resource: "Bundle", id: "shc-vaccination-bundle-dm"),
        Part(profile: .vaccinationAD, resource: "Bundle", id: "shc-vaccination-bundle-ad"),
        Part(
            profile: .covid19LaboratoryDM, resource: "Observation", id: "shc-covid19-laboratory-result-observation-dm"),
        Part(
            profile: .covid19LaboratoryAD, resource: "Observation", id: "shc-covid19-laboratory-result-observation-ad"),
        Part(profile: .covid19LaboratoryDM, resource: "Bundle", id: "shc-covid19-laboratory-bundle-dm"),
        Part(profile: .covid19LaboratoryAD, resource: "Bundle", id: "shc-covid19-laboratory-bundle-ad"),
        Part(
            profile: .infectiousDiseaseLaboratoryDM, resource: "Bundle",
            id: "shc-infectious-disease-laboratory-bundle-dm"),
        Part(
            profile: .infectiousDiseaseLaboratoryAD, resource: "Bundle",
            id: "shc-infectious-disease-laboratory-bundle-ad"),
        Part(
            profile: .infectiousDiseaseLaboratoryDM, resource: "Observation",
            id: "shc-infectious-disease-laboratory-result-observation-dm"),
        Part(
            profile: .infectiousDiseaseLaboratoryAD, resource: "Observation",
            id: "shc-infectious-disease-laboratory-result-observation-ad"),
    ]

    @Test(arguments: parts) func everyViolationIsFoundAndNothingElse(_ part: Part) throws {
        let constraints = try GuideSource().constraints(of: part.id)
        #expect(constraints.count >= (part.resource == "Patient" || part.resource == "Bundle" ? 10 : 30))
        let prohibited = Set(constraints.filter { $0.cardinality?.most == 0 }.map(\.path))
        var count = 0
        for constraint in Set(constraints) {
            let steps = constraint.path.split(separator: ".").map(String.init)
            let isInside = (1..<max(steps.count, 1)).contains {
                prohibited.contains(steps.prefix($0).joined(separator: "."))
            }
            // What is in a forbidden element cannot be looked at. An element that may be left out in one profile is forbidden in the
            // other.
            guard !isInside, constraint.cardinality?.most == 0 || !prohibited.contains(constraint.path) else {
                continue
            }
            guard let (bundle, rules) = try violation(of: constraint, in: part) else { continue }
            count += 1
            let findings = try Bundles.findings(
                JSONSerialization.data(withJSONObject: bundle).map(\.self), as: .bundle, profile: part.profile
            ).filter { $0.code == "profile-error" }
            let found = Set(findings.map(\.rule.name))
            #expect(found.isSuperset(of: rules.prefix(1)), "\(constraint): \(findings.map(\.message))")
            #expect(found.isSubset(of: rules), "\(constraint): \(findings.map(\.message))")
        }
        #expect(
            count >= (part.resource == "Bundle" || part.id == "shc-patient-general-ad" ? 5 : 14), "\(count) violations")
    }

    @Test(arguments: parts) func whatTheViolationsAreMadeFromConforms(_ part: Part) throws {
        for path in ["code", "valueQuantity", "valueString", "component", "referenceRange"] {
            let bundle = Self.bundle(with: Self.resource(part, for: path), part)
            let findings = try Bundles.findings(
                JSONSerialization.data(withJSONObject: bundle).map(\.self), as: .bundle, profile: part.profile)
            #expect(findings.map(\.message) == [], "\(path)")
        }
    }

    @Test func invariantsHaveTheirSeverity() throws {
        let severities = try GuideSource().severities
        #expect(severities.count > 15)
        for rule in ProfileFile.guide.rules {
            guard let severity = severities[rule.name] else { continue }
            #expect(rule.severity.rawValue == severity, "\(rule.name)")
        }
    }

    /// A value that is asked for by many elements is looked up once.
    @Test func manyElementsTakeNoTime() throws {
        let members = (0..<20_000).map { #""x\#($0)":1"# }.joined(separator: ",")
        let ranges = [String](repeating: #"{"text":"x"}"#, count: 20_000).joined(separator: ",")
        let observation =
            #"{"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"94500-6"}]},"#
            + #""subject":{"reference":"resource:0"},"effectiveDateTime":"2025-05-30",\#(members),"referenceRange":[\#(ranges)]}"#
        let findings = try Bundles.findings(
            Array(Bundles.text(observation).utf8), as: .bundle, profile: .covid19LaboratoryAD)
        #expect(findings.contains { $0.rule.name == "vc-observation-range-only-quantity-or-string" })
    }

    // MARK: Resources that conform

    private static let snomed = "http://snomed.info/sct"

    private static func concept(_ system: String, _ code: String) -> [String: Any] {
        ["coding": [["system": system, "code": code]]]
    }

    private static var patient: [String: Any] {
        ["resourceType": "Patient", "name": [["family": "Anyperson", "given": ["Jana"]]], "birthDate": "1951-01-20"]
    }

    /// A resource of a part that conforms, and has what leads to `path`.
    private static func resource(_ part: Part, for path: String) -> [String: Any] {
        guard part.profile.rawValue.contains("laboratory") else {
            return [
                "resourceType": "Immunization", "status": "completed",
                "vaccineCode": concept("http://hl7.org/fhir/sid/cvx", "207"),
                "patient": ["reference": "resource:0"], "occurrenceDateTime": "2025-01-29", "lotNumber": "TEST-0001",
                "performer": [["actor": ["display": "Example Hospital"]]],
            ]
        }
        var observation: [String: Any] = [
            "resourceType": "Observation", "status": "final", "code": concept("http://loinc.org", "94500-6"),
            "subject": ["reference": "resource:0"], "effectiveDateTime": "2025-05-30",
            "performer": [["display": "Example Laboratory"]],
        ]
        if path.hasPrefix("valueQuantity") || path.hasPrefix("referenceRange") {
            observation["valueQuantity"] = ["value": 12, "unit": "AU/mL"]
            observation["referenceRange"] = [["text": "up to 10"]]
        } else if path.hasPrefix("valueString") {
            observation["valueString"] = "trace"
        } else {
            observation["valueCodeableConcept"] = concept(snomed, "260373001")
        }
        if path.hasPrefix("component") {
            observation["component"] = [
                ["code": concept(snomed, "1208522006"), "valueCodeableConcept": concept(snomed, "1208523001")]
            ]
        }
        return observation
    }

    private static func bundle(with record: [String: Any], _ part: Part) -> [String: Any] {
        let resources =
            record["resourceType"] as? String == "Patient" ? [record, resource(part, for: "")] : [patient, record]
        let entries = resources.enumerated().map { ["fullUrl": "resource:\($0)", "resource": $1] as [String: Any] }
        return ["resourceType": "Bundle", "type": "collection", "entry": entries]
    }

    // MARK: Violations

    /// A Bundle that violates a constraint, with the rules to be found: the first is, and the others may be. Nil if one change cannot
    /// violate the constraint, or if it does not bind issuers.
    private func violation(
        of constraint: GuideSource.Constraint, in part: Part
    ) throws -> (bundle: [String: Any], rules: [String])? {
        guard let (change, rules) = Self.change(for: constraint, part) else { return nil }
        var steps = constraint.path.split(separator: ".").map { step in
            step.hasSuffix("[x]") ? String(step.dropLast(3)) + Self.type(of: constraint, part) : String(step)
        }
        // A primitive has its id beside it.
        if steps.first == "valueString", steps.count > 1 { steps[0] = "_valueString" }
        if part.resource == "Bundle" {
            var bundle = Self.bundle(with: Self.resource(part, for: ""), part)
            if steps.first == "entry" {
                var entries = try #require(bundle["entry"] as? [[String: Any]])
                let place = constraint.slice == "patient" ? 0 : 1
                guard steps.count > 1 else { return nil }
                entries[place] = try #require(Self.changed(entries[place], steps.dropFirst(), change) as? [String: Any])
                bundle["entry"] = entries
            } else {
                bundle = try #require(Self.changed(bundle, steps[...], change) as? [String: Any])
            }
            return (bundle, rules)
        }
        let base = part.resource == "Patient" ? Self.patient : Self.resource(part, for: constraint.path)
        let record = try #require(Self.changed(base, steps[...], change) as? [String: Any])
        return (Self.bundle(with: record, part), rules)
    }

    private struct Change {
        var value: Any = "x"
        var remove = false
    }

    /// The type that stands for `[x]` in a violation.
    private static func type(of constraint: GuideSource.Constraint, _ part: Part) -> String {
        switch constraint.path {
        case "deceased[x]", "multipleBirth[x]": "Boolean"
        case "occurrence[x]": constraint.words.hasPrefix("only") ? "String" : "DateTime"
        case "effective[x]": constraint.words.hasPrefix("only") ? "Instant" : "DateTime"
        default: constraint.words.hasPrefix("only") ? "Ratio" : "CodeableConcept"
        }
    }

    /// How to violate a constraint, and the rules to be found.
    private static func change(for constraint: GuideSource.Constraint, _ part: Part) -> (Change, [String])? {
        let words = constraint.words
        let wrongCode = concept(snomed, "1")
        if let bounds = constraint.cardinality {
            if bounds.most == 0 {
                return (Change(), ["prohibited-element"] + (constraint.path == "id" ? [] : ["reference-type"]))
            }
            if bounds.least > 0 {
                // Without its code, a component is not of the slice.
                if constraint.path.hasPrefix("component.code") { return nil }
                // Without its address, a resource is not known to be a Patient.
                return (Change(remove: true), ["required-element"] + sideEffects(of: constraint))
            }
            let repeated: [String: Any] = [
                "name": [["text": "a"], ["text": "b"]],
                "performer": [
                    ["actor": ["display": "a"], "display": "a"], ["actor": ["display": "b"], "display": "b"],
                ],
                "meta.security": Array(
                    repeating: ["system": "https://smarthealth.cards/ial", "code": "IAL2"], count: 2),
            ]
            return repeated[constraint.path].map { (Change(value: $0), ["repeated-element"]) }
        }
        if let match = words.firstMatch(of: /^obeys (\S+)/) {
            return value(against: String(match.1)).map {
                (Change(value: $0), [String(match.1)] + sideEffects(of: constraint))
            }
        }
        if let match = words.firstMatch(of: /^from (\S+)/) {
            // A slice of vaccineCode takes its codes from its own code system.
            if words.contains("(example)") { return nil }
            let systems = [
                "cvx": "http://hl7.org/fhir/sid/cvx", "snomed": snomed, "icd11": "http://id.who.int/icd/release/11/mms",
            ]
            if let system = constraint.slice.flatMap({ systems[$0] }) {
                let change = Change(value: [["system": system, "code": "no code"]])
                let names = ["cvx": "immunization-all-cvx", "snomed": "SnomedVaccineCodes", "icd11": "ICD11Codes"]
                return (change, [names[constraint.slice ?? ""] ?? ""])
            }
            let names = [
                "LabQualitativeTestCovidValueSet": "lab-qualitative-test-covid",
                "LabQualitativeResultValueSet": "lab-qualitative-result",
                "SpecimenCollectionSupervisionStatus": "specimen-collection-supervision-status",
                "http://hl7.org/fhir/ValueSet/observation-codes": "observation-codes",
            ]
            let name = names[String(match.1)] ?? String(match.1)
            let value: Any =
                switch constraint.path {
                case "status": "preliminary"
                case "meta.security": [["system": "https://smarthealth.cards/ial", "code": "IAL1"]]
                default: wrongCode
                }
            return (Change(value: value), [name, "vc-bundle-lab-status-complete"])
        }
        if words.hasPrefix("only Reference") {
            return (
                Change(value: ["reference": "resource:1", "display": "a"]), ["reference-type", "prohibited-element"]
            )
        }
        if words.hasPrefix("only shc") || words.hasPrefix("only SHC") { return nil }
        if words.hasPrefix("only") { return (Change(value: "x"), ["choice-of-types"]) }
        if words.hasPrefix("="), constraint.slice == nil { return (Change(value: "x"), ["fixed-value"]) }
        // The code systems and codes of slices say which slice is meant.
        return nil
    }

    /// Rules that a change breaks besides the one that is meant.
    private static func sideEffects(of constraint: GuideSource.Constraint) -> [String] {
        switch constraint.path {
        case "code.coding", "code.coding.system", "code.coding.code":
            ["lab-qualitative-test-covid", "observation-codes"]
        case "valueCodeableConcept.coding", "valueCodeableConcept.coding.system", "valueCodeableConcept.coding.code":
            ["lab-qualitative-result", "lab-result-findings"]
        case "vaccineCode", "vaccineCode.coding": ["vaccine-coding"]
        case "component.valueCodeableConcept.coding", "component.valueCodeableConcept.coding.system",
            "component.valueCodeableConcept.coding.code":
            ["specimen-collection-supervision-status"]
        case "entry.resource": ["bundle-entries"]
        case "entry": ["completed-observation-status"]
        default: []
        }
    }

    /// A value that violates an invariant; nil if that needs more than a value.
    private static func value(against invariant: String) -> Any? {
        switch invariant {
        case "vc-name-invariant": [["family": "Anyperson"]]
        case "vc-should-be-under-20-chars": String(repeating: "a", count: 20)
        case "vc-should-be-under-30-chars": String(repeating: "a", count: 30)
        case "vc-should-not-include-string-lot": "Lot 1"
        case "vc-shall-be-true-if-populated-invariant": false
        case "vc-polymorphic-date-invariant": "2025-01"
        case "vc-shall-be-resource-uri": "urn:uuid:c757873d-ec9a-4326-a141-556f43239520"
        case "shall-use-known-vaccine-manufacturer-code-system", "vc-should-be-omitted", "vc-should-be-omitted-privacy",
            "use-only-if-required-by-law":
            "x"
        // These are about two elements. Vectors of lint have them.
        default: nil
        }
    }

    /// The value with a change at a path. What leads to it is made.
    private static func changed(_ value: Any, _ steps: ArraySlice<String>, _ change: Change) -> Any {
        guard let step = steps.first else { return change.value }
        if var values = value as? [Any], !values.isEmpty {
            values[0] = changed(values[0], steps, change)
            return values
        }
        var object = value as? [String: Any] ?? [:]
        if steps.count == 1, change.remove {
            let stem = ["value", "effective"].first { step.hasPrefix($0) } ?? step
            for name in object.keys where name == step || stem != step && name.hasPrefix(stem) { object[name] = nil }
            // An object without members would be nothing at all.
            if object.isEmpty { object["other"] = "a" }
            return object
        }
        let inner: Any = object[step] ?? siblings(of: step)
        object[step] = changed(inner, steps.dropFirst(), change)
        return object
    }

    /// What a made element needs besides the changed one.
    private static func siblings(of step: String) -> [String: Any] {
        step == "identifier" ? ["system": "http://hl7.org/fhir/sid/mvx", "value": "MOD"] : [:]
    }
}
