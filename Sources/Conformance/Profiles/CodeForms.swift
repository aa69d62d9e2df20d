import CData
import Encodings

/// The forms of codes in code systems that are too large to list, and the codes that HL7's guide lists.
enum CodeForms {
    /// A form by its name in a line `codes`; nil if there is none.
    ///
    /// - Parameter set: the name of the value set.
    static func named(_ name: String, set: ArraySlice<UInt8>) -> CodeForm? {
        switch name {
        case ":loinc": isLOINC
        case ":snomed": isSNOMED
        case ":icd11": isICD11
        case ":listed":
            { [set = UTF8Text(decoding: set)] code in isListed(code, in: set) }
        default: nil
        }
    }

    /// Codes of the guide's value sets that are listed: code, value set.
    private static let listed = SortedRows(unsafe EmbeddedFile(data_guide_codes))

    /// Whether a code is in a value set that the guide lists.
    static func isListed(_ code: UTF8Text, in valueSet: UTF8Text) -> Bool {
        listed.row(of: code.utf8.span).map { $0.span.hasSameBytes(as: valueSet.utf8.span) } == true
    }

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
    static func isICD11(_ code: UTF8Text) -> Bool {
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
