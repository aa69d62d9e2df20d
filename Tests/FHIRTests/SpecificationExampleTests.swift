import Encodings
import FHIR
import TestSupport
import Testing

@Suite("The specification's examples", .enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
struct SpecificationExampleTests {
    struct Shot {
        let code: UTF8Text
        let display: UTF8Text
        let date: UTF8Text
        let lot: UTF8Text
        let order: String?
    }

    struct Example: CustomTestStringConvertible {
        let number: String
        let name: UTF8Text
        let birthDate: UTF8Text
        let relevantDate: String
        let shots: [Shot]
        var testDescription: String { number }
    }

    static let moderna: UTF8Text = "COVID-19, mRNA (Moderna)"
    static let anyperson = [
        Shot(code: "207", display: moderna, date: "2021-01-01", lot: "0000001", order: "1 of 3"),
        Shot(code: "207", display: moderna, date: "2021-01-29", lot: "0000007", order: "2 of 3"),
        Shot(
            code: "229", display: "COVID-19, mRNA, bivalent (Moderna)", date: "2022-09-05", lot: "0000001",
            order: "3 of 3"),
    ]

    static let examples = [
        Example(
            number: "00", name: "John B. Anyperson", birthDate: "1951-01-20", relevantDate: "2022-09-05",
            shots: anyperson),
        Example(
            number: "01", name: "John B. Anyperson", birthDate: "1951-01-20", relevantDate: "2022-09-05",
            shots: anyperson),
        Example(
            number: "03", name: "Johnny Revoked", birthDate: "1960-04-22", relevantDate: "2021-03-29",
            shots: [
                Shot(code: "207", display: moderna, date: "2021-03-01", lot: "0000003", order: "1 of 2"),
                Shot(code: "207", display: moderna, date: "2021-03-29", lot: "0000009", order: "2 of 2"),
            ]),
    ]

    @Test(arguments: examples)
    func immunizationsAreAsTheBundleSays(_ example: Example) throws {
        let contents = try CardContents(Shared.example(example.number), fhirVersion: "4.0.1")
        #expect(contents.subjects.map(\.name) == [example.name])
        #expect(contents.subjects.map(\.birthDate) == [example.birthDate])
        #expect(contents.relevantDate?.text == example.relevantDate)
        #expect(contents.fhirVersion == "4.0.1")
        #expect(contents.records.map(\.entryIndex) == Array(1...example.shots.count))
        for (record, shot) in zip(contents.records, example.shots) {
            #expect(record.resourceType == "Immunization")
            #expect(record.type == .immunization)
            #expect(record.codes == [Code(system: Code.cvx, code: shot.code)])
            #expect(record.display == shot.display)
            #expect(record.displaySource == .cvx)
            #expect(record.date == shot.date)
            #expect(record.status == "completed")
            #expect(record.performer == "ABC General Hospital")
            #expect(record.lotNumber == shot.lot)
            #expect(record.result == nil)
            #expect(record.subjectIndex == 0)
            #expect(record.orderOnCard?.description == shot.order)
        }
    }

    @Test func patientSummaryIsAsTheBundleSays() throws {
        let contents = try CardContents(Shared.example("02"), fhirVersion: "4.0.1")
        #expect(contents.subjects.map(\.name) == ["Martha DeLarosa"])
        #expect(contents.subjects.map(\.birthDate) == ["1972-05-01"])
        // Its references have the form Type/id, but its resources have no IDs, so none can be resolved.
        #expect(contents.records.allSatisfy { $0.subjectIndex == nil && $0.performer == nil })
        #expect(
            contents.records.map(\.resourceType) == [
                "Composition", "Condition", "MedicationStatement", "Medication", "AllergyIntolerance",
            ])
        #expect(contents.records.map(\.type) == [nil, .condition, .medication, .medication, .allergy])
        #expect(
            contents.records.map(\.date) == ["2020-12-11T14:30:00+01:00", "2015", "2015-03", nil, "2010"])
        #expect(contents.records.map(\.status) == ["final", "active", "active", nil, "active"])
        #expect(contents.records.map(\.verificationStatus) == [nil, "confirmed", nil, nil, "confirmed"])
        #expect(contents.records[0].display == "Patient Summary as of December 11, 2020 14:30")
        #expect(contents.records[0].displaySource == .issuer)
        #expect(
            contents.records[1].codes == [
                Code(system: "http://snomed.info/sct", code: "198436008"),
                Code(system: "http://hl7.org/fhir/sid/icd-10", code: "N95.1"),
            ])
        #expect(contents.records[3].codes.map(\.code) == ["108774000", "99872", "2076667", "L02BG03"])
        #expect(contents.records[4].codes.map(\.code) == ["373270004"])
        #expect(contents.relevantDate?.text == "2020-12-11T14:30:00+01:00")
    }

    @Test(arguments: [
        "cases/test-example-00-a-fhirBundle-empty-values.json",
        "cases/test-example-00-a-fhirBundle-occurrence-issues.json",
        "cases/test-example-00-a-fhirBundle-bad_meta_extra_key.json",
        "cases/test-example-00-a-short-refs.json",
    ])
    func bundlesWithMistakesAreStillRead(_ path: String) throws {
        let contents = try CardContents(Shared.bundle(path), fhirVersion: "4.0.1")
        #expect(contents.subjects.map(\.name) == ["John B. Anyperson"])
        #expect(contents.records.map(\.resourceType) == ["Immunization", "Immunization"])
        #expect(contents.relevantDate != nil)
    }
}
