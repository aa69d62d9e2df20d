public import FHIR

/// The stable codes for why a credential did not verify. Scripts match them.
///
/// `explanation` says more about each code.
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

    /// The meaning of the reason, its causes and what to do about it.
    public var explanation: Explanation {
        guard let other = row.ofCertificates else { return explanation(for: .smartHealthCard) }
        let certificate = "For an EU certificate: "
        return Explanation(
            code: rawValue, meaning: "\(row.meaning) \(certificate)\(other.meaning)",
            causes: row.causes + other.causes.map { certificate + $0 },
            remedy: "\(row.remedy) \(certificate)\(other.remedy)")
    }

    /// The same for one kind of credential, without what concerns only other kinds.
    public func explanation(for kind: CredentialKind?) -> Explanation {
        if kind == .healthCertificate, let other = row.ofCertificates {
            return Explanation(code: rawValue, meaning: other.meaning, causes: other.causes, remedy: other.remedy)
        }
        return Explanation(code: rawValue, meaning: row.meaning, causes: row.causes, remedy: row.remedy)
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
    /// The explanation of one reason.
    private struct Row: Sendable {
        let code: ReasonCode
        let meaning: String
        /// The most frequent first.
        let causes: [String]
        /// What to do about it. It names no option or command, because different programs use this library.
        let remedy: String
        /// The same for EU certificates, if it is something else; nil if it is the same.
        let ofCertificates: Certificates?

        struct Certificates: Sendable {
            let meaning: String
            let causes: [String]
            let remedy: String
        }

        init(
            _ code: ReasonCode, meaning: String, causes: [String], remedy: String,
            ofCertificates: Certificates? = nil
        ) {
            self.ofCertificates = ofCertificates
            self.code = code
            self.meaning = meaning
            self.causes = causes
            self.remedy = remedy
        }
    }

    /// One row for each reason, in the order of the codes.
    private static let rows: [Row] = [
        Row(
            .malformedInput,
            meaning: "The input contains no health card in a known form.",
            causes: [
                "The file is another kind of document, or the QR code of a picture is not one of a health card.",
                "The file is a FHIR Bundle or a payload without a signature, or what a program has decoded of a card.",
                "The JSON is damaged, or an array \"verifiableCredential\" is empty.",
            ],
            remedy:
                "Get the .smart-health-card file from the organisation that issued the card, or scan the card's QR code and give "
                + "the text that begins with shc:/ or HC1:. A card is also a picture or PDF of its QR code, a SMART Health Link "
                + "(shlink:/…), a compact JWS, a FHIR Parameters resource or a deep link."),
        Row(
            .unsupportedCredential,
            meaning: "The credential is of a kind that is known by name, and that this program does not verify.",
            causes: [
                "It is another country's or network's credential, or a health certificate with other content. The message names the kind.",
                "It is a wallet pass, which has the credential's QR code in it.",
            ],
            remedy:
                "Verify it with a program for that kind, or ask for a SMART Health Card, an EU certificate or a vaccination certificate "
                + "of WHO's (ICVP). Of a wallet pass, take a screenshot that shows its QR code."),
        Row(
            .malformedQR,
            meaning: "The text begins like the text of a health card's QR code, but the rest is damaged.",
            causes: [
                "The text was cut off or changed when it was copied.",
                "Parts of two cards were mixed.",
                "The issuer encodes characters wrongly. Each character is written as two digits: its ASCII code minus 45.",
                "An EU certificate (HC1:) has lost a space, which is a character of its text, or has small letters.",
            ],
            remedy: "Scan the code again and give the whole text. Give only the parts of one card."),
        Row(
            .malformedJWS,
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
            .malformedCOSE,
            meaning: "The certificate is not a COSE_Sign1 message (RFC 9052), or its headers are not usable.",
            causes: [
                "The octets are cut off, or bytes follow them.",
                "It is another COSE message, such as one with several signatures or with a MAC.",
                "The headers name no key, contradict each other, or have the same label twice.",
            ],
            remedy:
                "Holders get the certificate again from its issuer. Issuers sign with a COSE library and do not change its output."
        ),
        Row(
            .unsupportedAlgorithm,
            meaning:
                "The header's alg is not ES256, the one algorithm that health cards use, or for an EU certificate neither ES256 nor "
                + "PS256.",
            causes: [
                "The issuer signs with another algorithm, or with none.",
                "Somebody tries to get an unsigned card accepted.",
            ],
            remedy: "Issuers sign with ES256 and a P-256 key."),
        Row(
            .unsupportedCompression,
            meaning: "The header's zip is not DEF, the one compression that health cards use.",
            causes: ["The issuer does not compress the payload, or does not say so in the header."],
            remedy: "Issuers compress the payload with raw DEFLATE and set \"zip\": \"DEF\"."),
        Row(
            .inflateFailed,
            meaning:
                "The payload is not a raw DEFLATE stream (RFC 1951), or an EU certificate is not a zlib stream (RFC 1950), or "
                + "something follows it.",
            causes: [
                "A character was changed, or the card was cut off, when it was copied.",
                "The payload is wrapped in zlib's or gzip's format.",
                "The payload is not compressed, although the header says that it is.",
            ],
            remedy:
                "Holders get the card again from their issuer. Issuers of cards use raw DEFLATE: in zlib, set windowBits to -15; in "
                + "many libraries, it is called \"deflateRaw\". EU certificates use zlib's own format."
        ),
        Row(
            .payloadTooLarge,
            meaning:
                "The inflated payload is larger than the limit, so it was not read. No health card needs that much.",
            causes: ["The Bundle contains pictures or documents.", "Somebody tries to exhaust the verifier's memory."],
            remedy: "Issuers keep cards small. A card that fits in a QR code has about 1000 bytes."),
        Row(
            .malformedPayload,
            meaning:
                "The payload is not valid, unambiguous JSON (for an EU certificate: CBOR), or it is not the payload of a health "
                + "card.",
            causes: [
                "A required member is missing or has the wrong type: iss, nbf, vc.type, fhirVersion, fhirBundle.",
                "An object has a member twice, or the text is not valid UTF-8.",
                "A date is in milliseconds, or is a string.",
                "An EU certificate does not have exactly one record.",
            ],
            remedy: "The message names the member. Inspect the payload."),
        Row(
            .invalidIssuerURL,
            meaning: "The payload's iss is not an https URL at which keys can be found.",
            causes: ["It uses http.", "It ends with a slash.", "It has a query, a fragment or a user."],
            remedy: "Issuers use an https URL without a trailing slash, and publish their keys under it at "
                + "/.well-known/jwks.json. If you know the issuer and only a slash is wrong, trust exactly this URL, with the slash."
        ),
        Row(
            .malformedLink,
            meaning: "The text is meant to be a SMART Health Link, but it cannot be followed.",
            causes: [
                "The text was cut off or changed when it was copied.",
                "The link's url is not an https address, or its key does not have 32 bytes.",
                "A member has the wrong type, or occurs twice.",
            ],
            remedy: "Scan the QR code again, or ask for the link again. Makers of links correct what the message names."
        ),
        Row(
            .unsupportedLinkVersion,
            meaning: "The link is of a version of SMART Health Links that this program does not know.",
            causes: ["The link's v is not 1."],
            remedy: "Makers of links leave v out, or write 1."),
        Row(
            .malformedManifest,
            meaning: "The link's server answered with something that is no manifest, or an entry of it is malformed.",
            causes: [
                "The server answers with a page for people.",
                "The link holds one file that is fetched directly, but lacks the flag U.",
                "An entry has neither embedded nor location, or its location is no https address.",
                "The manifest has more than 100 files.",
            ],
            remedy: "Makers of links correct what the message names."),
        Row(
            .malformedJWE,
            meaning: "A file of the link is not a compact JWE as the specification requires (RFC 7516 §7.1).",
            causes: [
                "The file was not encrypted.",
                "The initialization vector has 16 bytes instead of 12, as some libraries make it.",
                "A part is not base64url, or is cut off.",
            ],
            remedy: "Makers of links encrypt files with a JOSE library, and do not change its output."),
        Row(
            .unsupportedEncryption,
            meaning: "A file of the link is not encrypted with dir and A256GCM, the one way that links use.",
            causes: ["The maker of the link uses another algorithm."],
            remedy: "Makers of links use \"alg\": \"dir\" and \"enc\": \"A256GCM\"."),
        Row(
            .malformedCheckIn,
            meaning: "The text is meant to be a SMART Health Check-in, but is not one that can be read.",
            causes: ["The text was cut off or changed.", "The wallet does not follow the specification."],
            remedy: "Start a new check-in. The message says what is wrong, for the makers of the wallet."),
        Row(
            .decryptionFailed,
            meaning: "A file of a link, or the answer of a wallet, cannot be opened with its key, or was altered.",
            causes: [
                "The file was encrypted with the key of another link.",
                "The answer of the wallet is for another key, origin or request.",
                "Somebody altered it, or it was damaged.",
            ],
            remedy:
                "Do not rely on it. Makers of links encrypt each file with the key that is in the link. Start a check-in again, and give the key, "
                + "the origin and the request of the same check-in."),
        Row(
            .signatureInvalid,
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
            .keyNotFound,
            meaning:
                "None of the issuer's keys that were looked at has the key ID that the card names, or no trust list that was given has the "
                + "signer of an EU certificate.",
            causes: [
                "The issuer has removed the key.",
                "The header's kid is not the kid of the key (SHA-256 thumbprint, RFC 7638), or the key set has the key without a kid.",
                "The given key set or trust list is out of date, or belongs to another issuer.",
            ],
            remedy:
                "Issuers keep a key in their key set as long as cards signed with it are valid. The message says so if the card "
                + "verifies with another key of the issuer."),
        Row(
            .keyInvalid,
            meaning: "The issuer's key with this key ID cannot be used to verify cards.",
            causes: [
                "The private key (d) is published, by the issuer or in a given key set or directory, so anyone can sign "
                    + "with it.",
                "The key is not an EC key on P-256, or its members say that it is not for ES256 signatures.",
                "The key's coordinates are damaged, or are not a point on the curve.",
                "For an EU certificate: the key is neither on P-256 nor RSA of 2048 bits or more, or is of another kind than "
                    + "the algorithm.",
            ],
            remedy:
                "Issuers publish kty, kid, use, alg, crv, x and y, and never d. If d was published, replace the key and issue "
                + "its cards again."),
        Row(
            .certificateInvalid,
            meaning:
                "The key's certificate does not vouch for the key, or the signer's certificate does not allow an EU certificate.",
            causes: [
                "The first certificate in x5c is for another key.",
                "If trust depends on certificates: the chain does not lead to an anchor, a certificate in it is expired "
                    + "or not yet valid, or the certificate does not name the issuer as a URI.",
                "For an EU certificate: the signer's certificate is not valid at this time, is not for this kind of record, or is not "
                    + "signed by an anchor.",
            ],
            remedy: "Issuers renew the certificate together with the key. The message names the problem."
        ),
        Row(
            .issuerNotTrusted,
            meaning:
                "The issuer is not on any of the given lists of trusted issuers. This does not say that the card is false: the checks "
                + "stopped at the issuer, which is not on your list. The issuer's server was not contacted, unless trust depends on "
                + "certificates.",
            causes: [
                "The card is from an issuer that you do not trust.",
                "The list writes the issuer's URL differently, in case or with a trailing slash. URLs are compared exactly.",
            ],
            remedy:
                "If you trust this issuer, name it exactly as the card does. If this is your card, ask your pharmacy or hospital "
                + "whether the address is theirs."),
        Row(
            .notYetValid,
            meaning: "The card is not valid yet.",
            causes: ["Its nbf lies in the future.", "Its nbf is in milliseconds.", "This machine's clock is wrong."],
            remedy: "Issuers write nbf in seconds since 1970. No clock skew is allowed."),
        Row(
            .expired,
            meaning: "The card is no longer valid.",
            causes: ["Its exp has passed.", "This machine's clock is wrong."],
            remedy: "The holder asks the issuer for a new card."),
        Row(
            .linkExpired,
            meaning: "The link is no longer valid: its exp has passed. No request was made.",
            causes: ["The link was made for a short time.", "This machine's clock is wrong."],
            remedy: "Ask the person for a new link."),
        Row(
            .revoked,
            meaning: "The issuer has revoked the card: the issuer's revocation list names it.",
            causes: ["The card was issued in error, or to the wrong person."],
            remedy: "Do not accept the card. The holder asks the issuer for a new one."),
        Row(
            .requestMismatch,
            meaning:
                "The check-in answers another request than the one that was given, or does not say what became of each item.",
            causes: [
                "It is the answer of another visit.",
                "The wallet left out an item, or answers one that nobody asked for.",
            ],
            remedy: "Start a new check-in, and give its own request."),
        Row(
            .recordsNotMatching,
            meaning: "The signature is valid, but the card does not contain the required records.",
            causes: ["The card's records are of another type, or from another time."],
            remedy:
                "The message says what the card contains and what is missing. In logs it says only what is missing."),
        Row(
            .linkInactive,
            meaning: "There is nothing behind the link any more: its server answered with status 404 or 410.",
            causes: [
                "The link has expired, or was used up.",
                "The person has ended the sharing.",
                "Too many wrong passcodes were tried.",
                "The link's address was changed or never existed. The server does not tell these apart.",
            ],
            remedy: "Ask the person for a new link."),
        Row(
            .noSignedContent,
            meaning: "The link holds no health card, so there is nothing that can be verified.",
            causes: [
                "The link holds FHIR data that nobody signed, as most links do.",
                "The link holds no files at all.",
            ],
            remedy:
                "Ask for a health card, which is signed. Unsigned data can be looked at, but anybody could have written it."
        ),
        Row(
            .noCardsIssued,
            meaning: "The provider answered, but has no health cards of the wanted types for this patient.",
            causes: ["The patient has no such records.", "The provider issues cards of other types."],
            remedy: "Ask for another type."),
        Row(
            .keysUnavailable,
            meaning:
                "The issuer's keys could not be fetched, so the card could not be checked. It may verify later.",
            causes: [
                "There is no network, or fetching was switched off and no keys were given.",
                "The issuer's server is down or has moved, or its TLS certificate is not accepted.",
                "The issuer's address is private or loopback. Such addresses are not contacted unless that is allowed.",
            ],
            remedy: "Try again later, or give the issuer's keys.",
            ofCertificates: .init(
                meaning:
                    "No trust list of signers was given that is recent enough, so the certificate could not be checked.",
                causes: [
                    "No trust list was given, or it is too old. Nothing is fetched for such certificates, so the same command will not "
                        + "do better later."
                ], remedy: "Give a trust list of the signers.")),
        Row(
            .revocationUnavailable,
            meaning:
                "The issuer's revocation list could not be fetched or is not usable, so it is not known whether the card was revoked. The "
                + "card may verify later.",
            causes: [
                "There is no network, or fetching was switched off and no list was given.",
                "The list has an older version than the key's crlVersion.",
                "The list is malformed, or its method is unknown.",
            ],
            remedy: "Try again later, or give the revocation list.",
            ofCertificates: .init(
                meaning: "No list of revoked certificates was given, so it is not known whether this one was revoked.",
                causes: ["A check of revocation was required. Nothing is fetched for such certificates."],
                remedy: "Give a list of revoked certificates.")),
        Row(
            .passcodeRequired,
            meaning: "The link needs a passcode, and none was given.",
            causes: ["The person who made the link protected it with a passcode."],
            remedy: "Ask the person for the passcode."),
        Row(
            .passcodeRejected,
            meaning: "The link's server did not accept the passcode. It was sent once.",
            causes: ["The passcode was mistyped.", "It is the passcode of another link."],
            remedy:
                "Ask the person for the passcode. Each wrong passcode counts, and the server ends the link after some of them."
        ),
        Row(
            .recipientKeyRequired,
            meaning: "The answer of a wallet is encrypted, and what opens it was not given.",
            causes: ["The request, the private key of the request, or the origin of the page that asked is missing."],
            remedy:
                "Give the request as it went to the browser (navigator.credentials.get), its private key, and the origin of the page."
        ),
        Row(
            .linkUnavailable,
            meaning: "The link, or a file of it, could not be fetched. It may succeed later.",
            causes: [
                "There is no network, or following links was switched off.",
                "The server is down, refuses access, or its TLS certificate is not accepted.",
                "The server's address is private or loopback, or is not one of those that are allowed.",
            ],
            remedy: "The message names the cause. Try again later, or ask for a new link."),
        Row(
            .receiverRequired,
            meaning:
                "The link is a verifiable health link (vhlink:/): only a receiver that is registered with its network can fetch what is "
                + "behind it. No request was made.",
            causes: ["The certificate around the link is genuine, and this program is no registered receiver."],
            remedy:
                "Open the link with a program that is registered with the network, such as that of a hospital which takes part in it. "
                + "The verdict on the certificate around the link is in the report."),
        Row(
            .providerUnavailable,
            meaning: "The provider could not be asked for cards. It may succeed later.",
            causes: [
                "There is no network, or the server is down.",
                "The address is not that of a FHIR server, or the server does not issue health cards.",
            ],
            remedy: "Check the address, and try again later."),
        Row(
            .providerRefused,
            meaning: "The provider refused to give cards.",
            causes: [
                "The access token is missing, expired, or for another patient.",
                "The provider does not know the patient or the wanted type.",
            ],
            remedy: "The message has the provider's words. Get a new access token, or correct the request."),
        Row(
            .codesUnknown,
            meaning:
                "The signature is valid, but it cannot be told whether it has the required record: no list that is known here tells what the "
                + "record's codes are. The code lists may be older than the card.",
            causes: [
                "The vaccine or test is newer than the code lists.",
                "The issuer uses a code system of its own, of which there is no list here.",
                "A list has the code without a name, so it does not tell what it is.",
            ],
            remedy:
                "Update the code lists and try again. If the code is still unknown, read on the card what was given, and ask the issuer "
                + "which code it is."),
        Row(
            .emptyInput,
            meaning: "The input holds nothing, so there is nothing to judge.",
            causes: [
                "The scanner has read nothing, and wrote an empty text.",
                "The file was not copied or downloaded completely.",
                "A line of a list is empty.",
            ],
            remedy: "Scan the code again, or ask for the original file."),
        Row(
            .noCodeFound,
            meaning:
                "The picture or PDF contains no QR code that can be read, and no attached card. That says nothing about its holder.",
            causes: [
                "The code is blurred, too small, or in bad light.",
                "A part of the code is covered or cut off.",
                "The picture was made smaller when it was sent.",
                "The search was stopped at its limit of time. The message names the limit.",
            ],
            remedy:
                "Take the picture again: sharper, closer, with the paper flat and in even light. Or ask for the original file, such "
                + "as the .smart-health-card file or the PDF."),
        Row(
            .pictureUnreadable,
            meaning: "The picture or PDF cannot be read. That says nothing about its holder.",
            causes: [
                "The file is damaged, or was not downloaded completely.",
                "It is larger than the limits: pixels, pages, codes or attachments.",
                "A PDF needs a password.",
                "The limit of time or memory was reached. The message names it. A busy machine reaches it sooner.",
            ],
            remedy:
                "Take the picture again, or open the file in a viewer and take a screenshot of the code. Or ask for the original file."
        ),
        Row(
            .qrChunkMissing,
            meaning: "The card is split over several QR codes, and not all of them were given.",
            causes: ["One of the codes was not scanned."],
            remedy: "Scan the missing codes too. Give all parts together, in any order."),
        Row(
            .unreadableInput,
            meaning: "The input could not be read.",
            causes: [
                "There is no such file, or access is denied.",
                "It is a directory.",
                "The text of a card was given instead of a file name.",
                "The cards before it in its input have used up a limit, so the card was not judged.",
            ],
            remedy:
                "Check the path and its permissions. For a directory, name the files in it (cards/*). Give a card that was not "
                + "judged in an input of its own."),
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
    /// The message for logs, without persons, records or dates from the card. Only the code of a record is named that no list has.
    public let impersonalMessage: String
    /// Whether keys or a list are missing only because no request was made: fetching is switched off, or the limit of requests
    /// was reached.
    public let isUnasked: Bool
    /// What helps to know the code of a record; nil if the failure has another reason.
    public let codesHelp: UnknownRecordType.Help?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: the stable code.
    ///   - message: the message.
    ///   - impersonalMessage: the message for logs; nil if `message` contains no person, record or date.
    ///   - isUnasked: whether keys or a list are missing only because no request was made.
    ///   - codesHelp: what helps to know the code of a record.
    public init(
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
