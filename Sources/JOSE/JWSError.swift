/// Why text is not a JWS that this library verifies, in words.
public struct JWSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of departure it is.
    public enum Reason: Sendable {
        /// The text is not a compact JWS, or its header is not one (RFC 7515 §4, §7.1).
        case malformed
        /// The header names no algorithm, or another than ES256.
        case unsupportedAlgorithm
        /// The header names no compression, or another than DEF.
        case unsupportedCompression
    }

    /// What kind of departure it is.
    public let reason: Reason
    /// What was expected and what was found. What is quoted from the card is cut short and safe to print.
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    public var description: String { message }
}
