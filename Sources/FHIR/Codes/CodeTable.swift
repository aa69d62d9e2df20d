import Bytes
import CData
import StrictJSON

/// A table of codes: rows whose first field is the code.
typealias CodeTable = SortedRows

extension CodeTable {
    static let cvx = CodeTable(unsafe EmbeddedFile(data_cvx))
    static let tradeNames = CodeTable(unsafe EmbeddedFile(data_trade_names))
    static let mvx = CodeTable(unsafe EmbeddedFile(data_mvx))
    static let covid19SNOMED = CodeTable(unsafe EmbeddedFile(data_covid19_snomed))
    static let covid19ICD11 = CodeTable(unsafe EmbeddedFile(data_covid19_icd11))
    static let covid19LOINC = CodeTable(unsafe EmbeddedFile(data_covid19_loinc))
    static let vaccinesICD11 = CodeTable(unsafe EmbeddedFile(data_vaccines_icd11))
    static let resultsSNOMED = CodeTable(unsafe EmbeddedFile(data_results_snomed))
    static let resultsLOINC = CodeTable(unsafe EmbeddedFile(data_results_loinc))
    static let icvpProducts = CodeTable(unsafe EmbeddedFile(data_icvp_products))
    static let namesICD11 = CodeTable(unsafe EmbeddedFile(data_icd11_names))
    static let resourceTypes = CodeTable(unsafe EmbeddedFile(data_resource_types))

    // The dates of the lists.
    static let vaccineDate = cvx.date
    static let makerDate = mvx.date
    static let covid19Date = covid19SNOMED.date
    static let vaccinesICD11Date = vaccinesICD11.date
    static let icvpDate = icvpProducts.date

    /// The date in the file.
    var date: String { note("date") ?? "" }

    /// Whether there is a row for this code.
    func contains(_ code: UTF8Text) -> Bool { contains(code.utf8.span) }

    /// The fields of a code's row, without the code. Nil if there is no row.
    func fields(of code: UTF8Text) -> [UTF8Text]? {
        row(of: code.utf8.span)?.split(separator: separator, omittingEmptySubsequences: false).map {
            UTF8Text(decoding: $0)
        }
    }

    /// A field of a code's row: 0 is the one after the code. Nil if there is no row, or if the row has fewer fields.
    func field(_ number: Int, of code: UTF8Text) -> UTF8Text? { fields(of: code)?.dropFirst(number).first }

    /// All codes, in the table's order. Reads the whole table.
    var codes: [String] { rows.map(\.[0].description) }

    /// All rows with their fields, the code first. Reads the whole table.
    var rows: [[UTF8Text]] {
        bytes.split(separator: Self.newline).map { row in
            row.split(separator: separator, omittingEmptySubsequences: false).map { UTF8Text(decoding: $0) }
        }
    }

    /// The codes of the rows that contain some bytes, in any case of the letters A to Z. Reads the whole table once.
    ///
    /// - Parameters:
    ///   - words: the bytes, in lower case.
    ///   - mark: a letter of second fields. The codes of rows with it are found as well. Nil if there is none.
    func codes(saying words: [UInt8], orMarked mark: UInt8?) -> [UTF8Text] {
        guard let first = words.first else { return [] }
        let lowercased = { (byte: UInt8) in (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        return withBytes { bytes in
            var found: [UTF8Text] = []
            var start = 0
            while start < bytes.count {
                var isFound = false
                var codeEnd: Int?
                var end = start
                while end < bytes.count, bytes[end] != Self.newline {
                    if codeEnd == nil, bytes[end] == separator { codeEnd = end }
                    if !isFound, lowercased(bytes[end]) == first, words.count <= bytes.count - end {
                        isFound = words.indices.allSatisfy { lowercased(bytes[end + $0]) == words[$0] }
                    }
                    end += 1
                }
                if !isFound, let mark, let codeEnd {
                    var place = codeEnd + 1
                    while place < end, bytes[place] != separator {
                        isFound = isFound || bytes[place] == mark
                        place += 1
                    }
                }
                if isFound { found.append(UTF8Text(decoding: (start..<(codeEnd ?? end)).map { bytes[$0] })) }
                start = end + 1
            }
            return found
        }
    }

    private static let newline = UInt8(ascii: "\n")
}

/// Looks up codes, in their canonical form, in the built-in tables.
enum BuiltInCodes {
    /// The name of a code, or nil if no table has one. In SNOMED CT, LOINC and ICD-11, only laboratory results have
    /// names, in the project's own words.
    static func name(of code: Code) -> CodeName? {
        switch code.system {
        case Code.cvx:
            CodeTable.cvx.fields(of: code.code).map { row in
                CodeName(display: row[1], source: .cvx, group: row[0].isEmpty ? nil : row[0])
            }
        case Code.mvx:
            CodeTable.mvx.field(0, of: code.code).map { CodeName(display: $0, source: .cvx) }
        case Code.whoProducts: icvpName(of: code)
        default:
            answers(of: code.system)?.field(1, of: code.code).map { CodeName(display: $0, source: .builtIn) }
        }
    }

    /// Whether a table has the code, with or without a name. The value sets of the EU are not asked.
    static func has(_ code: Code) -> Bool {
        if code.system == Code.cvx { return CodeTable.cvx.contains(code.code) || isAbout(.covid19, code) }
        return name(of: code) != nil || isAbout(.covid19, code)
            || code.system == Code.icd11 && CodeTable.vaccinesICD11.contains(code.code)
    }

    /// The name that WHO gives a vaccine or a disease in its certificates of vaccination (ICVP); nil if its lists lack the code.
    /// On cards, these names are not used.
    static func icvpName(of code: Code) -> CodeName? {
        switch code.system {
        case Code.whoProducts:
            CodeTable.icvpProducts.field(1, of: code.code).map { CodeName(display: $0, source: .whoPrequalified) }
        case Code.icd11: CodeTable.namesICD11.field(0, of: code.code).map { CodeName(display: $0, source: .icd11) }
        default: nil
        }
    }

    /// The date of the built-in names of a code system. They are newer than no list if the system is not known.
    static func date(of system: UTF8Text?) -> String {
        switch system {
        case Code.cvx: CodeTable.vaccineDate
        case Code.mvx: CodeTable.makerDate
        case Code.whoProducts: CodeTable.icvpDate
        default: CodeTable.covid19Date
        }
    }

    /// A built-in list with its tables.
    private struct Source: Sendable {
        let list: KnownCodeList
        let tables: [(system: UTF8Text, table: CodeTable)]

        init(_ name: UTF8Text, of date: String, _ tables: [(system: UTF8Text, table: CodeTable)]) {
            list = KnownCodeList(
                name, date: date, count: tables.reduce(0) { $0 + $1.table.count },
                systems: tables.reduce(into: []) { systems, table in
                    if !systems.contains(table.system) { systems.append(table.system) }
                })
            self.tables = tables
        }
    }

    private static let sources = [
        Source("CVX", of: CodeTable.vaccineDate, [(Code.cvx, .cvx)]),
        Source("CVX trade names", of: CodeTable.makerDate, [(Code.cvx, .tradeNames)]),
        Source("MVX", of: CodeTable.makerDate, [(Code.mvx, .mvx)]),
        Source(
            "COVID-19 vaccines and tests", of: CodeTable.covid19Date,
            [(Code.snomed, .covid19SNOMED), (Code.icd11, .covid19ICD11), (Code.loinc, .covid19LOINC)]),
        Source("WHO's vaccines and diseases", of: CodeTable.vaccinesICD11Date, [(Code.icd11, .vaccinesICD11)]),
        Source("WHO's prequalified vaccines", of: CodeTable.icvpDate, [(Code.whoProducts, .icvpProducts)]),
    ]

    /// The built-in lists.
    static let lists =
        sources.map(\.list) + [
            KnownCodeList(
                "EU value sets", date: EUValueSet.date, count: EUValueSet.allCases.reduce(0) { $0 + $1.count },
                systems: Set(EUValueSet.allCases.flatMap(\.systems)).sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                },
                isForCertificates: true)
        ]

    /// The built-in lists that have a code.
    static func lists(with code: Code) -> [KnownCodeList] {
        let own = sources.filter { source in
            source.tables.contains { $0.system == code.system && $0.table.contains(code.code) }
        }.map(\.list)
        return euName(of: code) == nil ? own : own + lists.suffix(1)
    }

    /// The codes of all built-in lists.
    static var all: [Code] {
        sources.flatMap { source in
            source.tables.flatMap { system, table in table.codes.map { Code(system: system, code: UTF8Text($0)) } }
        } + EUValueSet.allCases.flatMap(\.codes)
    }

    /// The name of a code in a value set of the EU.
    static func euName(of code: Code) -> CodeName? {
        for set in EUValueSet.allCases {
            guard let entry = set.entry(of: code.code), entry.system == code.system else { continue }
            return CodeName(display: entry.display, source: .euValueSet)
        }
        return nil
    }

    /// The group of a vaccine. Nil if it is counted by its own code, or is not a vaccine.
    static func group(of code: Code) -> UTF8Text? {
        switch code.system {
        case Code.cvx:
            guard let group = CodeTable.cvx.field(0, of: code.code), !group.isEmpty else { return nil }
            return group
        case Code.snomed: return CodeTable.covid19SNOMED.contains(code.code) ? CodeNames.covid19Group : nil
        case Code.icd11: return CodeTable.covid19ICD11.contains(code.code) ? CodeNames.covid19Group : nil
        default: return nil
        }
    }

    /// The trade names of a vaccine.
    static func tradeNames(of code: Code) -> [UTF8Text] {
        guard code.system == Code.cvx else { return [] }
        return CodeTable.tradeNames.fields(of: code.code) ?? []
    }

    /// Whether a record with this code is about a disease.
    static func isAbout(_ disease: TargetDisease, _ code: Code) -> Bool {
        // The disease is not a vaccine, so it has no group.
        if disease.codes.contains(code) { return true }
        switch (disease, code.system) {
        case (.covid19, Code.loinc): return CodeTable.covid19LOINC.contains(code.code)
        case (.covid19, _): return group(of: code) == CodeNames.covid19Group
        case (_, Code.icd11): return CodeTable.vaccinesICD11.field(0, of: code.code) == UTF8Text(disease.rawValue)
        case (_, Code.whoProducts):
            return CodeTable.icvpProducts.field(0, of: code.code) == UTF8Text(disease.rawValue)
        // A combination has no group.
        case (_, Code.cvx):
            return CodeTable.cvx.fields(of: code.code)?.contains { NameWords($0).name(disease) } == true
        default: return false
        }
    }

    /// Whether a laboratory result means that the thing tested for is or was present. Nil if no table has the result.
    static func isPositive(_ code: Code) -> Bool? {
        answers(of: code.system)?.field(0, of: code.code).map { $0 == "positive" }
    }

    /// The table of laboratory results in a code system, or nil if there is none.
    private static func answers(of system: UTF8Text?) -> CodeTable? {
        switch system {
        case Code.snomed: .resultsSNOMED
        case Code.loinc: .resultsLOINC
        default: nil
        }
    }
}
