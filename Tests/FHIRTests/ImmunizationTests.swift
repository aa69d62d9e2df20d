import Encodings
import FHIR
import Testing

@Suite("Immunizations")
struct ImmunizationTests {
    @Test func r4() throws {
        let record = try #require(
            try record(
                """
                {"resourceType":"Immunization","status":"completed","patient":{"reference":"resource:1"},
                 "vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"207"},
                                          {"system":"http://snomed.info/sct","code":"28531000087107"}]},
                 "occurrenceDateTime":"2021-01-29T10:00:00Z","lotNumber":"0000007","isSubpotent":true,
                 "manufacturer":{"identifier":{"system":"http://hl7.org/fhir/sid/mvx","value":"MOD"}},
                 "performer":[{"actor":{"display":"ABC General Hospital"}}],
                 "protocolApplied":[{"doseNumberPositiveInt":2,"seriesDosesPositiveInt":3}]}
                """))
        #expect(record.type == .immunization)
        #expect(
            record.codes == [
                Code(system: Code.cvx, code: "207"), Code(system: "http://snomed.info/sct", code: "28531000087107"),
            ])
        #expect(record.date == "2021-01-29T10:00:00Z")
        #expect(record.fhirDate?.start == 1_611_914_400)
        #expect(record.status == "completed")
        #expect(record.isSubpotent == true)
        #expect(!record.isNotDone)
        #expect(record.lotNumber == "0000007")
        #expect(record.manufacturer == nil)
        #expect(record.manufacturerCode == Code(system: "http://hl7.org/fhir/sid/mvx", code: "MOD"))
        #expect(record.performer == "ABC General Hospital")
        #expect(record.doseNumber == "2")
        #expect(record.subjectIndex == 0)
    }

    @Test func dstu2() throws {
        let record = try #require(
            try record(
                """
                {"resourceType":"Immunization","status":"completed","date":"2014-02","patient":{"reference":"resource:1"},
                 "vaccineCode":{"text":"Influenza","coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"88"}]},
                 "wasNotGiven":false,"reported":false,"lotNumber":"AAJN11K","performer":{"display":"Dr. Bo"},
                 "manufacturer":{"display":"Acme Vaccines"},
                 "vaccinationProtocol":[{"doseSequence":1,"targetDisease":[{"text":"flu"}]}]}
                """, fhirVersion: "1.0.2"))
        #expect(record.type == .immunization)
        #expect(record.display == "Influenza")
        #expect(record.displaySource == .issuer)
        #expect(record.date == "2014-02")
        #expect(record.lotNumber == "AAJN11K")
        #expect(record.manufacturer == "Acme Vaccines")
        #expect(record.performer == "Dr. Bo")
        #expect(record.doseNumber == "1")
        #expect(!record.isNotDone)
        #expect(record.isSubpotent == nil)
    }

    @Test(arguments: [
        #""status":"not-done""#, #""status":"completed","wasNotGiven":true"#,
        #""status":"completed","notGiven":true"#,
    ])
    func saysThatAVaccineWasNotGiven(_ members: String) throws {
        #expect(try record(#"{"resourceType":"Immunization",\#(members)}"#)?.isNotDone == true)
    }

    @Test func aStatusOtherThanCompletedIsKept() throws {
        let record = try record(#"{"resourceType":"Immunization","status":"entered-in-error"}"#)
        #expect(record?.status == "entered-in-error")
        #expect(record?.isNotDone == false)
    }

    @Test func aTimeInWordsIsNotADate() throws {
        let contents = try contents(#"{"resourceType":"Immunization","occurrenceString":"last spring"}"#)
        #expect(contents.records[0].date == "last spring")
        #expect(contents.records[0].fhirDate == nil)
        #expect(contents.relevantDate == nil)
    }

    @Test func theDateTimeComesBeforeTheWords() throws {
        let record = try record(
            #"{"resourceType":"Immunization","occurrenceString":"spring","occurrenceDateTime":"2021"}"#)
        #expect(record?.date == "2021")
    }

    @Test func whenItWasRecordedIsNotWhenItWasGiven() throws {
        #expect(try record(#"{"resourceType":"Immunization","recorded":"2021-01-01"}"#)?.date == nil)
    }

    @Test func theManufacturerIsAReferenceToAnOrganization() throws {
        let contents = try contents(
            #"{"resourceType":"Immunization","manufacturer":{"reference":"Organization/m"}}"#,
            #"{"resourceType":"Organization","id":"m","name":"Acme Vaccines"}"#)
        #expect(contents.records.map(\.manufacturer) == ["Acme Vaccines"])
    }

    // MARK: Order on the card

    private static let patient = #"{"resourceType":"Patient"}"#

    private static func shot(_ code: String, _ date: String?, _ members: String = "", of patient: Int? = 0) -> String {
        let patient = patient.map { #","patient":{"reference":"resource:\#($0)"}"# } ?? ""
        let date = date.map { #","occurrenceDateTime":"\#($0)""# } ?? ""
        return """
            {"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"\(Code.cvx)","code":"\(code)"}]}\(date)\
            \(members)\(patient)}
            """
    }

    @Test func vaccinationsOfOneCodeAreNumberedByDate() throws {
        let contents = try contents(
            Self.patient, Self.shot("207", "2021-03"), Self.shot("207", "2021-01-01"), Self.shot("229", "2022"),
            Self.shot("207", "2021-02-01"))
        #expect(contents.records.map { $0.orderOnCard?.description } == ["3 of 3", "1 of 3", nil, "2 of 3"])
    }

    @Test func oneCodeMayBeWrittenTwoWays() throws {
        let contents = try contents(Self.patient, Self.shot("1", "2021"), Self.shot("01", "2022"))
        #expect(contents.records.map { $0.orderOnCard?.description } == ["1 of 2", "2 of 2"])
        #expect(contents.records.map { $0.codes[0].code } == ["1", "01"])
    }

    @Test func vaccinesOfOneGroupAreCountedTogether() throws {
        let names = CodeNames([
            Code(system: Code.cvx, code: "207"): CodeName(display: "Moderna", source: .cvx, group: "COVID-19"),
            Code(system: Code.cvx, code: "208"): CodeName(display: "Pfizer", source: .cvx, group: "COVID-19"),
        ])
        let contents = try contents(
            Self.patient, Self.shot("207", "2021"), Self.shot("208", "2022"), Self.shot("3", "2020"), names: names)
        #expect(contents.records.map { $0.orderOnCard?.description } == ["1 of 2", "2 of 2", nil])
    }

    @Test func vaccinationsThatWereNotDoneDoNotCountAndUndatedOnesHaveNoNumber() throws {
        let contents = try contents(
            Self.patient, Self.shot("207", "2021-01"), Self.shot("207", "2021-02", #","status":"not-done""#),
            Self.shot("207", "2021-03", #","status":"entered-in-error""#), Self.shot("207", nil),
            Self.shot("207", "2021-01"))
        #expect(contents.records.map { $0.orderOnCard?.description } == ["1 of 3", nil, nil, nil, "2 of 3"])
    }

    @Test func eachPersonsVaccinationsAreCountedApart() throws {
        let contents = try contents(
            Self.patient, Self.patient, Self.shot("207", "2021"), Self.shot("207", "2022", of: 1),
            Self.shot("207", "2023", of: 1))
        #expect(contents.records.map { $0.orderOnCard?.description } == [nil, "1 of 2", "2 of 2"])
    }

    @Test func vaccinationsOfNobodyOnTheCardAreNotNumbered() throws {
        // They may belong to several persons.
        let contents = try contents(
            Self.patient, Self.shot("207", "2021", of: nil), Self.shot("207", "2022", of: nil),
            Self.shot("207", "2023", of: 7))
        #expect(contents.records.map(\.orderOnCard) == [nil, nil, nil])
    }
}
