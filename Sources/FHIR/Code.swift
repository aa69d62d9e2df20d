public import JSON

/// A code and the system that gives it its meaning.
public struct Code: Sendable, Hashable {
    /// The code system's URI; nil if the card names none.
    public let system: UTF8Text?
    /// The code, as the card has it.
    public let code: UTF8Text

    public init(system: UTF8Text?, code: UTF8Text) {
        self.system = system
        self.code = code
    }

    /// The form under which codes that mean the same are found: CVX `1` is `01`, and ICD-11's two URIs are one.
    public var canonical: Code {
        switch system {
        case Self.cvx: Code(system: system, code: Self.twoDigits(code))
        case "http://id.who.int/icd11/mms": Code(system: Self.icd11, code: code)
        default: self
        }
    }

    /// CDC's vaccine codes.
    public static let cvx: UTF8Text = "http://hl7.org/fhir/sid/cvx"
    /// CDC's codes for manufacturers of vaccines.
    public static let mvx: UTF8Text = "http://hl7.org/fhir/sid/mvx"
    /// SNOMED CT.
    public static let snomed: UTF8Text = "http://snomed.info/sct"
    /// LOINC.
    public static let loinc: UTF8Text = "http://loinc.org"
    /// ICD-11's linearization for mortality and morbidity statistics.
    public static let icd11: UTF8Text = "http://id.who.int/icd/release/11/mms"

    /// Digits with the leading zeros that make them two; anything else, and more digits than any code has, as it is.
    private static func twoDigits(_ code: UTF8Text) -> UTF8Text {
        let zero = UInt8(ascii: "0")
        guard (1...32).contains(code.utf8.count), code.utf8.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) })
        else { return code }
        let digits = code.utf8.drop { $0 == zero }
        return UTF8Text(decoding: Array(repeating: zero, count: max(0, 2 - digits.count)) + Array(digits))
    }
}
