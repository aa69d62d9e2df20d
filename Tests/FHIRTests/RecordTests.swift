import Encodings
import FHIR
import Testing

@Suite("Records of other types")
struct RecordTests {
    struct Case: CustomTestStringConvertible {
        var release: UTF8Text = "4.0.1"
        let json: String
        let type: RecordType?
        let text: UTF8Text
        let date: UTF8Text?
        let status: UTF8Text?
        let performer: UTF8Text?
        var isNotDone = false
        var testDescription: String { "\(release) \(json.prefix(60))" }
    }

    static let r4 = [
        Case(
            json: """
                {"resourceType":"Condition","clinicalStatus":{"coding":[{"code":"active"}]},"code":{"text":"Asthma"},
                 "onsetDateTime":"2015","recordedDate":"2016-10","recorder":{"display":"R"},"asserter":{"display":"A"}}
                """, type: .condition, text: "Asthma", date: "2015", status: "active", performer: "A"),
        Case(
            json: """
                {"resourceType":"AllergyIntolerance","clinicalStatus":{"coding":[{"code":"resolved"}]},
                 "code":{"coding":[{"system":"http://snomed.info/sct","code":"373270004"}]},"onsetAge":{"value":3},
                 "recordedDate":"2016-10","recorder":{"display":"R"}}
                """, type: .allergy, text: "373270004", date: "2016-10", status: "resolved", performer: "R"),
        Case(
            json: """
                {"resourceType":"Procedure","status":"completed","code":{"text":"Appendectomy"},
                 "performedPeriod":{"end":"2013-04-05"},"performer":[{"actor":{"display":"S"}}]}
                """, type: .procedure, text: "Appendectomy", date: "2013-04-05", status: "completed", performer: "S"),
        Case(
            json: #"{"resourceType":"Procedure","status":"not-done","code":{"text":"X"}}"#,
            type: .procedure, text: "X", date: nil, status: "not-done", performer: nil, isNotDone: true),
        Case(
            json: """
                {"resourceType":"MedicationStatement","status":"active","effectivePeriod":{"start":"2015-03"},
                 "medicationCodeableConcept":{"text":"Anastrozole"},"informationSource":{"display":"Self"}}
                """, type: .medication, text: "Anastrozole", date: "2015-03", status: "active", performer: "Self"),
        Case(
            json: """
                {"resourceType":"MedicationRequest","status":"active","doNotPerform":true,"authoredOn":"2015-03-01",
                 "medicationCodeableConcept":{"text":"M"},"requester":{"display":"D"}}
                """, type: .medication, text: "M", date: "2015-03-01", status: "active", performer: "D",
            isNotDone: true),
        Case(
            json: """
                {"resourceType":"MedicationDispense","status":"completed","whenHandedOver":"2015-03-02",
                 "whenPrepared":"2015-03-01","medicationCodeableConcept":{"text":"M"},
                 "performer":[{"actor":{"display":"P"}}]}
                """, type: .medication, text: "M", date: "2015-03-02", status: "completed", performer: "P"),
        Case(
            json: """
                {"resourceType":"MedicationAdministration","status":"completed","effectiveDateTime":"2015",
                 "medicationCodeableConcept":{"text":"M"},"performer":[{"actor":{"display":"P"}}]}
                """, type: .medication, text: "M", date: "2015", status: "completed", performer: "P"),
        Case(
            json: """
                {"resourceType":"Coverage","status":"active","type":{"coding":[{"code":"EHCPOL"}]},
                 "period":{"start":"2021","end":"2022"},"payor":[{"display":"Insurer"}]}
                """, type: .coverage, text: "EHCPOL", date: "2021", status: "active", performer: "Insurer"),
        Case(
            json: """
                {"resourceType":"Encounter","status":"finished","class":{"code":"AMB","display":"ambulatory"},
                 "period":{"start":"2020-01-01"}}
                """, type: nil, text: "ambulatory", date: "2020-01-01", status: "finished", performer: nil),
        Case(
            json: #"{"resourceType":"Goal","description":{"text":"Walk"},"startDate":"2020","lifecycleStatus":"x"}"#,
            type: nil, text: "Walk", date: "2020", status: nil, performer: nil),
        Case(
            json: """
                {"resourceType":"DocumentReference","status":"current","type":{"text":"Letter"},"date":"2020",
                 "description":"not this","author":[{"display":"W"}]}
                """, type: nil, text: "Letter", date: "2020", status: "current", performer: "W"),
        Case(
            json: #"{"resourceType":"Invented","title":"Thing","code":[[]]}"#,
            type: nil, text: "Thing", date: nil, status: nil, performer: nil),
    ]

    static let dstu2 = [
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"Condition","clinicalStatus":"active","code":{"text":"Asthma"},
                 "dateRecorded":"2016-10","asserter":{"display":"A"}}
                """, type: .condition, text: "Asthma", date: "2016-10", status: "active", performer: "A"),
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"AllergyIntolerance","status":"confirmed","substance":{"text":"Peanut"},
                 "onset":"2010","recordedDate":"2012","reporter":{"display":"R"}}
                """, type: .allergy, text: "Peanut", date: "2010", status: "confirmed", performer: "R"),
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"Procedure","status":"completed","notPerformed":true,"code":{"text":"X"},
                 "performedDateTime":"2013-04-05"}
                """, type: .procedure, text: "X", date: "2013-04-05", status: "completed", performer: nil,
            isNotDone: true),
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"MedicationStatement","status":"active","wasNotTaken":true,"dateAsserted":"2015",
                 "medicationCodeableConcept":{"text":"M"}}
                """, type: .medication, text: "M", date: "2015", status: "active", performer: nil, isNotDone: true),
        Case(
            release: "3.0.1",
            json: """
                {"resourceType":"MedicationStatement","status":"active","taken":"n","dateAsserted":"2018",
                 "medicationCodeableConcept":{"text":"M"}}
                """, type: .medication, text: "M", date: "2018", status: "active", performer: nil, isNotDone: true),
        Case(
            release: "3.0.1",
            json: """
                {"resourceType":"Procedure","status":"completed","notDone":true,"code":{"text":"X"},
                 "performedDateTime":"2018-04-05"}
                """, type: .procedure, text: "X", date: "2018-04-05", status: "completed", performer: nil,
            isNotDone: true),
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"MedicationOrder","status":"active","dateWritten":"2015-03-01",
                 "medicationCodeableConcept":{"text":"M"},"prescriber":{"display":"D"}}
                """, type: .medication, text: "M", date: "2015-03-01", status: "active", performer: "D"),
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"MedicationDispense","status":"completed","whenPrepared":"2015-03-01",
                 "medicationCodeableConcept":{"text":"M"},"dispenser":{"display":"P"}}
                """, type: .medication, text: "M", date: "2015-03-01", status: "completed", performer: "P"),
        Case(
            release: "1.0.2",
            json: """
                {"resourceType":"Coverage","type":{"system":"http://hl7.org/c","code":"EHCPOL"},
                 "period":{"start":"2021"},"issuer":{"display":"Insurer"}}
                """, type: .coverage, text: "EHCPOL", date: "2021", status: nil, performer: "Insurer"),
    ]

    @Test(arguments: r4 + dstu2)
    func readsEachTypeOfResource(_ expected: Case) throws {
        let record = try #require(try record(expected.json, fhirVersion: expected.release))
        #expect(record.type == expected.type)
        #expect(record.concept.text == expected.text)
        #expect(record.date == expected.date)
        #expect(record.status == expected.status)
        #expect(record.performer == expected.performer)
        #expect(record.isNotDone == expected.isNotDone)
    }

    @Test func aRefutedConditionSaysSo() throws {
        let json = """
            {"resourceType":"Condition","clinicalStatus":{"coding":[{"code":"active"}]},
             "verificationStatus":{"coding":[{"code":"refuted"}]}}
            """
        #expect(try record(json)?.verificationStatus == "refuted")
    }

    @Test(arguments: ["resource:1", "Medication/m"])
    func aMedicationThatIsReferredToIsPartOfThatRecord(_ reference: String) throws {
        let contents = try contents(
            #"{"resourceType":"MedicationRequest","medicationReference":{"reference":"\#(reference)","display":"D"}}"#,
            #"{"resourceType":"Medication","id":"m","code":{"coding":[{"system":"s","code":"1"}]}}"#,
            #"{"resourceType":"Medication","code":{"text":"another"}}"#)
        #expect(contents.records.map(\.resourceType) == ["MedicationRequest", "Medication"])
        #expect(contents.records[0].codes == [Code(system: "s", code: "1")])
        #expect(contents.records[0].display == "D")
        #expect(contents.records[1].display == "another")
    }

    @Test func aMedicationThatCannotBeFoundHasTheReferencesWords() throws {
        let json = #"{"resourceType":"MedicationOrder","medicationReference":{"reference":"x","display":"Aspirin"}}"#
        #expect(try record(json)?.display == "Aspirin")
    }

    /// The specification's patient summary refers to a Medication in this way. Which one it means is not guessed.
    @Test func aMedicationThatCannotBeFoundHasItsAddress() throws {
        let contents = try contents(
            #"{"resourceType":"MedicationStatement","medicationReference":{"reference":"Medication/6369a973"}}"#,
            #"{"resourceType":"Medication","code":{"text":"another"}}"#)
        #expect(contents.records.map(\.display) == ["Medication/6369a973", "another"])
        #expect(contents.records[0].displaySource == .issuer)
    }

    @Test func aMedicationWithACodeAloneHasNoWords() throws {
        let contents = try contents(
            #"{"resourceType":"MedicationStatement","medicationReference":{"reference":"resource:1"}}"#,
            #"{"resourceType":"Medication","code":{"coding":[{"system":"s","code":"1"}]}}"#)
        #expect(contents.records.map(\.display) == [nil])
        #expect(contents.records[0].codes == [Code(system: "s", code: "1")])
    }

    @Test func aContainedMedicationHasTheCode() throws {
        let json = """
            {"resourceType":"MedicationOrder","medicationReference":{"reference":"#m"},
             "contained":[{"resourceType":"Medication","id":"m","code":{"text":"Aspirin"}}]}
            """
        #expect(try record(json)?.display == "Aspirin")
    }

    // MARK: Words and codes

    static let cvx207 = #"{"system":"http://hl7.org/fhir/sid/cvx","code":"207","display":"Chicken soup"}"#
    static let names = CodeNames([
        Code(system: Code.cvx, code: "207"): CodeName(display: "COVID-19, mRNA (Moderna)", source: .cvx),
        Code(system: Code.cvx, code: "01"): CodeName(display: "DTP", source: .cvx),
        Code(system: Code.icd11, code: "XM0GQ8"): CodeName(display: "mRNA", source: .codesFile),
    ])

    @Test func aListsNameComesBeforeTheIssuersWordsWhichAreKept() throws {
        let json = #"{"resourceType":"Immunization","vaccineCode":{"text":"Soup","coding":[\#(Self.cvx207)]}}"#
        let record = try #require(try record(json, names: Self.names))
        #expect(record.display == "COVID-19, mRNA (Moderna)")
        #expect(record.displaySource == .cvx)
        #expect(record.concept.issuerWords == "Soup")
    }

    @Test func aDisplayAloneIsTheIssuersWords() throws {
        let json = #"{"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"x"},\#(Self.cvx207)]}}"#
        let record = try #require(try record(json))
        #expect(record.display == "Chicken soup")
        #expect(record.displaySource == .issuer)
        #expect(record.codes == [Code(system: Code.cvx, code: "207")])
    }

    @Test func ofTwoNamesForOneCodeTheLastCounts() {
        var names = Self.names
        names.add(CodeName(display: "From a file", source: .codesFile), for: Code(system: Code.cvx, code: "1"))
        #expect(names[Code(system: Code.cvx, code: "01")]?.display == "From a file")
    }

    @Test(arguments: [
        (Code.cvx, "1", "DTP"), (Code.cvx, "01", "DTP"), (Code.cvx, "0001", "DTP"),
        ("http://id.who.int/icd11/mms", "XM0GQ8", "mRNA"),
        ("http://id.who.int/icd/release/11/mms", "XM0GQ8", "mRNA"),
        ("http://snomed.info/sct", "1", nil), (Code.cvx, "10", nil), (Code.cvx, "1 ", nil), (Code.cvx, "٠١", nil),
    ])
    func namesAreFoundUnderEveryWayToWriteTheCode(_ system: UTF8Text, _ code: UTF8Text, _ display: UTF8Text?) throws {
        let json = """
            {"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"\(system)","code":"\(code)"}]}}
            """
        let record = try #require(try record(json, names: Self.names))
        #expect(record.display == display)
        #expect(record.codes == [Code(system: system, code: code)])
    }

    @Test(arguments: [
        ("1", "01"), ("01", "01"), ("001", "01"), ("207", "207"), ("0", "00"), ("0207", "207"), ("x1", "x1"),
    ])
    func cvxCodesHaveTwoDigitsAtLeast(_ code: UTF8Text, _ canonical: UTF8Text) {
        #expect(Code(system: Code.cvx, code: code).canonical.code == canonical)
    }

    /// HL7 gives most systems an OID, by which records that were converted from C-CDA name them.
    @Test(arguments: [
        ("12.292", Code.cvx), ("12.227", Code.mvx), ("6.1", Code.loinc), ("6.96", Code.snomed), ("6.347", Code.icd11),
        ("6.3", "http://hl7.org/fhir/sid/icd-10"), ("6.88", "http://www.nlm.nih.gov/research/umls/rxnorm"),
    ])
    func systemsNamedByOIDAreTheSame(_ oid: String, _ system: UTF8Text) throws {
        let code = { (oid: String) in Code(system: UTF8Text("urn:oid:2.16.840.1.113883.\(oid)"), code: "8") }
        #expect(code(oid).canonical == Code(system: system, code: "8").canonical)
        #expect(code(oid + "1").canonical.system != system)
    }

    @Test func noVaccineIsNoneUnderTheOIDToo() throws {
        let json = """
            {"resourceType":"Immunization","status":"completed","vaccineCode":{"coding":[{"system":\
            "urn:oid:2.16.840.1.113883.12.292","code":"998"}]}}
            """
        #expect(try record(json, names: Self.names)?.objection == "no vaccine administered")
    }

    // MARK: The relevant date

    @Test(arguments: [
        (["2021-01-01", "2021-01-29", "2020"], "2021-01-29"),
        (["2021", "2021-06-30"], "2021"),
        (["2021-01-29T10:00:00Z", "2021-01-29"], "2021-01-29"),
        (["2021-13-01", "2019", "soon"], "2019"),
        (["2021-01-29T10:00:00+02:00", "2021-01-29T09:00:00Z"], "2021-01-29T09:00:00Z"),
        (["2021-01-29T10:00:00Z", "2021-01-29T12:00:00+02:00"], "2021-01-29T10:00:00Z"),
        (["soon"], nil), ([], nil),
    ])
    func theRelevantDateIsTheLatestAsGiven(_ dates: [String], _ expected: String?) throws {
        let bundle = try bundle(
            of: dates.map { #"{"resourceType":"Immunization","occurrenceDateTime":"\#($0)"}"# } + [
                #"{"resourceType":"Patient","birthDate":"2030"}"#
            ])
        #expect(CardContents(bundle, fhirVersion: "4.0.1").relevantDate?.text == expected)
    }
}
