/// Why a JWK cannot be used to verify a SMART Health Card, in words.
public struct JWKError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Which rule the key departs from (SHC-K1, SHC-K3, SHC-K7).
    public enum Reason: Sendable {
        /// `kty` is missing or not EC, or the entry is no JSON object.
        case wrongKty
        /// `use` is there and not sig.
        case wrongUse
        /// `alg` is there and not ES256.
        case wrongAlg
        /// `key_ops` is there and does not allow to verify.
        case wrongKeyOps
        /// `crv` is missing or not P-256.
        case wrongCrv
        /// `x` or `y` is missing, not base64url, or not of 1 to 32 bytes.
        case malformedCoordinate
        /// `x` and `y` are not the coordinates of a point on P-256.
        case notOnCurve
        /// The key's private half is published, so anyone can sign with it.
        case privateKey
        /// `x5c` is not an array of certificates in base64.
        case malformedCertificates
    }

    /// Which rule the key departs from.
    public let reason: Reason
    /// What was expected and what was found. What is quoted from the key is cut short and safe to print.
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    public var description: String { message }
}
