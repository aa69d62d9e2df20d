import Encodings
import TestSupport

/// Parses bytes that are given in hexadecimal.
func parseCBOR(_ hex: String) throws(CBORError) -> CBORValue { try CBORDocument.parse([UInt8](hex: hex)) }

/// Why the parser refuses the bytes; nil if it accepts them.
func refusal(
    of bytes: [UInt8], maximumDepth: Int = CBORDocument.defaultMaximumDepth,
    maximumItems: Int = CBORDocument.defaultMaximumItems
) -> CBORError? {
    do throws(CBORError) {
        _ = try CBORDocument.parse(bytes, maximumDepth: maximumDepth, maximumItems: maximumItems)
        return nil
    } catch {
        return error
    }
}

func refusal(of hex: String) -> CBORError? { refusal(of: [UInt8](hex: hex)) }

extension [UInt8] {
    /// The bytes in hexadecimal, for messages.
    var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}

extension CBORValue {
    /// The value in the diagnostic notation of RFC 8949 §8, without encoding indicators.
    var diagnostic: String {
        switch kind {
        case .unsigned, .negative, .half, .single, .double:
            decimal ?? (float?.isNaN == true ? "NaN" : float == .infinity ? "Infinity" : "-Infinity")
        case .bytes: "h'\(Array(byteString ?? []).hex)'"
        case .text: "\"\(String(decoding: text ?? [], as: UTF8.self))\""
        case .array: "[\((elements ?? []).map(\.diagnostic).joined(separator: ", "))]"
        case .map: "{\((members ?? []).map { "\($0.key.diagnostic): \($0.value.diagnostic)" }.joined(separator: ", "))}"
        case .tag: "\(tagged?.number ?? 0)(\(tagged?.value.diagnostic ?? ""))"
        case .boolean: boolean == true ? "true" : "false"
        case .null: "null"
        case .undefined: "undefined"
        case .simple: "simple"
        }
    }
}
