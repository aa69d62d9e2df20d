import Deflate
public import JOSE
public import JSON

/// A card whose form is in order. Nothing in it has been verified: what it says is the holder's claim.
public final class UnverifiedCard: Sendable {
    /// The card taken apart.
    public let decoded: DecodedCard
    /// The JWS with the bytes that are signed.
    public var jws: CompactJWS { decoded.jws }
    /// The JWS header; its key id names the key.
    public var header: JOSEHeader { decoded.header }
    /// The payload's members, as the payload has them.
    public var claims: CardClaims { decoded.claims }
    /// The issuer that the card names (SHC-K5).
    public let issuer: Issuer
    /// When the card was issued; it is not valid before (RFC 7519 §4.1.5).
    public let issued: NumericDate
    /// When the card ceases to be valid (RFC 7519 §4.1.4); nil for a card that does not expire.
    public let expires: NumericDate?
    /// The card's types, an array (`vc.type`).
    package let types: JSONValue
    /// The FHIR Bundle.
    public let fhirBundle: JSONValue
    /// The version of FHIR, such as `4.0.1`.
    public let fhirVersion: UTF8Text
    /// What a revocation list names the card by.
    public let revocationID: UTF8Text?
    /// What in it departs from the specification, harmlessly.
    public let warnings: [CardWarning]

    /// Checks the form of a decoded card.
    ///
    /// - Parameter recent: what earlier cards had alike.
    /// - Throws: `VerificationFailure` of exit code 10.
    init(_ decoded: DecodedCard, recent: RecentForms?) throws(VerificationFailure) {
        self.decoded = decoded
        let payload = decoded.claims.payload
        issuer = try Self.issuer(payload["iss"], recent)
        issued = try Self.date(payload["nbf"], "nbf", toleratesMilliseconds: true)
        let expiry = payload["exp"]
        expires = try expiry.flatMap { value throws(VerificationFailure) in
            value.isNull ? nil : try Self.date(value, "exp", toleratesMilliseconds: false)
        }
        let credential = try Self.object(payload["vc"], "vc")
        types = try Self.value(credential["type"], "vc.type")
        let areKnown = recent?.areKnown(types.rawBytes) == true
        if !areKnown { try Self.checkTypes(types) }
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
        let unknownTypes = areKnown ? [] : Self.unknown(types)
        if !areKnown, unknownTypes.isEmpty { recent?.keepKnown(types.rawBytes) }
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
            throw malformed("\(path) is a string, and here it is of type \(value.kind.rawValue)")
        }
        return string
    }

    /// The version that nearly all cards have.
    private static let usualFHIRVersion: UTF8Text = "4.0.1"

    private static func fhirVersion(_ value: JSONValue?) throws(VerificationFailure) -> UTF8Text {
        // Is known without a string being made of it.
        if value?.isString("4.0.1") == true { return usualFHIRVersion }
        return try string(value, "vc.credentialSubject.fhirVersion")
    }

    private static func issuer(
        _ value: JSONValue?, _ recent: RecentForms?
    ) throws(VerificationFailure) -> Issuer {
        let bytes = value?.plainStringBytes
        if let bytes, let known = recent?.issuer(bytes) { return known }
        let issuer = try Issuer(string(value, "iss"))
        if let bytes { recent?.keep(issuer, of: bytes) }
        return issuer
    }

    private static func object(_ value: consuming JSONValue?, _ path: String) throws(VerificationFailure) -> JSONValue {
        let value = try Self.value(value, path)
        guard value.kind == .object else {
            throw malformed("\(path) is an object, and here it is of type \(value.kind.rawValue)")
        }
        return value
    }

    /// A NumericDate (SHC-P1). Outside the years 1970 to 9999 it is a mistake; milliseconds are one that is met so
    /// often that an `nbf` of them is left to the check of validity, which says so.
    private static func date(
        _ value: JSONValue?, _ path: String, toleratesMilliseconds: Bool
    ) throws(VerificationFailure) -> NumericDate {
        let value = try Self.value(value, path)
        let date = NumericDate(value)
        if let date, NumericDate.range.contains(date) { return date }
        guard let number = value.number else {
            throw malformed("\(path) is a number of seconds since 1970, and here it is of type \(value.kind.rawValue)")
        }
        if let date, date.isPlausiblyMilliseconds {
            if toleratesMilliseconds { return date }
            let problem = "makes sense only as milliseconds; dates are in seconds since 1970"
            throw malformed(
                "\(path) is \(number.digits.prefix(40)), which \(problem)", impersonal: "\(path) \(problem)")
        }
        let problem = "as seconds since 1970 lies outside the years 1970 to 9999"
        throw malformed("\(path) is \(number.digits.prefix(40)), which \(problem)", impersonal: "\(path) \(problem)")
    }

    private static let cardType = "https://smarthealth.cards#health-card"

    private static func checkTypes(_ types: JSONValue) throws(VerificationFailure) {
        guard let elements = types.elements else { throw malformed("vc.type is an array of strings") }
        guard elements.contains(where: { $0.isString(cardType) }) else {
            throw malformed("vc.type does not hold \"\(cardType)\", so this is another kind of credential")
        }
    }

    private static func revocationID(_ value: JSONValue) throws(VerificationFailure) -> UTF8Text {
        guard let text = value.string, RevocationID.isWellFormed(text.utf8) else {
            throw malformed(
                "vc.rid is a string of 1 to \(Bounds.revocationIDLength) characters of the base64url alphabet, "
                    + "and here it is not")
        }
        return text
    }

    // MARK: Warnings

    package static let knownTypes = [
        cardType, "https://smarthealth.cards#immunization", "https://smarthealth.cards#laboratory",
        "https://smarthealth.cards#covid19", "https://smarthealth.cards#recovery", "VerifiableCredential",
    ]

    /// Members that may be left out, and are null.
    private static func nulls(_ members: [(value: JSONValue?, path: String)]) -> [CardWarning] {
        members.compactMap { member in
            guard member.value?.isNull == true else { return nil }
            return CardWarning(
                .nullMember, "\(member.path) is null, which was read as if it were not there", path: member.path)
        }
    }

    private static func warnings(
        of decoded: DecodedCard, unknownTypes: [UTF8Text], fhirVersion: UTF8Text
    ) -> [CardWarning] {
        var warnings: [CardWarning] = []
        let header = decoded.header
        if !header.ignoredKeyMembers.isEmpty {
            warnings.append(
                CardWarning(
                    .keyInHeader,
                    "the header's \(header.ignoredKeyMembers.joined(separator: ", ")) was not looked at: a card cannot "
                        + "bring the key it is verified with"))
        }
        if !decoded.claims.payload.isMinified {
            warnings.append(CardWarning(.payloadNotMinified, "the payload has white space between its values"))
        }
        for type in unknownTypes {
            warnings.append(
                CardWarning(.unknownCardType, "the type \(type.quoted(upTo: 100)) is not known", path: "vc.type"))
        }
        if fhirVersion != usualFHIRVersion, !fhirVersion.hasPrefix("4.0."), !fhirVersion.hasPrefix("1.0.") {
            warnings.append(
                CardWarning(
                    .unknownFHIRVersion,
                    "cards use FHIR 4.0.x or 1.0.x; this says \(fhirVersion.quoted(upTo: 40))",
                    path: "vc.credentialSubject.fhirVersion"))
        }
        return warnings
    }

    /// Card types that the specification does not name, each once. The first few will do.
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
