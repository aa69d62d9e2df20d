import JSON
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
            #expect(throws: CodeArchiveError.self) { try CodeArchive(Array(bytes[..<length])) }
        }
        #expect(throws: CodeArchiveError.self) { try CodeArchive(bytes + [0x41]) }
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
