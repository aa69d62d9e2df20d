import Encodings
import FHIR
import Testing

@Suite("Subjects")
struct SubjectTests {
    struct NameCase: CustomTestStringConvertible {
        let json: String
        let name: UTF8Text?
        var testDescription: String { json }
        init(_ json: String, _ name: UTF8Text?) { (self.json, self.name) = (json, name) }
    }

    @Test(arguments: [
        NameCase(#"[{"family":"Anyperson","given":["John","B."]}]"#, "John B. Anyperson"),
        NameCase(#"[{"family":["van","Hulp"],"given":["Beetje"]}]"#, "Beetje van Hulp"),
        NameCase(#"[{"prefix":["Dr."],"given":["Ana"],"family":"Sá","suffix":["Jr."]}]"#, "Dr. Ana Sá Jr."),
        NameCase(#"[{"text":"王小明","family":"王","given":["小明"]}]"#, "王小明"),
        NameCase(#"[{"text":"Madonna"}]"#, "Madonna"),
        NameCase(#"{"family":"Single"}"#, "Single"),
        NameCase(
            #"[{"use":"nickname","text":"Jo"},{"use":"usual","text":"Joan"},{"use":"official","text":"Joan X"}]"#,
            "Joan X"),
        NameCase(#"[{"use":"nickname","text":"Jo"},{"use":"usual","text":"Joan"}]"#, "Joan"),
        NameCase(#"[{"use":"maiden","text":"Mai"},{"text":"Plain"},{"text":"Second"}]"#, "Plain"),
        NameCase(#"[{"use":"old","text":"Old"},{"use":"maiden","text":"Mai"}]"#, "Mai"),
        NameCase(#"[{"use":"old","text":"Old"}]"#, "Old"),
        NameCase(#"[{"text":"Former","period":{"end":"2001-01-01"}},{"text":"Current"}]"#, "Current"),
        NameCase(
            #"[{"use":"official","text":"Former","period":{"end":"2020"}},{"use":"nickname","text":"Now"}]"#, "Now"),
        NameCase(#"[{"use":"official","text":"Ahead","period":{"start":"2030"}},{"text":"Now"}]"#, "Now"),
        NameCase(#"[{"use":"official","text":"Lasting","period":{"end":"2021"}},{"text":"Other"}]"#, "Lasting"),
        NameCase(#"[{"text":"Lasting","period":{"end":"soon"}},{"text":"Other"}]"#, "Lasting"),
        NameCase(#"[{"text":"Former","period":{"end":"2001"}},{"use":"old","text":"Old"}]"#, "Former"),
        NameCase(#"[{"use":"official"},{"use":"usual","text":"Usual"}]"#, "Usual"),
        NameCase(#"[{"text":"","given":["",null,3],"family":""}]"#, nil),
        NameCase(#"[null,"x",7,{"family":"F"}]"#, "F"),
        NameCase("[]", nil),
        NameCase("null", nil),
        NameCase(#""John""#, nil),
        NameCase(#"[{"given":{"a":1},"family":7,"text":["x"]}]"#, nil),
    ])
    func nameIsThePreferredOne(_ expected: NameCase) throws {
        let contents = CardContents(
            try bundle(of: [#"{"resourceType":"Patient","name":\#(expected.json)}"#]), fhirVersion: nil,
            at: FHIRDate("2021-06-01T12:00:00Z"))
        #expect(contents.subjects.map(\.name) == [expected.name])
    }

    @Test(arguments: [
        (
            #"[{"text":"山田 太郎"},{"text":"Yamada Taro"},{"text":"ヤマダ タロウ"},{"text":"Yamada T."}]"#,
            ["Yamada Taro", "ヤマダ タロウ"]
        ),
        (#"[{"text":"Yamada Taro"},{"text":"山田 太郎"},{"use":"old","text":"Ямада"}]"#, ["山田 太郎"]),
        (#"[{"text":"Ann"},{"use":"nickname","text":"Annie"},{"text":"123"}]"#, []),
    ])
    func namesInOtherScriptsAreKept(_ names: String, _ others: [UTF8Text]) throws {
        let subject = try #require(try contents(#"{"resourceType":"Patient","name":\#(names)}"#).subjects.first)
        #expect(subject.namesInOtherScripts == others)
        #expect(subject.names.first?.display == subject.name)
    }

    @Test(arguments: ["1951", "1951-01", "1951-01-20", "about 1951"])
    func birthDateStaysAsPreciseAsGiven(_ text: UTF8Text) throws {
        let contents = try contents(#"{"resourceType":"Patient","birthDate":"\#(text)"}"#)
        #expect(contents.subjects.map(\.birthDate) == [text])
    }

    @Test(arguments: ["null", "1951", "[]", #"["1951"]"#, #""""#])
    func ignoresBirthDateOfAnotherType(_ json: String) throws {
        let contents = try contents(#"{"resourceType":"Patient","birthDate":\#(json)}"#)
        #expect(contents.subjects.map(\.birthDate) == [nil])
    }

    @Test func showsAllPatientsAndAttributesRecords() throws {
        let contents = try contents(
            #"{"resourceType":"Immunization","patient":{"reference":"resource:3"}}"#,
            #"{"resourceType":"Patient","name":[{"text":"A"}],"birthDate":"2001"}"#,
            #"{"resourceType":"Observation","subject":{"reference":"resource:1"}}"#,
            #"{"resourceType":"Patient","name":[{"text":"B"}]}"#,
            #"{"resourceType":"Coverage","beneficiary":{"reference":"resource:1"}}"#,
            #"{"resourceType":"Condition","subject":{"reference":"resource:0"}}"#,
            #"{"resourceType":"Condition","subject":{"reference":"resource:99"}}"#,
            #"{"resourceType":"Condition"}"#)
        #expect(contents.subjects.map(\.name) == ["A", "B"])
        #expect(contents.subjects.map(\.birthDate) == ["2001", nil])
        #expect(contents.subjects.map(\.entryIndex) == [1, 3])
        #expect(contents.records.map(\.subjectIndex) == [1, 0, 0, nil, nil, nil])
    }

    // MARK: Identity assurance

    static func security(_ level: String) -> String {
        """
        "meta":{"security":[{"system":"http://terminology.hl7.org/CodeSystem/v3-Confidentiality","code":"R"},
        {"system":"https://smarthealth.cards/ial","code":"\(level)"}]}
        """
    }

    @Test func identityAssuranceIsThePatients() throws {
        let contents = try contents(
            #"{"resourceType":"Patient",\#(Self.security("IAL2"))}"#,
            #"{"resourceType":"Immunization",\#(Self.security("IAL1"))}"#)
        #expect(contents.subjects.map(\.identityAssurance) == ["IAL2"])
        #expect(contents.records.map(\.identityAssurance) == ["IAL1"])
    }

    @Test func identityAssuranceMayComeFromTheBundle() throws {
        let bundle = try bundle(
            #"{"resourceType":"Bundle",\#(Self.security("IAL1.4")),"entry":[{"resource":{"resourceType":"Patient"}}]}"#)
        #expect(CardContents(bundle, fhirVersion: nil).subjects.map(\.identityAssurance) == ["IAL1.4"])
    }

    @Test(arguments: [(["IAL1.2", "IAL1.2"], "IAL1.2"), (["IAL1.2", "IAL2"], nil)] as [([String], UTF8Text?)])
    func identityAssuranceMayComeFromRecordsThatAgree(_ levels: [String], _ expected: UTF8Text?) throws {
        let contents = try contents(
            #"{"resourceType":"Patient"}"#,
            #"{"resourceType":"Immunization","patient":{"reference":"resource:0"},\#(Self.security(levels[0]))}"#,
            #"{"resourceType":"Immunization","patient":{"reference":"resource:0"},\#(Self.security(levels[1]))}"#,
            #"{"resourceType":"Immunization","patient":{"reference":"resource:0"}}"#,
            #"{"resourceType":"Immunization",\#(Self.security("IAL3"))}"#)
        #expect(contents.subjects.map(\.identityAssurance) == [expected])
    }

    // MARK: The subject of a record

    @Test(arguments: [
        (#""patient":{"reference":"resource:0"}"#, 0), (#""patient":{"reference":"resource:1"}"#, 1),
        (#""patient":{"reference":"Patient/b"}"#, 1), (#""subject":{"reference":"resource:1"}"#, 1),
        (#""patient":null,"subject":{"reference":"resource:1"}"#, 1),
        (#""patient":{"reference":"resource:1"},"subject":{"reference":"Patient/b"}"#, 1),
    ])
    func aRecordIsAboutThePatientThatItRefersTo(_ members: String, _ index: Int) throws {
        #expect(try records(with: members).map(\.subjectIndex) == [index])
    }

    @Test(arguments: [
        #""status":"completed""#, #""patient":null"#, #""patient":{"display":"Jana"}"#, #""patient":"resource:0""#,
        #""patient":[{"reference":"resource:0"}]"#, #""patient":{"reference":"resource:2"}"#,
        #""patient":{"reference":"resource:9"}"#, #""patient":{"reference":"https://example.org/Patient/a"}"#,
        ##""patient":{"reference":"#c"},"contained":[{"resourceType":"Patient","id":"c","name":[{"text":"C"}]}]"##,
        #""patient":{"reference":"https://example.org/p","display":"Jana"},"subject":{"reference":"resource:0"}"#,
        #""patient":{"reference":"resource:0"},"subject":{"reference":"resource:1"}"#,
        #""patient":{"reference":"resource:0"},"subject":{"display":"somebody else"}"#,
    ])
    func aRecordThatNamesNoPatientIsAboutNobody(_ members: String) throws {
        #expect(try records(with: members).map(\.subjectIndex) == [nil])
    }

    private func records(with members: String) throws -> [Record] {
        try contents(
            #"{"resourceType":"Patient","id":"a"}"#, #"{"resourceType":"Patient","id":"b"}"#,
            #"{"resourceType":"Organization"}"#, #"{"resourceType":"Immunization",\#(members)}"#
        ).records
    }

    @Test(arguments: [
        #""meta":null"#, #""meta":[]"#, #""meta":{"security":null}"#, #""meta":{"security":["IAL2"]}"#,
        #""meta":{"security":[{"code":"IAL2"}]}"#, #""meta":{"security":[{"system":"https://smarthealth.cards/ial"}]}"#,
    ])
    func otherLabelsAreNoIdentityAssurance(_ member: String) throws {
        #expect(try contents(#"{"resourceType":"Patient",\#(member)}"#).subjects.map(\.identityAssurance) == [nil])
    }
}
