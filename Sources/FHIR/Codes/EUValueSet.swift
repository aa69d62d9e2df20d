public import StrictJSON

/// One of the EU's value sets: the codes that EU Digital COVID Certificates use, with their names in English.
///
/// The built-in sets are release 2.12.0 of ehn-dcc-valuesets, and the list of tests of 2023-04-11. A look-up searches
/// a text in the executable, so the sets need no preparation. `CodeNames.name(of:in:)` also finds added names.
///
/// The raw values of most sets are the certificate's members that hold their codes. The member `ma` holds a `holder` in
/// a vaccination, and a `device` in a test.
public enum EUValueSet: String, Sendable, CaseIterable {
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
    public func entry(of code: UTF8Text) -> (display: UTF8Text, system: UTF8Text)? {
        guard let row = table.fields(of: code), let index = row[0].utf8.first else { return nil }
        return (display: row[1], system: systems[Int(index - UInt8(ascii: "0"))])
    }

    /// The code system's URI to report for a code that the set does not have.
    public var defaultSystem: UTF8Text { systems[0] }

    /// The number of codes.
    var count: Int { table.count }

    /// All codes, each with its system.
    var codes: [Code] {
        table.rows.compactMap { row in
            row.count < 2
                ? nil : row[1].utf8.first.map { Code(system: systems[Int($0 - UInt8(ascii: "0"))], code: row[0]) }
        }
    }

    private var table: CodeTable {
        switch self {
        case .disease: .euDisease
        case .prophylaxis: .euProphylaxis
        case .product: .euProduct
        case .holder: .euHolder
        case .testType: .euTestType
        case .device: .euDevice
        case .testResult: .euTestResult
        case .country: .euCountry
        }
    }
}
