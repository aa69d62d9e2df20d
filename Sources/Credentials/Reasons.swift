/// The stable codes for why a credential did not verify. Scripts match them.
///
/// `explanation` says more about each code.
public enum ReasonCode: String, Sendable, CaseIterable {
    /// The input contains no health card in a known form.
    case malformedInput = "malformed-input"
    /// The text of a QR code is damaged.
    case malformedQR = "malformed-qr"
    /// A part of a card that is split over several QR codes is missing.
    case qrChunkMissing = "qr-chunk-missing"
    /// The card is not a compact JWS (RFC 7515 §7.1).
    case malformedJWS = "malformed-jws"
    /// The header's `alg` is not ES256.
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
    /// The issuer has revoked the card.
    case revoked = "revoked"
    /// The card does not contain the records that the policy requires.
    case recordsNotMatching = "records-not-matching"
    /// The issuer's keys could not be fetched.
    case keysUnavailable = "keys-unavailable"
    /// The revocation list could not be fetched, or is not usable.
    case revocationUnavailable = "revocation-unavailable"
    /// The input could not be read.
    case unreadableInput = "unreadable-input"

    /// The exit code of a run if this is the reason of the first credential that did not verify.
    public var exitCode: Int32 { row.exitCode }

    /// Whether the verdict is `undetermined`: something could not be checked now, and the same credential may verify later.
    public var isUndetermined: Bool {
        (20...29).contains(exitCode) || self == .unreadableInput
    }

    /// The meaning of the reason, its causes and what to do about it.
    public var explanation: Explanation {
        Explanation(code: rawValue, meaning: row.meaning, causes: row.causes, remedy: row.remedy)
    }

    private var row: Row {
        guard let row = Self.rows.first(where: { $0.code == self }) else {
            // A test checks that each reason has a row.
            preconditionFailure("the reason \(rawValue) has no row")
        }
        return row
    }
}

// MARK: The table

extension ReasonCode {
    /// The exit code and the explanation of one reason.
    private struct Row: Sendable {
        let code: ReasonCode
        let exitCode: Int32
        let meaning: String
        /// The most frequent first.
        let causes: [String]
        /// What to do about it. It names no option or command, because different programs use this library.
        let remedy: String

        init(_ code: ReasonCode, exit exitCode: Int32, meaning: String, causes: [String], remedy: String) {
            self.code = code
            self.exitCode = exitCode
            self.meaning = meaning
            self.causes = causes
            self.remedy = remedy
        }
    }

    /// One row for each reason, in the order of the codes.
    private static let rows: [Row] = [
        Row(
            .malformedInput, exit: 10,
            meaning: "The input contains no health card in a known form.",
            causes: [
                "The file is a picture of a QR code, or another kind of document.",
                "The file is a FHIR Bundle or a payload without a signature.",
                "The JSON is damaged, or an array \"verifiableCredential\" is empty.",
            ],
            remedy:
                "Get the .smart-health-card file from the organisation that issued the card, or scan the card's QR code and give "
                + "the text that begins with shc:/."),
        Row(
            .malformedQR, exit: 10,
            meaning: "The text begins like the text of a health card's QR code, but the rest is damaged.",
            causes: [
                "The text was cut off or changed when it was copied.",
                "Parts of two cards were mixed.",
                "The issuer encodes characters wrongly. Each character is written as two digits: its ASCII code minus 45.",
            ],
            remedy: "Scan the code again and give the whole text. Give only the parts of one card."),
        Row(
            .qrChunkMissing, exit: 10,
            meaning: "The card is split over several QR codes, and not all of them were given.",
            causes: ["One of the codes was not scanned."],
            remedy: "Give all parts together, in any order."),
        Row(
            .malformedJWS, exit: 10,
            meaning: "The card is not a compact JWS as the specification requires (RFC 7515 §7.1).",
            causes: [
                "The text was cut off, wrapped over lines or changed.",
                "A part is not base64url: it has padding, or the characters + or / of plain base64.",
                "The header has no kid, has a member twice, or asks for an extension with crit.",
            ],
            remedy:
                "Holders get the card again from their issuer. Issuers sign with a JOSE library and do not change its output."
        ),
        Row(
            .unsupportedAlgorithm, exit: 10,
            meaning: "The header's alg is not ES256, the one algorithm that health cards use.",
            causes: [
                "The issuer signs with another algorithm, or with none.",
                "Somebody tries to get an unsigned card accepted.",
            ],
            remedy: "Issuers sign with ES256 and a P-256 key."),
        Row(
            .unsupportedCompression, exit: 10,
            meaning: "The header's zip is not DEF, the one compression that health cards use.",
            causes: ["The issuer does not compress the payload, or does not say so in the header."],
            remedy: "Issuers compress the payload with raw DEFLATE and set \"zip\": \"DEF\"."),
        Row(
            .inflateFailed, exit: 10,
            meaning: "The payload is not a raw DEFLATE stream (RFC 1951), or something follows it.",
            causes: [
                "A character was changed, or the card was cut off, when it was copied.",
                "The payload is wrapped in zlib's or gzip's format.",
                "The payload is not compressed, although the header says that it is.",
            ],
            remedy:
                "Holders get the card again from their issuer. Issuers use raw DEFLATE: in zlib, set windowBits to -15; in many "
                + "libraries, it is called \"deflateRaw\"."
        ),
        Row(
            .payloadTooLarge, exit: 10,
            meaning:
                "The inflated payload is larger than the limit, so it was not read. No health card needs that much.",
            causes: ["The Bundle contains pictures or documents.", "Somebody tries to exhaust the verifier's memory."],
            remedy: "Issuers keep cards small. A card that fits in a QR code has about 1000 bytes."),
        Row(
            .malformedPayload, exit: 10,
            meaning: "The payload is not valid, unambiguous JSON, or it is not the payload of a health card.",
            causes: [
                "A required member is missing or has the wrong type: iss, nbf, vc.type, fhirVersion, fhirBundle.",
                "An object has a member twice, or the text is not valid UTF-8.",
                "A date is in milliseconds, or is a string.",
            ],
            remedy: "The message names the member. Inspect the payload."),
        Row(
            .invalidIssuerURL, exit: 10,
            meaning: "The payload's iss is not an https URL at which keys can be found.",
            causes: ["It uses http.", "It ends with a slash.", "It has a query, a fragment or a user."],
            remedy: "Issuers use an https URL without a trailing slash, and publish their keys under it at "
                + "/.well-known/jwks.json."),
        Row(
            .signatureInvalid, exit: 11,
            meaning:
                "The signature does not verify with the key that the issuer publishes. The card is not genuine, or it was "
                + "damaged.",
            causes: [
                "The card was changed after it was signed.",
                "The card was signed with a different key than the one it names.",
                "The signature is in DER, or for another reason is not the 64 bytes r and s.",
            ],
            remedy:
                "Do not accept the card. Issuers compare the published key with the signing key, and sign exactly the "
                + "bytes that are in the card."),
        Row(
            .keyNotFound, exit: 12,
            meaning: "The issuer publishes no key with the key ID that the card names.",
            causes: [
                "The issuer has removed the key.",
                "The header's kid is not the kid of the key (SHA-256 thumbprint, RFC 7638).",
                "The given key set is out of date, or belongs to another issuer.",
            ],
            remedy:
                "Issuers keep a key in their key set as long as cards signed with it are valid. The message says so if the card "
                + "verifies with another key of the issuer."),
        Row(
            .keyInvalid, exit: 12,
            meaning: "The issuer's key with this key ID cannot be used to verify cards.",
            causes: [
                "The private key (d) is published, by the issuer or in a given key set or directory, so anyone can sign "
                    + "with it.",
                "The key is not an EC key on P-256, or its members say that it is not for ES256 signatures.",
                "The key's coordinates are damaged, or are not a point on the curve.",
            ],
            remedy:
                "Issuers publish kty, kid, use, alg, crv, x and y, and never d. If d was published, replace the key and issue "
                + "its cards again."),
        Row(
            .certificateInvalid, exit: 12,
            meaning: "The key's certificate does not vouch for the key.",
            causes: [
                "The first certificate in x5c is for another key.",
                "If trust depends on certificates: the chain does not lead to an anchor, a certificate in it is expired "
                    + "or not yet valid, or the certificate does not name the issuer as a URI.",
            ],
            remedy: "Issuers renew the certificate together with the key. The message names the problem."
        ),
        Row(
            .issuerNotTrusted, exit: 13,
            meaning:
                "The issuer is not on any of the given lists of trusted issuers. The checks stopped there. The issuer's server "
                + "was not contacted, unless trust depends on certificates.",
            causes: [
                "The card is from an issuer that you do not trust.",
                "The list writes the issuer's URL differently, in case or with a trailing slash. URLs are compared exactly.",
            ],
            remedy: "If you trust this issuer, name it exactly as the card does."),
        Row(
            .notYetValid, exit: 14,
            meaning: "The card is not valid yet.",
            causes: ["Its nbf lies in the future.", "Its nbf is in milliseconds.", "This machine's clock is wrong."],
            remedy: "Issuers write nbf in seconds since 1970. No clock skew is allowed."),
        Row(
            .expired, exit: 15,
            meaning: "The card is no longer valid.",
            causes: ["Its exp has passed.", "This machine's clock is wrong."],
            remedy: "The holder asks the issuer for a new card."),
        Row(
            .revoked, exit: 16,
            meaning: "The issuer has revoked the card: the issuer's revocation list names it.",
            causes: ["The card was issued in error, or to the wrong person."],
            remedy: "Do not accept the card. The holder asks the issuer for a new one."),
        Row(
            .recordsNotMatching, exit: 17,
            meaning: "The card is genuine, but does not contain the required records.",
            causes: ["The card's records are of another type, or from another time."],
            remedy:
                "The message says what the card contains and what is missing. In logs it says only what is missing."),
        Row(
            .keysUnavailable, exit: 20,
            meaning: "The issuer's keys could not be fetched, so the card could not be checked. It may verify later.",
            causes: [
                "There is no network, or fetching was switched off and no keys were given.",
                "The issuer's server is down or has moved, or its TLS certificate is not accepted.",
                "The issuer's address is private or loopback. Such addresses are not contacted unless that is allowed.",
            ],
            remedy: "Try again later, or give the issuer's keys."),
        Row(
            .revocationUnavailable, exit: 21,
            meaning:
                "The card's key has a revocation list, but the list could not be fetched or is not usable. The card may "
                + "verify later.",
            causes: [
                "There is no network, or fetching was switched off and no list was given.",
                "The list has an older version than the key's crlVersion.",
                "The list is malformed, or its method is unknown.",
            ],
            remedy: "Try again later, or give the revocation list."),
        Row(
            .unreadableInput, exit: 66,
            meaning: "The input could not be read.",
            causes: [
                "There is no such file, or access is denied.",
                "It is a directory.",
                "The text of a card was given instead of a file name.",
            ],
            remedy: "Check the path and its permissions. For a directory, name the files in it (cards/*)."),
    ]
}

/// The reason why a card did not verify.
public struct VerificationFailure: Error, Sendable, Equatable {
    /// The stable code.
    public let code: ReasonCode
    /// What was expected and what was found, in plain words on one line, with advice if there is any.
    ///
    /// Text from the card is quoted as JSON, so that it cannot contain control characters for a terminal.
    public let message: String
    /// The message for logs, without persons, records or dates from the card.
    public let impersonalMessage: String
    /// Whether keys or a list are missing only because no request was made: fetching is switched off, or the limit of requests
    /// was reached.
    public let isUnasked: Bool

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: the stable code.
    ///   - message: the message.
    ///   - impersonalMessage: the message for logs; nil if `message` contains no person, record or date.
    ///   - isUnasked: whether keys or a list are missing only because no request was made.
    public init(
        _ code: ReasonCode, _ message: String, impersonalMessage: String? = nil, isUnasked: Bool = false
    ) {
        self.code = code
        self.message = message
        self.impersonalMessage = impersonalMessage ?? message
        self.isUnasked = isUnasked
    }
}
