/// Something about a card that does not make it unacceptable, and that everyone who relies on it should know.
public struct CardWarning: Sendable, Equatable {
    /// A stable code.
    public let code: Code
    /// What was found, in plain words.
    public let message: String
    /// Where in the payload, as a path of member names; nil if it is not in the payload.
    public let path: String?

    /// The codes of warnings.
    public enum Code: String, Sendable, CaseIterable {
        /// A byte-order mark precedes the card.
        case byteOrderMark = "byte-order-mark"
        /// The scheme of a QR code's text is not written in lower case.
        case qrSchemeCase = "qr-scheme-case"
        /// The card is split over several QR codes, or says that it is one of one.
        case qrChunkingDeprecated = "qr-chunking-deprecated"
        /// A single QR code holds more than such a code should.
        case jwsTooLong = "jws-too-long"
        /// The header carries keys, or addresses of keys; they were not looked at.
        case keyInHeader = "key-in-header"
        /// The payload has white space between its values.
        case payloadNotMinified = "payload-not-minified"
        /// A member that may be left out is `null`. It was read as if it were not there.
        case nullMember = "null-member"
        /// A record names no Patient of the Bundle as the person that it is about.
        case recordWithoutSubject = "record-without-subject"
        /// A card type that the specification does not know.
        case unknownCardType = "unknown-card-type"
        /// A version of FHIR other than R4 and DSTU2.
        case unknownFHIRVersion = "unknown-fhir-version"
        /// Only a snapshot that stands alone lists the issuer, while a list that was given does not.
        case issuerNotOnList = "issuer-not-on-list"
        /// The issuer could not be reached, and its keys are past their freshness.
        case staleKeys = "stale-keys"
        /// The issuer could not be reached, and its revocation list is past its freshness.
        case staleRevocationList = "stale-revocation-list"
        /// The key's certificate is of no use; it was not relied on.
        case certificateUnusable = "certificate-unusable"
    }

    init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }
}
