package import FHIR

/// The stable codes for why a credential did not verify. Scripts match them.
///
/// `explanation` says more about each code, in the words of docs/explanations.md.
public enum ReasonCode: String, Sendable, CaseIterable {
    /// The input contains no health card in a known form.
    case malformedInput = "malformed-input"
    /// The credential is of a kind that is known by name, and not verified.
    case unsupportedCredential = "unsupported-credential"
    /// The text of a QR code is damaged.
    case malformedQR = "malformed-qr"
    /// The card is not a compact JWS (RFC 7515 §7.1).
    case malformedJWS = "malformed-jws"
    /// A health certificate is not a COSE_Sign1 message (RFC 9052 §4.2).
    case malformedCOSE = "malformed-cose"
    /// The header's `alg` is not ES256, nor PS256 for a health certificate.
    case unsupportedAlgorithm = "unsupported-algorithm"
    /// The header's `zip` is not DEF.
    case unsupportedCompression = "unsupported-compression"
    /// The payload is not a raw DEFLATE stream (RFC 1951).
    case inflateFailed = "inflate-failed"
    /// The inflated payload is larger than `Bounds.payloadSize`.
    case payloadTooLarge = "payload-too-large"
    /// The payload is not JSON, or not the payload of a health card.
    case malformedPayload = "malformed-payload"
    /// The payload's `iss` is not a valid issuer URL.
    case invalidIssuerURL = "invalid-issuer-url"
    /// The text is not a SMART Health Link that can be followed.
    case malformedLink = "malformed-link"
    /// The link is of a version that is not known.
    case unsupportedLinkVersion = "unsupported-link-version"
    /// The manifest of a link is not what the specification requires.
    case malformedManifest = "malformed-manifest"
    /// A file of a link is not a compact JWE (RFC 7516 §7.1).
    case malformedJWE = "malformed-jwe"
    /// A file of a link is encrypted in another way than with `dir` and A256GCM.
    case unsupportedEncryption = "unsupported-encryption"
    /// The link's key does not open a file.
    case decryptionFailed = "decryption-failed"
    /// A SMART Health Check-in is not what the specification requires.
    case malformedCheckIn = "malformed-check-in"
    /// The signature does not verify.
    case signatureInvalid = "signature-invalid"
    /// The issuer publishes no key with the card's key ID.
    case keyNotFound = "key-not-found"
    /// The issuer's key with the card's key ID cannot be used.
    case keyInvalid = "key-invalid"
    /// The key's certificate does not vouch for the key.
    case certificateInvalid = "certificate-invalid"
    /// The issuer is not trusted.
    case issuerNotTrusted = "issuer-not-trusted"
    /// The card is not valid yet.
    case notYetValid = "not-yet-valid"
    /// The card is no longer valid.
    case expired = "expired"
    /// The link is no longer valid.
    case linkExpired = "link-expired"
    /// The issuer has revoked the card.
    case revoked = "revoked"
    /// The card does not contain the records that the policy requires.
    case recordsNotMatching = "records-not-matching"
    /// A SMART Health Check-in answers another request than the one that was given.
    case requestMismatch = "request-mismatch"
    /// The link's server no longer has anything behind the link.
    case linkInactive = "link-inactive"
    /// The link holds no health card.
    case noSignedContent = "no-signed-content"
    /// The provider has issued no cards.
    case noCardsIssued = "no-cards-issued"
    /// The issuer's keys could not be fetched.
    case keysUnavailable = "keys-unavailable"
    /// The revocation list could not be fetched, or is not usable.
    case revocationUnavailable = "revocation-unavailable"
    /// No list that is known here has the codes of a record that the policy requires.
    case codesUnknown = "codes-unknown"
    /// The input holds nothing.
    case emptyInput = "empty-input"
    /// A picture or PDF contains no QR code that can be read.
    case noCodeFound = "no-code-found"
    /// A picture or PDF cannot be read.
    case pictureUnreadable = "picture-unreadable"
    /// A part of a card that is split over several QR codes is missing.
    case qrChunkMissing = "qr-chunk-missing"
    /// The link needs a passcode, and none was given.
    case passcodeRequired = "passcode-required"
    /// The link's server did not accept the passcode.
    case passcodeRejected = "passcode-rejected"
    /// The encrypted answer of a wallet needs the request and the key of the one who asked.
    case recipientKeyRequired = "recipient-key-required"
    /// The link, or a file of it, could not be fetched.
    case linkUnavailable = "link-unavailable"
    /// Only a receiver that is registered with its network can fetch the link.
    case receiverRequired = "receiver-required"
    /// The provider could not be asked.
    case providerUnavailable = "provider-unavailable"
    /// The provider refused to give cards.
    case providerRefused = "provider-refused"
    /// The input could not be read.
    case unreadableInput = "unreadable-input"
}

/// The reason why a card did not verify.
public struct VerificationFailure: Error, Sendable, Equatable {
    /// The stable code.
    public let code: ReasonCode
    /// What was expected and what was found, in plain words on one line, with advice if there is any.
    ///
    /// Text from the card is quoted as JSON, so that it cannot contain control characters for a terminal.
    public let message: String
    /// The message for logs, without persons, records or dates from the card. Only the code of a record is named that no list has.
    public let impersonalMessage: String
    /// Whether keys or a list are missing only because no request was made: fetching is switched off, or the limit of requests
    /// was reached.
    public let isUnasked: Bool
    /// What helps to know the code of a record; nil if the failure has another reason.
    package let codesHelp: UnknownRecordType.Help?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: the stable code.
    ///   - message: the message.
    ///   - impersonalMessage: the message for logs; nil if `message` contains no person, record or date.
    ///   - isUnasked: whether keys or a list are missing only because no request was made.
    ///   - codesHelp: what helps to know the code of a record.
    package init(
        _ code: ReasonCode, _ message: String, impersonalMessage: String? = nil, isUnasked: Bool = false,
        codesHelp: UnknownRecordType.Help? = nil
    ) {
        self.code = code
        self.message = message
        self.impersonalMessage = impersonalMessage ?? message
        self.isUnasked = isUnasked
        self.codesHelp = codesHelp
    }
}
