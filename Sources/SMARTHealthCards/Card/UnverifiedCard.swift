package import Credentials
package import Cryptography
package import Encodings

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
