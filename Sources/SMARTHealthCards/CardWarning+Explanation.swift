extension CardWarning.Code {
    /// What the warning means, what causes it and what to do about it.
    public var explanation: Explanation {
        let (meaning, cause, remedy) = texts
        return Explanation(code: rawValue, meaning: meaning, causes: [cause], remedy: remedy)
    }

    private var texts: (meaning: String, cause: String, remedy: String) {
        switch self {
        case .byteOrderMark:
            (
                "A byte-order mark precedes the card. It was skipped.",
                "An editor or a script saved the file so.",
                "Save the file as UTF-8 without byte-order mark."
            )
        case .qrSchemeCase:
            (
                "The scheme of the QR code's text is not written shc:/ in lower case.",
                "The issuer's encoder, or a scanner, changed the case.",
                "Issuers write shc:/ in lower case."
            )
        case .qrChunkingDeprecated:
            (
                "The card is split over several QR codes, or says that it is part 1 of 1.",
                "The issuer follows a version of the specification before 1.3.0.",
                "Issuers make cards that fit one QR code, or offer a file."
            )
        case .jwsTooLong:
            (
                "The QR code holds more than a single code should (1195 characters of JWS).",
                "The Bundle holds more than a QR code is meant for.",
                "Issuers leave out display texts, ids and narrative, or offer a file."
            )
        case .keyInHeader:
            (
                "The header carries a key, or the address of one. It was not looked at.",
                "A library that adds it unasked, or somebody who hopes that a verifier uses it.",
                "Issuers leave jwk, jku, x5u and x5c out of the header."
            )
        case .payloadNotMinified:
            (
                "The payload has white space between its values.",
                "The issuer signs indented JSON.",
                "Issuers minify the payload before they compress it."
            )
        case .nullMember:
            (
                "A member that may be left out (exp, rid, or a member of the key) is null. It was read as if it were not there.",
                "The issuer's software writes null for what it does not have.",
                "Issuers leave the member out."
            )
        case .recordWithoutSubject:
            (
                "A record names no Patient of the Bundle as the person that it is about. It is attributed to nobody.",
                "The issuer left the reference out, or it leads out of the Bundle or to something that is no Patient.",
                "Do not take the record for one of the person that the card names. Issuers refer to the Patient's fullUrl."
            )
        case .unknownCardType:
            (
                "The card has a type that the specification does not know. It was ignored.",
                "An issuer's own type, or a misspelt one.",
                "Types other than #health-card are deprecated."
            )
        case .unknownFHIRVersion:
            (
                "The card says that it is of a FHIR version that cards are not known to use.",
                "A newer release of FHIR, or a misspelt version.",
                "Cards use FHIR R4 (4.0.x) or DSTU2 (1.0.x)."
            )
        case .issuerNotOnList:
            (
                "A directory's snapshot vouches for the issuer, but no list of issuers that was given has it.",
                "The directory has removed the issuer from its list; its snapshots keep the keys of former issuers.",
                "Give the list and the snapshot as one folder (--directory FOLDER, or --directory vci), so that only issuers in both are trusted."
            )
        case .staleKeys:
            (
                "The issuer could not be reached, so the keys that it published some time ago were used.",
                "The issuer's server, or the network, is down, and --max-stale allows old keys.",
                "Verify the card again when the issuer can be reached: a key may have been withdrawn."
            )
        case .staleRevocationList:
            (
                "The issuer could not be reached, so the revocation list that it published some time ago was used.",
                "The issuer's server, or the network, is down, and --max-stale allows old lists.",
                "Verify the card again when the issuer can be reached: it may have been withdrawn. Or get the list by other means, "
                    + "and give it with --crl."
            )
        case .certificateUnusable:
            (
                "The key's certificate cannot be read. It was not relied on.",
                "The x5c member of the issuer's key is damaged.",
                "Issuers put certificates in base64 DER, the key's own first."
            )
        }
    }
}
