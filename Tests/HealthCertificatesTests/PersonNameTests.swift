import Encodings
import FHIR
import TestSupport
import Testing

@testable import HealthCertificates

/// The name of the person, and what reports show of the records.
@Suite struct PersonNameTests {
    /// Compared by scalars, because Swift regards canonically equivalent texts as equal.
    private func name(_ names: MadeHCERT.Members) throws -> [Unicode.Scalar]? {
        let contents = try MadeHCERT.with { $0.names = names }.contents()
        return contents.subjects.first?.name.map { Array($0.unicodeScalars) }
    }

    @Test(
        arguments: [
            (["gn": "Jane", "fn": "Muster"], "Jane Muster"), (["gn": nil, "fn": "Muster"], "Muster"),
            (["gn": "Jane", "fn": MadeHCERT.absent], "Jane"),
            (["gn": " Jane ", "fn": "Muster\n"], "Jane Muster"),
            (["gn": "", "fn": " "], "JANE MUSTER"), (["gn": nil, "fn": nil], "JANE MUSTER"),
            (["gn": nil, "fn": nil, "fnt": "VAN<DER<MUSTER", "gnt": "JANE<ANN"], "JANE ANN VAN DER MUSTER"),
            (["gn": nil, "fn": nil, "gnt": MadeHCERT.absent], "MUSTER"), (["gn": "A<B", "fn": nil], "A<B"),
        ] as [(MadeHCERT.Members, String)])
    func showsTheNameAsWrittenOrElseTransliterated(_ names: MadeHCERT.Members, _ shown: String) throws {
        #expect(try name(names) == Array(shown.unicodeScalars))
    }

    @Test(
        arguments: [
            (["fnt": "VAN<DER<MUSTER", "gnt": "JANE<ANN"], "JANE ANN VAN DER MUSTER"), (["gnt": nil], "MUSTER"),
            (["fnt": MadeHCERT.absent], "JANE"), (["gn": nil, "fn": nil], "JANE MUSTER"),
        ] as [(MadeHCERT.Members, String)])
    func theTransliteratedNameIsKept(_ names: MadeHCERT.Members, _ shown: String) throws {
        let contents = try MadeHCERT.with { $0.names = names }.contents()
        #expect(contents.subjects.first?.transliterated == UTF8Text(shown))
    }

    /// P9: Unicode's normal form C.
    @Test(arguments: [
        ("Mu\u{308}ller", "M\u{FC}ller"), ("M\u{FC}ller", "M\u{FC}ller"), ("A\u{30A}", "\u{C5}"),
        ("\u{212B}", "\u{C5}"),
        ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{FB01}", "\u{FB01}"),
        ("e\u{323}\u{302}", "\u{1EC7}"),
    ])
    func composesCharacters(_ written: String, _ shown: String) throws {
        #expect(try name(["gn": .text(written), "fn": MadeHCERT.absent]) == Array(shown.unicodeScalars))
        #expect(try name(["gn": MadeHCERT.absent, "fn": .text(written)]) == Array(shown.unicodeScalars))
    }

    /// Sorting combining marks takes quadratic time, so long names stay as they are.
    @Test func longNamesTakeNoTime() throws {
        let marks = String(String.UnicodeScalarView((0..<300_000).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }))
        let time = try processorTime {
            let shown = try name(["gn": .text("a" + marks), "fn": MadeHCERT.absent])
            #expect(shown?.count == 300_001)
        }
        #expect(time < .seconds(300), "\(time)")
    }

    // MARK: Records

    @Test func showsAVaccination() throws {
        let contents = try MadeHCERT.with { $0.record = ["mp": " EU/1/20/1528 ", "dn": 2.0] }.contents()
        let record = try #require(contents.records.first)
        #expect(contents.records.count == 1 && contents.supportingTypes.isEmpty && contents.fhirVersion == nil)
        #expect(record.resourceType == "Immunization" && record.type == .immunization && record.status == "completed")
        #expect(record.display == "Comirnaty")
        #expect(record.codes.map(\.code) == ["EU/1/20/1528", "1119349007", "ORG-100030215", "840539006"])
        #expect(record.manufacturer == "Biontech Manufacturing GmbH" && record.diseaseName == "COVID-19")
        #expect(record.manufacturerCode?.code == "ORG-100030215")
        #expect(record.dose?.description == "2 of 2" && record.country == "AT" && record.disease?.code == "840539006")
        #expect(record.identifier?.description == MadeHCERT.identifier)
        #expect(record.validFrom == nil && record.validUntil == nil && record.performer == nil && record.result == nil)
    }

    @Test func showsATest() throws {
        let record = try #require(try MadeHCERT.with { $0.group = "t" }.contents().records.first)
        #expect(record.resourceType == "Observation" && record.type == .laboratory && record.status == "final")
        #expect(record.display == "Nucleic acid amplification with probe detection, Muster PCR")
        #expect(record.performer == "Teststelle" && record.date == "2022-01-09T08:15:00+01:00" && record.dose == nil)
        #expect(record.results.count == 1)
    }

    @Test func showsARecovery() throws {
        let made = MadeHCERT.with {
            $0.group = "r"
            $0.record = ["du": "18.06.2022"]
        }
        let record = try #require(try made.contents().records.first)
        #expect(record.resourceType == "Condition" && record.type == .recovery && record.status == nil)
        #expect(record.date == "2021-12-20" && record.validFrom == "2022-01-01" && record.validUntil == nil)
        #expect(try made.contents().relevantDate?.text == "2021-12-20")
    }

    @Test func unknownCodesHaveNoName() throws {
        let record = try #require(
            try MadeHCERT.with { $0.record = ["mp": "EU/9", "vp": "", "tg": "1"] }.contents().records.first)
        #expect(record.display == nil && record.codes.map(\.code) == ["EU/9", "ORG-100030215", "1"])
        #expect(record.diseaseName == nil)
        let maker = try MadeHCERT.with { $0.record = ["ma": "Some Maker"] }.contents().records.first
        #expect(maker?.manufacturer == "Some Maker")
        let test = MadeHCERT.with {
            $0.group = "t"
            $0.record = ["tt": "unknown"]
        }
        #expect(try test.contents().records.first?.display == "Muster PCR")
        #expect(try test.contents().records.first?.displaySource == .issuer)
    }

    // MARK: JSON

    @Test(arguments: [
        ("a3 61 62 01 6161 02 20 03", #"{"b":1,"a":2,"-1":3}"#), ("a1 4101 f93c00", #"{"AQ":1.0}"#),
        (
            "84 1bffffffffffffffff 3bffffffffffffffff fb7e37e43c8800759c f97e00",
            "[18446744073709551615,-18446744073709551616,1e+300,null]"
        ),
        ("83 c074323032312d30312d30315430303a30303a30305a f7 f0", #"["2021-01-01T00:00:00Z",null,null]"#),
        ("82 4401020304 f5", #"["AQIDBA",true]"#), ("7f6161620a22ff", #""a\n\"""#),
        ("a2 f4 01 f6 02", #"{"false":1,"null at byte 3":2}"#),
    ])
    func writesCBORAsJSON(_ hex: String, _ text: String) throws {
        let value = try CBORDocument.parse([UInt8](hex: hex))
        #expect((value.json?.text).map { String(decoding: $0, as: UTF8.self) } == text)
    }

    /// Two names would be the same in JSON.
    @Test func thereIsNoJSONWithDuplicateNames() throws {
        #expect(try CBORDocument.parse([UInt8](hex: "a2 01 00 6131 00")).json == nil)
    }
}
