import Encodings
import FHIR
import Testing

@Suite("References in a Bundle")
struct ReferenceTests {
    static let entries = #"""
        {"resourceType":"Bundle","entry":[
          {"fullUrl":"resource:0","resource":{"resourceType":"Patient","id":"p1"}},
          {"fullUrl":"urn:uuid:0b1","resource":{"resourceType":"Organization","id":"org"}},
          {"fullUrl":"https://fhir.example.org/r4/Practitioner/77","resource":{"resourceType":"Practitioner"}},
          {"resource":{"resourceType":"Location","id":"l"}},
          {"fullUrl":"twice","resource":{"resourceType":"Device","id":"d"}},
          {"fullUrl":"twice","resource":{"resourceType":"Device","id":"d"}},
          null,
          {"fullUrl":"resource:moved","resource":{"resourceType":"Patient"}},
          {"fullUrl":"https://fhir.example.org/r4/Patient/p9","resource":{"resourceType":"Patient","id":"p9"}},
          {"fullUrl":"re\u0073ource:9"},
          {"fullUrl":"caf\u00e9"}
        ]}
        """#

    private func entry(_ reference: UTF8Text) throws -> Int? {
        guard case .entry(let index)? = try bundle(Self.entries).target(of: reference, from: nil) else { return nil }
        return index
    }

    @Test(arguments: [
        ("resource:0", 0), ("urn:uuid:0b1", 1), ("urn:uuid:0B1", 1), ("URN:UUID:0b1", 1),
        ("https://fhir.example.org/r4/Practitioner/77", 2),
        ("Practitioner/77", 2), ("Patient/p1", 0), ("Organization/org", 1), ("Organization/org/_history/3", 1),
        ("Location/l", 3), ("resource:3", 3), ("Patient/p9", 8), ("resource:9", 9), ("caf\u{E9}", 10),
    ])
    func leadToTheEntry(_ reference: UTF8Text, _ index: Int) throws {
        #expect(try entry(reference) == index)
    }

    @Test(arguments: [
        "", "#", "#p1", "resource:", "resource:1", "resource:7", "resource:-1", "resource:+3", "resource:03",
        "resource:99999999999999999999",
        "resource:0 ", "RESOURCE:0", "Patient/p2", "Patient/", "/p1", "/", "//", "p1", "/Patient/p1",
        "https://other.example/Patient/p1", "twice", "Device/d", "cafe\u{301}", "_history/1", "a/_history/1",
    ])
    func leadNowhereElse(_ reference: UTF8Text) throws {
        #expect(try entry(reference) == nil)
    }

    @Test func typeAndIdentityAreAmbiguousWithSeveralServers() throws {
        let bundle = try bundle(
            #"""
            {"resourceType":"Bundle","entry":[
              {"fullUrl":"https://a.example/Patient/1","resource":{"resourceType":"Patient","id":"1"}},
              {"fullUrl":"https://b.example/Immunization/2","resource":{"resourceType":"Immunization"}},
              {"fullUrl":"resource:2","resource":{"resourceType":"Patient","id":"3"}}
            ]}
            """#)
        #expect(bundle.target(of: "Patient/1", from: nil) == nil)
        for reference: UTF8Text in ["https://a.example/Patient/1", "Patient/3", "resource:2"] {
            #expect(bundle.target(of: reference, from: nil) != nil)
        }
    }

    @Test func containedResourcesAreFoundInTheResourceThatRefers() throws {
        let contents = try contents(
            """
            {"resourceType":"Immunization","performer":[{"actor":{"reference":"#o"}}],
             "contained":[null,{"id":"o"},{"resourceType":"Organization","id":"p","name":"Wrong"}]}
            """,
            """
            {"resourceType":"Immunization","performer":[{"actor":{"reference":"#o"}}],
             "contained":[{"resourceType":"Organization","id":"o","name":"Clinic"}]}
            """,
            ##"{"resourceType":"Immunization","performer":[{"actor":{"reference":"#o"}}]}"##)
        #expect(contents.records.map(\.performer) == [nil, "Clinic", nil])
    }

    @Test(arguments: [
        (#"{"display":"Ward 3","reference":"resource:1"}"#, "Ward 3"),
        (#"{"reference":"resource:1"}"#, "Clinic"),
        (#"{"reference":"resource:2"}"#, "Dr. Ana Sá"),
        (#"{"reference":"resource:3"}"#, "Dr. Ana Sá"),
        (#"{"reference":"resource:4"}"#, "Clinic"),
        (#"{"reference":"resource:5"}"#, nil),
        (#"{"reference":"resource:6"}"#, "Entrance"),
        (#"{"reference":"resource:77"}"#, nil),
        (#"{"reference":7,"display":null}"#, nil),
        (#""resource:1""#, nil),
        ("null", nil),
    ])
    func performerIsTheDisplayElseTheTargetsName(_ reference: String, _ name: UTF8Text?) throws {
        let contents = try contents(
            #"{"resourceType":"Immunization","performer":[{"actor":\#(reference)}]}"#,
            #"{"resourceType":"Organization","name":"Clinic"}"#,
            #"{"resourceType":"Practitioner","name":[{"prefix":["Dr."],"given":["Ana"],"family":"Sá"}]}"#,
            #"{"resourceType":"PractitionerRole","practitioner":{"reference":"resource:2"}}"#,
            """
            {"resourceType":"PractitionerRole","practitioner":{"reference":"resource:99"},
             "organization":{"reference":"resource:1"}}
            """,
            #"{"resourceType":"PractitionerRole","practitioner":{"reference":"resource:5"}}"#,
            #"{"resourceType":"Location","name":"Entrance"}"#)
        #expect(contents.records.map(\.performer) == [name])
    }

    @Test func theFirstPerformerWithANameIsTaken() throws {
        let record = try record(
            """
            {"resourceType":"Immunization",
             "performer":[null,{"actor":{}},{"actor":{"display":""}},{"actor":{"display":"B"}},{"actor":{"display":"C"}}]}
            """)
        #expect(record?.performer == "B")
    }

    @Test func supportingResourcesAreNotRecords() throws {
        let types = [
            "Patient", "Organization", "Practitioner", "PractitionerRole", "Location", "RelatedPerson", "Specimen",
            "Provenance",
        ]
        let bundle = try bundle(of: types.map { #"{"resourceType":"\#($0)"}"# })
        #expect(CardContents(bundle, fhirVersion: "4.0.1").records.isEmpty)
    }

    @Test(arguments: [
        ("Patient/x/_history/3", "", true), ("https://ehr.example/Patient/x/_history/3", "", true),
        ("Patient/x/_history/3", #","meta":{"versionId":"3"}"#, true),
        ("https://ehr.example/Patient/x/_history/3", #","meta":{"versionId":"3"}"#, true),
        ("Patient/x/_history/3", #","meta":{"versionId":"4"}"#, false),
        ("https://ehr.example/Patient/x/_history/3", #","meta":{"versionId":"4"}"#, false),
        ("Patient/x/_history/3", #","meta":{"versionId":3}"#, false),
        ("Patient/x/_history/3", #","meta":{"versionId":null}"#, true),
        ("Patient/y/_history/3", "", false), ("_history/3", "", false),
        ("Patient/x", #","meta":{"versionId":"4"}"#, true),
    ])
    func referenceWithVersionNamesItsEntry(_ reference: String, _ members: String, _ isFound: Bool) throws {
        let bundle = try bundle(
            """
            {"resourceType":"Bundle","entry":[
              {"fullUrl":"https://ehr.example/Patient/x","resource":{"resourceType":"Patient","id":"x"\(members)}},
              {"resource":{"resourceType":"Immunization","patient":{"reference":"\(reference)"}}}]}
            """)
        #expect(CardContents(bundle, fhirVersion: nil).records.first?.subjectIndex == (isFound ? 0 : nil))
    }

    /// An address such as that of a UUID may have a version too, and `fullUrl` decides.
    @Test func versionIsRemovedFromAnyAddress() throws {
        let bundle = try bundle(
            """
            {"resourceType":"Bundle","entry":[
              {"fullUrl":"urn:uuid:00000000-0000-0000-0000-00000000000a","resource":{"resourceType":"Patient"}},
              {"resource":{"resourceType":"Condition","subject":{"reference":"urn:uuid:00000000-0000-0000-0000-00000000000A/_history/1"}}}]}
            """)
        #expect(CardContents(bundle, fhirVersion: nil).records.first?.subjectIndex == 0)
    }
}
