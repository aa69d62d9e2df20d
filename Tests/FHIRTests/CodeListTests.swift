import FHIR
import JSON
import Testing

@Suite("Lists of codes (--codes)")
struct CodeListTests {
    static func list(_ json: String) throws(CodeListError) -> CodeList {
        try CodeList(fhirJSON: Array(json.utf8))
    }

    static func error(_ json: String) -> CodeListError? {
        do throws(CodeListError) {
            _ = try list(json)
            return nil
        } catch {
            return error
        }
    }

    private static func entry(_ system: String, _ code: String, _ display: String?) -> CodeList.Entry? {
        try? list(
            """
            {"resourceType":"ValueSet","expansion":{"contains":[{"system":"\(system)","code":"\(code)"
             \(display.map { #","display":"\#($0)""# } ?? "")}]}}
            """
        ).entries.first
    }

    // MARK: Accepted lists

    @Test func aValueSetHasTheCodesItIncludesAndExpandsTo() throws {
        let list = try Self.list(
            """
            {"resourceType":"ValueSet","compose":{"include":[
               {"system":"s","concept":[{"code":"1","display":"One"},{"code":"2"}]},
               {"system":"t","concept":[{"code":"1","designation":[{"language":"de","value":"Eins"}]}]},
               {"system":"whole"},{"valueSet":["other"],"concept":[{"code":"3"}]},{"system":"u","filter":[]}]},
             "expansion":{"contains":[
               {"abstract":true,"display":"Group","contains":[
                 {"system":"s","code":"4","display":"Four","contains":[{"system":"s","code":"5","display":"Five"}]}]},
               {"code":"6","display":"of no system"}]}}
            """)
        let expected = [
            Self.entry("s", "1", "One"), Self.entry("s", "2", nil), Self.entry("t", "1", "Eins"),
            Self.entry("s", "4", "Four"), Self.entry("s", "5", "Five"),
        ]
        #expect(list.entries == expected)
        #expect(!list.isOfCOVID19)
    }

    @Test func codesThatAValueSetExcludesAreLeftOut() throws {
        let list = try Self.list(
            """
            {"resourceType":"ValueSet","compose":{
              "include":[{"system":"\(Code.cvx)","concept":[{"code":"1"},{"code":"2"}]}],
              "exclude":[{"system":"\(Code.cvx)","concept":[{"code":"01"}]},{"system":"x"}]}}
            """)
        #expect(list.entries.map(\.code.code) == ["2"])
    }

    @Test func aCodeSystemHasItsConceptsHoweverDeep() throws {
        let list = try Self.list(
            """
            {"resourceType":"CodeSystem","url":"s","concept":[{"code":"1","display":"One","concept":[
              {"code":"1.1","display":"One one","concept":[{"code":"1.1.1","display":"Deep"}]}]},
              {"display":"no code"},{"code":"2","display":"Two"}]}
            """)
        #expect(list.entries.map(\.code.code) == ["1", "1.1", "1.1.1", "2"])
        #expect(list.entries.map(\.display) == ["One", "One one", "Deep", "Two"])
        #expect(list.entries.allSatisfy { $0.code.system == "s" })
    }

    @Test func aSupplementNamesCodesOfTheSystemThatItSupplements() throws {
        let list = try Self.list(
            """
            {"resourceType":"CodeSystem","url":"mine","content":"supplement","supplements":"\(Code.cvx)|2023",
             "concept":[{"code":"207","display":"Moderna"}]}
            """)
        #expect(list.entries.map(\.code) == [Code(system: Code.cvx, code: "207")])
    }

    @Test func namesOfAListComeBeforeThoseBuiltIn() throws {
        var names = CodeNames.builtIn
        try names.add(
            fhirJSON: Array(
                """
                {"resourceType":"ValueSet","compose":{"include":[{"system":"\(Code.cvx)","concept":[
                  {"code":"1","display":"Drei in einem"},{"code":"399","display":"Neu"},{"code":"208"}]},
                  {"system":"http://id.who.int/icd11/mms","concept":[{"code":"XM0GQ8","display":"mRNA"}]}]}}
                """.utf8))
        #expect(names[Code(system: Code.cvx, code: "01")]?.display == "Drei in einem")
        #expect(names[Code(system: Code.cvx, code: "01")]?.source == .codesFile)
        #expect(names[Code(system: Code.cvx, code: "399")]?.display == "Neu")
        #expect(names[Code(system: Code.cvx, code: "208")]?.source == .cvx)
        #expect(names[Code(system: Code.icd11, code: "XM0GQ8")]?.display == "mRNA")
        #expect(names[Code(system: Code.icd11, code: "XM0GQ8")]?.group == "COVID-19")
        #expect(!names.isCOVID19(Code(system: Code.cvx, code: "399")))
        let shot = """
            {"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"\(Code.cvx)","code":"399",
             "display":"New"}]}}
            """
        #expect(try record(shot, names: names)?.display == "Neu")
        #expect(try record(shot, names: names)?.displaySource?.rawValue == "codes-file")
    }

    // MARK: COVID-19

    private static func valueSet(_ members: String) -> String {
        """
        {"resourceType":"ValueSet",\(members),"compose":{"include":[
          {"system":"\(Code.cvx)","concept":[{"code":"399"},{"code":"398","display":"New"}]},
          {"system":"http://snomed.info/sct","concept":[{"code":"840539006"}]}]}}
        """
    }

    @Test(arguments: [
        #""title":"COVID-19 vaccines""#, #""name":"ImmunizationCovidCvxValueSet""#, #""title":"Covid 19""#,
        #""url":"https://terminology.smarthealth.cards/ValueSet/immunization-covid-all""#,
        #""title":"SARS-CoV-2 (all)","name":"X""#, #""name":"sars_cov_2""#, #""name":"SARSCoV2Tests""#,
    ])
    func recognisesListsAboutCOVID19(_ members: String) throws {
        var names = CodeNames.builtIn
        try names.add(fhirJSON: Array(Self.valueSet(members).utf8))
        #expect(names.isCOVID19(Code(system: Code.cvx, code: "399")))
        #expect(names.isCOVID19(Code(system: Code.snomed, code: "840539006")))
        #expect(names.group(of: Code(system: Code.cvx, code: "0399")) == "COVID-19")
        #expect(names[Code(system: Code.cvx, code: "398")]?.group == "COVID-19")
        #expect(names[Code(system: Code.cvx, code: "399")] == nil)
        #expect(!names.isCOVID19(Code(system: Code.cvx, code: "397")))
    }

    @Test(arguments: [
        #""title":"Influenza""#, #""description":"COVID-19""#, #""title":"non-COVID-19 vaccines""#,
        #""title":"All vaccines except COVID-19""#, #""title":5"#, #""id":"covid19""#, #""name":"SARS""#,
    ])
    func otherListsAreNotAboutCOVID19(_ members: String) throws {
        #expect(try !Self.list(Self.valueSet(members)).isOfCOVID19)
    }

    @Test func newCOVID19VaccinesOfAListCountWithTheOthers() throws {
        var names = CodeNames.builtIn
        try names.add(fhirJSON: Array(Self.valueSet(#""title":"COVID-19 vaccines""#).utf8))
        let shots = [(Code.cvx, "207"), (Code.cvx, "399"), (Code.snomed, "28581000087106")]
            .enumerated().map { index, code in
                """
                {"resourceType":"Immunization","occurrenceDateTime":"202\(index)","patient":{"reference":"resource:0"},
                 "vaccineCode":{"coding":[{"system":"\(code.0)","code":"\(code.1)"}]}}
                """
            }
        let contents = try CardContents(
            bundle(of: [#"{"resourceType":"Patient"}"#] + shots), fhirVersion: "4.0.1", names: names)
        #expect(contents.records.map { $0.orderOnCard?.description } == ["1 of 3", "2 of 3", "3 of 3"])
    }

    // MARK: Rejected lists

    @Test(arguments: [
        ("", "not acceptable JSON: there is no JSON value"),
        ("{", "not acceptable JSON: the JSON ends too early, at byte 1"),
        (#"{"resourceType":"ValueSet","resourceType":"ValueSet"}"#, "occurs twice"),
        ("[]", "not a FHIR ValueSet or CodeSystem"), ("null", "not a FHIR ValueSet or CodeSystem"),
        ("\"ValueSet\"", "not a FHIR ValueSet or CodeSystem"),
        (#"{"resourceType":["ValueSet"]}"#, "not a FHIR ValueSet or CodeSystem"),
        (#"{"resourceType":"Bundle"}"#, #"it is a "Bundle", not a ValueSet or a CodeSystem"#),
        (#"{"resourceType":"\u001b[2J"}"#, #"it is a "\u001b[2J", not"#),
        (#"{"resourceType":"CodeSystem","concept":[{"code":"1"}]}"#, "has no `url`"),
        (#"{"resourceType":"CodeSystem","url":"|1","concept":[{"code":"1"}]}"#, "has no `url`"),
        (#"{"resourceType":"CodeSystem","url":"s","content":"supplement","concept":[{"code":"1"}]}"#, "has no `url`"),
        (#"{"resourceType":"CodeSystem","url":"s"}"#, "lists no codes"),
        (#"{"resourceType":"CodeSystem","url":"s","concept":5}"#, "lists no codes"),
        (#"{"resourceType":"ValueSet"}"#, "lists no codes"),
        (#"{"resourceType":"ValueSet","compose":[],"expansion":"x"}"#, "lists no codes"),
        (#"{"resourceType":"ValueSet","compose":{"include":[{"system":"\#(Code.cvx)"}]}}"#, "expand a ValueSet"),
        (#"{"resourceType":"ValueSet","compose":{"include":[{"concept":[{"code":"1"}]}]}}"#, "lists no codes"),
        (
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":1,"concept":[{"code":"1"}]}]}}"#,
            "lists no codes"
        ),
        (
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":1}]}]}}"#,
            "lists no codes"
        ),
    ])
    func saysWhyAFileIsNotAList(_ json: String, _ words: String) throws {
        let error = try #require(Self.error(json))
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test func rejectsATooLargeFileBeforeReadingIt() {
        #expect(throws: CodeListError.tooLarge(limit: 16 << 20)) {
            try CodeList(fhirJSON: [UInt8](repeating: UInt8(ascii: " "), count: CodeList.maximumSize + 1))
        }
        #expect(CodeListError.tooLarge(limit: 16 << 20).description == "it is larger than 16 MiB")
    }

    @Test(arguments: [
        #"{"resourceType":"CodeSystem","url":"s","concept":[CODES]}"#,
        #"{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[CODES]}]}}"#,
    ])
    func rejectsTooManyCodes(_ json: String) throws {
        let bound = CodeList.maximumCount
        let codes = (0..<bound).map { #"{"code":"\#($0)"}"# }.joined(separator: ",")
        let parts = json.split(separator: "CODES", maxSplits: 1).map(String.init)
        #expect(try Self.list(parts[0] + codes + parts[1]).entries.count == bound)
        #expect(Self.error(parts[0] + codes + #",{"code":"x"}"# + parts[1]) == .tooManyCodes(limit: bound))
    }

    @Test func rejectsATooLongName() throws {
        let name = String(repeating: "n", count: CodeList.maximumNameLength)
        #expect(Self.entry("s", "1", name)?.display?.description == name)
        let json = #"{"resourceType":"CodeSystem","url":"s","concept":[{"code":"1","display":"\#(name)n"}]}"#
        #expect(Self.error(json) == .nameTooLong(code: "1", limit: 300))
    }

    @Test func nestingIsBounded() throws {
        func nested(_ depth: Int) -> String {
            #"{"resourceType":"CodeSystem","url":"s""#
                + String(repeating: #","concept":[{"code":"1""#, count: depth) + String(repeating: "}]", count: depth)
                + "}"
        }
        #expect(try Self.list(nested(63)).entries.count == 63)
        guard case .notJSON(let error)? = Self.error(nested(64)) else {
            Issue.record("64 levels were accepted")
            return
        }
        #expect(error.reason == .tooDeep(limit: JSONDocument.defaultMaximumDepth))
        #expect(Self.error(String(repeating: #"{"concept":["#, count: 500_000))?.description.contains("nested") == true)
    }

    @Test func aRejectedListAddsNothing() {
        var names = CodeNames()
        let json = """
            {"resourceType":"CodeSystem","url":"s","concept":[{"code":"1","display":"One"},
             {"code":"2","display":"\(String(repeating: "n", count: 5000))"}]}
            """
        #expect(throws: CodeListError.self) { try names.add(fhirJSON: Array(json.utf8)) }
        #expect(names[Code(system: "s", code: "1")] == nil)
    }
}
