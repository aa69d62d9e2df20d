import FHIR

/// A problem with a card that does not make it fail, but that everyone who relies on the card should know.
public struct CredentialWarning: Sendable, Equatable {
    /// The stable code.
    public let code: Code
    /// What was found, in plain words.
    public let message: String
    /// The place in the payload, as a path of member names; nil if the problem is not in the payload.
    public let path: String?

    /// The codes of warnings.
    public enum Code: String, Sendable, CaseIterable {
        /// A byte-order mark precedes the card.
        case byteOrderMark = "byte-order-mark"
        /// The scheme of a QR code's text is not written in lower case.
        case qrSchemeCase = "qr-scheme-case"
        /// The card is split over several QR codes, or says that it is part 1 of 1.
        case qrChunkingDeprecated = "qr-chunking-deprecated"
        /// A single QR code contains more than `Bounds.singleQRLength` characters.
        case jwsTooLong = "jws-too-long"
        /// The header contains keys, or addresses of keys. They were ignored.
        case keyInHeader = "key-in-header"
        /// The payload has white space between its values.
        case payloadNotMinified = "payload-not-minified"
        /// An optional member is `null`. It was read as if it were not there.
        case nullMember = "null-member"
        /// A record does not refer to a Patient of the Bundle, so it is not known whose record it is.
        case recordWithoutSubject = "record-without-subject"
        /// The card has a type that the specification does not define.
        case unknownCardType = "unknown-card-type"
        /// The FHIR version is neither R4 nor DSTU2.
        case unknownFHIRVersion = "unknown-fhir-version"
        /// A directory's snapshot lists the issuer, but a given list of issuers does not.
        case issuerNotOnList = "issuer-not-on-list"
        /// The issuer could not be reached, so keys from the cache were used that are past their freshness.
        case staleKeys = "stale-keys"
        /// The issuer could not be reached, so a revocation list from the cache was used that is past its freshness.
        case staleRevocationList = "stale-revocation-list"
        /// The key's certificate is not usable. It was not relied on.
        case certificateUnusable = "certificate-unusable"
    }

    /// Creates a warning.
    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }
}

extension CredentialWarning.Code {
    /// The meaning of the warning, its cause and what to do about it.
    public var explanation: Explanation {
        let (meaning, cause, remedy) = texts
        return Explanation(code: rawValue, meaning: meaning, causes: [cause], remedy: remedy)
    }

    private var texts: (meaning: String, cause: String, remedy: String) {
        switch self {
        case .byteOrderMark:
            (
                "A byte-order mark precedes the card. It was skipped.",
                "An editor or a script added it when it saved the file.",
                "Save the file as UTF-8 without a byte-order mark."
            )
        case .qrSchemeCase:
            (
                "The scheme shc:/ of the QR code's text is not in lower case.",
                "The issuer's encoder, or a scanner, changed the case.",
                "Issuers write shc:/ in lower case."
            )
        case .qrChunkingDeprecated:
            (
                "The card is split over several QR codes, or says that it is part 1 of 1.",
                "The issuer follows a version of the specification before 1.3.0.",
                "Issuers make cards that fit in one QR code, or offer a file."
            )
        case .jwsTooLong:
            (
                "The card is longer than the limit for a single QR code (1195 characters of JWS).",
                "The Bundle contains more than fits in a QR code.",
                "Issuers leave out display texts, ids and narrative, or offer a file."
            )
        case .keyInHeader:
            (
                "The header contains a key, or the address of a key. It was ignored.",
                "A library adds it by default, or somebody hopes that a verifier uses it.",
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
                "An optional member (exp, rid, or a member of the key) is null. It was read as if it were not there.",
                "The issuer's software writes null for missing values.",
                "Issuers leave the member out."
            )
        case .recordWithoutSubject:
            (
                "A record does not refer to a Patient of the Bundle, so it is not known whose record it is.",
                "The reference is missing, or refers to something outside the Bundle or to a resource that is not a Patient.",
                "Do not assume that the record belongs to the person named on the card. Issuers refer to the Patient's fullUrl."
            )
        case .unknownCardType:
            (
                "The card has a type that the specification does not define. It was ignored.",
                "The issuer uses a type of its own, or misspelt a type.",
                "Types other than #health-card are deprecated."
            )
        case .unknownFHIRVersion:
            (
                "The card says that it uses a FHIR version that health cards do not use.",
                "The issuer uses a newer release of FHIR, or misspelt the version.",
                "Cards use FHIR R4 (4.0.x) or DSTU2 (1.0.x)."
            )
        case .issuerNotOnList:
            (
                "A directory's snapshot lists the issuer, but none of the given lists of issuers does.",
                "The directory has removed the issuer from its list. Its snapshots keep the keys of former issuers.",
                "Give the list and the snapshot as one directory, so that only issuers in both are trusted."
            )
        case .staleKeys:
            (
                "The issuer could not be reached, so keys were used that it published some time ago.",
                "The issuer's server or the network is down, and the use of old keys was allowed.",
                "Verify the card again when the issuer can be reached: the issuer may have removed the key."
            )
        case .staleRevocationList:
            (
                "The issuer could not be reached, so a revocation list was used that it published some time ago.",
                "The issuer's server or the network is down, and the use of old lists was allowed.",
                "Verify the card again when the issuer can be reached: the card may have been revoked. Or get the "
                    + "revocation list in another way, and give it."
            )
        case .certificateUnusable:
            (
                "The key's certificate has a problem. It was not relied on.",
                "The certificate is expired, does not name the issuer, or cannot be read.",
                "Issuers put certificates as base64 DER in x5c, the key's own certificate first, and renew them in time."
            )
        }
    }
}

/// The explanation of a reason or warning code.
public struct Explanation: Sendable {
    /// The code.
    public let code: String
    /// The meaning of the code.
    public let meaning: String
    /// The causes, the most frequent first.
    public let causes: [String]
    /// What to do about it.
    public let remedy: String

    /// The explanations of all reason and warning codes.
    public static var all: [Explanation] {
        ReasonCode.allCases.map(\.explanation) + CredentialWarning.Code.allCases.map(\.explanation)
    }

    /// The explanation of one code; nil if there is no such code.
    public static func of(_ code: String) -> Explanation? {
        all.first { $0.code == code }
    }
}
