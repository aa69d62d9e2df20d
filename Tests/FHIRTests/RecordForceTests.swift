import Encodings
import FHIR
import Testing

@Suite("Records that are not in force, and records of absence")
struct RecordForceTests {
    private static let moment = FHIRDate("2026-06-01T12:00:00Z")

    /// The only record of a card that is read for a moment.
    private static func record(_ resource: String) throws -> (record: Record, contents: CardContents) {
        let contents = try CardContents(
            bundle(of: [resource, #"{"resourceType":"Patient"}"#]), fhirVersion: "4.0.1", at: moment)
        return (try #require(contents.records.first), contents)
    }

    private static func counts(_ resource: String, as type: String, since: String? = nil) throws -> Bool {
        let query = try RecordQuery(recordTypes: [type], since: since, until: nil)
        return query.answer(about: try record(resource).contents) == .match(assumed: [])
    }

    private static func shot(_ members: String, code: String = "207") -> String {
        """
        {"resourceType":"Immunization","status":"completed",\(members)
         "vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"\(code)"}]}}
        """
    }

    // MARK: Dated ahead

    @Test(arguments: [
        ("2026-06-01", true), ("2026-06-02", false), ("2026", true), ("2027", false), ("2026-06", true),
        ("2026-06-01T12:00:00Z", true), ("2026-06-01T12:00:01Z", false), ("2026-06-01T14:30:00+02:00", false),
        ("2026-06-01T13:59:00+02:00", true), ("2030-01-01", false),
    ])
    func recordDatedAheadNeverCounts(_ date: String, _ counts: Bool) throws {
        let resource = Self.shot(#""occurrenceDateTime":"\#(date)","#)
        #expect(try Self.counts(resource, as: "immunization") == counts)
        #expect(try Self.counts(resource, as: "covid19") == counts)
        #expect(try Self.counts(resource, as: "Immunization") == counts)
        let query = try RecordQuery(recordTypes: [], since: "2020", until: nil)
        let (record, contents) = try Self.record(resource)
        #expect((query.answer(about: contents) == .match(assumed: [])) == counts)
        #expect((record.lapse == nil) == counts)
    }

    @Test func withoutMomentNothingLapses() throws {
        let contents = try contents(Self.shot(#""occurrenceDateTime":"2999-01-01","#), names: .builtIn)
        #expect(contents.records.first?.lapse == nil && contents.records.first?.objection == nil)
    }

    // MARK: Insurance cards

    @Test(
        arguments: [
            (#""status":"active""#, nil), (#""status":"active","period":{"end":"2026-06-01"}"#, nil),
            (#""status":"active","period":{"start":"2026-06-01","end":"2026"}"#, nil),
            (#""status":"active","period":{"end":"2026-05-31"}"#, "ended on 2026-05-31"),
            (#""status":"active","period":{"end":"2026-05"}"#, "ended on 2026-05"),
            (#""status":"active","period":{"start":"2026-06-02"}"#, "valid only from 2026-06-02 on"),
            (#""status":"active","period":{"end":"soon"}"#, "its dates of validity cannot be read"),
            (#""status":"active","period":"2026""#, "its dates of validity cannot be read"),
            (#""status":"active","period":{"end":20260101}"#, "its dates of validity cannot be read"),
            (#""status":"draft""#, "with another status than active"), (#""status":"cancelled""#, "cancelled"),
            (#""period":{"end":"2027"}"#, "with no status"), (#""status":null"#, "with no status"),
        ] as [(String, String?)])
    func coverageCountsOnlyInForce(_ members: String, _ objection: String?) throws {
        let resource = #"{"resourceType":"Coverage",\#(members)}"#
        #expect(try Self.record(resource).record.objection == objection)
        #expect(try Self.counts(resource, as: "coverage") == (objection == nil))
        #expect(try Self.counts(resource, as: "Coverage") == (objection == nil))
    }

    @Test func messageSaysWhenItEnded() throws {
        let (_, contents) = try Self.record(
            #"{"resourceType":"Coverage","status":"active","type":{"text":"HIP"},"period":{"end":"2026-05-31"}}"#)
        let answer = try RecordQuery(recordTypes: ["coverage"]).answer(about: contents)
        guard case .mismatch(let mismatch) = answer else { return #expect(Bool(false), "\(answer)") }
        #expect(mismatch.description.contains(#"it has Coverage "HIP" (ended on 2026-05-31)"#), "\(mismatch)")
        #expect(!mismatch.impersonalDescription.contains("2026"))
        #expect(mismatch.impersonalDescription.contains("not in force"))
    }

    // MARK: Absence

    @Test(arguments: [
        ("no-allergy-info", "No information about allergies"), ("no-known-allergies", "No known allergies"),
        ("no-known-medication-allergies", "No known medication allergies"),
        ("no-known-environmental-allergies", "No known environmental allergies"),
        ("no-known-food-allergies", "No known food allergies"), ("no-device-info", "No information about devices"),
        ("no-known-devices", "No known devices in use"),
        ("no-immunization-info", "No information about immunizations"),
        ("no-known-immunizations", "No known immunizations"),
        ("no-medication-info", "No information about medications"), ("no-known-medications", "No known medications"),
        ("no-problem-info", "No information about problems"), ("no-known-problems", "No known problems"),
        ("no-procedure-info", "No information about past history of procedures"),
        ("no-known-procedures", "No known procedures"), ("no-known-something", "None, or not known"),
    ])
    func recordOfAbsenceIsShownAsWhatItSaysAndNeverCounts(_ code: String, _ words: UTF8Text) throws {
        let coding =
            #"{"system":"http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips","code":"\#(code)","display":"COVID-19 vaccine"}"#
        let vaccine = #"{"system":"http://hl7.org/fhir/sid/cvx","code":"207"}"#
        for (type, element) in [
            ("Immunization", "vaccineCode"), ("AllergyIntolerance", "code"), ("Condition", "code"),
            ("Procedure", "code"), ("MedicationStatement", "medicationCodeableConcept"), ("Device", "type"),
        ] {
            for codings in [coding, "\(coding),\(vaccine)", "\(vaccine),\(coding)"] {
                let resource = #"{"resourceType":"\#(type)","\#(element)":{"coding":[\#(codings)]}}"#
                let (record, _) = try Self.record(resource)
                #expect(record.isAbsent && record.display == words && record.displaySource == .builtIn, "\(resource)")
                #expect(try !Self.counts(resource, as: type))
                for type in ["immunization", "covid19"] { #expect(try !Self.counts(resource, as: type)) }
            }
        }
    }

    @Test func absenceBehindAReferenceCounts() throws {
        let absent = #"{"coding":[{"system":"urn:oid:2.16.840.1.113883.5.1150.1","code":"no-known-devices"}]}"#
        let contents = try contents(
            #"{"resourceType":"Patient"}"#,
            #"{"resourceType":"DeviceUseStatement","status":"active","device":{"reference":"resource:2"}}"#,
            #"{"resourceType":"Device","type":\#(absent)}"#,
            #"{"resourceType":"MedicationStatement","medicationReference":{"reference":"resource:4"}}"#,
            #"{"resourceType":"Medication","code":\#(absent)}"#)
        #expect(contents.records.map(\.isAbsent) == [true, true, true])
        for type in ["DeviceUseStatement", "MedicationStatement", "Medication"] {
            #expect(try RecordQuery(recordTypes: [type]).answer(about: contents) != .match(assumed: []))
        }
    }

    // MARK: Modifiers

    @Test(arguments: [
        (#""modifierExtension":[{"url":"https://x.example/not"}],"#, false),
        (#""modifierExtension":{"url":"https://x.example/not"},"#, false),
        (#""performer":[{"actor":{"display":"X"},"modifierExtension":[{"url":"u"}]}],"#, false),
        (#""modifierExtension":null,"#, true), (#""modifierExtension":[],"#, true),
        (#""extension":[{"url":"u"}],"#, true),
        (#""note":[{"text":"modifierExtension"}],"#, true),
    ])
    func unknownModifierNeverCounts(_ members: String, _ counts: Bool) throws {
        let resource = Self.shot(members)
        for type in ["immunization", "covid19", "Immunization"] {
            #expect(try Self.counts(resource, as: type) == counts)
        }
    }

    @Test(arguments: [
        (#"{"resource":{"resourceType":"Medication","modifierExtension":[{"url":"u"}],"code":{"text":"X"}}}"#, false),
        (#"{"resource":{"resourceType":"Medication","modifierExtension":[{"url":"u"}]}}"#, false),
        (#"{"resource":{"resourceType":"Medication","ingredient":[{"modifierExtension":[{"url":"u"}]}]}}"#, false),
        (#"{"modifierExtension":[{"url":"u"}],"resource":{"resourceType":"Medication","code":{"text":"X"}}}"#, false),
        (#"{"resource":{"resourceType":"Medication","code":{"text":"modifierExtension"}}}"#, true),
    ])
    func modifierOfWhatLendsTheCodeCountsToo(_ entry: String, _ counts: Bool) throws {
        let records = ["MedicationStatement", "MedicationRequest"].map { type in
            #"{"resource":{"resourceType":"\#(type)","medicationReference":{"reference":"resource:3","display":"X"}}}"#
        }
        let bundle = try bundle(
            #"{"entry":[{"resource":{"resourceType":"Patient"}},\#(records.joined(separator: ",")),\#(entry)]}"#)
        let contents = CardContents(bundle, fhirVersion: nil)
        #expect(contents.records.prefix(2).allSatisfy { ($0.objection == nil) == counts })
        for type in ["MedicationStatement", "MedicationRequest", "Medication"] {
            let answer = try RecordQuery(recordTypes: [type]).answer(about: contents)
            #expect((answer == .match(assumed: [])) == counts, "\(type)")
        }
    }

    @Test func modifierOfADeviceOrAContainedResourceCountsToo() throws {
        let contents = try contents(
            #"{"resourceType":"Patient"}"#,
            #"{"resourceType":"DeviceUseStatement","type":{"text":"X"},"device":{"reference":"resource:2"}}"#,
            #"{"resourceType":"Device","modifierExtension":[{"url":"u"}]}"#,
            """
            {"resourceType":"MedicationStatement","medicationReference":{"reference":"#m"},
             "contained":[{"resourceType":"Medication","id":"m","modifierExtension":[{"url":"u"}],"code":{"text":"X"}}]}
            """)
        #expect(contents.records.allSatisfy { $0.uncounted == "modifier" })
    }

    @Test func modifierOfAnEntryCountsToo() throws {
        let bundle = try bundle(
            """
            {"entry":[{"modifierExtension":[{"url":"u"}],"resource":\(Self.shot(""))},{"resource":{"resourceType":"Patient"}}]}
            """)
        #expect(CardContents(bundle, fhirVersion: nil).records.first?.objection != nil)
    }
}
