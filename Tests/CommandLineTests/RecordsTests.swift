import Foundation
import JSON
import TestSupport
import Testing

@testable import shcverify

/// The records of cards: asked for, listed and laid out.
@Suite struct RecordsTests {
    static let card = OutputTests.card
    static let bad = Paths.vector("cards/signature/der.jws")
    static let options = OutputTests.keys

    @Test func recordsOfVerifiedCardsAreListedOneALine() async throws {
        let result = try await Shcverify.run(["records", Self.card, Self.bad, "--format", "ndjson"] + Self.options)
        #expect(result.exitCode == 11, "a failing card sets the exit code")
        #expect(result.errorLines.count == 1)
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == 1, "and contributes nothing")
        let record = try JSONDocument.parse(Array(lines[0].utf8))
        #expect(record["display"]?.string == "COVID-19, mRNA (Moderna)")
        #expect(record["displaySource"]?.string == "cvx")
        #expect(record["subject"]?.string == "Jana T. Anyperson")
        #expect(record["lotNumber"]?.string == "TEST-0001")
    }

    @Test(arguments: ["text", "json", "csv", "ndjson"]) func everyFormatHasTheRecord(_ format: String) async throws {
        let result = try await Shcverify.run(["records", Self.card, "--format", format] + Self.options)
        #expect(result.exitCode == 0)
        for words in ["COVID-19, mRNA (Moderna)", "2025-01-29", "TEST-0001", "Example Hospital"] {
            #expect(result.stdout.contains(words), "\(words)")
        }
        if format == "csv" {
            let lines = result.stdout.components(separatedBy: "\r\n")
            #expect(lines.count == 3 && lines[2].isEmpty)
            #expect(lines[0].hasPrefix("card,issuer,subject,"))
        }
        if format == "json" {
            let document = try JSONDocument.parse(Array(result.stdout.utf8))
            #expect(document["records"]?.elements?.count == 1)
        }
    }

    @Test func recordsAreChosenByTypeAndIdentifier() async throws {
        let count = { (arguments: [String]) in
            let command = ["records", Self.card, "--format", "ndjson"] + Self.options + arguments
            return try await Shcverify.run(command).stdout.split(separator: "\n").count
        }
        #expect(try await count(["--resource-type", "Immunization"]) == 1)
        #expect(try await count(["--resource-type", "Observation"]) == 0)
        #expect(try await count(["--identifier", "resource:1"]) == 1)
        #expect(try await count(["--identifier", "resource:9"]) == 0)
    }

    @Test func emptyListIsStillADocument() async throws {
        let arguments = ["records", Self.card, "--resource-type", "Observation"] + Self.options
        let json = try await Shcverify.run(arguments + ["--format", "json"])
        #expect(try JSONDocument.parse(Array(json.stdout.utf8))["records"]?.elements?.count == 0)
        let csv = try await Shcverify.run(arguments + ["--format", "csv"])
        #expect(csv.stdout.hasPrefix("card,"))
    }

    static let queries: [([String], Int32)] = [
        (["--record-type", "immunization"], 0), (["--record-type", "#covid19"], 0),
        (["--record-type", "Immunization"], 0),
        (["--record-type", "laboratory"], 17), (["--record-type", "immunization", "--record-type", "laboratory"], 17),
        (["--since", "2025"], 0), (["--since", "2025-01-29"], 0), (["--since", "2025-01-30"], 17),
        (["--until", "2025-01"], 0), (["--until", "2025-01-28"], 17), (["--since", "yesterday"], 64),
        (["--record-type", "vaccines"], 64), (["--codes", "no-such-file"], 66), (["--codes", OutputTests.card], 64),
    ]

    @Test(arguments: queries)
    func cardsAreAskedForRecords(_ arguments: [String], exitCode: Int32) async throws {
        let result = try await Shcverify.run([Self.card, "-q"] + Self.options + arguments)
        #expect(result.exitCode == exitCode, "\(result.stderr)")
        if exitCode == 17 { #expect(result.stderr.contains("records-not-matching")) }
    }

    @Test func fileOfCodesNamesThem() async throws {
        let folder = try TemporaryDirectory()
        let codes = try folder.write(
            #"{"resourceType":"CodeSystem","url":"http://hl7.org/fhir/sid/cvx","concept":[{"code":"207","display":"Our name"}]}"#,
            to: "codes.json")
        let result = try await Shcverify.run([Self.card, "--format", "json", "--codes", codes] + Self.options)
        let record = try #require(try JSONDocument.parse(Array(result.stdout.utf8)).at("/cards/0/records/0"))
        #expect(record["display"]?.string == "Our name")
        #expect(record["displaySource"]?.string == "codes-file")
    }
}

/// Text in columns.
@Suite struct ColumnTests {
    @Test(arguments: [
        ("abc", 3), ("äöü", 3), ("日本", 4), ("e\u{301}", 1), ("한국", 4), ("👍", 2), ("محمد", 4), ("ｆｕｌｌ", 8), ("", 0),
    ])
    func widthIsThatOfTheTerminal(_ text: String, width: Int) {
        #expect(TextWidth.of(text) == width)
    }

    @Test(arguments: 1...12) func textIsCutToFit(_ columns: Int) {
        for text in ["abcdefghijklmnop", "日本語日本語日本語", "a日b本c語"] {
            #expect(TextWidth.of(TextWidth.fitting(text, columns: columns)) <= columns)
        }
    }

    @Test func formulasAreNotCalculated() {
        #expect(CSV.line(["=1+1", "a,b", "say \"x\"", "-2", "ok"]) == "'=1+1,\"a,b\",\"say \"\"x\"\"\",'-2,ok\r\n")
    }

    /// In any width, and where the file is read with other separators than it was written with.
    @Test(arguments: [
        ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"), ("﹦1", "'﹦1"), ("⁼1", "'⁼1"), ("−1", "'−1"),
        ("a;=1", "a;'=1"), ("a;+1;-2;@x", "a;'+1;'-2;'@x"), ("a;＝1", "a;'＝1"), ("a; =1", "a; '=1"), (";=1", ";'=1"),
        ("\t=1", "'\t'=1"), ("a\t=1", "a\t'=1"), ("\u{FFFD}=1", "'\u{FFFD}=1"), (" \u{200B}=1", "' \u{200B}=1"),
        ("::error::x", "'::error::x"), (" ::x", "' ::x"), ("a::x", "a::x"), (":x", ":x"), ("##[x]", "# #[x]"), ("a;b=1", "a;b=1"),
        ("3.5 - 5.0; 1 = 2", "3.5 - 5.0; 1 = 2"),
    ])
    func noReaderCalculatesACell(_ cell: String, _ written: String) {
        #expect(CSV.line([cell]) == written + "\r\n")
    }

    @Test func quotationMarksHideNoFormula() {
        // Where cells end at semicolons, what follows one begins with the second of two quotation marks, and is a formula.
        #expect(CSV.line(["a;\"=1+1&\""]) == "\"a;\"\"'=1+1&\"\"\"\r\n")
        #expect(CSV.line(["a\n=1+1"]) == "\"a\n'=1+1\"\r\n")
    }

    @Test(arguments: [
        "x\"\u{301},=1+1,z", "a,\u{301}b", "=\u{301}HYPERLINK(1)", "=\u{200D}1+1", "\n=1+1", " =1", "\u{200B}@x",
    ])
    func marksThatCombineHideNothing(_ cell: String) {
        // Read as others read it: byte by byte.
        let line = CSV.line(["first", cell, "last"])
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line.utf8.dropLast(2) {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: cells.append([])
            default: cells[cells.count - 1].append(byte)
            }
        }
        #expect(cells.count == 3)
        #expect(!isQuoted)
        #expect(cells[1].first != UInt8(ascii: "="))
        if cell.unicodeScalars.first != "x", cell.unicodeScalars.first != "a" {
            #expect(cells[1].first == UInt8(ascii: "'"))
        }
    }

    @Test func cellsWithLineBreaksAreQuoted() {
        #expect(CSV.line(["a\nb", "c\r\nd"]) == "\"a\nb\",\"c\r\nd\"\r\n")
    }
}
