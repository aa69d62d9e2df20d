extension ReasonCode {
    /// What the reason means, what causes it and what to do about it.
    public var explanation: Explanation {
        let (meaning, causes, remedy) = texts
        return Explanation(code: rawValue, meaning: meaning, causes: causes, remedy: remedy)
    }

    private var texts: (meaning: String, causes: [String], remedy: String) {
        switch self {
        case .malformedInput:
            (
                "The input holds no health card in any form that is known.",
                [
                    "The file is a picture of a QR code, or another kind of document.",
                    "The file is a FHIR Bundle or a payload that nobody has signed.",
                    "The JSON is damaged, or an array \"verifiableCredential\" is empty.",
                ],
                "Get the .smart-health-card file from the organisation that issued the card, or scan its QR code and pass the text "
                    + "that begins with shc:/."
            )
        case .malformedQR:
            (
                "The text begins like that of a health card's QR code, but does not continue so.",
                [
                    "The text was cut off or changed when it was copied.",
                    "Parts of two cards were mixed.",
                    "The issuer encodes characters wrongly: each is two digits, its code less 45.",
                ],
                "Scan the code again and pass the whole text. Give the parts of one card only."
            )
        case .qrChunkMissing:
            (
                "The card is split over several QR codes, and not all of them were given.",
                ["One of the codes was not scanned."],
                "Give all parts, in any order: one --qr for each, or one line for each."
            )
        case .malformedJWS:
            (
                "The card is not a compact JWS as the specification wants it (RFC 7515 §7.1).",
                [
                    "The text was cut off, wrapped over lines or changed.",
                    "A part is not base64url: there is padding, or a character of base64.",
                    "The header has no kid, has a member twice, or asks for an extension with crit.",
                ],
                "As a holder, get the card again. As an issuer, sign with a JOSE library and leave its output as it is."
            )
        case .unsupportedAlgorithm:
            (
                "The header's alg is not ES256, the one algorithm that health cards use.",
                [
                    "The issuer signs with another algorithm, or with none.",
                    "Somebody tries to have a card accepted unsigned.",
                ],
                "Issuers sign with ES256 and a P-256 key."
            )
        case .unsupportedCompression:
            (
                "The header's zip is not DEF, the one compression that health cards use.",
                ["The issuer does not compress the payload, or does not say so in the header."],
                "Issuers compress the payload with raw DEFLATE and set \"zip\": \"DEF\"."
            )
        case .inflateFailed:
            (
                "The payload is not a raw DEFLATE stream (RFC 1951), or something follows it.",
                [
                    "A character was changed, or the card was cut off, when it was copied.",
                    "The payload is wrapped in zlib's or gzip's format.",
                    "It is not compressed at all, although the header says so.",
                ],
                "Holders get the card again from their issuer. Issuers use raw DEFLATE: in zlib, a window of −15 bits; in many libraries, \"deflateRaw\"."
            )
        case .payloadTooLarge:
            (
                "The payload inflates to more than any health card needs, so it was not read.",
                ["Somebody wants to exhaust the verifier's memory.", "The Bundle holds pictures or documents."],
                "Issuers keep cards small; a card that fits a QR code has about 1000 bytes."
            )
        case .malformedPayload:
            (
                "The payload is not JSON that can be read in one way only, or not a health card's.",
                [
                    "A member that is required is missing or of another type: iss, nbf, vc.type, fhirVersion, fhirBundle.",
                    "An object has a member twice, or the text is not valid UTF-8.",
                    "A date is in milliseconds, or is a string.",
                ],
                "The message names the member. \"shcverify inspect\" prints the payload as it is."
            )
        case .invalidIssuerURL:
            (
                "The payload's iss is not an https URL that keys can be found by.",
                ["It uses http.", "It ends with a slash.", "It has a query, a fragment or a user."],
                "Issuers use an https URL without a trailing slash, and publish their keys below it at "
                    + "/.well-known/jwks.json."
            )
        case .signatureInvalid:
            (
                "The signature does not verify under the key that the issuer publishes. The card is not genuine, or was "
                    + "damaged.",
                [
                    "Something in the card was changed after it was signed.",
                    "It was signed with another key than it names.",
                    "The signature is in DER, or otherwise not the 64 bytes r and s.",
                ],
                "Do not accept the card. As an issuer, compare the published key with the one that signs, and sign "
                    + "exactly the bytes that the card carries."
            )
        case .keyNotFound:
            (
                "The issuer publishes no key of the id that the card names.",
                [
                    "The issuer has withdrawn the key.",
                    "The header's kid is not the key's (SHA-256 thumbprint, RFC 7638).",
                    "The key set that was given is another issuer's, or an old one.",
                ],
                "Issuers keep the keys of all cards that are still good in their set. The message says whether the card "
                    + "verifies under another key."
            )
        case .keyInvalid:
            (
                "The issuer's key of that id cannot be used to verify anything.",
                [
                    "Its private half is published, by the issuer or in a key set or directory that was given, so that anyone "
                        + "can sign with it.",
                    "It is not an EC key on P-256, or says that it is not for ES256 signatures.",
                    "Its coordinates are damaged, or not a point on the curve.",
                ],
                "Issuers publish kty, kid, use, alg, crv, x and y, and never d. A key whose d was published is burnt: "
                    + "replace it and issue its cards again."
            )
        case .certificateInvalid:
            (
                "The key's certificate does not vouch for it.",
                [
                    "The first certificate in x5c is of another key.",
                    "With --anchor: the chain does not lead to an anchor, a certificate in it is not valid at that time, or "
                        + "it does not name the issuer as a URI.",
                ],
                "Issuers renew the certificate together with the key. The message names the certificate that is at fault."
            )
        case .issuerNotTrusted:
            (
                "The issuer is on none of the lists of trusted issuers that were given. Nothing else was looked at, and "
                    + "its server was not asked.",
                [
                    "The card is from somebody whom you do not trust.",
                    "The list names the issuer with another case or a trailing slash; issuers are compared exactly.",
                ],
                "If you trust this issuer, name it with --trust, exactly as the card does. \"shcverify directory show NAME\" looks "
                    + "for it in the directory."
            )
        case .notYetValid:
            (
                "The card is valid only from a later time on.",
                ["Its nbf lies in the future.", "Its nbf is in milliseconds.", "This machine's clock is wrong."],
                "Issuers write nbf in seconds since 1970. No clock skew is granted."
            )
        case .expired:
            (
                "The card is no longer valid.",
                ["Its exp has passed.", "This machine's clock is wrong."],
                "The holder asks the issuer for a new card."
            )
        case .revoked:
            (
                "The issuer has withdrawn the card: its revocation list names it.",
                ["The card was issued in error, or to the wrong person."],
                "Do not accept the card. The holder asks the issuer for a new one."
            )
        case .recordsNotMatching:
            (
                "The card is genuine, but lacks what was asked for.",
                ["It records something else, or of another time."],
                "The message says what the card has; with --quiet, and in batch without --records, only what it lacks."
            )
        case .keysUnavailable:
            (
                "The issuer's keys could not be fetched, so nothing is known about the card. It may verify later.",
                [
                    "There is no network, or --offline was given without keys.",
                    "The issuer's server is down, has moved, or its certificate is not acceptable.",
                    "The issuer's address is private or loopback, which is refused unless --allow-private-network is given.",
                ],
                "Try again later, or give the issuer's keys with --jwks."
            )
        case .revocationUnavailable:
            (
                "The issuer has a revocation list for the card's key, and it could not be fetched or relied on.",
                [
                    "There is no network, or --offline was given without the list.",
                    "The list is older than the key says it is.",
                    "The list is malformed, or of a method that is not known.",
                ],
                "Try again later, or give the list with --crl."
            )
        case .unreadableInput:
            (
                "The input could not be read.",
                [
                    "There is no such file, or access is denied.",
                    "It is a directory.",
                    "The text of a card was given in place of a file's name.",
                ],
                "Check the path and its permissions. For a directory, name the files in it (cards/*). Give the text of a QR code with "
                    + "--qr, and any other text on standard input."
            )
        }
    }
}
