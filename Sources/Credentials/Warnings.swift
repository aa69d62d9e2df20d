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
        /// The picture or PDF has other QR codes or attachments, which are no health cards.
        case otherCodesSkipped = "other-codes-skipped"
        /// The picture or PDF has QR codes that were seen, but could not be read.
        case codesNotRead = "codes-not-read"
        /// A SMART Health Link is written in an unusual way.
        case linkForm = "link-form"
        /// A SMART Health Link is encoded in an unusual way.
        case linkEncoding = "link-encoding"
        /// A member of a SMART Health Link is not as the specification recommends.
        case linkMember = "link-member"
        /// The link says that its content is no longer valid.
        case linkStatus = "link-status"
        /// A file of a link is of another kind than its content type says.
        case contentTypeMismatch = "content-type-mismatch"
        /// A link has files that are not signed. They cannot be verified.
        case unsignedContent = "unsigned-content"
        /// An artifact of a check-in breaks a rule, and was not looked at further.
        case artifactDisregarded = "artifact-disregarded"
        /// The request of a check-in was not given, so nothing says whether it is answered.
        case requestNotGiven = "request-not-given"
        /// A wallet says that it shares something for an item, and nothing for it can be used.
        case itemWithoutArtifact = "item-without-artifact"
        /// What a wallet shares for an item does not have the profile that was asked for.
        case itemNotMet = "item-not-met"
        /// The envelope of a check-in has another form than the specification asks for.
        case envelopeForm = "envelope-form"
        /// The envelope of a check-in uses an algorithm that is not known, so a check was not made.
        case envelopeAlgorithm = "envelope-algorithm"
        /// A signature of the envelope of a check-in does not verify.
        case envelopeSignature = "envelope-signature"
        /// A digest in the envelope of a check-in is another one.
        case envelopeDigest = "envelope-digest"
        /// The envelope of a check-in is not valid at this time.
        case envelopeValidity = "envelope-validity"
        /// A check-in does not say what became of an item.
        case rowMissing = "row-missing"
        /// A check-in says more than once what became of an item.
        case rowTwice = "row-twice"
        /// A check-in says of an item what is not known.
        case rowCode = "row-code"
        /// A check-in says something of what nobody asked for.
        case rowUnknown = "row-unknown"
        /// The provider does not say that it issues health cards.
        case providerCapability = "provider-capability"
        /// The header contains keys, or addresses of keys. They were ignored.
        case keyInHeader = "key-in-header"
        /// The payload has white space between its values.
        case payloadNotMinified = "payload-not-minified"
        /// An optional member is `null`. It was read as if it were not there.
        case nullMember = "null-member"
        /// The key, or its key set, is written in a form that is not allowed, but can be read.
        case keyEncoding = "key-encoding"
        /// A record does not refer to a Patient of the Bundle, so it is not known whose record it is.
        case recordWithoutSubject = "record-without-subject"
        /// No list that is known here has the codes of a record. The card's type says what it is about.
        case codeUnknown = "code-unknown"
        /// The card has a type that the specification does not define.
        case unknownCardType = "unknown-card-type"
        /// The FHIR version is neither R4 nor DSTU2.
        case unknownFHIRVersion = "unknown-fhir-version"
        /// The issuer's URL ends with a slash, and is trusted by exactly this name.
        case issuerTrailingSlash = "issuer-trailing-slash"
        /// A directory's snapshot lists the issuer, but a given list of issuers does not.
        case issuerNotOnList = "issuer-not-on-list"
        /// The issuer could not be reached, so keys from the cache were used that are past their freshness.
        case staleKeys = "stale-keys"
        /// The issuer could not be reached, so a revocation list from the cache was used that is past its freshness.
        case staleRevocationList = "stale-revocation-list"
        /// The key's certificate is not usable. It was ignored.
        case certificateUnusable = "certificate-unusable"
        /// The prefix of a health certificate's text is not in upper case.
        case prefixCase = "prefix-case"
        /// The text of a card or certificate is wrapped over several lines.
        case textWrapped = "text-wrapped"
        /// The text of a card is in UTF-16.
        case textEncoding = "text-encoding"
        /// There are characters of a scanner around the text of a card.
        case scannerCharacters = "scanner-characters"
        /// There is other text around that of a card, such as a mail.
        case otherTextSkipped = "other-text-skipped"
        /// The text of a card stood inside something else, such as JSON or a URL.
        case textWasInside = "text-was-inside"
        /// The text of a card was changed on its way, and what it was is certain.
        case textRepaired = "text-repaired"
        /// Only the unprotected header of a health certificate names the algorithm.
        case algorithmUnprotected = "alg-unprotected"
        /// A value in a health certificate is not as the schema requires.
        case schemaError = "schema-error"
        /// A health certificate has a version of the schema that is not known.
        case schemaVersion = "schema-version"
        /// A health certificate has members that the schema does not know.
        case unknownMember = "unknown-member"
        /// A health certificate has other content beside that of the EU.
        case otherHealthContent = "other-health-content"
        /// The issuer of a health certificate is not the country of its signer, or the signer's certificate does not say which
        /// country that is, or the trust list says that it is another one.
        case issuerMismatch = "issuer-mismatch"
        /// The key ID in a trust list is not that of the signer's certificate.
        case keyLabel = "kid-label"
        /// A health certificate is valid longer than the certificate of its signer.
        case outlivesCertificate = "outlives-certificate"
        /// A health certificate was issued before the certificate of its signer became valid.
        case issuedBeforeCertificate = "issued-before-certificate"
        /// A vaccination on an ICVP is no longer valid.
        case recordExpired = "record-expired"
        /// A vaccination on an ICVP is not valid yet.
        case recordNotYetValid = "record-not-yet-valid"
        /// A coverage on an insurance card has ended, has not begun, or is not active.
        case coverageNotInForce = "coverage-not-in-force"
        /// Claims around a health link have texts as keys instead of numbers.
        case claimKeyText = "claim-key-text"
        /// The key ID of a health link's certificate is a text.
        case keyIDText = "kid-text"
        /// Times around a health link are in milliseconds.
        case timeMilliseconds = "time-milliseconds"
        /// A health link is in an array.
        case linkArray = "link-array"
        /// The signer is on no other list than one of WHO's test networks.
        case testList = "test-list"
        /// The age of lists is limited, and the list with the signer does not say when it was made.
        case directoryUndated = "directory-undated"
    }

    /// Creates a warning.
    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// That parts of a link or check-in are not signed; nil if there are none.
    ///
    /// - Parameters:
    ///   - count: how many there are.
    ///   - part: what they are, such as `file`.
    ///   - whole: what they are parts of.
    ///   - holdsCards: whether health cards are attached to any of them.
    package init?(unsigned count: Int, of part: String, in whole: String, holdingCards holdsCards: Bool) {
        guard count > 0 else { return nil }
        let (words, them) =
            count == 1 ? ("a\(part.first == "a" ? "n" : "") \(part)", "it") : ("\(count) \(part)s", "them")
        self.init(
            .unsignedContent,
            "\(words) of the \(whole) \(count == 1 ? "is" : "are") not signed, so nothing in \(them) "
                + "\(holdsCards ? "but the attached health cards " : "")can be verified")
    }
}

extension [CredentialWarning] {
    /// Adds a warning.
    package mutating func add(_ code: CredentialWarning.Code, _ message: String, path: String? = nil) {
        append(CredentialWarning(code, message, path: path))
    }
}
