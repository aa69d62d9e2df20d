import Encodings
import FHIR
import FoundationEssentials
import TestSupport
import Testing

@Suite("Names that ship")
struct BuiltInNamesTests {
    static let names = CodeNames.builtIn

    @Test(
        arguments: [
            ("207", "COVID-19, mRNA (Moderna)"),
            ("208", "COVID-19, mRNA (Pfizer-BioNTech)"),
            ("210", "COVID-19, viral vector (AstraZeneca)"),
            ("211", "COVID-19, protein subunit (Novavax)"),
            ("212", "COVID-19, viral vector (Janssen)"),
            ("213", "COVID-19, unspecified"),
            ("228", "COVID-19, mRNA, pediatric (Moderna)"),
            ("300", "COVID-19, mRNA, bivalent (Pfizer-BioNTech)"),
            ("302", "COVID-19, mRNA, bivalent (Pfizer-BioNTech)"),
            ("510", "COVID-19, inactivated (BIBP, Sinopharm)"),
            ("520", "COVID-19, mRNA, bivalent (Pfizer-BioNTech)"),
            ("01", "DTP"), ("1", "DTP"), ("001", "DTP"), ("999", "unknown"), ("86", "IG"),
            ("150", "Influenza, split virus, quadrivalent, PF"),
            ("309", "COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL"),
            ("312", "COVID-19, mRNA, LNP-S, PF, 50 mcg/0.5 mL"),
        ] as [(UTF8Text, UTF8Text)])
    func vaccinesHaveCDCsNames(_ code: UTF8Text, _ display: UTF8Text) {
        let name = Self.names[Code(system: Code.cvx, code: code)]
        #expect(name?.display == display)
        #expect(name?.source == .cvx)
    }

    @Test(arguments: [
        ("http://snomed.info/sct", "260373001", "Detected", true),
        ("http://snomed.info/sct", "260415000", "Not detected", false),
        ("http://snomed.info/sct", "720735008", "Presumed positive", false),
        ("http://loinc.org", "LA28481-2", "Past infection", true),
    ])
    func answersHaveTheProjectsWords(_ system: UTF8Text, _ code: UTF8Text, _ display: UTF8Text, _ isPositive: Bool) {
        let code = Code(system: system, code: code)
        #expect(Self.names[code]?.display == display)
        #expect(Self.names[code]?.source == .builtIn)
        #expect(Self.names.isPositive(code) == isPositive)
    }

    @Test func manufacturersHaveCDCsNames() throws {
        #expect(Self.names[Code(system: Code.mvx, code: "MOD")]?.display == "Moderna US, Inc.")
        let record = try record(
            """
            {"resourceType":"Immunization","manufacturer":{"identifier":{"system":"\(Code.mvx)","value":"PFR"},
             "display":"Somebody"}}
            """, names: .builtIn)
        #expect(record?.manufacturer == "Pfizer, Inc")
    }

    @Test func findsTradeNames() {
        let spikevax = Self.names.tradeNames(of: Code(system: Code.cvx, code: "207"))
        #expect(spikevax == ["Moderna COVID-19 Vaccine (non-US Spikevax)", "SPIKEVAX"])
        #expect(Self.names.tradeNames(of: Code(system: Code.cvx, code: "2")) == ["ORIMUNE"])
        #expect(Self.names.tradeNames(of: Code(system: Code.cvx, code: "230")).isEmpty)
        #expect(Self.names.tradeNames(of: Code(system: Code.snomed, code: "207")).isEmpty)
    }

    private static let groups: [(UTF8Text, UTF8Text, UTF8Text?)] = [
        (Code.cvx, "207", "COVID-19"), (Code.cvx, "500", "COVID-19"), (Code.snomed, "28581000087106", "COVID-19"),
        (Code.icd11, "XM0GQ8", "COVID-19"), ("http://id.who.int/icd11/mms", "XM0GQ8", "COVID-19"),
        ("urn:oid:2.16.840.1.113883.6.347", "XM0GQ8", "COVID-19"),
        ("urn:oid:2.16.840.1.113883.12.292", "213", "COVID-19"),
        ("URN:OID:2.16.840.1.113883.12.292", "213", "COVID-19"),
        (Code.cvx, "150", "influenza"), (Code.cvx, "135", "influenza"), (Code.cvx, "160", nil),
        (Code.cvx, "127", "influenza H1N1-09"), (Code.cvx, "10", "polio"), (Code.cvx, "2", "polio"),
        (Code.cvx, "104", nil), (Code.cvx, "51", nil), (Code.cvx, "154", nil), (Code.cvx, "998", nil),
        (Code.loinc, "94500-6", nil), (Code.cvx, "9999", nil),
    ]

    @Test(arguments: groups)
    func vaccinesOfOneDiseaseAreAGroup(_ system: UTF8Text, _ code: UTF8Text, _ group: UTF8Text?) {
        #expect(Self.names.group(of: Code(system: system, code: code)) == group)
    }

    @Test(
        arguments: [
            (Code.cvx, "399"), (Code.cvx, ""), (Code.cvx, "0"), (Code.cvx, "2077"),
            (Code.cvx, "207|COVID-19"), (Code.cvx, "207\n208"), (Code.cvx, "207 "), (Code.cvx, "２０７"),
            (Code.cvx, "999999999999999999999999999999999999"), (Code.mvx, "MO"), (Code.mvx, "MODE"), (Code.mvx, "mod"),
            (Code.snomed, "28581000087106"), (Code.loinc, "94500-6"), (Code.icd11, "XM0GQ8"),
            ("http://example.org", "207"), ("http://hl7.org/fhir/sid/cvx/", "207"),
        ] as [(UTF8Text, UTF8Text)])
    func codesThatAreNotListedHaveNoName(_ system: UTF8Text, _ code: UTF8Text) {
        #expect(Self.names[Code(system: system, code: code)] == nil)
    }

    @Test func aCodeWithoutASystemHasNoName() {
        #expect(Self.names[Code(system: nil, code: "207")] == nil)
        #expect(!Self.names.isCOVID19(Code(system: nil, code: "207")))
    }

    @Test func anEmptySetOfNamesHasNoNames() {
        let code = Code(system: Code.cvx, code: "207")
        #expect(CodeNames()[code] == nil)
        #expect(!CodeNames().isCOVID19(code))
        #expect(CodeNames().group(of: code) == nil)
        #expect(CodeNames().isPositive(Code(system: Code.snomed, code: "260373001")) == nil)
    }

    @Test func keepsADisplayThatContradictsTheCode() throws {
        let json = """
            {"resourceType":"Immunization","vaccineCode":{"text":"Influenza","coding":[
             {"system":"\(Code.cvx)","code":"207","display":"Chicken soup"}]}}
            """
        let record = try #require(try record(json, names: .builtIn))
        #expect(record.display == "COVID-19, mRNA (Moderna)")
        #expect(record.displaySource == .cvx)
        #expect(record.concept.issuerWords == "Influenza")
    }

    @Test func anUnknownCodeIsShownAsTheIssuerCallsIt() throws {
        let coding = #"{"system":"\#(Code.cvx)","code":"399","display":"COVID-19, 2023-24"}"#
        let named = #"{"resourceType":"Immunization","vaccineCode":{"coding":[\#(coding)]}}"#
        #expect(try record(named, names: .builtIn)?.display == "COVID-19, 2023-24")
        #expect(try record(named, names: .builtIn)?.displaySource == .issuer)
        let bare = #"{"resourceType":"Immunization","vaccineCode":{"coding":[{"system":"\#(Code.cvx)","code":"399"}]}}"#
        #expect(try record(bare, names: .builtIn)?.display == nil)
        #expect(try record(bare, names: .builtIn)?.concept.text == "399")
    }

    @Test func anAddedNameComesFirstAndTheGroupStays() {
        var names = CodeNames.builtIn
        names.add(CodeName(display: "Moderna-Impfstoff", source: .codesFile), for: Code(system: Code.cvx, code: "0207"))
        let name = names[Code(system: Code.cvx, code: "207")]
        #expect(name == CodeName(display: "Moderna-Impfstoff", source: .codesFile, group: "COVID-19"))
        names.add(
            CodeName(display: "Nachweis", source: .codesFile), for: Code(system: Code.snomed, code: "260373001"))
        #expect(names.isPositive(Code(system: Code.snomed, code: "260373001")) == true)
    }

    // MARK: Every code of the lists

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func everyVaccineOfCDCsHasItsName() throws {
        let lines = try Shared.list("cvx/cvx_cdc.txt")
        #expect(lines.count > 200)
        let newer = try newestNames()
        for line in lines {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            let code = Code(system: Code.cvx, code: UTF8Text(String(fields[0].prefix { $0 != " " })))
            let short = newer[code.canonical] ?? fields[1].split(separator: " ").joined(separator: " ")
            let name = try #require(Self.names[code], "\(code.code)")
            #expect(name.group == "COVID-19" ? name.display.hasPrefix("COVID-19, ") : name.display.description == short)
            #expect((name.group == "COVID-19") == Self.names.isCOVID19(code))
            if line.contains("COVID-19") { #expect(name.group == "COVID-19", "\(code.code)") }
        }
    }

    /// The names of the guide's value set of all CVX codes.
    private func newestNames() throws -> [Code: String] {
        var names: [Code: String] = [:]
        for line in try Shared.list("vaccination-ig/value_sets.fsh") where line.hasPrefix("* $cvx#") {
            let parts = line.dropFirst(7).split(separator: "\"", omittingEmptySubsequences: false)
            names[Code(system: Code.cvx, code: UTF8Text(parts[0].split(separator: " ").joined())).canonical] = String(
                parts[1])
        }
        return names
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func everyCodeOfTheNewestValueSetHasItsName() throws {
        let newest = try newestNames()
        #expect(newest.count == 278)
        for (code, words) in newest {
            let name = try #require(Self.names[code], "\(code.code)")
            let isOfCOVID19 = words.lowercased().contains("covid-19") || words.lowercased().contains("sars-cov-2")
            #expect(Self.names.isCOVID19(code) == isOfCOVID19, "\(code.code)")
            if !isOfCOVID19 { #expect(name.display.description == words) }
        }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func everyTradeNameAndManufacturerIsFound() throws {
        for line in try Shared.list("cvx/name_cdc.txt") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { UTF8Text($0.split(separator: " ").joined(separator: " ")) }
            #expect(Self.names.tradeNames(of: Code(system: Code.cvx, code: fields[2])).contains(fields[0]))
            guard !fields[4].isEmpty else { continue }
            #expect(Self.names[Code(system: Code.mvx, code: fields[4])]?.display == fields[3])
        }
    }

    @Test(
        .enabled(if: SharedData.isPresent, "\(SharedData.absence)"),
        arguments: [
            ("snomed-covid-vaccines", Code.snomed), ("icd11-covid-vaccines", Code.icd11),
            ("icd11-covid-vaccines", "http://id.who.int/icd11/mms"), ("loinc-covid-tests", Code.loinc),
        ])
    func everyCodeOfCOVID19IsKnownAsOne(_ list: String, _ system: UTF8Text) throws {
        let codes = try Shared.list("lists/\(list).txt").map { UTF8Text($0) }
        #expect(codes.count > 30)
        for code in codes {
            #expect(Self.names.isCOVID19(Code(system: system, code: code)), "\(code)")
            #expect(Self.names[Code(system: system, code: code)] == nil)
            #expect(!Self.names.isCOVID19(Code(system: "http://example.org", code: code)))
            #expect(!Self.names.isCOVID19(Code(system: system, code: UTF8Text("\(code)0"))))
        }
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func everyAnswerHasAWord() throws {
        for line in try Shared.list("lists/lab-results.csv").dropFirst() {
            let fields = line.split(separator: ",").map { UTF8Text(String($0)) }
            let name = Self.names[Code(system: fields[0], code: fields[1])]
            #expect(name?.display.asciiLowercased == fields[2])
        }
    }
}
