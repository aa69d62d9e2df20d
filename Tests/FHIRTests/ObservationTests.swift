import Encodings
import FHIR
import Testing

@Suite("Observations and reports")
struct ObservationTests {
    @Test func r4() throws {
        let record = try #require(
            try record(
                """
                {"resourceType":"Observation","status":"final","subject":{"reference":"resource:1"},
                 "category":[{"coding":[{"code":"laboratory"}]}],
                 "code":{"coding":[{"system":"http://loinc.org","code":"2339-0"}]},
                 "effectiveDateTime":"2021-01-29","issued":"2021-02-01T10:00:00Z",
                 "performer":[{"display":"Lab"}],
                 "valueQuantity":{"value":6.30,"unit":"mg/dL","system":"http://unitsofmeasure.org","code":"mg/dL"},
                 "interpretation":[{"coding":[{"system":"http://hl7.org/i","code":"H"}]},{"text":"high"}],
                 "referenceRange":[{"low":{"value":3.50,"unit":"mg/dL"},"high":{"value":5.0,"unit":"mg/dL"}},
                                   {"text":"as usual"}]}
                """))
        #expect(record.type == .laboratory)
        #expect(record.date == "2021-01-29")
        #expect(record.performer == "Lab")
        let result = try #require(record.result)
        #expect(result.value == "6.30 mg/dL")
        #expect(result.text == "6.30 mg/dL")
        #expect(result.coded == nil)
        #expect(result.label == nil)
        #expect(result.interpretation.map(\.text) == ["H", "high"])
        #expect(result.referenceRange == "3.50 to 5.0 mg/dL; as usual")
        #expect(record.subjectIndex == 0)
    }

    @Test func dstu2() throws {
        let record = try #require(
            try record(
                """
                {"resourceType":"Observation","status":"final","category":{"coding":[{"code":"laboratory"}]},
                 "code":{"coding":[{"system":"http://loinc.org","code":"94500-6","display":"SARS-CoV-2 RNA"}]},
                 "effectivePeriod":{"start":"2021-01-29T10:00:00Z"},
                 "valueCodeableConcept":{"coding":[{"system":"http://snomed.info/sct","code":"260373001"}]},
                 "interpretation":{"coding":[{"code":"A"}]}}
                """, fhirVersion: "1.0.2"))
        #expect(record.type == .laboratory)
        #expect(record.display == "SARS-CoV-2 RNA")
        #expect(record.date == "2021-01-29T10:00:00Z")
        #expect(record.result?.value == nil)
        #expect(record.result?.coded?.codes == [Code(system: "http://snomed.info/sct", code: "260373001")])
        #expect(record.result?.text == "260373001")
        #expect(record.result?.interpretation.map(\.text) == ["A"])
    }

    @Test(arguments: [
        (#""valueQuantity":{"value":6.30,"unit":"mg/dL"}"#, "6.30 mg/dL"),
        (#""valueQuantity":{"comparator":"<","value":0.50,"code":"mg/L"}"#, "<0.50 mg/L"),
        (#""valueQuantity":{"value":1e-400}"#, "1e-400"),
        (#""valueQuantity":{"value":-0}"#, "-0"),
        (#""valueString":"not seen""#, "not seen"),
        (#""valueBoolean":false"#, "false"),
        (#""valueInteger":0"#, "0"),
        (#""valueRange":{"low":{"value":1},"high":{"value":2.0,"unit":"g"}}"#, "1 to 2.0 g"),
        (#""valueRange":{"low":{"value":1,"unit":"mg"},"high":{"value":2,"unit":"g"}}"#, "1 mg to 2 g"),
        (#""valueRange":{"low":{"value":1,"unit":"mg"}}"#, ">= 1 mg"),
        (#""valueRange":{"high":{"value":1}}"#, "<= 1"),
        (#""valueRatio":{"numerator":{"value":1},"denominator":{"value":128}}"#, "1:128"),
        (#""valueRatio":{"numerator":{"value":1,"unit":"g"},"denominator":{"value":2,"unit":"L"}}"#, "1 g / 2 L"),
        (#""valueDateTime":"2021-01""#, "2021-01"),
        (#""valueTime":"10:00:00""#, "10:00:00"),
        (#""valuePeriod":{"start":"2021","end":"2022"}"#, "2021 to 2022"),
        (#""valuePeriod":{"start":"2021"}"#, "from 2021"),
        (#""valueCodeableConcept":{"text":"positive"}"#, "positive"),
    ])
    func theValueIsAsSigned(_ member: String, _ text: UTF8Text) throws {
        #expect(try record(#"{"resourceType":"Observation",\#(member)}"#)?.result?.text == text)
    }

    @Test(arguments: [
        #""valueQuantity":{"value":"6.30","unit":"mg"}"#, #""valueQuantity":6.3"#, #""valueQuantity":{"unit":"mg"}"#,
        #""valueString":"""#, #""valueString":3"#, #""valueBoolean":"true""#, #""valueInteger":"1""#,
        #""valueRange":{}"#, #""valueRatio":{"numerator":{"value":1}}"#, #""valuePeriod":{}"#, #""valuePeriod":[]"#,
        #""valueCodeableConcept":{"coding":[]}"#, #""valueCodeableConcept":"x""#, #""value":3"#,
        #""valueQuantity":null,"interpretation":[],"referenceRange":[]"#,
    ])
    func ignoresAValueOfAnotherType(_ member: String) throws {
        let record = try #require(try record(#"{"resourceType":"Observation",\#(member)}"#))
        #expect(record.result == nil)
        #expect(record.results.isEmpty)
    }

    @Test func componentsHaveTheirOwnLabels() throws {
        let record = try #require(
            try record(
                """
                {"resourceType":"Observation","category":[{"coding":[{"code":"vital-signs"}]}],
                 "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"}]},
                 "component":[{"code":{"text":"Systolic"},"valueQuantity":{"value":120,"unit":"mmHg"}},null,
                              {"code":{"coding":[{"system":"http://loinc.org","code":"8462-4"}]},
                               "valueQuantity":{"value":80,"unit":"mmHg"}},{"code":{"text":"empty"}}]}
                """))
        #expect(record.type == .vitalSign)
        #expect(record.result == nil)
        #expect(record.results.map { $0.label?.text } == ["Systolic", "8462-4"])
        #expect(record.results.map(\.text) == ["120 mmHg", "80 mmHg"])
    }

    @Test func statesTheReasonForAMissingValue() throws {
        let record = try record(#"{"resourceType":"Observation","dataAbsentReason":{"coding":[{"code":"unknown"}]}}"#)
        #expect(record?.result?.text == nil)
        #expect(record?.result?.absentReason?.text == "unknown")
    }

    @Test func whenItWasIssuedIsNotWhenTheSampleWasTaken() throws {
        #expect(try record(#"{"resourceType":"Observation","issued":"2021-02-01T10:00:00Z"}"#)?.date == nil)
    }

    @Test(arguments: [
        ("Observation", "[]", RecordType.laboratory), ("Observation", "null", .laboratory),
        ("Observation", #"[{"coding":[{"code":"laboratory"}]}]"#, .laboratory),
        ("Observation", #"[{"coding":[{"code":"exam"}]},{"coding":[{"code":"vital-signs"}]}]"#, .vitalSign),
        ("Observation", #"[{"coding":[{"code":"social-history"}]}]"#, nil),
        ("Observation", #""laboratory""#, .laboratory),
        ("DiagnosticReport", "[]", .laboratory),
        ("DiagnosticReport", #"{"coding":[{"code":"MB"}]}"#, .laboratory),
        ("DiagnosticReport", #"[{"coding":[{"code":"RAD"}]}]"#, nil),
    ])
    func theCategoryTellsTheType(_ resourceType: String, _ category: String, _ type: RecordType?) throws {
        let record = try #require(try record(#"{"resourceType":"\#(resourceType)","category":\#(category)}"#))
        #expect(record.type == type)
    }

    @Test(arguments: [
        ("4.0.1", #""performer":[{"display":"Lab"}],"conclusionCode":[{"coding":[{"code":"260415000"}]}]"#),
        ("1.0.2", #""performer":{"display":"Lab"},"codedDiagnosis":[{"coding":[{"code":"260415000"}]}]"#),
    ])
    func aReportsConclusionIsItsResult(_ version: UTF8Text, _ members: String) throws {
        let record = try #require(
            try record(
                """
                {"resourceType":"DiagnosticReport","status":"final","code":{"text":"Panel"},
                 "effectiveDateTime":"2020-05","issued":"2020-06-01T00:00:00Z",\(members)}
                """, fhirVersion: version))
        #expect(record.type == .laboratory)
        #expect(record.display == "Panel")
        #expect(record.date == "2020-05")
        #expect(record.performer == "Lab")
        #expect(record.result?.text == "260415000")
    }
}
