import Encodings
import FHIR
import Testing

@Suite("Value sets of the EU")
struct EUValueSetTests {
    static let names = CodeNames.builtIn

    /// A value set in the EU's form.
    private static func valueSet(_ values: String, id: String = "vaccines-covid-19-names") -> [UInt8] {
        Array(#"{"valueSetId":"\#(id)","valueSetDate":"2026-01-31","valueSetValues":{\#(values)}}"#.utf8)
    }

    /// A code in the EU's form.
    private static func value(_ code: String, _ display: String, system: UTF8Text) -> String {
        #""\#(code)":{"display":"\#(display)","lang":"en","active":true,"system":"\#(system)","version":""}"#
    }

    /// The built-in names, with one more for a code.
    private static func builtIn(with display: String, for code: String, of system: UTF8Text) throws -> CodeNames {
        var names = CodeNames.builtIn
        try names.add(fhirJSON: valueSet(value(code, display, system: system)))
        return names
    }

    private static func error(_ json: [UInt8]) -> Malformed? {
        do throws(Malformed) {
            _ = try CodeList(fhirJSON: json)
            return nil
        } catch {
            return error
        }
    }

    private static let community: UTF8Text = "https://ec.europa.eu/health/documents/community-register/html/"
    private static let temporaryProducts: UTF8Text = "http://ec.europa.eu/temp/vaccineproductname"
    private static let organisations: UTF8Text = "https://spor.ema.europa.eu/v1/organisations"
    private static let temporaryMakers: UTF8Text = "http://ec.europa.eu/temp/vaccinemanufacturer"
    private static let devices: UTF8Text = "https://covid-19-diagnostics.jrc.ec.europa.eu/devices"
    private static let countries: UTF8Text = "urn:iso:std:iso:3166"

    // MARK: Built-in sets

    private static let entries: [(EUValueSet, UTF8Text, UTF8Text, UTF8Text)] = [
        (.disease, "840539006", "COVID-19", Code.snomed),
        (.prophylaxis, "1119349007", "SARS-CoV-2 mRNA vaccine", Code.snomed),
        (.prophylaxis, "J07BX03", "covid-19 vaccines (deprecated)", "http://www.whocc.no/atc"),
        (.product, "EU/1/20/1528", "Comirnaty", community),
        (.product, "EU/1/20/1507", "Spikevax", community),
        (.product, "Sputnik-V", "Sputnik-V", temporaryProducts),
        (.product, "NVX-CoV2373", "NVX-CoV2373 (deprecated)", temporaryProducts),
        (.holder, "ORG-100030215", "Biontech Manufacturing GmbH", organisations),
        (.holder, "Sinovac-Biotech", "Sinovac Biotech", temporaryMakers),
        (.testType, "LP6464-4", "Nucleic acid amplification with probe detection", Code.loinc),
        (.testType, "LP217198-3", "Rapid immunoassay", Code.loinc),
        (.device, "345", "SD BIOSENSOR Inc., STANDARD Q COVID-19 Ag Test", devices),
        (.device, "1065", "Becton Dickinson, BD Veritor™ System for Rapid Detection of SARS CoV 2", devices),
        (.testResult, "260415000", "Not detected", Code.snomed),
        (.testResult, "260373001", "Detected", Code.snomed),
        (.country, "AX", "Åland Islands", countries),
        (.country, "DE", "Germany", countries),
        (.country, "ZW", "Zimbabwe", countries),
    ]

    @Test(arguments: entries)
    func codesHaveTheEUsNamesAndSystems(
        _ set: EUValueSet, _ code: UTF8Text, _ display: UTF8Text, _ system: UTF8Text
    ) {
        let entry = set.entry(of: code)
        #expect(entry?.display == display)
        #expect(entry?.system == system)
        let name = Self.names.name(of: code, in: set)
        #expect(name?.display == display)
        #expect(name?.source == .euValueSet)
        #expect(name?.source.rawValue == "eu-valueset")
    }

    private static let defaultSystems: [(EUValueSet, UTF8Text)] = [
        (.disease, Code.snomed), (.prophylaxis, Code.snomed), (.product, community), (.holder, organisations),
        (.testType, Code.loinc), (.device, devices), (.testResult, Code.snomed), (.country, countries),
    ]

    @Test(arguments: defaultSystems)
    func everySetHasASystemForOtherCodes(_ set: EUValueSet, _ system: UTF8Text) {
        #expect(set.defaultSystem == system)
    }

    @Test func setsAreNamedAsTheMembersOfCertificates() {
        #expect(
            EUValueSet.allCases.map(\.rawValue) == ["tg", "vp", "mp", "holder", "tt", "device", "tr", "country"])
    }

    @Test(
        arguments: EUValueSet.allCases,
        [
            "", "0", "EU/1/20/152", "EU/1/20/15288", "eu/1/20/1528", " DE", "DE ", "DE|0", "DE|0|Germany", "AX\nAZ",
            "de", "999999999", "ＤＥ", "840539006\u{0}",
        ] as [UTF8Text])
    func codesThatASetDoesNotHaveHaveNoName(_ set: EUValueSet, _ code: UTF8Text) {
        #expect(set.entry(of: code)?.display == nil)
        #expect(Self.names.name(of: code, in: set) == nil)
    }

    @Test func aCodeIsLookedUpOnlyInItsSet() {
        #expect(Self.names.name(of: "DE", in: .holder) == nil)
        #expect(Self.names.name(of: "840539006", in: .testResult) == nil)
        // The project's own words for laboratory results are for health cards.
        #expect(Self.names[Code(system: Code.snomed, code: "720735008")]?.source == .builtIn)
        #expect(Self.names.name(of: "720735008", in: .testResult) == nil)
        #expect(Self.names[Code(system: Self.community, code: "EU/1/20/1528")] == nil)
    }

    @Test func anEmptySetOfNamesHasNoNamesOfTheEU() {
        #expect(CodeNames().name(of: "EU/1/20/1528", in: .product) == nil)
        #expect(EUValueSet.product.entry(of: "EU/1/20/1528")?.display == "Comirnaty")
    }

    // MARK: COVID-19

    @Test func theDiseaseIsAboutCOVID19ButIsNoVaccine() {
        let disease = Code(system: Code.snomed, code: "840539006")
        #expect(Self.names.isCOVID19(disease))
        #expect(Self.names.group(of: disease) == nil)
        #expect(Self.names.name(of: "840539006", in: .disease)?.group == nil)
        #expect(!CodeNames().isCOVID19(disease))
        #expect(!Self.names.isCOVID19(Code(system: Code.snomed, code: "840539007")))
        #expect(!Self.names.isCOVID19(Code(system: Code.loinc, code: "840539006")))
        #expect(!Self.names.isCOVID19(Code(system: nil, code: "840539006")))
    }

    // MARK: Added names

    @Test func anAddedNameComesFirst() throws {
        let names = try Self.builtIn(with: "BioNTech", for: "EU/1/20/1528", of: Self.community)
        let expected = CodeName(display: "BioNTech", source: .codesFile)
        #expect(names.name(of: "EU/1/20/1528", in: .product) == expected)
        #expect(names[Code(system: Self.community, code: "EU/1/20/1528")] == expected)
        #expect(names.name(of: "EU/1/20/1507", in: .product)?.display == "Spikevax")
        #expect(names.name(of: "EU/1/20/1528", in: .holder) == nil)
    }

    @Test func aNameOfAFHIRListComesFirst() throws {
        var names = CodeNames.builtIn
        let json = """
            {"resourceType":"CodeSystem","url":"\(Code.snomed)","concept":[
              {"code":"1119349007","display":"mRNA-Impfstoff"}]}
            """
        try names.add(fhirJSON: Array(json.utf8))
        #expect(names.name(of: "1119349007", in: .prophylaxis)?.display == "mRNA-Impfstoff")
        #expect(names.name(of: "1119349007", in: .prophylaxis)?.source == .codesFile)
    }

    private static let otherSystems: [(EUValueSet, UTF8Text, UTF8Text)] = [
        // The built-in set's system for the code, though it is not the default one.
        (.product, "Sputnik-V", temporaryProducts), (.prophylaxis, "J07BX03", "http://www.whocc.no/atc"),
        // The default system, though the built-in set has another for the code.
        (.product, "Sputnik-V", community), (.holder, "Sinovac-Biotech", organisations),
        // Any system of the set, for a new code.
        (.product, "New", community), (.product, "New", temporaryProducts), (.holder, "New", temporaryMakers),
        (.device, "99999", devices), (.country, "XK", "http://ec.europa.eu/temp/countrycodes"),
        (.country, "XQ", "http://ec.europa.eu/temp/countrycodes"), (.country, "XQ", countries),
    ]

    @Test(arguments: otherSystems)
    func anAddedNameIsFoundInTheSystemsOfItsSet(_ set: EUValueSet, _ code: UTF8Text, _ system: UTF8Text) throws {
        let names = try Self.builtIn(with: "Added", for: code.description, of: system)
        #expect(names.name(of: code, in: set) == CodeName(display: "Added", source: .codesFile))
    }

    @Test func anAddedNameOfAnotherSystemIsNotUsed() throws {
        let names = try Self.builtIn(with: "Added", for: "EU/1/20/1528", of: "http://example.org")
        #expect(names.name(of: "EU/1/20/1528", in: .product)?.display == "Comirnaty")
        #expect(names[Code(system: "http://example.org", code: "EU/1/20/1528")]?.display == "Added")
        let others = try Self.builtIn(with: "Added", for: "New", of: "http://example.org")
        #expect(others.name(of: "New", in: .product) == nil)
    }

    @Test func theSystemsOfTheCodeAndOfTheSetComeInOrder() throws {
        var names = try Self.builtIn(with: "default", for: "Sputnik-V", of: Self.community)
        #expect(names.name(of: "Sputnik-V", in: .product)?.display == "default")
        try names.add(fhirJSON: Self.valueSet(Self.value("Sputnik-V", "own", system: Self.temporaryProducts)))
        #expect(names.name(of: "Sputnik-V", in: .product)?.display == "own")
    }

    @Test func addedNamesAreFoundWithoutBuiltInOnes() throws {
        var names = CodeNames()
        try names.add(fhirJSON: Self.valueSet(Self.value("Sputnik-V", "Sputnik", system: Self.temporaryProducts)))
        #expect(names.name(of: "Sputnik-V", in: .product)?.display == "Sputnik")
        #expect(names.name(of: "EU/1/20/1528", in: .product) == nil)
    }

    // MARK: The EU's form of a list (--codes)

    @Test func aValueSetOfTheEUHasTheCodesWithASystem() throws {
        let list = try CodeList(
            fhirJSON: Self.valueSet(
                """
                "2":{"display":"Two","lang":"en","active":true,"system":"s","version":"1"},
                "1":{"display":"Eins","lang":"de","active":false,"system":"t"},
                "3":{"system":"s"}
                """))
        #expect(
            list.entries.map(\.code)
                == [Code(system: "s", code: "2"), Code(system: "t", code: "1"), Code(system: "s", code: "3")])
        #expect(list.entries.map(\.display) == ["Two", "Eins", nil])
    }

    @Test func theOtherMembersAreNotNeeded() throws {
        let list = try CodeList(fhirJSON: Array(#"{"valueSetValues":{"1":{"display":"One","system":"s"}}}"#.utf8))
        #expect(list.entries.map(\.code.code) == ["1"])
    }

    @Test func aValueSetOfTheEUDoesNotMarkItsCodesAsOfCOVID19() throws {
        let json = Self.valueSet(
            Self.value("10828004", "Positive", system: Code.snomed), id: "covid-19-lab-result")
        #expect(try !CodeList(fhirJSON: json).isOfCOVID19)
        var names = CodeNames.builtIn
        try names.add(fhirJSON: json)
        #expect(!names.isCOVID19(Code(system: Code.snomed, code: "10828004")))
        #expect(!names.isTold(Code(system: Code.snomed, code: "10828005")))
        let own = Self.valueSet(Self.value("399", "COVID-19", system: Code.cvx), id: "vaccines-covid-19-names")
        try names.add(fhirJSON: own)
        // Such a set is only for certificates.
        #expect(!names.isKnown(Code(system: Code.cvx, code: "399")))
        #expect(!names.isTold(Code(system: Code.cvx, code: "399")))
        #expect(names[Code(system: Code.cvx, code: "399")]?.display == "COVID-19")
        let titled = #"{"title":"COVID-19","valueSetValues":{"1":{"system":"s"}}}"#
        #expect(try !CodeList(fhirJSON: Array(titled.utf8)).isOfCOVID19)
    }

    @Test(arguments: [
        (#"{"valueSetId":"x","valueSetDate":"2026-01-31"}"#, "nor a value set of the EU"),
        (#"{}"#, "it is not a FHIR ValueSet or CodeSystem, nor a value set of the EU"),
        (#"[{"valueSetValues":{"1":{"system":"s"}}}]"#, "nor a value set of the EU"),
        (#"{"resourceType":"Bundle","valueSetValues":{"1":{"system":"s"}}}"#, #"it is a "Bundle", not"#),
        (#"{"resourceType":"ValueSet","valueSetValues":{"1":{"system":"s"}}}"#, "lists no codes"),
        (#"{"valueSetValues":{}}"#, "lists no codes"), (#"{"valueSetValues":[]}"#, "is not an object"),
        (#"{"valueSetValues":null}"#, "is not an object"), (#"{"valueSetValues":5}"#, "is not an object"),
        (#"{"valueSetValues":{"1":{"display":"One"}}}"#, #"the code "1" has no `system`"#),
        (#"{"valueSetValues":{"1":{"system":"s"},"2":"y"}}"#, #"the code "2" is not an object"#),
        (
            #"{"valueSetValues":{"1":{"system":"s"},"3":{"system":"s","display":5}}}"#,
            #"`display` of the code "3" is not a text"#
        ),
        (#"{"valueSetValues":{"1":{"system":"s"},"":{"system":"s"}}}"#, "a code is empty"),
        (#"{"valueSetValues":{"1":{"system":"s"},"1":{"system":"s"}}}"#, "occurs twice"),
        (#"{"valueSetValues":{"#, "the JSON ends too early"),
    ])
    func saysWhyAFileIsNotAValueSetOfTheEU(_ json: String, _ words: String) throws {
        let error = try #require(Self.error(Array(json.utf8)))
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func rejectsTooManyCodesOfTheEU() throws {
        let bound = CodeList.maximumCount
        let codes = (0..<bound).map { #""\#($0)":{"system":"s"}"# }.joined(separator: ",")
        #expect(try CodeList(fhirJSON: Self.valueSet(codes)).entries.count == bound)
        #expect(Self.error(Self.valueSet(codes + #","x":{"system":"s"}"#)) == .tooManyCodes(limit: bound))
    }

    @Test func rejectsATooLongNameOfTheEU() {
        let name = String(repeating: "n", count: CodeList.maximumNameLength)
        #expect(Self.error(Self.valueSet(Self.value("1", name, system: "s"))) == nil)
        #expect(
            Self.error(Self.valueSet(Self.value("1", name + "n", system: "s"))) == .nameTooLong(code: "1", limit: 300))
    }
}
