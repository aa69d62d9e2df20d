import Encodings
import Testing

@testable import FHIR

@Suite struct CodeTableTests {
    /// A binary search finds what reading all rows finds.
    @Test(
        arguments: [
            [CodeTable.resourceTypes, table(""), table("a"), table("a|b\nab|c"), table("a|b\na.b|c\nab")],
            ListInUse.builtIn.flatMap { $0.list.tables.map(\.rows) },
        ].joined()) func aSearchFindsEachRowAndNothingElse(_ table: CodeTable)
    {
        let rows = Dictionary(table.rows.map { ($0[0], Array($0.dropFirst())) }) { first, _ in first }
        #expect(rows.count == table.count)
        for code in table.codes.map(\.description) {
            let changed = [
                code, code + "0", code + "|", String(code.dropLast()), "0" + code, code + "\n", code.lowercased(),
            ]
            for code in changed.map({ UTF8Text($0) }) {
                // A row of nothing but a code has one empty field.
                #expect(table.fields(of: code) == rows[code].map { $0.isEmpty ? [""] : $0 })
                #expect(table.contains(code) == (rows[code] != nil))
            }
        }
        for code in ["", "|", "\n", "~", "\u{0}"] as [UTF8Text] { #expect(!table.contains(code)) }
    }

    private static func table(_ rows: String) -> CodeTable {
        CodeTable(Array(rows.utf8), separator: UInt8(ascii: "|"))
    }

    @Test(arguments: EUValueSet.allCases) func eachCodeOfAValueSetOfTheEUHasANameAndASystem(_ set: EUValueSet) {
        #expect(!set.codes.isEmpty)
        for code in set.codes {
            #expect(set.entry(of: code.code)?.system == code.system)
            #expect(set.entry(of: code.code)?.display.isEmpty == false)
        }
    }
}
