import Encodings
import TestSupport
import Testing

@testable import FHIR

/// CDC's tables of vaccines.
struct CDCTableTests {
    static let cvx = """
        207       |COVID-19, mRNA, LNP-S, PF, 100 mcg|SARS-COV-2 (COVID-19) vaccine, mRNA||Active|False|2022/09/07\r
        999       |unknown|unknown vaccine or immune globulin|A note.|Inactive|False|2010/09/30\r
        1         |DTP|diphtheria, tetanus toxoids and pertussis vaccine||Inactive|False|2025/12/01\r
        """

    private static func list(_ text: String) throws -> CodeList { try CodeList(Array(text.utf8)) }

    private static func error(_ bytes: [UInt8]) -> Malformed? {
        do throws(Malformed) { _ = try CodeList(bytes) } catch { return error }
        return nil
    }

    @Test(arguments: ["\r\n", "\r", "\n", "\n\n \r\n"]) func readsVaccines(_ end: String) throws {
        let list = try Self.list(Self.cvx.split(separator: "\r\n").joined(separator: end))
        #expect(list.form == .cvx)
        #expect(list.date == "2025-12-01")
        #expect(list.entries.map(\.code.code) == ["207", "999", "01"])
        #expect(list.entries.allSatisfy { $0.code.system == Code.cvx })
        #expect(list.entries[0].display == "COVID-19, mRNA, LNP-S, PF, 100 mcg")
        #expect(list.entries.map(\.isOfCOVID19) == [true, false, false])
        #expect(list.notes.isEmpty)
    }

    @Test func theFullNameSaysCOVID19Too() throws {
        let list = try Self.list("350|spike, mRNA|vaccine against Sars-CoV-2||Active|False|2026/01/02\n")
        #expect(list.entries[0].isOfCOVID19)
    }

    @Test func readsTradeNamesWithTheirMakers() throws {
        let list = try Self.list(
            """
            COMIRNATY|COVID-19, mRNA|309       |Pfizer, Inc|PFR       |Active|Active|2025/08/27|
            Mnexspike|COVID-19, mRNA|401       ||          |Active|Active|2025/09/01|
            """)
        #expect(list.form == .tradeNames)
        #expect(list.date == "2025-09-01")
        #expect(
            list.entries.map(\.code) == [
                Code(system: Code.cvx, code: "309"), Code(system: Code.mvx, code: "PFR"),
                Code(system: Code.cvx, code: "401"),
            ])
        // The second field is CDC's name of the vaccine.
        #expect(list.entries.map(\.isOfCOVID19) == [true, false, true])
        let other = try Self.list("Fluvax|influenza, 2027|402       |Maker|MKR       |Active|Active|2026/08/27|")
        #expect(other.entries.map(\.isOfCOVID19) == [false, false])
        let ofVaccines = other.entries.filter { $0.code.system == Code.cvx }.map(\.isTellingOfCOVID19)
        #expect(!ofVaccines.contains(false))
    }

    @Test func readsMakers() throws {
        let list = try Self.list("AB        |Abbott Laboratories|includes others|Active    |2010/05/28\n")
        #expect(list.form == .mvx)
        #expect(list.entries.map(\.display) == ["Abbott Laboratories"])
    }

    @Test func readsGroups() throws {
        let list = try Self.list(
            """
            COVID-19, new|401       |Active|COVID-19|213
            DTaP-Hib|50        |Active|DTAP|107
            DTaP-Hib|50        |Active|HIB|17
            Influenza, new|402|Active|FLU|88
            """)
        #expect(list.form == .vaccineGroups)
        #expect(list.date == nil)
        #expect(list.entries.map(\.code.code) == ["401", "50", "402"])
        #expect(list.entries.map(\.isOfCOVID19) == [true, false, false])
        // A combination is counted by its own code.
        #expect(list.entries.map(\.group) == ["COVID-19", nil, "FLU"])
        #expect(list.entries.allSatisfy { $0.isTelling })
        let others = try Self.list(
            "DTaP-IPV|401|Active|DTAP|107\nDTaP-IPV|401|Active|POLIO|89\nYF|402|Active|YELLOW FEVER|184\n")
        #expect(others.entries.map(\.diseases) == [[.polio], [.yellowFever]])
    }

    @Test func readsWindows1252AndSaysSo() throws {
        var bytes = Array("401|Spike".utf8) + [0x92, 0x73]
        bytes += Array(", \"caf\"|full name||Active|False|2026/01/02\n".utf8)
        let list = try CodeList(bytes)
        #expect(list.entries[0].display == "Spike\u{2019}s, \"caf\"")
        #expect(list.notes == ["1 line is not in UTF-8, and was read as Windows-1252"])
    }

    @Test func anyOfItsNamesSaysWhatAVaccineIsAgainst() throws {
        let list = try Self.list("401|Spike|spike||Active|False|\n401|COVID-19, spike|full||Active|False|\n")
        var names = CodeNames.builtIn
        names.add(list)
        #expect(names.isCOVID19(Code(system: Code.cvx, code: "401")))
        #expect(names[Code(system: Code.cvx, code: "401")]?.display == "Spike")
    }

    @Test func countsRepeatedCodes() throws {
        let list = try Self.list(
            Self.cvx + "\n207|another|name||Active|False|2022/09/07\n207|a third|name||Active|False|\n")
        #expect(Set(list.entries.map(\.code)).count == 3)
        #expect(list.notes == ["2 of its codes occur again with other names; the first name is used"])
    }

    @Test(arguments: [
        ("207|COVID-19|full||Active|False", "neither"),
        ("207|COVID-19|full||Active|False|2022/09/07\n208|COVID-19", "line 2: it has 2 fields"),
        (
            "207|COVID-19|full||Active|False|2022/09/07\n208;COVID-19;full;;Active;False;2022/09/07",
            "line 2: it has no fields"
        ),
        ("207\tCOVID-19\tfull\t\tActive\tFalse\t2022/09/07", "neither JSON nor one of CDC's tables"),
        ("207|COVID-19|full||Active|False|yesterday", "line 1: \"yesterday\" is not a date"),
        ("207|COVID-19|full||Active|False|2022/02/30", "line 1"),
        (
            "207|COVID-19|full||Active|False|2022/09/07\nx|COVID-19|full||Active|False|2022/09/07",
            "is not a code of CVX"
        ),
        ("207|COVID-19|full||Active|False|\n|COVID-19|full||Active|False|", "is not a code of CVX"),
        ("207||full||Active|False|2022/09/07", "has no name"),
        (
            "207|COVID-19|full||Active|False|2022/09/07\n208|a|b||Active|Perhaps|2022/09/07",
            "line 2: \"Perhaps\" is neither"
        ),
        (
            "207|COVID-19|full||Active|False|2022/09/07\n208|a|b||x|Active|False|2022/09/07",
            "line 2: \"Active\" is neither"
        ),
        ("spike|401|Active|COVID-19|213\nspike|402|Active|COVID-19|x", "line 2: \"x\" is not a code of a group"),
        ("<!DOCTYPE html><html><body>Not found</body></html>", "HTML"),
        ("", "the file is empty"), (" \r\n\r\n", "the file is empty"), ("Access denied", "is not a list of codes"),
        ("Access | denied", "is not a list of codes"), ("Access | denied\nAsk | us", "is not a list of codes"),
        (
            "CVX Code|CVX Short Description|Full Vaccine Name|Note|VaccineStatus|Nonvaccine|Last Updated\n"
                + "207|COVID-19|full||Active|False|2022/09/07", "line 1 has no code: remove the heading"
        ),
        ("\nMVX|Name|Notes|Status|Updated\nPFR|Pfizer||Active|2022/09/07", "line 2 has no code: remove the heading"),
    ])
    func refusesOtherText(_ text: String, _ words: String) {
        let error = Self.error(Array(text.utf8))
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
    }

    @Test func refusesACodeOfManyDigits() {
        let row = "|COVID-19|full||Active|False|2022/09/07\n"
        #expect(
            Self.error(Array(("207" + row + String(repeating: "1", count: 10_000) + row).utf8))?.description.contains(
                "line 2") == true)
        let name = String(repeating: "n", count: 301)
        #expect(
            Self.error(Array("207|\(name)|full||Active|False|2022/09/07".utf8))?.description.contains("300") == true)
    }

    @Test func refusesUTF16() {
        #expect(
            Self.error([0xFF, 0xFE] + "207|a|b||Active|False|".utf8.flatMap { [$0, 0] })
                == Malformed("it is not text in UTF-8; UTF-16 is not read"))
        #expect(
            Self.error("207|a|b||Active|False|".utf8.flatMap { [0, $0] })
                == Malformed("it is not text in UTF-8; UTF-16 is not read"))
    }

    @Test func refusesALargeFile() {
        #expect(
            Self.error([UInt8](repeating: 0x20, count: CodeList.maximumSize + 1))
                == .tooLarge(limit: CodeList.maximumSize))
    }

    /// They are looked up and kept without comparing each with all others.
    @Test func aVaccineMayHaveManyGroupsAndNames() throws {
        let time = try processorTime {
            let groups = try Self.list((0..<5000).map { "x|399|Active|GROUP \($0)|1" }.joined(separator: "\n"))
            #expect(groups.entries.count == 1 && groups.entries[0].group == nil)
            let names = try Self.list(
                (0..<5000).map { "Name \($0)|COVID-19|399|Maker|MKR|Active|Active|2026/10/01|" }.joined(separator: "\n")
            )
            var archive = CodeArchive()
            archive.install(names, from: "a file", on: "2026-11-01")
            var known = CodeNames.builtIn
            known.add(archive)
            let found = known.tradeNames(of: Code(system: Code.cvx, code: "399"))
            #expect(found.count == CodeArchive.mostTradeNames && found.last == "Name 99")
        }
        #expect(time < .seconds(60), "\(time)")
    }

    @Test func readsMaximumCount() throws {
        let rows = (0..<9999).map { "\($0)|name|full||Active|False|2022/09/07" }
        #expect(try Self.list(rows.joined(separator: "\n")).entries.count == 9999)
    }
}
