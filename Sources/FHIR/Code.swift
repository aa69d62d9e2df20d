/// A code and the system that gives it its meaning.
public struct Code: Sendable, Hashable {
    /// The code system's URI; nil where the card names none.
    public let system: String?
    /// The code, as the card has it.
    public let code: String

    public init(system: String?, code: String) {
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
    public static let cvx = "http://hl7.org/fhir/sid/cvx"
    /// CDC's codes for manufacturers of vaccines.
    public static let mvx = "http://hl7.org/fhir/sid/mvx"
    /// SNOMED CT.
    public static let snomed = "http://snomed.info/sct"
    /// LOINC.
    public static let loinc = "http://loinc.org"
    /// ICD-11's linearization for mortality and morbidity statistics.
    public static let icd11 = "http://id.who.int/icd/release/11/mms"

    /// Digits with the leading zeros that make them two; anything else, and more digits than any code has, as it is.
    private static func twoDigits(_ code: String) -> String {
        guard (1...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            return code
        }
        let digits = code.drop { $0 == "0" }
        return String(repeating: "0", count: max(0, 2 - digits.utf8.count)) + digits
    }
}
