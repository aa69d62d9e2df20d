import Encodings
import FHIR
import Testing

@Suite("Members of wrong types")
struct WrongTypesTests {
    @Test(arguments: [
        "null", "true", "3", #""Bundle""#, "[]", "{}", #"{"resourceType":"Bundle"}"#, #"{"entry":null}"#,
        #"{"entry":[]}"#, #"{"entry":{}}"#, #"{"entry":"x"}"#, #"{"entry":[null,3,"x",[],[[]],{}]}"#,
        #"{"entry":[{"resource":null},{"resource":[]},{"resource":"x"},{"resource":{}}]}"#,
        #"{"entry":[{"resource":{"resourceType":null}},{"resource":{"resourceType":""}},{"resource":{"resourceType":[]}}]}"#,
    ])
    func aBundleWithoutResourcesHasNoRecords(_ json: String) throws {
        let bundle = try bundle(json)
        let contents = CardContents(bundle, fhirVersion: nil)
        #expect(contents.subjects.isEmpty)
        #expect(contents.records.isEmpty)
        #expect(contents.relevantDate == nil)
    }

    static let values = ["null", "true", "3", #""""#, "[]", "[null]", "{}", "[[]]", "[{}]", #"{"coding":null}"#]

    static let resources = [
        "Patient", "Immunization", "Observation", "DiagnosticReport", "Condition", "AllergyIntolerance", "Procedure",
        "Medication", "MedicationStatement", "MedicationRequest", "MedicationOrder", "MedicationDispense",
        "MedicationAdministration", "Coverage", "Composition", "Invented",
    ]

    static let members = [
        "id", "meta", "contained", "name", "birthDate", "status", "code", "type", "class", "category", "title",
        "vaccineCode", "substance", "medicationCodeableConcept", "medicationReference", "patient", "subject",
        "beneficiary", "occurrenceDateTime", "occurrenceString", "date", "effectiveDateTime", "effectivePeriod",
        "onsetDateTime", "performedDateTime", "authoredOn", "period", "performer", "asserter", "requester", "payor",
        "author", "lotNumber", "manufacturer", "protocolApplied", "vaccinationProtocol", "valueQuantity",
        "valueCodeableConcept", "valueString", "interpretation", "referenceRange", "component", "dataAbsentReason",
        "conclusion", "conclusionCode", "clinicalStatus", "verificationStatus", "description",
    ]

    @Test(arguments: resources, values)
    func yieldNothing(_ resourceType: String, _ value: String) throws {
        let json = Self.members.map { #","\#($0)":\#(value)"# }.joined()
        let contents = try contents(#"{"resourceType":"\#(resourceType)"\#(json)}"#)
        guard resourceType != "Patient" else {
            #expect(contents.subjects.map(\.name) == [nil])
            #expect(contents.records.isEmpty)
            return
        }
        let record = try #require(contents.records.first)
        #expect(record.display == nil)
        #expect(record.codes.isEmpty)
        #expect(record.date == nil)
        #expect(record.status == nil)
        #expect(record.performer == nil)
        #expect(record.lotNumber == nil)
        #expect(record.manufacturer == nil)
        #expect(record.results.isEmpty)
        #expect(record.subjectIndex == nil)
        #expect(record.orderOnCard == nil)
        #expect(contents.relevantDate == nil)
    }

    @Test func textIsNeitherShortenedNorEscaped() throws {
        let hostile = #"\u001b[2J\u202e\nPASS"#
        let record = try record(
            #"{"resourceType":"Immunization","lotNumber":"\#(hostile)","vaccineCode":{"text":"\#(hostile)"}}"#)
        #expect(record?.lotNumber == "\u{1B}[2J\u{202E}\nPASS")
        #expect(record?.display == "\u{1B}[2J\u{202E}\nPASS")
    }

    @Test(arguments: ["4.0.1", "1.0.2", "5.0.0", "", nil])
    func theReleaseDecidesNothing(_ version: UTF8Text?) throws {
        let bundle = try bundle(of: [#"{"resourceType":"Immunization","date":"2014","occurrenceDateTime":"2021"}"#])
        let contents = CardContents(bundle, fhirVersion: version)
        #expect(contents.fhirVersion == version)
        #expect(contents.records.map(\.date) == ["2021"])
    }
}
