import StrictJSON
import Testing

@testable import FHIR

/// Rows are found in the text alone as well as with the places of the rows.
@Suite struct CodeTableTests {
    @Test(arguments: [
        CodeTable.cvx, .tradeNames, .mvx, .covid19SNOMED, .covid19ICD11, .covid19LOINC, .vaccinesICD11, .resultsSNOMED,
        .resultsLOINC, .resourceTypes, .euDisease, .euDevice, CodeTable(""), CodeTable("a"), CodeTable("a|b\nab|c"),
    ]) func bothSearchesFindTheSame(_ table: CodeTable) {
        let plain = CodeTable(rows: table.bytes, separator: UInt8(ascii: "|"))
        for code in Array(table.codes) {
            let changed = [
                code, code + "0", code + "|", String(code.dropLast()), "0" + code, code + "\n", code.lowercased(),
            ]
            for code in changed.map({ UTF8Text($0) }) {
                #expect(table.fields(of: code) == plain.fields(of: code))
                #expect(table.field(1, of: code) == plain.field(1, of: code))
            }
            #expect(table.contains(UTF8Text(code)))
        }
        for code in ["", "|", "\n", "~", "\u{0}"] as [UTF8Text] {
            #expect(table.fields(of: code) == plain.fields(of: code))
        }
    }
}
