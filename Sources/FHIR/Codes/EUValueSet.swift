import CData
package import Encodings

/// One of the EU's value sets: the codes that EU Digital COVID Certificates use, with their names in English.
///
/// The built-in sets are release 2.12.0 of ehn-dcc-valuesets, and the list of tests of 2023-04-11. `CodeNames.name(of:in:)` also finds added names.
///
/// The raw values of most sets are the certificate's members that hold their codes. The member `ma` holds a `holder` in
/// a vaccination, and a `device` in a test.
package enum EUValueSet: String, Sendable, CaseIterable {
    /// Diseases, `tg`.
    case disease = "tg"
    /// Kinds of vaccines, `vp`.
    case prophylaxis = "vp"
    /// Vaccines by product, `mp`.
    case product = "mp"
    /// Holders of marketing authorisations for vaccines, and makers of other vaccines: `ma` of a vaccination.
    case holder
    /// Types of tests, `tt`.
    case testType = "tt"
    /// Tests by maker and name: `ma` of a test.
    case device
    /// Results of tests, `tr`.
    case testResult = "tr"
    /// Countries, `co`.
    case country

    /// The name and the code system that the built-in set gives a code. Nil if the set does not have the code.
    ///
    /// Codes that the EU has deprecated are in the sets, because older certificates have them.
    ///
    /// - Parameter code: the code, without white space around it. It is compared byte by byte.
    package func entry(of code: UTF8Text) -> (display: UTF8Text, system: UTF8Text)? {
        guard let row = table.rows.fields(of: code), let index = row[0].utf8.first else { return nil }
        return (display: row[1], system: systems[Int(index - UInt8(ascii: "0"))])
    }

    /// The code system's URI to report for a code that the set does not have.
    package var defaultSystem: UTF8Text { systems[0] }

    /// All codes, each with its system.
    var codes: [Code] {
        table.rows.codes.compactMap { code in entry(of: code).map { Code(system: $0.system, code: code) } }
    }

    /// The systems of the set's codes, the default one first. The rows give their indexes.
    var systems: [UTF8Text] { table.systems }

    /// The date of the newest set.
    static let date =
        allCases.compactMap { $0.table.rows.note("date") }.max { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? ""

    /// The sets as one list.
    static let list = KnownCodeList(
        name: "EU value sets", date: date, isDated: true, source: .builtIn,
        count: allCases.reduce(0) { $0 + $1.table.rows.count },
        systems: Set(allCases.flatMap(\.systems)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, origin: nil)

    /// The name of a code in any of the sets.
    static func name(of code: Code) -> CodeName? {
        for set in allCases {
            guard let entry = set.entry(of: code.code), entry.system == code.system else { continue }
            return CodeName(display: entry.display, source: .euValueSet)
        }
        return nil
    }

    private var table: Table {
        switch self {
        case .disease: .disease
        case .prophylaxis: .prophylaxis
        case .product: .product
        case .holder: .holder
        case .testType: .testType
        case .device: .device
        case .testResult: .testResult
        case .country: .country
        }
    }

    /// A set: code, index of the system, name.
    private struct Table {
        let rows: CodeTable
        let systems: [UTF8Text]

        init(_ file: EmbeddedFile) {
            rows = CodeTable(file)
            systems = (rows.note("systems") ?? "").split(separator: " ").map { UTF8Text(String($0)) }
        }

        static let disease = Table(unsafe EmbeddedFile(data_eu_disease))
        static let prophylaxis = Table(unsafe EmbeddedFile(data_eu_prophylaxis))
        static let product = Table(unsafe EmbeddedFile(data_eu_product))
        static let holder = Table(unsafe EmbeddedFile(data_eu_holder))
        static let testType = Table(unsafe EmbeddedFile(data_eu_test_type))
        static let device = Table(unsafe EmbeddedFile(data_eu_device))
        static let testResult = Table(unsafe EmbeddedFile(data_eu_test_result))
        static let country = Table(unsafe EmbeddedFile(data_eu_country))
    }
}
