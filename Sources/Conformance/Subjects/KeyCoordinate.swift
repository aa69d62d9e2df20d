import JOSE
import JSON

/// A coordinate of a key, as it is written.
enum KeyCoordinate: Sendable {
    case missing
    /// It is no string.
    case ofOtherType
    case notBase64URL(Base64Error)
    case bytes([UInt8])

    /// How many bytes a coordinate of P-256 has (RFC 7518 §6.2.1.2).
    static let length = 32

    init(_ value: JSONValue?) {
        guard let value else {
            self = .missing
            return
        }
        guard let text = value.stringBytes else {
            self = .ofOtherType
            return
        }
        do throws(Base64Error) {
            self = .bytes(try Base64URL.decode(text))
        } catch {
            self = .notBase64URL(error)
        }
    }

    /// The coordinate with the zeros at its front that it should have; nil if it is none.
    var padded: [UInt8]? {
        guard case .bytes(let bytes) = self, (1...Self.length).contains(bytes.count) else { return nil }
        return [UInt8](repeating: 0, count: Self.length - bytes.count) + bytes
    }
}
