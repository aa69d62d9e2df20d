import CData
import Encodings
import FHIR

/// The value sets of the Vaccination & Testing guide.
enum GuideCodes {
    static let snomed = "http://snomed.info/sct"
    private static let loinc = "http://loinc.org"

    /// Whether a value has a code of a value set: a code, a Coding, or a CodeableConcept with one such Coding.
    static func holds(_ valueSet: GuideRule, _ value: JSONValue?) -> Bool {
        guard let value else { return false }
        if value.kind == .string { return value.string.map { contains(valueSet, system: nil, code: $0) } ?? false }
        guard let codings = value["coding"]?.elements else { return holds(valueSet, coding: value) }
        return codings.contains { holds(valueSet, coding: $0) }
    }

    private static func holds(_ valueSet: GuideRule, coding: JSONValue) -> Bool {
        coding["code"]?.string.map { contains(valueSet, system: coding["system"]?.string, code: $0) } ?? false
    }

    /// Whether a coding of a vaccine has a code of a value set.
    enum Membership {
        case member, other
        /// No list that is known here has the code, and the code may be newer than all of them.
        case unknown
    }

    /// Whether a coding of a vaccine has a code of its code system's value set. Codes of CVX are judged by all lists in use, since the
    /// guide's value set is what CDC's list was on one day.
    static func membership(of coding: JSONValue, in valueSet: GuideRule, _ names: CodeNames) -> Membership {
        guard valueSet == .immunizationAllCVX else { return holds(valueSet, coding: coding) ? .member : .other }
        guard let text = coding["code"]?.string, !text.isEmpty else { return .other }
        let code = Code(system: Code.cvx, code: text)
        // The guide's copy lacks the codes that begin with 0.
        guard names.isKnown(code) || isListed(code.canonical.code, in: valueSet) else {
            // CDC gives numbers alone.
            return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .unknown : .other
        }
        return code.canonical == code ? .member : .other
    }

    private static func contains(_ valueSet: GuideRule, system: UTF8Text?, code: UTF8Text) -> Bool {
        let isOf = { (wanted: String) in system?.utf8.elementsEqual(wanted.utf8) == true }
        switch valueSet {
        case .completedObservationStatus: return ["final", "amended", "corrected"].contains(code)
        case .identityAssuranceLevel:
            // The guide leaves out IAL1, which says that nobody looked at a document. The codes have no case.
            return isOf("https://smarthealth.cards/ial")
                && ["ial1.2", "ial1.4", "ial2", "ial3"].contains(code.asciiLowercased)
        case .snomedVaccineCodes: return isOf(snomed) && isSNOMED(code)
        // The guide names three organisms as results of COVID-19 tests. They are no findings.
        case .labResultFindings: return isOf(snomed) && isSNOMED(code) && !organisms.contains(code)
        case .icd11Codes: return isOf("http://id.who.int/icd/release/11/mms") && isICD11(code)
        case .labQualitativeResult: return isOf(snomed) && isListed(code, in: valueSet)
        case .labQualitativeTestCovid: return isOf(loinc) && isListed(code, in: valueSet)
        case .observationCodes: return isOf(loinc) && isLOINC(code)
        case .specimenCollectionSupervisionStatus: return isOf(snomed) && supervision.contains(code)
        default: return false
        }
    }

    /// The slices of `vaccineCode.coding`: the code system, the name in messages, and the value set of its codes.
    static let vaccineSlices: [(system: UTF8Text, name: String, valueSet: GuideRule)] = [
        ("http://hl7.org/fhir/sid/cvx", "CVX", .immunizationAllCVX),
        ("http://snomed.info/sct", "SNOMED CT", .snomedVaccineCodes),
        ("http://id.who.int/icd/release/11/mms", "ICD-11", .icd11Codes),
    ]

    private static let organisms: Set<UTF8Text> = ["407479009", "407480007", "840533007"]
    private static let supervision: Set<UTF8Text> = ["1208526009", "1208525008", "1208524007", "1208523001"]

    /// Codes of the guide's value sets that are listed: code, value set.
    private static let listed = SortedRows(unsafe EmbeddedFile(data_guide_codes))

    private static func isListed(_ code: UTF8Text, in valueSet: GuideRule) -> Bool {
        listed.row(of: code.utf8.span)?.elementsEqual(valueSet.rawValue.utf8) == true
    }

    // MARK: Code systems that are too large to list

    /// Whether a text has the form of a LOINC code, with the right check digit (mod 10).
    static func isLOINC(_ code: UTF8Text) -> Bool {
        let digits = Array(code.utf8)
        guard (3...9).contains(digits.count), digits[digits.count - 2] == UInt8(ascii: "-") else { return false }
        let number = digits.dropLast(2) + digits.suffix(1)
        guard number.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        var sum = 0
        for (place, digit) in number.reversed().enumerated() {
            let value = Int(digit - 0x30)
            let weighted = place % 2 == 1 ? value * 2 : value
            sum += weighted > 9 ? weighted - 9 : weighted
        }
        return sum % 10 == 0
    }

    /// Whether a text has the form of a concept of SNOMED CT, with the right check digit (Verhoeff's).
    static func isSNOMED(_ code: UTF8Text) -> Bool {
        let digits = Array(code.utf8)
        guard (6...18).contains(digits.count), digits[0] != 0x30, digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return false }
        // The digit before the last says what the identifier stands for. 0 is a concept.
        guard digits[digits.count - 2] == 0x30 else { return false }
        var check = 0
        for (place, digit) in digits.reversed().enumerated() {
            check = dihedral(check, permuted(Int(digit - 0x30), place % 8))
        }
        return check == 0
    }

    /// The product in the dihedral group of the pentagon.
    private static func dihedral(_ left: Int, _ right: Int) -> Int {
        switch (left < 5, right < 5) {
        case (true, true): (left + right) % 5
        case (true, false): 5 + (left + right - 5) % 5
        case (false, true): 5 + (left - 5 + 5 - right) % 5
        case (false, false): (left - right + 5) % 5
        }
    }

    /// Verhoeff's permutation, applied `times` times.
    private static func permuted(_ digit: Int, _ times: Int) -> Int {
        let permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
        return (0..<times).reduce(digit) { value, _ in permutation[value] }
    }

    /// Whether a text has the form of codes in ICD-11: code parts, which / and & may join.
    private static func isICD11(_ code: UTF8Text) -> Bool {
        let parts = code.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "&")
        }
        return parts.allSatisfy { part in
            part.count >= 2 && part.first != UInt8(ascii: ".") && part.contains { (0x41...0x5A).contains($0) }
                && part.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: ".")
                }
        }
    }
}
