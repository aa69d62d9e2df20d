import CData
import Encodings

/// A table of codes: rows whose first field is the code.
typealias CodeTable = SortedRows

extension CodeTable {
    static let resourceTypes = CodeTable(unsafe EmbeddedFile(data_resource_types))

    /// Whether there is a row for this code.
    func contains(_ code: UTF8Text) -> Bool { contains(code.utf8.span) }

    /// The fields of a code's row, without the code. Nil if there is no row.
    func fields(of code: UTF8Text) -> [UTF8Text]? { row(of: code.utf8.span).map { fields(in: $0) } }

    /// All codes, in the table's order. Reads the whole table.
    var codes: [UTF8Text] { rows.map { $0[0] } }

    /// All rows with their fields, the code first. Reads the whole table.
    var rows: [[UTF8Text]] { bytes.split(separator: Self.newline).map { fields(in: $0) } }

    private func fields(in row: ArraySlice<UInt8>) -> [UTF8Text] {
        row.split(separator: separator, omittingEmptySubsequences: false).map { UTF8Text(decoding: $0) }
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

extension ListInUse {
    /// The words for laboratory results. As a list they are not shown.
    static let results = make(
        "results", .valueSet, "Laboratory results",
        [
            (Code.snomed, CodeTable(unsafe EmbeddedFile(data_results_snomed))),
            (Code.loinc, CodeTable(unsafe EmbeddedFile(data_results_loinc))),
        ])

    /// The codes about COVID-19 that have no names there.
    static let covid19 = make(
        "covid19", .valueSet, "COVID-19 vaccines and tests",
        [
            (Code.snomed, CodeTable(unsafe EmbeddedFile(data_covid19_snomed))),
            (Code.icd11, CodeTable(unsafe EmbeddedFile(data_covid19_icd11))),
            (Code.loinc, CodeTable(unsafe EmbeddedFile(data_covid19_loinc))),
        ])

    /// The built-in lists that are shown.
    static let shown = [
        make(Code.cvx, .cvx, "CVX", [(Code.cvx, CodeTable(unsafe EmbeddedFile(data_cvx)))]),
        make(
            "trade-names", .tradeNames, "CVX trade names",
            [(Code.cvx, CodeTable(unsafe EmbeddedFile(data_trade_names)))]),
        make(Code.mvx, .mvx, "MVX", [(Code.mvx, CodeTable(unsafe EmbeddedFile(data_mvx)))]),
        covid19,
        make(
            Code.icd11, .valueSet, "WHO's vaccines and diseases",
            [(Code.icd11, CodeTable(unsafe EmbeddedFile(data_who_icd11)))]),
        make(
            Code.whoProducts, .valueSet, "WHO's prequalified vaccines",
            [(Code.whoProducts, CodeTable(unsafe EmbeddedFile(data_who_products)))]),
    ]

    /// The built-in lists, without the value sets of the EU.
    static let builtIn = shown + [results]

    /// What is shown of the built-in lists.
    static let knownBuiltIn = shown.map(\.description)

    /// The codes of the built-in lists that are shown.
    static var allBuiltIn: [Code] {
        shown.flatMap { $0.list.codes } + EUValueSet.allCases.flatMap(\.codes)
    }

    private static func make(
        _ id: UTF8Text, _ form: CodeList.Form, _ name: UTF8Text, _ tables: [(UTF8Text, CodeTable)]
    ) -> ListInUse {
        let list = CodeArchive.List(
            form: form, id: id, name: name, date: tables[0].1.note("date") ?? "", isDated: true,
            count: tables.reduce(0) { $0 + $1.1.count }, origin: "",
            tables: tables.map { CodeArchive.List.Table(system: $0.0, rows: $0.1) })
        return ListInUse(list, from: .builtIn)
    }
}

extension Code {
    /// Other URIs of code systems, with the one by which lists know each. HL7's registry has an OID for most systems, and records that were
    /// converted from C-CDA name systems by it (RFC 3061).
    private static let otherSystemNames: [UTF8Text: UTF8Text] = [
        "http://id.who.int/icd11/mms": icd11,
        "urn:oid:2.16.840.1.113883.6.347": icd11,
        "urn:oid:2.16.840.1.113883.12.292": cvx,
        "urn:oid:2.16.840.1.113883.12.227": mvx,
        "urn:oid:2.16.840.1.113883.6.1": loinc,
        "urn:oid:2.16.840.1.113883.6.96": snomed,
        "urn:oid:2.16.840.1.113883.6.3": "http://hl7.org/fhir/sid/icd-10",
        "urn:oid:2.16.840.1.113883.6.90": "http://hl7.org/fhir/sid/icd-10-cm",
        "urn:oid:2.16.840.1.113883.6.69": "http://hl7.org/fhir/sid/ndc",
        "urn:oid:2.16.840.1.113883.6.73": "http://www.whocc.no/atc",
        "urn:oid:2.16.840.1.113883.6.88": "http://www.nlm.nih.gov/research/umls/rxnorm",
    ]

    /// The URI by which lists know a code system; the same one if it has no other. `urn:oid` may have upper-case letters (RFC 8141 §3.1).
    static func canonicalSystem(_ system: UTF8Text) -> UTF8Text {
        switch system {
        // Nearly all records have these.
        case cvx, snomed, loinc, icd11: system
        default:
            otherSystemNames[system.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "u") ? system.asciiLowercased : system]
                ?? system
        }
    }
}
