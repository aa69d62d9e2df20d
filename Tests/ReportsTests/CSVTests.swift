import Testing

@testable import CredentialReports

/// Text from a card in CSV cells, which no spreadsheet may calculate.
@Suite struct CSVTests {
    private static func written(_ cells: [String]) -> String {
        String(decoding: CSV.line(cells), as: UTF8.self)
    }

    @Test func formulasAreNotCalculated() {
        #expect(Self.written(["=1+1", "a,b", "say \"x\"", "-2", "ok"]) == "'=1+1,\"a,b\",\"say \"\"x\"\"\",'-2,ok\r\n")
    }

    /// Formulas in all widths, and in files that are read with other separators.
    @Test(arguments: [
        ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"), ("﹦1", "'﹦1"), ("⁼1", "'⁼1"), ("−1", "'−1"),
        ("a;=1", "a;'=1"), ("a;+1;-2;@x", "a;'+1;'-2;'@x"), ("a;＝1", "a;'＝1"), ("a; =1", "a; '=1"), (";=1", ";'=1"),
        ("\t=1", "'\t'=1"), ("a\t=1", "a\t'=1"), ("\u{FFFD}=1", "'\u{FFFD}=1"), (" \u{200B}=1", "' \u{200B}=1"),
        ("::error::x", "'::error::x"), (" ::x", "' ::x"), ("a::x", "a::x"), (":x", ":x"), ("##[x]", "# #[x]"),
        ("a;b=1", "a;b=1"),
        ("3.5 - 5.0; 1 = 2", "3.5 - 5.0; 1 = 2"),
    ])
    func noReaderCalculatesACell(_ cell: String, _ written: String) {
        #expect(Self.written([cell]) == written + "\r\n")
    }

    @Test func quotationMarksHideNoFormula() {
        // A program that splits at semicolons takes the doubled quotation mark for the beginning of a cell, and the
        // formula for its content.
        #expect(Self.written(["a;\"=1+1&\""]) == "\"a;\"\"'=1+1&\"\"\"\r\n")
        #expect(Self.written(["a\n=1+1"]) == "\"a\n'=1+1\"\r\n")
    }

    @Test(arguments: [
        "x\"\u{301},=1+1,z", "a,\u{301}b", "=\u{301}HYPERLINK(1)", "=\u{200D}1+1", "\n=1+1", " =1", "\u{200B}@x",
    ])
    func combiningMarksHideNoFormula(_ cell: String) {
        // Reads the line byte by byte, as other programs do.
        let line = CSV.line(["first", cell, "last"])
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line.dropLast(2) {
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
        #expect(Self.written(["a\nb", "c\r\nd"]) == "\"a\nb\",\"c\r\nd\"\r\n")
    }
}
