/// Why bytes cannot be an ES256 signature.
public enum ES256SignatureError: Error, Equatable, Sendable {
    /// There are not 64 bytes. Some issuers sign in DER, as OpenSSL does, which is then recognised.
    case wrongLength(count: Int, looksLikeDER: Bool)
    /// One of the numbers is zero, or not below the curve's order.
    case outOfRange
    /// Not the one DER encoding of two numbers (of signatures that are expected in DER).
    case malformedDER
}

extension ES256SignatureError: CustomStringConvertible {
    /// The error in plain words.
    public var description: String {
        switch self {
        case .wrongLength(let count, true):
            "an ES256 signature has 64 bytes (r and s), this has \(count) and is built like DER, which JWS does not use"
        case .wrongLength(let count, false): "an ES256 signature has 64 bytes (r and s), this has \(count)"
        case .outOfRange: "the numbers in an ES256 signature are between 1 and the order of P-256, these are not"
        case .malformedDER: "the signature is not the DER encoding of two numbers"
        }
    }
}
