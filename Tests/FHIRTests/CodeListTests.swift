import Encodings
import FHIR
import Testing

@Suite("Lists of codes (--codes)")
struct CodeListTests {
    static func list(_ json: String) throws(Malformed) -> CodeList {
        try CodeList(fhirJSON: Array(json.utf8))
    }

    static func error(_ json: String) -> Malformed? {
        do throws(Malformed) {
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
               {"system":"whole"},{"valueSet":["other"]},{"system":"u","filter":[{"property":"p","op":"=","value":"v"}]}]}}
            """)
        let expected = [Self.entry("s", "1", "One"), Self.entry("s", "2", nil), Self.entry("t", "1", "Eins")]
        #expect(list.entries == expected)
        #expect(!list.isOfCOVID19)
        #expect(
            list.notes == [
                "3 parts of `compose` include or filter codes without listing them; those are not in the file"
            ])
    }

    /// What `compose` includes and leaves out is done.
    @Test func ofAnExpandedValueSetOnlyTheExpansionCounts() throws {
        let list = try Self.list(
            """
            {"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":"1"}]}],
              "exclude":[{"system":"s","filter":[{"property":"p","op":"=","value":"v"}]}]},
             "expansion":{"total":3,"contains":[
               {"abstract":true,"display":"Group","contains":[
                 {"system":"s","code":"4","display":"Four","contains":[{"system":"s","code":"5","display":"Five"}]}]}]}}
            """)
        #expect(list.entries == [Self.entry("s", "4", "Four"), Self.entry("s", "5", "Five")])
        #expect(list.notes.isEmpty)
    }

    @Test func codesThatAValueSetExcludesAreLeftOut() throws {
        let list = try Self.list(
            """
            {"resourceType":"ValueSet","compose":{
              "include":[{"system":"\(Code.cvx)","concept":[{"code":"1"},{"code":"2"}]}],
              "exclude":[{"system":"\(Code.cvx)","concept":[{"code":"01"}]}]}}
            """)
        #expect(list.entries.map(\.code.code) == ["2"])
    }

    @Test func aCodeSystemHasItsConceptsHoweverDeep() throws {
        let list = try Self.list(
            """
            {"resourceType":"CodeSystem","url":"s","concept":[{"code":"1","display":"One","concept":[
              {"code":"1.1","display":"One one","concept":[{"code":"1.1.1","display":"Deep"}]}]},
              {"code":"2","display":"Two"}]}
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

    // MARK: What codes are about

    private static let valueSet = """
        {"resourceType":"ValueSet","url":"u","title":"Influenza","compose":{"include":[
          {"system":"\(Code.cvx)","concept":[{"code":"399"},{"code":"398","display":"New"}]},
          {"system":"http://snomed.info/sct","concept":[{"code":"840539006"}]}]}}
        """

    @Test(arguments: TargetDisease.allCases)
    func theUserSaysWhatAllCodesOfAListAreAbout(_ disease: TargetDisease) throws {
        let list = try CodeList(Array(Self.valueSet.utf8), about: disease)
        var archive = CodeArchive()
        archive.install(list, from: "a file", on: "2026-01-01")
        var (given, installed) = (CodeNames.builtIn, CodeNames.builtIn)
        given.add(list)
        installed.add(try CodeArchive(archive.bytes))
        for names in [given, installed] {
            for code in [
                Code(system: Code.cvx, code: "399"), Code(system: Code.cvx, code: "0398"),
                Code(system: Code.snomed, code: "840539006"),
            ] {
                #expect(names.isAbout(disease, code))
                for each in TargetDisease.allCases { #expect(names.isTold(code, of: each)) }
            }
            #expect(!names.isAbout(disease, Code(system: Code.cvx, code: "397")))
            #expect(names.group(of: Code(system: Code.cvx, code: "399")) == (disease == .covid19 ? "COVID-19" : nil))
            #expect(names[Code(system: Code.cvx, code: "398")]?.display == "New")
            #expect(names[Code(system: Code.cvx, code: "399")] == nil)
        }
    }

    @Test(arguments: [
        #""title":"COVID-19 vaccines""#, #""name":"ImmunizationCovidCvxValueSet""#, #""title":"Polio""#,
        #""url":"https://terminology.smarthealth.cards/ValueSet/immunization-covid-all""#,
    ])
    func aTitleSaysNothing(_ members: String) throws {
        let json =
            #"{"resourceType":"ValueSet",\#(members),"compose":{"include":[{"system":"urn:local","concept":[{"code":"1"}]}]}}"#
        var names = CodeNames.builtIn
        names.add(try Self.list(json))
        let code = Code(system: "urn:local", code: "1")
        for disease in TargetDisease.allCases {
            #expect(!names.isAbout(disease, code))
            #expect(!names.isTold(code, of: disease))
        }
    }

    @Test(arguments: [
        "COVID-19, mRNA", "SARS-CoV-2 (COVID-19) vaccine, Non-US", "SARS coronavirus 2 RNA", "Influenza",
        "non-COVID-19",
        "yellow fever", "IPV",
    ])
    func aNameOutsideOfCVXSaysNothing(_ name: String) throws {
        for system in [Code.snomed.description, "urn:local", Code.mvx.description] {
            let entry = try #require(Self.entry(system, "999999", name))
            #expect(!entry.isOfCOVID19)
            var names = CodeNames.builtIn
            try names.add(
                fhirJSON: Array(
                    #"{"resourceType":"ValueSet","expansion":{"contains":[{"system":"\#(system)","code":"999999","display":"\#(name)"}]}}"#
                        .utf8))
            #expect(names.isKnown(entry.code))
            for disease in TargetDisease.allCases { #expect(!names.isTold(entry.code, of: disease)) }
        }
    }

    /// CDC's groups are words of its list, not of a sentence.
    @Test(arguments: [
        ("COVID-19", TargetDisease.covid19), ("POLIO", .polio), ("YELLOW FEVER", .yellowFever), ("FLU", nil),
        ("not polio", nil),
    ])
    func aGroupOfCDCSaysWhatAVaccineIsAgainst(_ group: String, _ disease: TargetDisease?) throws {
        var names = CodeNames.builtIn
        names.add(try CodeList(Array("new|399|Active|\(group)|213".utf8)))
        let code = Code(system: Code.cvx, code: "399")
        for each in TargetDisease.allCases {
            #expect(names.isAbout(each, code) == (each == disease))
            #expect(names.isTold(code, of: each))
        }
    }

    /// In CVX, the name has one of two texts in it, or not. Nothing before or after it matters.
    @Test(arguments: [
        ("COVID-19, mRNA", true), ("sars-cov-2", true), ("Sars-CoV-2 vaccine", true), ("non-COVID-19", true),
        ("Influenza, not COVID-19", true), ("vaccine without SARS-COV-2", true), ("COVID-19 free", true),
        ("xcovid-190", true), ("COVID 19", false), ("COVID19", false), ("Covid\u{2011}19", false),
        ("SARS CoV 2", false),
        ("SARS coronavirus 2 RNA", false), ("COVID", false), ("Influenza", false),
    ])
    func inCVXANameIsAboutCOVID19IfItHoldsTheWord(_ name: String, _ expected: Bool) throws {
        #expect(Self.entry(Code.cvx.description, "399", name)?.isOfCOVID19 == expected)
        for table in [
            "399|\(name)|a vaccine||Active|False|2026/10/01", "399|a vaccine|\(name)||Active|False|2026/10/01",
            "Newvax|\(name)|399|Maker|MKR|Active|Active|2026/10/01|", "new|399|Active|\(name)|213",
        ] {
            let list = try CodeList(Array(table.utf8))
            #expect(list.entries.first?.isOfCOVID19 == expected, "\(table)")
        }
    }

    @Test func everyNameOfACodeCounts() throws {
        for concepts in [
            #"{"code":"399","display":"Moderna 2026"},{"code":"399","display":"COVID-19, mRNA"}"#,
            #"{"code":"399","display":"COVID-19, mRNA"},{"code":"0399","display":"Moderna 2026"}"#,
            #"{"code":"399","display":"mNEXSPIKE","designation":[{"value":"x"},{"value":"COVID-19 vaccine"}]}"#,
        ] {
            let json = #"{"resourceType":"CodeSystem","url":"\#(Code.cvx)","concept":[\#(concepts)]}"#
            var names = CodeNames.builtIn
            names.add(try Self.list(json))
            #expect(names.isCOVID19(Code(system: Code.cvx, code: "399")))
        }
    }

    /// A name in CVX says whether a vaccine is against COVID-19. Of other diseases it says nothing.
    @Test func aCodeWithoutANameIsKnownAndNotTold() throws {
        let code = Code(system: Code.cvx, code: "399")
        for (concept, isTold) in [
            (#"{"code":"399"}"#, false), (#"{"code":"399","display":"x"}"#, true),
            (#"{"code":"399","designation":[{"value":"x"}]}"#, true),
        ] {
            let json =
                #"{"resourceType":"ValueSet","url":"u","title":"Polio vaccines","compose":{"include":[{"system":"\#(Code.cvx)","concept":[\#(concept)]}]}}"#
            let list = try Self.list(json)
            var given = CodeNames.builtIn
            given.add(list)
            var archive = CodeArchive()
            archive.install(list, from: "a", on: "2026-01-01")
            var installed = CodeNames.builtIn
            installed.add(try CodeArchive(archive.bytes))
            for names in [given, installed] {
                #expect(names.isKnown(code))
                #expect(names.isTold(code) == isTold, "\(concept)")
                #expect(!names.isTold(code, of: .polio))
                #expect(!names.isAbout(.polio, code))
            }
        }
    }

    @Test func newCOVID19VaccinesOfAListCountWithTheOthers() throws {
        var names = CodeNames.builtIn
        names.add(try CodeList(Array(Self.valueSet.utf8), about: .covid19))
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
        (#"{"resourceType":"CodeSystem","url":"s","concept":5}"#, "`concept` is not a list of objects"),
        (#"{"resourceType":"ValueSet"}"#, "lists no codes"),
        (#"{"resourceType":"ValueSet","compose":[]}"#, "`compose` is not an object"),
        (#"{"resourceType":"ValueSet","expansion":"x"}"#, "`expansion` is not an object"),
        (#"{"resourceType":"ValueSet","compose":{"include":[{"system":"\#(Code.cvx)"}]}}"#, "expand a ValueSet"),
        (#"{"resourceType":"ValueSet","compose":{"include":[{"concept":[{"code":"1"}]}]}}"#, "without their `system`"),
        (
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":1,"concept":[{"code":"1"}]}]}}"#,
            "without their `system`"
        ),
        (
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":1}]}]}}"#,
            "has no `code` that is a text"
        ),
    ])
    func saysWhyAFileIsNotAList(_ json: String, _ words: String) throws {
        let error = try #require(Self.error(json))
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    /// Nothing is used of a file that is not understood as a whole.
    @Test(arguments: [
        (#"{"code":399,"display":"COVID-19"}"#, #"an entry ("COVID-19") has no `code` that is a text"#),
        (#"{"display":"no code"}"#, #"an entry ("no code") has no `code`"#),
        ("5", "`concept` is not a list of objects"),
        (#"{"code":"2","display":["a"]}"#, #"the `display` of the code "2" is not a text"#),
        (#"{"code":"2","concept":"3"}"#, "`concept` is not a list of objects"),
        (#"{"code":"2","designation":[{"value":3}]}"#, #"the `value` of the code "2" is not a text"#),
        (#"{"code":"2","designation":[3]}"#, "`designation` is not a list of objects"),
        (#"{"code":""}"#, "has no `code`"),
    ])
    func anEntryThatIsNotUnderstoodIsAnError(_ concept: String, _ words: String) {
        let concepts = #"[{"code":"1","display":"One"},\#(concept)]"#
        for json in [
            #"{"resourceType":"CodeSystem","url":"s","concept":\#(concepts)}"#,
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":\#(concepts)}]}}"#,
        ] where json.contains("CodeSystem") || !concept.contains("\"concept\"") {
            let error = Self.error(json)
            #expect(error?.description.contains("it is not understood as a whole: ") == true)
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
        }
    }

    @Test(arguments: [
        #""total":5000,"contains":[{"system":"s","code":"1"}]"#, #""offset":1,"contains":[{"system":"s","code":"1"}]"#,
        #""contains":[{"system":"s","code":"1"},{"code":"2"}]"#,
        #""contains":[{"system":"s","code":"1"},{"display":"x"}]"#,
        #""contains":[{"system":"s","code":"1","contains":5}]"#,
        #""contains":[{"system":"s","code":1,"abstract":true}]"#,
    ])
    func anExpansionMustBeWhole(_ members: String) {
        let error = Self.error(#"{"resourceType":"ValueSet","expansion":{\#(members)}}"#)
        #expect(error?.description.hasPrefix("it is not understood as a whole: ") == true)
    }

    @Test(arguments: [
        #""filter":[{"property":"group","op":"=","value":"FLU"}]"#, #""valueSet":["other"]"#, #""version":"1""#,
        #""concept":[{"code":"1"}],"valueSet":["other"]"#, #""concept":[{"code":1}]"#,
    ])
    func whatIsLeftOutMustBeListed(_ members: String) {
        let include = #"{"system":"\#(Code.cvx)","concept":[{"code":"140"},{"code":"399"}]}"#
        let json =
            #"{"resourceType":"ValueSet","title":"COVID-19","compose":{"include":[\#(include)],"exclude":[{"system":"\#(Code.cvx)",\#(members)}]}}"#
        #expect(Self.error(json)?.description.hasPrefix("it is not understood as a whole: ") == true)
        let restricted =
            #"{"resourceType":"ValueSet","compose":{"include":[{"system":"s","concept":[{"code":"1"}],"valueSet":["x"]}]}}"#
        #expect(Self.error(restricted)?.description.contains("lists codes and filters them") == true)
    }

    @Test func theIDIsBounded() throws {
        func json(_ url: String) -> String {
            #"{"resourceType":"CodeSystem","url":"\#(url)","concept":[{"code":"1"}]}"#
        }
        let url = String(repeating: "u", count: CodeList.maximumIDSize)
        #expect(try Self.list(json(url)).id?.utf8.count == 2000)
        #expect(Self.error(json(url + "u")) == .idTooLong(limit: 2000))
    }

    @Test func textIsFreeOfControlCharacters() throws {
        let list = try Self.list(
            #"""
            {"resourceType":"ValueSet","url":"a\tb","title":"T\tx\u009b\u007f\u2028y\n",
             "compose":{"include":[{"system":"s","concept":[{"code":"1"}]}]}}
            """#)
        #expect(list.id == "a b")
        #expect(list.name == "T x   y ")
        for json in [
            #"{"resourceType":"CodeSystem","url":"a\tb","concept":[{"code":"1"}]}"#,
            #"{"resourceType":"CodeSystem","url":"s","concept":[{"code":"1\u009b"}]}"#,
        ] {
            #expect(Self.error(json) == Malformed("a code or its system contains a control character"))
        }
    }

    @Test(arguments: [
        (#""date":"2026-09""#, "2026-09-01"), (#""date":"2019""#, "2019-01-01"),
        (#""date":"2026-11-24T10:00:00Z""#, "2026-11-24"),
        (#""date":"20250903""#, "2025-09-03"), (#""version":"2025-09""#, "2025-09-01"),
        (#""version":"20250903""#, "2025-09-03"),
        (#""version":"4.0.1""#, nil), (#""version":"1203""#, nil), (#""date":"2026-11-25Tgarbage""#, nil),
        (#""date":"2026-02-30","version":"2026-02-01""#, "2026-02-01"), (#""date":20260901"#, nil),
    ])
    func aPartialDateIsItsFirstDay(_ members: String, _ date: String?) throws {
        let list = try Self.list(#"{"resourceType":"CodeSystem","url":"s",\#(members),"concept":[{"code":"1"}]}"#)
        #expect(list.date == date)
        let isBad = members.contains("garbage") || members.contains("02-30") || members.contains(":2026")
        #expect(list.notes.contains { $0.contains("is not a date") } == isBad)
    }

    @Test func rejectsATooLargeFileBeforeReadingIt() {
        #expect(throws: Malformed.tooLarge(limit: 16 << 20)) {
            try CodeList(fhirJSON: [UInt8](repeating: UInt8(ascii: " "), count: CodeList.maximumSize + 1))
        }
        #expect(Malformed.tooLarge(limit: 16 << 20).description == "it is larger than 16 MiB")
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
        let error = try #require(Self.error(nested(64)))
        #expect(
            error.description.contains("nested") && error.description.contains("\(JSONDocument.defaultMaximumDepth)"))
        #expect(Self.error(String(repeating: #"{"concept":["#, count: 500_000))?.description.contains("nested") == true)
    }

    @Test func aRejectedListAddsNothing() {
        var names = CodeNames()
        let json = """
            {"resourceType":"CodeSystem","url":"s","concept":[{"code":"1","display":"One"},
             {"code":"2","display":"\(String(repeating: "n", count: 5000))"}]}
            """
        #expect(throws: Malformed.self) { try names.add(fhirJSON: Array(json.utf8)) }
        #expect(names[Code(system: "s", code: "1")] == nil)
    }
}
