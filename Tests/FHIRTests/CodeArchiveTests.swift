import Encodings
import Testing

@testable import FHIR

/// Installed lists.
struct CodeArchiveTests {
    private static func archive(_ lists: (String, day: String)...) throws -> CodeArchive {
        var archive = CodeArchive()
        for (text, day) in lists { archive.install(try CodeList(Array(text.utf8)), from: "a file", on: day) }
        // Always by way of the file.
        return try CodeArchive(archive.bytes)
    }

    private static func vaccine(_ code: String, _ name: String, _ date: String) -> String {
        "\(code)|\(name)|\(name)||Active|False|\(date)\n"
    }

    private static func cvx(_ code: UTF8Text) -> Code { Code(system: Code.cvx, code: code) }

    @Test func theNewestListNamesACode() throws {
        var names = CodeNames.builtIn
        names.add(try Self.archive((Self.vaccine("309", "COVID-19, renamed", "2026/03/01"), day: "2026-11-01")))
        #expect(names[Self.cvx("309")]?.display == "COVID-19, renamed")
        #expect(names[Self.cvx("309")]?.source == .cvx)
        #expect(names[Self.cvx("03")]?.display == "MMR")
        names = .builtIn
        names.add(try Self.archive((Self.vaccine("309", "an old name", "2020/03/01"), day: "2026-11-01")))
        #expect(names[Self.cvx("309")]?.display == "COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL")
        // What only the older list has is not lost.
        names.add(try Self.archive((Self.vaccine("777", "only here", "2020/03/01"), day: "2026-11-01")))
        #expect(names[Self.cvx("777")]?.display == "only here")
        // Lists of --codes come first.
        try names.add(
            fhirJSON: Array(
                #"{"resourceType":"CodeSystem","url":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"777","display":"mine"}]}"#
                    .utf8))
        #expect(names[Self.cvx("777")]?.display == "mine")
    }

    @Test func newCodesAreKnownAndCounted() throws {
        var names = CodeNames.builtIn
        #expect(!names.isKnown(Self.cvx("401")))
        #expect(!names.isCOVID19(Self.cvx("401")))
        names.add(
            try Self.archive(
                ("flu|402|Active|FLU|88\nflu|141|Active|FLU|88\nspike|403|Active|COVID-19|213\n", day: "2026-11-01"),
                (Self.vaccine("401", "SARS-COV-2, new", "2026/03/01"), day: "2026-11-01")))
        #expect(names.isKnown(Self.cvx("401")))
        #expect(names.isCOVID19(Self.cvx("401")))
        #expect(names.group(of: Self.cvx("401")) == "COVID-19")
        #expect(names.isCOVID19(Self.cvx("403")))
        // CDC's group has the built-in name, so that old and new vaccines are counted together.
        #expect(names.group(of: Self.cvx("402")) == names.group(of: Self.cvx("141")))
        #expect(names.newestDate(of: Code.cvx) == "2026-11-01")
    }

    @Test func ofTwoEditionsTheNewerIsUsed() throws {
        let old = try Self.archive((Self.vaccine("401", "old", "2026/01/01"), day: "2026-11-01"))
        let new = try Self.archive((Self.vaccine("401", "new", "2026/02/01"), day: "2026-11-01"))
        for joined in [old.joined(with: new), new.joined(with: old)] {
            #expect(joined.lists.map(\.date) == ["2026-02-01"])
            var names = CodeNames()
            names.add(joined)
            #expect(names[Self.cvx("401")]?.display == "new")
        }
    }

    /// The `url` of a list of FHIR can be any text.
    @Test func listsOfDifferentFormsAreDifferentLists() throws {
        let fhir = { (type: String, name: String) in
            type == "ValueSet"
                ? #"{"resourceType":"ValueSet","url":"cvx","date":"2026-09-01","compose":{"include":[{"system":"\#(Code.cvx)","concept":[{"code":"401","display":"\#(name)"}]}]}}"#
                : #"{"resourceType":"CodeSystem","url":"cvx","date":"2026-09-01","concept":[{"code":"401","display":"\#(name)"}]}"#
        }
        let table = (Self.vaccine("401", "CDC's", "2026/01/01"), day: "2026-11-01")
        let set = (fhir("ValueSet", "of a set"), day: "2026-11-01")
        let system = (fhir("CodeSystem", "of a system"), day: "2026-11-01")
        let archive = try Self.archive(table, set, system)
        #expect(archive.lists.map(\.form) == [.cvx, .valueSet, .codeSystem])
        let joined = try Self.archive(table).joined(with: Self.archive(set)).joined(with: Self.archive(set, system))
        #expect(joined.lists.map(\.form) == [.cvx, .valueSet, .codeSystem])
        for text in [table.0, set.0, system.0] {
            let list = try CodeList(Array(text.utf8))
            #expect(archive.lists.count { $0.isEdition(of: list) } == 1)
        }
        let again = try Self.archive(table, set, system, table)
        #expect(again.lists.map(\.form) == [.valueSet, .codeSystem, .cvx], "one edition of each")
    }

    @Test func contentIsWhatTheListSays() throws {
        let content = { (text: String, day: String) in try Self.archive((text, day: day)).lists[0].content }
        let undated = "spike|403|Active|COVID-19|213\n"
        #expect(try content(undated, "2026-11-01") == content(undated, "2026-11-08"), "installed again")
        let vaccine = Self.vaccine("401", "new", "2026/03/01")
        #expect(try content(vaccine, "2026-11-01") == content(vaccine, "2026-11-08"))
        for other in [
            Self.vaccine("402", "new", "2026/03/01"), Self.vaccine("401", "now", "2026/03/01"),
            Self.vaccine("401", "COVID-19", "2026/03/01"), Self.vaccine("401", "new", "2026/03/02"),
        ] {
            #expect(try content(vaccine, "2026-11-01") != content(other, "2026-11-01"))
        }
    }

    @Test func sizeIsThatOfTheFile() throws {
        #expect(CodeArchive().size == CodeArchive().bytes.count)
        let archive = try Self.archive(
            (Self.vaccine("401", "new", "2026/03/01"), day: "2026-11-01"),
            ("spike|403|Active|COVID-19|213\n", day: "2026-11-01"))
        #expect(archive.size == archive.bytes.count)
    }

    /// The rows of a large file are not read to name its lists.
    @Test func theBeginningOfAFileNamesItsLists() throws {
        let archive = try Self.archive(
            (Self.vaccine("401", "new", "2026/03/01"), day: "2026-11-01"),
            ("spike|403|Active|COVID-19|213\n", day: "2026-11-01"))
        let bytes = archive.bytes
        let start = try #require(bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.dropFirst().first) + 1
        let outline = try CodeArchive.outline(ofBeginning: Array(bytes[..<start]), size: bytes.count)
        #expect(outline?.map(\.name) == ["CVX", "CVX groups"])
        #expect(outline?.map(\.date) == ["2026-03-01", "2026-11-01"] && outline?.map(\.count) == [1, 1])
        #expect(outline?.map(\.isDated) == [true, false])
        #expect(try CodeArchive.outline(ofBeginning: Array(bytes[..<100]), size: bytes.count) == nil)
        for size in [start, bytes.count - 1, bytes.count + 1, 0] {
            #expect(throws: Malformed.damagedArchive) {
                try CodeArchive.outline(ofBeginning: Array(bytes[..<start]), size: size)
            }
        }
        #expect(throws: Malformed.damagedArchive) {
            try CodeArchive.outline(ofBeginning: Array("another file\n".utf8), size: 13)
        }
    }

    @Test func saysWhatAnUnusableFileHeld() throws {
        let bytes = try Self.archive(
            (Self.vaccine("401", "new", "2026/03/01"), day: "2026-11-01"),
            ("spike|403|Active|COVID-19|213\n", day: "2026-11-01")
        ).bytes
        #expect(CodeArchive.names(inUnusable: bytes.dropLast(9)) == ["CVX", "CVX groups"])
        let other = Array(String(decoding: bytes, as: UTF8.self).replacing("lists 1\n", with: "lists 2\n").utf8)
        #expect(CodeArchive.names(inUnusable: other) == ["CVX", "CVX groups"])
        #expect(throws: Malformed.archiveOfOtherVersion) { try CodeArchive(other) }
        for text in ["", "x", "shcverify code lists 1", "shcverify code lists 1\n{}", "x\n[{\"name\":\"a\"}]\n"] {
            #expect(CodeArchive.names(inUnusable: Array(text.utf8)) == [])
        }
    }

    @Test(arguments: ["-9223372036854775808", "-1", "0", "100001"]) func countsAreChecked(_ count: String) throws {
        let bytes = try Self.archive((Self.vaccine("401", "new", "2026/03/01"), day: "2026-11-01")).bytes
        let text = String(decoding: bytes, as: UTF8.self)
        let changed = text.replacing(#""count":1"#, with: #""count":\#(count)"#)
        #expect(changed != text)
        #expect(throws: Malformed.damagedArchive) { try CodeArchive(Array(changed.utf8)) }
    }

    @Test func keepsWhatListsSay() throws {
        let fhir = #"""
            {"resourceType":"ValueSet","url":"https://x.example/vs","title":"T","version":"20260102","compose":{"include":[
             {"system":"urn:a","concept":[{"code":"x|y","display":"a\nb\u001fc"},{"code":"é"}]},{"system":"urn:b","concept":[{"code":"1","display":"One"}]}]}}
            """#
        let archive = try Self.archive((fhir, day: "2026-11-01"))
        let list = try #require(archive.lists.first)
        #expect(list.id == "https://x.example/vs")
        #expect(list.name == "T")
        #expect(list.date == "2026-01-02")
        #expect(list.isDated)
        #expect(list.count == 3)
        #expect(list.systems == ["urn:a", "urn:b"])
        var names = CodeNames()
        names.add(archive)
        #expect(names[Code(system: "urn:a", code: "x|y")]?.display == "a b c")
        #expect(names[Code(system: "urn:a", code: "é")] == nil)
        #expect(names.isKnown(Code(system: "urn:a", code: "é")))
        #expect(!names.isKnown(Code(system: "urn:b", code: "é")))
        #expect(names[Code(system: "urn:b", code: "1")]?.source == .installed)
        #expect(names.search("ONE").map(\.code.code) == ["1"])
        #expect(names.search("urn:a|x|y").map(\.code.code) == ["x|y"])
    }

    @Test func aListWithoutADateHasThatOfItsInstallation() throws {
        let archive = try Self.archive(("spike|403|Active|COVID-19|213\n", day: "2026-11-01"))
        #expect(archive.lists.map(\.date) == ["2026-11-01"])
        #expect(archive.lists.map(\.isDated) == [false])
    }

    @Test func everyCutFileIsRefused() throws {
        let bytes = try Self.archive((Self.vaccine("401", "SARS-COV-2, new", "2026/03/01"), day: "2026-11-01")).bytes
        for length in 0..<bytes.count {
            #expect(throws: Malformed.self) { try CodeArchive(Array(bytes[..<length])) }
        }
        #expect(throws: Malformed.self) { try CodeArchive(bytes + [0x41]) }
        // No change of a byte makes it crash.
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 0x15
            guard let archive = try? CodeArchive(changed) else { continue }
            var names = CodeNames.builtIn
            names.add(archive)
            _ = names.search("new")
            _ = names.isCOVID19(Self.cvx("401"))
        }
    }
}

/// The search for codes.
struct CodeSearchTests {
    private static func names() throws -> CodeNames {
        var archive = CodeArchive()
        for text in [
            "401|Flu, New|Flu, New||Active|False|2026/03/01\n403|SARS-COV-2 x|y||Active|False|2026/03/01\n",
            "NEWVAX|Flu, New|401|New Maker|NWM|Active|Active|2026/10/02|\n",
            "flu|401|Active|FLU|88\nflu|141|Active|FLU|88\n",
            #"{"resourceType":"CodeSystem","url":"urn:own","concept":[{"code":"a|b","display":"Bar"},{"code":"C"},{"code":"309","display":"other"}]}"#,
        ] { archive.install(try CodeList(Array(text.utf8)), from: "a file", on: "2026-11-01") }
        var names = CodeNames.builtIn
        names.add(try CodeArchive(archive.bytes))
        let given =
            #"{"resourceType":"ValueSet","url":"urn:vs","compose":{"include":[{"system":"urn:given","concept":[{"code":"9","display":"Given"}]}]}}"#
        names.add(try CodeList(Array(given.utf8), about: .covid19))
        return names
    }

    private static func found(_ wanted: String) throws -> Set<String> {
        Set(try names().search(wanted).map { "\($0.code.system ?? "")|\($0.code.code)" })
    }

    @Test(arguments: [
        ("cvx|309", "\(Code.cvx)|309"), ("CVX|0401", "\(Code.cvx)|401"), ("cvx|1", "\(Code.cvx)|01"),
        ("\(Code.cvx)|401", "\(Code.cvx)|401"), ("mvx|MOD", "\(Code.mvx)|MOD"),
        ("snomed|840539006", "\(Code.snomed)|840539006"), ("loinc|94500-6", "\(Code.loinc)|94500-6"),
        ("urn:own|a|b", "urn:own|a|b"), ("a|b", "urn:own|a|b"), ("C", "urn:own|C"), ("NEWVAX", "\(Code.cvx)|401"),
        ("flu, nEW", "\(Code.cvx)|401"), ("9", "urn:given|9"), ("given", "urn:given|9"), ("urn:given|9", "urn:given|9"),
    ]) func findsOneCode(_ wanted: String, _ code: String) throws {
        let found = try Self.found(wanted)
        #expect(found.contains(code), "\(found)")
        if wanted.contains("|") { #expect(found == [code]) }
    }

    @Test func findsACodeInAllSystems() throws {
        #expect(try Self.found("309").isSuperset(of: ["\(Code.cvx)|309", "urn:own|309"]))
    }

    /// The group may be in another list than the name, and COVID-19 is a group of its own.
    @Test func findsGroups() throws {
        let covid19 = try Self.found("covid-19")
        #expect(covid19.isSuperset(of: ["\(Code.cvx)|403", "\(Code.cvx)|309", "urn:given|9"]))
        #expect(!covid19.contains("\(Code.cvx)|401"))
        let group = try #require(try Self.names().group(of: Code(system: Code.cvx, code: "141")))
        #expect(try Self.found(group.description).isSuperset(of: ["\(Code.cvx)|401", "\(Code.cvx)|141"]))
    }

    @Test(arguments: ["", "cvx|", "|309", "nvx|309", "zzzzzz", "309\n", "flu\u{1F}new", "cvx|40\u{0301}1"])
    func findsNothing(_ wanted: String) throws { #expect(try Self.found(wanted).isEmpty) }
}

/// The age of the lists in this release.
struct BuiltInListTests {
    @Test func theListOfVaccinesHasTheNewestVaccines() {
        for code in 308...313 {
            let code = Code(system: Code.cvx, code: UTF8Text("\(code)"))
            #expect(CodeNames.builtIn.isCOVID19(code))
            #expect(CodeNames.builtIn[code]?.display.description.hasPrefix("COVID-19, ") == true)
        }
    }

    @Test func datesAreDays() {
        for list in CodeNames.builtIn.lists {
            #expect(list.date.flatMap { FHIRDate($0)?.precision } == .day, "\(list.name)")
            #expect(list.count > 0)
        }
    }
}
