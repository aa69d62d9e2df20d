/// Why a card did not verify: the stable codes that scripts match, and what each does to the exit status.
public enum ReasonCode: String, Sendable, CaseIterable {
    case malformedInput = "malformed-input"
    case malformedQR = "malformed-qr"
    case qrChunkMissing = "qr-chunk-missing"
    case malformedJWS = "malformed-jws"
    case unsupportedAlgorithm = "unsupported-algorithm"
    case unsupportedCompression = "unsupported-compression"
    case inflateFailed = "inflate-failed"
    case payloadTooLarge = "payload-too-large"
    case malformedPayload = "malformed-payload"
    case invalidIssuerURL = "invalid-issuer-url"
    case signatureInvalid = "signature-invalid"
    case keyNotFound = "key-not-found"
    case keyInvalid = "key-invalid"
    case certificateInvalid = "certificate-invalid"
    case issuerNotTrusted = "issuer-not-trusted"
    case notYetValid = "not-yet-valid"
    case expired = "expired"
    case revoked = "revoked"
    case recordsNotMatching = "records-not-matching"
    case keysUnavailable = "keys-unavailable"
    case revocationUnavailable = "revocation-unavailable"
    case unreadableInput = "unreadable-input"

    /// The exit status of a run whose first unverified card has this reason.
    public var exitCode: Int32 {
        switch self {
        case .malformedInput, .malformedQR, .qrChunkMissing, .malformedJWS, .unsupportedAlgorithm,
            .unsupportedCompression, .inflateFailed, .payloadTooLarge, .malformedPayload, .invalidIssuerURL:
            10
        case .signatureInvalid: 11
        case .keyNotFound, .keyInvalid, .certificateInvalid: 12
        case .issuerNotTrusted: 13
        case .notYetValid: 14
        case .expired: 15
        case .revoked: 16
        case .recordsNotMatching: 17
        case .keysUnavailable: 20
        case .revocationUnavailable: 21
        case .unreadableInput: 66
        }
    }

    /// Whether the card may verify later, unchanged: something could not be established, nothing was refuted.
    public var isUndetermined: Bool {
        switch self {
        case .keysUnavailable, .revocationUnavailable, .unreadableInput: true
        default: false
        }
    }
}
