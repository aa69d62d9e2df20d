import Encodings
import Foundation

/// Compares the reading of Foundation's parser with that of this one.
enum FoundationReading {
    /// Whether Foundation reads the value correctly. It confuses canonically equivalent names, rejects numbers beyond
    /// the range of `Double`, and drops U+FEFF at the beginning of a string.
    static func isComparable(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .number: return value.number!.double.isFinite
        case .string: return isComparable(value.string!.description)
        case .array: return value.elements!.allSatisfy { isComparable($0) }
        case .object:
            let members = value.members!
            return Set(members.map(\.name)).count == members.count
                && members.allSatisfy { isComparable($0.name.description) && isComparable($0.value) }
        default: return true
        }
    }

    private static func isComparable(_ string: String) -> Bool { !string.unicodeScalars.contains("\u{FEFF}") }

    static func isSame(_ read: Any?, _ value: JSONValue) -> Bool {
        switch value.kind {
        case .null: return read is NSNull
        case .boolean: return (read as? NSNumber)?.boolValue == value.boolean
        case .number:
            guard let number = read as? NSNumber else { return false }
            if let integer = value.number!.integer { return number.int64Value == integer }
            let expected = value.number!.double
            return abs(number.doubleValue - expected) <= abs(expected) * 1e-14
        case .string:
            return (read as? String).map { Array($0.unicodeScalars) } == Array(value.string!.unicodeScalars)
        case .array:
            guard let elements = read as? [Any], elements.count == value.elements!.count else { return false }
            return zip(elements, value.elements!).allSatisfy { isSame($0, $1) }
        case .object:
            guard let members = read as? [String: Any], members.count == value.members!.count else { return false }
            return value.members!.allSatisfy { isSame(members[$0.name.description], $0.value) }
        }
    }
}
