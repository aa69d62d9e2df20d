import Encodings
import FHIR
import Testing

@Suite("Required types of record (--record-type)")
struct RequiredRecordTypeTests {
    @Test(arguments: [
        ("immunization", RequiredRecordType.immunization), ("laboratory", .laboratory), ("covid19", .covid19),
        ("recovery", .recovery), ("#immunization", .immunization), ("#covid19", .covid19),
        ("https://smarthealth.cards#laboratory", .laboratory), ("https://smarthealth.cards#recovery", .recovery),
        ("Immunization", .resource("Immunization")), ("Observation", .resource("Observation")),
        ("Patient", .resource("Patient")), ("MedicationOrder", .resource("MedicationOrder")),
        ("MolecularSequence", .resource("MolecularSequence")), ("VisionPrescription", .resource("VisionPrescription")),
        ("Account", .resource("Account")), ("BodySite", .resource("BodySite")),
    ])
    func wordsAndResourceTypesAreRead(_ text: String, _ expected: RequiredRecordType) throws {
        #expect(try RequiredRecordType(text) == expected)
    }

    @Test(arguments: [
        ("", "use immunization"), ("vaccine", "use immunization"),
        ("Laboratory", "did you mean laboratory?"),
        ("COVID19", "did you mean covid19?"), ("#Covid19", "did you mean covid19?"),
        ("observation", "mean Observation?"),
        ("IMMUNIZATION", "mean immunization?"), ("#Immunization", "mean immunization?"),
        ("Imunization", "use immunization"),
        ("immunization ", "use immunization"), ("##covid19", "mean covid19?"),
        ("https://smarthealth.cards#", "use immunization"),
        ("#Observation", "mean Observation?"), ("#health-card", "use immunization"),
        ("DomainResource", "use immunization"),
        ("http://smarthealth.cards#covid19", "mean covid19?"), ("Patient\nObservation", #""Patient\nObservation" is"#),
        ("#", "use immunization"),
    ])
    func rejectsOtherWordsWithAMessage(_ text: String, _ words: String) throws {
        let error = #expect(throws: Malformed.self) { try RequiredRecordType(text) }
        #expect(error?.description.contains(" is not a type of record: ") == true)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    // MARK: Records that meet a type

    /// Whether a card of these resources has the type.
    static func has(_ type: String, _ resources: String..., names: CodeNames = .builtIn) throws -> Bool {
        let contents = try card(resources, names: names)
        return try RecordQuery(recordTypes: [type]).answer(about: contents, names: names) == .match(assumed: [])
    }

    private static func shot(_ code: String = "207", _ members: String = #","status":"completed""#) -> String {
        """
        {"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"\(Code.cvx)","code":"\(code)"}]}\(members)}
        """
    }

    @Test(arguments: [
        (#","status":"completed""#, true, true, true), ("", true, true, true),
        (#","status":"not-done""#, false, false, false), (#","status":"entered-in-error""#, false, false, false),
        (#","status":"completed","wasNotGiven":true"#, false, false, false),
        (#","status":"completed","notGiven":true"#, false, false, false),
        (#","status":"completed","isSubpotent":true"#, false, true, true),
        (#","status":"completed","isSubpotent":false"#, true, true, true),
        (#","status":"on-hold""#, false, true, true), (#","status":"cancelled""#, false, false, false),
        // A status that cannot be read may say anything, and refusing words count in any case.
        (#","status":["entered-in-error"]"#, false, false, false), (#","status":["completed"]"#, false, false, false),
        (#","status":{"value":"entered-in-error"}"#, false, false, false), (#","status":5"#, false, false, false),
        (#","status":"""#, false, false, false), (#","status":null"#, true, true, true),
        (#","status":"Entered-In-Error""#, false, false, false), (#","status":"NOT-DONE""#, false, false, false),
        (#","status":"entered-in-error ""#, false, false, false),
        (#","status":{"coding":[{"code":"completed"},{"code":"not-done"}]}"#, false, false, false),
        (#","status":{"coding":[{"code":"completed"}]}"#, true, true, true),
        (#","verificationStatus":"Refuted""#, false, false, false), (#","verificationStatus":7"#, false, false, false),
        (#","status":"completed","wasNotGiven":"true""#, false, false, false),
        (#","status":"completed","wasNotGiven":null"#, true, true, true),
        (#","status":"completed","wasNotGiven":false"#, true, true, true),
        (#","status":"completed","isSubpotent":"true""#, false, false, false),
    ])
    func onlyRecordsThatWereDoneCount(_ members: String, _ immunization: Bool, _ covid19: Bool, _ resource: Bool) throws
    {
        #expect(try Self.has("immunization", Self.shot("207", members)) == immunization)
        #expect(try Self.has("covid19", Self.shot("207", members)) == covid19)
        #expect(try Self.has("Immunization", Self.shot("207", members)) == resource)
    }

    @Test func noVaccineAdministeredIsNotAnImmunization() throws {
        #expect(try !Self.has("immunization", Self.shot("998")))
        #expect(try Self.has("immunization", Self.shot("999")))
        let contents = try contents(Self.shot("998"), names: .builtIn)
        #expect(contents.records[0].objection == "no vaccine administered")
    }

    @Test(arguments: [
        (Code.cvx, "207", true), (Code.cvx, "0207", true), (Code.cvx, "140", false), (Code.cvx, "399", false),
        (Code.snomed, "28581000087106", true), (Code.icd11, "XM0GQ8", true),
        ("http://id.who.int/icd11/mms", "XM0GQ8", true), ("http://example.org", "207", false),
    ])
    func codesDecideWhetherAVaccinationIsOfCOVID19(_ system: UTF8Text, _ code: UTF8Text, _ expected: Bool) throws {
        let json = """
            {"resourceType":"Immunization","vaccineCode":{"text":"COVID-19","coding":[
             {"system":"http://example.org","code":"x"},{"system":"\(system)","code":"\(code)","display":"COVID-19"}]}}
            """
        #expect(try Self.has("covid19", json) == expected)
        #expect(try Self.has("immunization", json))
    }

    /// A test result. `members` come before the members that all results have.
    private static func test(_ value: String?, code: String = "94500-6", _ members: String = #""status":"final""#)
        -> String
    {
        let value = value.map {
            #","valueCodeableConcept":{"coding":[{"system":"http://snomed.info/sct","code":"\#($0)"}]}"#
        }
        return """
            {"resourceType":"Observation",\(members),
             "code":{"coding":[{"system":"http://loinc.org","code":"\(code)"}]}\(value ?? "")}
            """
    }

    private static let tests: [(String, Bool, Bool, Bool)] = [
        (test("260373001"), true, true, true), (test("10828004"), true, true, true),
        (test("260415000"), true, true, false), (test("260385009"), true, true, false),
        (test("720735008"), true, true, false), (test("419984006"), true, true, false), (test(nil), true, true, false),
        (test("260373001", code: "1"), true, false, false),
        (test("260373001", #""status":"preliminary""#), true, true, false),
        (test("260373001", #""status":"registered""#), false, true, false),
        (test("260373001", #""status":"cancelled""#), false, false, false),
        (test("260373001", #""status":"entered-in-error""#), false, false, false),
        (test("260373001", #""status":"corrected""#), true, true, true),
        (test("260373001", #""status":"final","category":[{"coding":[{"code":"vital-signs"}]}]"#), false, true, true),
        (
            test(nil, #""status":"final","valueString":"Positive""#), true, true, false
        ),
        (
            test(
                nil,
                """
                "valueCodeableConcept":{"coding":[{"system":"http://snomed.info/sct","code":"260373001"},
                {"system":"http://snomed.info/sct","code":"260415000"}]}
                """), true, true, false
        ),
        (
            """
            {"resourceType":"DiagnosticReport","status":"final","code":{"coding":[
             {"system":"http://loinc.org","code":"94500-6"}]},"conclusionCode":[
             {"coding":[{"system":"http://snomed.info/sct","code":"260373001"}]}]}
            """, true, true, true
        ),
    ]

    @Test(arguments: tests)
    func aPositiveTestMeetsRecovery(
        _ json: String, _ laboratory: Bool, _ covid19: Bool, _ recovery: Bool
    ) throws {
        #expect(try Self.has("laboratory", json) == laboratory)
        #expect(try Self.has("covid19", json) == covid19)
        #expect(try Self.has("recovery", json) == recovery)
        #expect(try !Self.has("immunization", json))
    }

    @Test(arguments: [("94500-6", "260373001", true), ("94500-6", "260415000", false), ("92142-9", "260373001", false)])
    func eachPartOfAPanelIsJudgedByItsOwnCode(_ code: String, _ answer: String, _ recovery: Bool) throws {
        func part(_ code: String, _ answer: String) -> String {
            """
            {"code":{"coding":[{"system":"http://loinc.org","code":"\(code)"}]},
             "valueCodeableConcept":{"coding":[{"system":"http://snomed.info/sct","code":"\(answer)"}]}}
            """
        }
        let panel = """
            {"resourceType":"Observation","status":"final","code":{"text":"Respiratory panel"},
             "component":[\(part("92142-9", "260373001")),\(part(code, answer))]}
            """
        #expect(try Self.has("recovery", panel) == recovery)
        #expect(try Self.has("covid19", panel) == (code == "94500-6"))
    }

    private static let conditions: [(String?, String?, Bool)] = [
        ("resolved", "confirmed", true), ("inactive", nil, true), ("active", "confirmed", false),
        ("resolved", "refuted", false), ("resolved", "unconfirmed", false), ("resolved", "entered-in-error", false),
        ("remission", "confirmed", false), (nil, "confirmed", false),
    ]

    @Test(arguments: conditions)
    func aResolvedConditionFromAListMeetsRecovery(_ clinical: String?, _ verification: String?, _ expected: Bool) throws
    {
        var names = CodeNames.builtIn
        let list = """
            {"resourceType":"CodeSystem","title":"COVID-19 diagnoses","url":"http://hl7.org/fhir/sid/icd-10-cm",
             "concept":[{"code":"U07.1","display":"COVID-19"}]}
            """
        names.add(try CodeList(Array(list.utf8), about: .covid19))
        func status(_ name: String, _ code: String?) -> String {
            code.map { #","\#(name)":{"coding":[{"code":"\#($0)"}]}"# } ?? ""
        }
        let json = """
            {"resourceType":"Condition","code":{"coding":[{"system":"http://hl7.org/fhir/sid/icd-10-cm","code":"U07.1"}]}
             \(status("clinicalStatus", clinical))\(status("verificationStatus", verification))}
            """
        #expect(try Self.has("recovery", json, names: names) == expected)
        #expect(try !Self.has("recovery", json))
    }

    /// A list says of a condition that it is COVID-19. The name of a contact or a suspicion contains the word as well.
    @Test(arguments: ["COVID-19", "Suspected COVID-19", "Family history of COVID-19"])
    func aNameAloneDoesNotMeetRecovery(_ name: String) throws {
        let list = #"{"resourceType":"CodeSystem","url":"urn:local","concept":[{"code":"1","display":"\#(name)"}]}"#
        let json = """
            {"resourceType":"Condition","code":{"coding":[{"system":"urn:local","code":"1"}]},
             "clinicalStatus":{"coding":[{"code":"resolved"}]}}
            """
        for disease in [nil, .covid19] as [TargetDisease?] {
            let list = try CodeList(Array(list.utf8), about: disease)
            var names = CodeNames.builtIn
            names.add(list)
            #expect(try Self.has("recovery", json, names: names) == (disease != nil))
            var archive = CodeArchive()
            archive.install(list, from: "a file", on: "2026-11-01")
            var installed = CodeNames.builtIn
            installed.add(try CodeArchive(archive.bytes))
            #expect(try Self.has("recovery", json, names: installed) == (disease != nil))
        }
    }

    @Test func findsSupportingResourcesByType() throws {
        let patient = #"{"resourceType":"Patient"}"#
        let request = #"{"resourceType":"MedicationRequest","medicationReference":{"reference":"resource:2"}}"#
        let medication = #"{"resourceType":"Medication","code":{"text":"M"}}"#
        for type in ["Patient", "MedicationRequest", "Medication"] {
            #expect(try Self.has(type, patient, request, medication))
        }
        for type in ["Organization", "Immunization", "immunization", "laboratory", "covid19", "recovery"] {
            #expect(try !Self.has(type, patient, request, medication))
        }
    }
}
