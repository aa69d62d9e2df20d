package import Credentials
package import Cryptography
package import Encodings

/// A presented card after its form was examined.
///
/// If the form is correct, it contains the card to verify. If not, it contains the failure and the parts that could be read.
///
/// It is a class because it is passed from step to step, and copying its content would cost more than some of the steps.
package final class ExaminedCard: ExaminedCredential {
    /// The card as it was presented.
    package let presented: PresentedCredential
    /// The decoded card; nil if it cannot be decoded.
    package let decoded: DecodedCard?
    /// The card, or the first error in its form.
    package let card: Result<UnverifiedCard, VerificationFailure>
    /// The number of bytes to subtract from a budget for inflated payloads.
    package let spentPayloadSize: Int

    /// Examines a card's form.
    ///
    /// - Parameters:
    ///   - presented: the card.
    ///   - inflater: inflates the payload.
    ///   - maximumPayloadSize: the largest size of the inflated payload, in bytes.
    package convenience init(
        _ presented: PresentedCredential, inflater: Inflater, maximumPayloadSize: Int = Bounds.payloadSize
    ) {
        self.init(presented, inflater: inflater, maximumPayloadSize: maximumPayloadSize, recent: nil)
    }

    /// Examines a card's form.
    ///
    /// - Parameter recent: parts of earlier cards, parsed.
    init(_ presented: PresentedCredential, inflater: Inflater, maximumPayloadSize: Int, recent: ParseCache?) {
        self.presented = presented
        var spent = 0
        do throws(VerificationFailure) {
            let decoded = try DecodedCard(
                jws: presented.text.get(), inflater: inflater, maximumPayloadSize: maximumPayloadSize, spent: &spent,
                recent: recent)
            self.decoded = decoded
            card = Result { () throws(VerificationFailure) in try UnverifiedCard(decoded, recent: recent) }
        } catch {
            decoded = nil
            card = .failure(error)
        }
        spentPayloadSize = spent
    }
}

extension ExaminedCard {
    /// The issuer, if nothing is wrong with its URL but a slash at its end. Then the card is judged only by a policy that trusts the issuer
    /// by exactly this name.
    var slashedIssuer: Issuer? {
        let issuer = (try? card.get())?.issuer ?? decoded?.claims.issuer.flatMap { try? Issuer(inCard: $0) }
        return issuer?.endsWithSlash == true ? issuer : nil
    }

    /// The first error in the card's form, for a policy that trusts no issuer whose URL ends with a slash.
    var strictFailure: VerificationFailure? {
        if let slashedIssuer { return slashedIssuer.slashFailure }
        return card.failure
    }
}

extension Issuer {
    /// The failure of a card whose issuer has this URL, unless the URL is valid.
    fileprivate var slashFailure: VerificationFailure? {
        Result { () throws(VerificationFailure) in try Issuer(url) }.failure
    }
}

/// If the form is correct, the claims are those of the examined card, else those that can be read leniently.
extension ExaminedCard: Claims {
    package var claims: (any Claims)? { decoded == nil ? nil : self }
    package var sourceType: String { "smart-health-card" }
    package var signed: SignedOctets? {
        decoded.map { SignedOctets(octets: Array($0.jws.signingInput), envelope: $0.jws.text, form: .jose) }
    }

    package var issuer: UTF8Text? { decoded?.claims.issuer }
    package var keyID: UTF8Text? { decoded?.header.value["kid"]?.string }
    package var issued: NumericDate? { (try? card.get())?.issued ?? decoded?.claims.issued }
    package var expires: NumericDate? { (try? card.get())?.expires ?? decoded?.claims.expires }
    package var types: [UTF8Text] { (try? card.get())?.types ?? decoded?.claims.types ?? [] }
    package var fhirVersion: UTF8Text? { (try? card.get())?.fhirVersion ?? decoded?.claims.fhirVersion }
    package var fhirBundle: JSONValue? { decoded?.claims.fhirBundle }
}

/// A decoded card: header, payload and signature. Its claims have not been examined.
package final class DecodedCard: Sendable {
    /// The JWS, with the bytes that are signed.
    package let jws: CompactJWS
    /// The JWS header.
    package let header: JOSEHeader
    /// The claims in the payload.
    package let claims: CardClaims

    /// Decodes a compact JWS, and inflates and parses its payload.
    ///
    /// - Parameters:
    ///   - text: the JWS, without white space around it.
    ///   - inflater: inflates the payload.
    ///   - maximumPayloadSize: the largest size of the inflated payload, in bytes.
    ///   - spent: set to the number of bytes to subtract from the run's budget for payloads, even if decoding fails.
    ///   - recent: parts of earlier cards, parsed.
    /// - Throws: `VerificationFailure` with exit code 10.
    init(
        jws text: [UInt8], inflater: Inflater, maximumPayloadSize: Int, spent: inout Int, recent: ParseCache?
    ) throws(VerificationFailure) {
        var known: JOSEHeader?
        jws = try Self.compactJWS(text) { headerText in
            known = recent?.headers.value(for: headerText)
            // The text of the header's value is the whole header: nothing else was parsed with it.
            return known?.value.text
        }
        do throws(JWSError) {
            header = if let known { known } else { try JOSEHeader(jws.headerBytes) }
        } catch {
            throw VerificationFailure(error)
        }
        if known == nil { recent?.headers.keep(header, for: jws.headerText) }
        claims = CardClaims(
            payload: try Self.payload(
                jws.payload, inflater: inflater, maximumSize: maximumPayloadSize, spent: &spent))
    }

    /// Decodes a compact JWS within `Bounds`, without its payload.
    ///
    /// - Parameter knownHeader: returns the decoded header if this base64url text was decoded before, else nil.
    static func compactJWS(
        _ text: [UInt8], knownHeader: (ArraySlice<UInt8>) -> [UInt8]? = { _ in nil }
    ) throws(VerificationFailure) -> CompactJWS {
        guard text.count <= Bounds.jwsSize else {
            throw VerificationFailure(
                .malformedJWS, "the JWS is longer than \(Bounds.jwsSize) characters, the limit for a card")
        }
        let jws = try Result { () throws(JWSError) in try CompactJWS(text, knownHeader: knownHeader) }
            .mapError { VerificationFailure($0) }.get()
        guard jws.headerBytes.count <= Bounds.headerSize else {
            throw VerificationFailure(
                .malformedJWS, "the JWS header is larger than \(Bounds.headerSize) bytes, the limit for a card")
        }
        return jws
    }

    /// Inflates a payload and parses its JSON.
    static func payload(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int
    ) throws(VerificationFailure) -> JSONValue {
        var spent = 0
        return try payload(compressed, inflater: inflater, maximumSize: maximumSize, spent: &spent)
    }

    /// The largest number of bytes that one byte of DEFLATE can inflate to.
    private static let maximumInflation = 1032
    /// How many times cheaper inflating is than inflating and parsing, with a safety margin.
    private static let parsingShare = 16

    private static func payload(
        _ compressed: [UInt8], inflater: Inflater, maximumSize: Int, spent: inout Int
    ) throws(VerificationFailure) -> JSONValue {
        let inflated: [UInt8]
        do throws(InflateError) {
            inflated = try inflater.inflate(compressed, maximumSize: maximumSize)
            spent = inflated.count
        } catch {
            // The size that was inflated before the error is unknown, so count the largest possible size. Nothing was parsed.
            spent = min(maximumSize, compressed.count * maximumInflation) / parsingShare
            throw VerificationFailure(error)
        }
        let payload = try Result { () throws(JSONError) in
            try JSONDocument.parse(inflated, maximumDepth: Bounds.nesting)
        }.mapError { VerificationFailure(.malformedPayload, "the payload is not acceptable JSON: \($0)") }.get()
        guard payload.kind == .object else {
            throw VerificationFailure(
                .malformedPayload, "the payload must be a JSON object, but its type is \(payload.kind.rawValue)")
        }
        return payload
    }
}

extension VerificationFailure {
    /// The failure of a payload that cannot be inflated.
    init(_ error: InflateError) {
        switch error.reason {
        case .tooLarge: self.init(.payloadTooLarge, "the payload is too large: \(error)")
        default: self.init(.inflateFailed, "the payload cannot be inflated: \(error)")
        }
    }

    /// The failure of a JWS that is malformed or not supported.
    init(_ error: JWSError) {
        switch error.reason {
        case .malformed: self.init(.malformedJWS, error.message)
        case .unsupportedAlgorithm: self.init(.unsupportedAlgorithm, error.message)
        case .unsupportedCompression: self.init(.unsupportedCompression, error.message)
        }
    }
}

/// A card whose form is correct. Nothing in it has been verified, so its content may be false.
package final class UnverifiedCard: Sendable {
    /// The decoded card.
    package let decoded: DecodedCard
    /// The JWS, with the bytes that are signed.
    package var jws: CompactJWS { decoded.jws }
    /// The JWS header, with the key ID.
    package var header: JOSEHeader { decoded.header }
    /// The claims in the payload.
    package var claims: CardClaims { decoded.claims }
    /// The issuer that the card names (SHC-K5). Its URL may end with a slash: `ExaminedCard.slashedIssuer`.
    package let issuer: Issuer
    /// When the card was issued (`nbf`). It is not valid before this moment (RFC 7519 §4.1.5).
    package let issued: NumericDate
    /// When the card expires (`exp`, RFC 7519 §4.1.4); nil if it does not expire.
    package let expires: NumericDate?
    /// The card's types (`vc.type`).
    package let types: [UTF8Text]
    /// The FHIR Bundle.
    package let fhirBundle: JSONValue
    /// The FHIR version, such as `4.0.1`.
    package let fhirVersion: UTF8Text
    /// The identifier of the card in revocation lists (`vc.rid`); nil if it has none.
    package let revocationID: UTF8Text?
    /// Harmless deviations from the specification.
    package let warnings: [CredentialWarning]

    /// Checks the form of a decoded card.
    ///
    /// - Parameter recent: parts of earlier cards, parsed.
    /// - Throws: `VerificationFailure` with exit code 10.
    init(_ decoded: DecodedCard, recent: ParseCache?) throws(VerificationFailure) {
        self.decoded = decoded
        let payload = decoded.claims.payload
        issuer = try Self.issuer(payload["iss"], recent)
        issued = try Self.date(payload["nbf"], "nbf", toleratesMilliseconds: true)
        let expiry = payload["exp"]
        expires = try expiry.flatMap { value throws(VerificationFailure) in
            value.isNull ? nil : try Self.date(value, "exp", toleratesMilliseconds: false)
        }
        let credential = try Self.object(payload["vc"], "vc")
        let type = try Self.value(credential["type"], "vc.type")
        let knownTypes = recent?.types.value(for: type.rawBytes)
        if knownTypes == nil { try Self.checkTypes(type) }
        types = knownTypes ?? decoded.claims.types
        let subject = try Self.object(credential["credentialSubject"], "vc.credentialSubject")
        fhirVersion = try Self.fhirVersion(subject["fhirVersion"])
        fhirBundle = try Self.object(subject["fhirBundle"], "vc.credentialSubject.fhirBundle")
        guard fhirBundle["resourceType"]?.isString("Bundle") == true else {
            throw Self.malformed("vc.credentialSubject.fhirBundle is not a resource of type \"Bundle\"")
        }
        let identifier = credential["rid"]
        revocationID = try identifier.flatMap { value throws(VerificationFailure) in
            value.isNull ? nil : try Self.revocationID(value)
        }
        let unknownTypes = knownTypes == nil ? Self.unknown(type) : []
        if knownTypes == nil, unknownTypes.isEmpty { recent?.types.keep(types, for: type.rawBytes) }
        warnings =
            Self.nulls([(expiry, "exp"), (identifier, "vc.rid")])
            + Self.warnings(of: decoded, unknownTypes: unknownTypes, fhirVersion: fhirVersion)
    }

    // MARK: Members

    private static func malformed(_ message: String, impersonal: String? = nil) -> VerificationFailure {
        let begin = "the payload is not that of a health card: "
        return VerificationFailure(
            .malformedPayload, begin + message, impersonalMessage: impersonal.map { begin + $0 })
    }

    private static func value(_ value: consuming JSONValue?, _ path: String) throws(VerificationFailure) -> JSONValue {
        guard let value else { throw malformed("\(path) is missing") }
        return value
    }

    private static func string(_ value: JSONValue?, _ path: String) throws(VerificationFailure) -> UTF8Text {
        let value = try Self.value(value, path)
        guard let string = value.string else {
            throw malformed("\(path) must be a string, but its type is \(value.kind.rawValue)")
        }
        return string
    }

    /// The FHIR version of nearly all cards.
    private static let usualFHIRVersion: UTF8Text = "4.0.1"

    private static func fhirVersion(_ value: JSONValue?) throws(VerificationFailure) -> UTF8Text {
        // Compared in place, so that no string has to be created.
        if value?.isString("4.0.1") == true { return usualFHIRVersion }
        return try string(value, "vc.credentialSubject.fhirVersion")
    }

    private static func issuer(
        _ value: JSONValue?, _ recent: ParseCache?
    ) throws(VerificationFailure) -> Issuer {
        let bytes = value?.plainStringBytes
        if let bytes, let known = recent?.issuers.value(for: bytes) { return known }
        let issuer = try Issuer(inCard: string(value, "iss"))
        if let bytes { recent?.issuers.keep(issuer, for: bytes) }
        return issuer
    }

    private static func object(_ value: consuming JSONValue?, _ path: String) throws(VerificationFailure) -> JSONValue {
        let value = try Self.value(value, path)
        guard value.kind == .object else {
            throw malformed("\(path) must be an object, but its type is \(value.kind.rawValue)")
        }
        return value
    }

    /// Reads a NumericDate (SHC-P1). A date outside the years 1970 to 9999 is an error.
    ///
    /// - Parameter toleratesMilliseconds: whether to accept a date in milliseconds, a common mistake. For `nbf`, the check
    ///   `validity` reports it.
    private static func date(
        _ value: JSONValue?, _ path: String, toleratesMilliseconds: Bool
    ) throws(VerificationFailure) -> NumericDate {
        let value = try Self.value(value, path)
        let date = NumericDate(value)
        if let date, NumericDate.range.contains(date) { return date }
        guard let number = value.number else {
            throw malformed("\(path) must be a number of seconds since 1970, but its type is \(value.kind.rawValue)")
        }
        if let date, date.isPlausiblyMilliseconds {
            if toleratesMilliseconds { return date }
            let problem = "makes sense only in milliseconds, but dates must be in seconds since 1970"
            throw malformed(
                "\(path) is \(number.digits.prefix(40)), which \(problem)", impersonal: "\(path) \(problem)")
        }
        let problem = "is outside the years 1970 to 9999 if read as seconds since 1970"
        throw malformed("\(path) is \(number.digits.prefix(40)), which \(problem)", impersonal: "\(path) \(problem)")
    }

    private static let cardType = "https://smarthealth.cards#health-card"

    private static func checkTypes(_ types: JSONValue) throws(VerificationFailure) {
        guard let elements = types.elements else { throw malformed("vc.type must be an array of strings") }
        guard elements.contains(where: { $0.isString(cardType) }) else {
            throw malformed("vc.type does not contain \"\(cardType)\", so this is another kind of credential")
        }
    }

    private static func revocationID(_ value: JSONValue) throws(VerificationFailure) -> UTF8Text {
        guard let text = value.string, RevocationID.isWellFormed(text.utf8) else {
            throw malformed(
                "vc.rid must be a string of 1 to \(Bounds.revocationIDLength) characters of the base64url alphabet, "
                    + "but it is not")
        }
        return text
    }

    // MARK: Warnings

    /// The card types that the specification defines, and `VerifiableCredential`.
    package static let knownTypes = [
        cardType, "https://smarthealth.cards#immunization", "https://smarthealth.cards#laboratory",
        "https://smarthealth.cards#covid19", "https://smarthealth.cards#recovery", "VerifiableCredential",
    ]

    /// A warning for each of these optional members that is null.
    private static func nulls(_ members: [(value: JSONValue?, path: String)]) -> [CredentialWarning] {
        members.compactMap { member in
            guard member.value?.isNull == true else { return nil }
            return CredentialWarning(
                .nullMember, "\(member.path) is null, which was read as if it were not there", path: member.path)
        }
    }

    private static func warnings(
        of decoded: DecodedCard, unknownTypes: [UTF8Text], fhirVersion: UTF8Text
    ) -> [CredentialWarning] {
        var warnings: [CredentialWarning] = []
        let header = decoded.header
        if !header.ignoredKeyMembers.isEmpty {
            warnings.add(
                .keyInHeader,
                "the header's \(header.ignoredKeyMembers.joined(separator: ", ")) was ignored: a card cannot bring "
                    + "the key to verify it with")
        }
        if !decoded.claims.payload.isMinified {
            warnings.add(.payloadNotMinified, "the payload has white space between its values")
        }
        for type in unknownTypes {
            warnings.add(.unknownCardType, "the card type \(type.quoted(upTo: 100)) is unknown", path: "vc.type")
        }
        if fhirVersion != usualFHIRVersion, !fhirVersion.hasPrefix("4.0."), !fhirVersion.hasPrefix("1.0.") {
            warnings.add(
                .unknownFHIRVersion,
                "cards use FHIR 4.0.x or 1.0.x, but this card says \(fhirVersion.quoted(upTo: 40))",
                path: "vc.credentialSubject.fhirVersion")
        }
        return warnings
    }

    /// Up to eight card types that the specification does not define, each once.
    private static func unknown(_ types: JSONValue) -> [UTF8Text] {
        var unknown: [JSONValue] = []
        guard let types = types.elements else { return [] }
        for type in types where unknown.count < 8 && type.kind == .string {
            let isKnown = knownTypes.contains { type.isString($0) }
            if !isKnown, !unknown.contains(where: { $0.rawBytes == type.rawBytes }) { unknown.append(type) }
        }
        return unknown.compactMap(\.string)
    }
}

extension UnverifiedCard {
    /// The identifier of the card in revocation lists with the method `hash-fhir` (RFC 002 of the framework, a draft).
    ///
    /// The Bundle in canonical JSON (RFC 8785) is encoded as base64url. The identifier is the first 8 bytes of the SHA-256 hash
    /// of that text, as base64url.
    var bundleHash: UTF8Text {
        let canonical = Base64URL.encode(fhirBundle.canonical)
        return UTF8Text(Base64URL.encode(SHA256.digest(Array(canonical.utf8)).prefix(8)))
    }
}
