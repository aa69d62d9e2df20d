import CData
package import Encodings

/// A disease that codes of vaccines and tests are marked with, so that records against it can be required.
public enum TargetDisease: String, Sendable, Hashable, CaseIterable {
    case covid19
    case yellowFever = "yellow-fever"
    case polio

    /// The letter in the rows of installed lists. `CodeArchive` has other marks as well.
    var mark: UInt8 {
        switch self {
        case .covid19: UInt8(ascii: "c")
        case .yellowFever: UInt8(ascii: "y")
        case .polio: UInt8(ascii: "p")
        }
    }

    /// The codes of the disease itself.
    var codes: [Code] {
        switch self {
        case .covid19: Self.covid19Codes
        case .yellowFever: Self.yellowFeverCodes
        case .polio: Self.polioCodes
        }
    }

    // They are made once, since each record is asked about the disease.
    private static let covid19Codes = [Code.covid19, Code(system: Code.icd11, code: "RA01")]
    private static let yellowFeverCodes = [Code(system: Code.icd11, code: "1D47")]
    private static let polioCodes = [Code(system: Code.icd11, code: "1C81")]

    /// Whether CDC's list of groups of vaccines (`VG.txt`) gives this name to the group of the vaccines against the disease.
    func isGroup(_ name: UTF8Text) -> Bool {
        switch self {
        case .covid19: name.holdsNameOfCOVID19
        case .yellowFever: name.asciiLowercased == "yellow fever"
        case .polio: name.asciiLowercased == "polio"
        }
    }
}

extension UTF8Text {
    /// Whether this, as the name of a code or of a group in CVX, says that it is about COVID-19. CDC writes one of these two in each
    /// such name, so no other spelling counts, and no word before it denies it.
    var holdsNameOfCOVID19: Bool {
        let text = asciiLowercased.utf8
        return ["covid-19", "sars-cov-2"].contains { text.contains($0.utf8) }
    }
}

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
