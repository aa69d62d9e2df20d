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
        /// Claims around a health link stand under texts instead of numbers.
        case claimKeyText = "claim-key-text"
        /// The key ID of a health link's certificate is a text.
        case keyIDText = "kid-text"
        /// Times around a health link are in milliseconds.
        case timeMilliseconds = "time-milliseconds"
        /// A health link stands in an array.
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
        case .otherCodesSkipped:
            (
                "The picture or PDF has other QR codes or attachments, which are no health cards. They were skipped.",
                "A document often has a second code, such as the address of a website.",
                "None is needed."
            )
        case .codesNotRead:
            (
                "The picture or PDF has QR codes that were seen, but could not be read. They may be further cards.",
                "The codes are blurred, covered or cut off, or something on the picture looks like a code.",
                "If a card is missing, take a picture of it alone."
            )
        case .linkForm:
            (
                "The link has an unusual form: shlink:// instead of shlink:/, another case, percent-encoding, or a place other "
                    + "than the fragment of a viewer's address.",
                "An app that handed the link on has changed it, or its maker wrote it in this way.",
                "Makers of links write shlink:/ right after the # of a viewer's address. In a query, the viewer's server sees "
                    + "the key."
            )
        case .linkEncoding:
            (
                "The link is encoded in an unusual way: with padding, in plain base64, or with white space in its JSON.",
                "The maker of the link uses base64 instead of base64url, or does not minify the JSON.",
                "Makers of links write minified JSON in base64url without padding."
            )
        case .linkMember:
            (
                "A member of the link is not as the specification recommends: a url of more than 128 characters, a label of more "
                    + "than 80, flags out of order, a version or date as a string, or a date in milliseconds.",
                "The maker of the link follows another version of the specification, or wrote milliseconds for seconds.",
                "None is needed to read the link. Its maker corrects what the message names."
            )
        case .linkStatus:
            (
                "The link says that its content, or a file of it, is no longer valid.",
                "The person has ended the sharing, or has shared newer data.",
                "Ask the person for the current data."
            )
        case .contentTypeMismatch:
            (
                "A file of the link is of another kind than its content type says. The content decides.",
                "The maker of the link gives a wrong contentType or cty.",
                "Makers of links correct contentType and cty."
            )
        case .unsignedContent:
            (
                "The link or the check-in also holds data that nobody signed. It is not part of the verdict, and is printed only as unsigned.",
                "Links and wallets often have FHIR data without a signature, beside health cards.",
                "Do not rely on the unsigned data as on a card: it is what the patient says."
            )
        case .artifactDisregarded:
            (
                "A part of a check-in breaks a rule of the specification. It was disregarded, and the others were judged.",
                "The wallet has an error, or answers something that was not asked for.",
                "Ask for the card itself. checkIns in the JSON report says which rule it is."
            )
        case .requestNotGiven:
            (
                "The request of the check-in was not given, so it is not known whether it was answered.",
                "The option for the request was left out.",
                "Give the request."
            )
        case .itemWithoutArtifact:
            (
                "The wallet says that it shares something for an item, and nothing for it can be used.",
                "The part of the check-in is missing, or was disregarded.",
                "Ask the person for what is missing."
            )
        case .itemNotMet:
            (
                "What was shared for an item does not have the version of the profile that was asked for.",
                "The wallet has the records in another form.",
                "Look whether the records suffice all the same."
            )
        case .envelopeForm:
            (
                "The envelope of a check-in has another form than the specification asks for. The cards in it were judged all the same.",
                "The wallet follows another version of the specification, or has an error.",
                "The cards have their own signatures. Refuse such envelopes if your rules ask for it."
            )
        case .envelopeAlgorithm:
            (
                "The envelope of a check-in uses an algorithm that is not known. The check that needs it was not made.",
                "The wallet uses another algorithm than ES256 and SHA-256, or a MAC.",
                "The cards have their own signatures. Refuse such envelopes if your rules ask for it."
            )
        case .envelopeSignature:
            (
                "A signature of the envelope of a check-in does not verify.",
                "The answer was changed on its way or made for another session, or the wallet has an error.",
                "The cards have their own signatures. Do not rely on anything else in the check-in."
            )
        case .envelopeDigest:
            (
                "A part of the envelope of a check-in has another digest than the wallet has signed.",
                "The answer was changed on its way, or the wallet has an error.",
                "The cards have their own signatures. Do not rely on anything else in the check-in."
            )
        case .envelopeValidity:
            (
                "The envelope of a check-in is not valid at this time, or does not say when it is.",
                "The answer is old, or a clock is wrong.",
                "Start the check-in again if it matters when it was made."
            )
        case .rowMissing:
            (
                "The check-in does not say what became of an item of the request.",
                "The wallet's program may have an error.",
                "Check whether something was shared for the item."
            )
        case .rowTwice:
            (
                "The check-in says more than once what became of an item, so the item has no status.",
                "The wallet's program may have an error.",
                "Check whether something was shared for the item."
            )
        case .rowCode:
            (
                "The check-in has a status that is not known, so the item has none.",
                "The wallet follows another version of the specification, or has an error.",
                "Check whether something was shared for the item."
            )
        case .rowUnknown:
            (
                "The check-in says something of an item that nobody asked for, or that has no usable id. It was ignored.",
                "The wallet has an error, or answers another request.",
                "Nothing needs to be done."
            )
        case .providerCapability:
            (
                "The provider does not list health-cards among its capabilities. It was asked all the same.",
                "The provider's .well-known/smart-configuration is missing or not complete.",
                "Providers list the capability health-cards."
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
        case .keyEncoding:
            (
                "The key set begins with a byte-order mark, or the coordinates of the key are written with padding. It was read all "
                    + "the same.",
                "The issuer's software uses base64 instead of base64url, or an editor saved the key set with a byte-order mark.",
                "Issuers write coordinates in base64url without padding, and the key set as UTF-8 without a byte-order mark."
            )
        case .recordWithoutSubject:
            (
                "A record does not refer to a Patient of the Bundle, so it is not known whose record it is.",
                "The reference is missing, or refers to something outside the Bundle or to a resource that is not a Patient.",
                "Do not assume that the record belongs to the person named on the card. Issuers refer to the Patient's fullUrl."
            )
        case .codeUnknown:
            (
                "No list that is known here has the codes of a record. The card's type (vc.type), which is signed, says what the record "
                    + "is about.",
                "The vaccine or test is newer than the code lists, or the issuer uses a code system of its own.",
                "Update the code lists."
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
        case .issuerTrailingSlash:
            (
                "The issuer's URL (iss) ends with a slash, which the specification forbids. The card was judged all the same, because exactly "
                    + "this URL is trusted by name.",
                "The issuer's software signs with the address of its server as it stands in its settings.",
                "Issuers leave out the slash. Other verifiers refuse the card."
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
                "The issuer's server or the network is down, and old lists were allowed.",
                "Verify the card again when the issuer can be reached: the card may have been revoked. Or get the "
                    + "revocation list in another way, and give it."
            )
        case .certificateUnusable:
            (
                "The key's certificate has a problem. It was ignored.",
                "The certificate is expired, does not name the issuer, or cannot be read.",
                "Issuers put certificates as base64 DER in x5c, the key's own certificate first, and renew them in time."
            )
        case .prefixCase:
            (
                "The prefix HC1: of the certificate's text is not in upper case.",
                "An app that handed the text on has changed it.",
                "Makers of certificates write HC1: in upper case."
            )
        case .textWrapped:
            (
                "The text of the card or certificate is wrapped over several lines. The lines were joined.",
                "A mail program or an editor has wrapped the text.",
                "Store the text in one line. A space in an EU certificate's text belongs to it."
            )
        case .textEncoding:
            (
                "The text is in UTF-16. It was read as such.",
                "A program of Windows has written the file, such as PowerShell with >.",
                "Write texts in UTF-8 or ASCII."
            )
        case .scannerCharacters:
            (
                "There are characters around the text that are no part of it. They were left out.",
                "The scanner sends an identifier of the symbology (]Q1), or the control characters STX, ETX or NUL.",
                "Switch these off in the scanner's settings. Nothing else is needed."
            )
        case .otherTextSkipped:
            (
                "There is other text around that of the card. It was skipped.",
                "The whole text of a mail or page was given.",
                "Give only the line with the card, if it matters which text was read."
            )
        case .algorithmUnprotected:
            (
                "Only the unprotected header names the algorithm, so the signature does not cover it.",
                "The issuer's software puts the algorithm into the wrong header.",
                "Issuers put the algorithm into the protected header."
            )
        case .schemaError:
            (
                "A value in the certificate is not as its schema requires, that of the EU or of WHO. If it is a date, it may not have "
                    + "been read.",
                "The issuer writes the value in another form, such as a date with a time.",
                "Issuers follow the schema. The message names the member."
            )
        case .schemaVersion:
            (
                "The certificate follows a version of the schema that is not known. It was read like version 1.3.",
                "The issuer writes another version number.",
                "Issuers write the version of the schema, such as 1.3.0."
            )
        case .unknownMember:
            (
                "The certificate has members that the schema does not know. They were ignored.",
                "Some countries add members of their own.",
                "None is needed."
            )
        case .otherHealthContent:
            (
                "Beside the content that was read, there is other health content, which was not.",
                "The issuer put certificates of several kinds into one.",
                "Ask for a certificate of each kind."
            )
        case .issuerMismatch:
            (
                "The issuer that the certificate names is not the country of its signer, or no country of the signer is known, or the "
                    + "signer's certificate names several, or another country than the trust list does. The signer counts.",
                "A country signs for another territory, or writes an organisation instead of a country. Or somebody who may sign for "
                    + "one country claims to be another.",
                "Look at the signer's country in the report. Trust depends on it alone."
            )
        case .keyLabel:
            (
                "The key ID in the trust list is not the beginning of the SHA-256 of the signer's certificate.",
                "The list's maker chose the key ID in another way.",
                "None is needed: all keys with this key ID are tried."
            )
        case .outlivesCertificate:
            (
                "The certificate is valid longer than that of its signer.",
                "The issuer does not limit the validity to that of its signing key.",
                "Issuers set exp no later than the end of the signer's certificate."
            )
        case .issuedBeforeCertificate:
            (
                "The certificate was issued before that of its signer became valid.",
                "The issuer signed with a new key too early, or its clock was wrong.",
                "Issuers sign only with certificates that are valid."
            )
        case .recordExpired:
            (
                "A vaccination on WHO's certificate of vaccination (ICVP) was valid only until a day that has passed. The certificate "
                    + "is genuine all the same, and it passes, unless such a vaccination is required.",
                "The vaccination protects, or is recognised, for a limited time (validUntil).",
                "Decide by validUntil whether the vaccination still counts."
            )
        case .recordNotYetValid:
            (
                "A vaccination on WHO's certificate of vaccination (ICVP) is valid only from a later day on. The certificate is "
                    + "genuine all the same, and it passes, unless such a vaccination is required.",
                "A vaccination protects some days after it was given: ten days in the case of yellow fever (validFrom).",
                "Decide by validFrom whether the vaccination counts yet."
            )
        case .coverageNotInForce:
            (
                "A coverage on the card is not in force: it has ended, has not begun, has another status than active or none, or its period "
                    + "cannot be read. The signature is good, and the coverage does not count if one is required.",
                "The period or the status of the Coverage says so. Payers issue a new card for a new period.",
                "Ask the patient for the current card, or ask the payer."
            )
        case .claimKeyText:
            (
                "The claims around a health link stand under texts, such as \"6\", and not under numbers. They were read all the same.",
                "The issuer's software makes CBOR from JSON, in which all names are texts.",
                "Issuers write claims under the numbers of RFC 8392."
            )
        case .keyIDText:
            (
                "The key ID of a health link's certificate is a text in base64, and not a byte string. It was read all the same.",
                "The issuer's software copies the key ID as lists write it.",
                "Issuers write kid as a byte string of eight octets."
            )
        case .timeMilliseconds:
            (
                "The time of issue or the expiry of a health link's certificate is in milliseconds. It was read as such.",
                "The issuer's software counts milliseconds since 1970, and not seconds.",
                "Issuers write iat and exp in seconds."
            )
        case .linkArray:
            (
                "A health link is a member \"u\" of a map in an array, and not a text. It was read all the same.",
                "The issuer follows a draft of the specification.",
                "Issuers write the link as a text under the key 5."
            )
        case .testList:
            (
                "The signer is on no other list than one of WHO's test networks (UAT or DEV). Nobody vouches for who gets a key there.",
                "The lists were permitted for a test, or by mistake.",
                "Do not accept the certificate from anybody. Use the list of production, and do not permit lists for tests."
            )
        case .directoryUndated:
            (
                "The age of lists is limited, and the list with the signer does not say when it was made. So its age "
                    + "is not limited.",
                "Lists of the EU gateway, the German list and certificates have no date. WHO's list has one only if its proof was checked.",
                "Replace the list as often as your own rules ask for, or use WHO's list with the keys that sign it."
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
