package import CBOR
package import Credentials
package import StrictJSON

/// The claims of a CBOR Web Token with a health certificate (RFC 8392 §3, HCERT §3.3).
package struct CWTClaims: Sendable {
    /// The issuer (claim 1); nil if there is none.
    let issuer: UTF8Text?
    /// When the token was issued (claim 6).
    let issued: NumericDate
    /// Through which moment the token is valid (claim 4). The moment itself is included.
    let expires: NumericDate
    /// From when the token is valid (claim 5); nil if that is not given.
    let notBefore: NumericDate?
    /// The health certificates (claim -260): a map whose keys are kinds of content.
    let content: CBORValue

    /// The numbers of the claims.
    package enum Claim {
        package static let issuer: Int64 = 1
        package static let expires: Int64 = 4
        package static let notBefore: Int64 = 5
        package static let issued: Int64 = 6
        package static let healthCertificate: Int64 = -260
    }

    /// Reads the claims, strictly.
    ///
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    init(_ payload: CBORValue) throws(VerificationFailure) {
        try Self.requireMap(payload)
        issuer = try Self.issuer(in: payload)
        issued = try Self.issued(in: payload)
        expires = try Self.expires(in: payload)
        notBefore = try Self.notBefore(in: payload)
        content = try Self.content(in: payload)
    }

    static func malformed(_ problem: String) -> VerificationFailure { VerificationFailure(.malformedPayload, problem) }

    // MARK: Each claim by itself

    /// Requires that the payload can have claims at all.
    package static func requireMap(_ payload: CBORValue) throws(VerificationFailure) {
        guard payload.kind == .map else {
            throw malformed("the payload must be a map, but its type is \(payload.kind.rawValue)")
        }
    }

    /// The issuer; nil if there is none.
    package static func issuer(in payload: CBORValue) throws(VerificationFailure) -> UTF8Text? {
        guard let issuer = payload[Claim.issuer] else { return nil }
        guard let text = issuer.text else {
            throw malformed("the issuer (claim 1) must be a text, but its type is \(issuer.kind.rawValue)")
        }
        return UTF8Text(decoding: text)
    }

    /// When the token was issued.
    package static func issued(in payload: CBORValue) throws(VerificationFailure) -> NumericDate {
        try date(payload, Claim.issued, "the time of issue (claim 6)")
    }

    /// Through which moment the token is valid.
    package static func expires(in payload: CBORValue) throws(VerificationFailure) -> NumericDate {
        try date(payload, Claim.expires, "the expiry (claim 4)")
    }

    /// From when the token is valid; nil if that is not given.
    package static func notBefore(in payload: CBORValue) throws(VerificationFailure) -> NumericDate? {
        payload[Claim.notBefore] == nil
            ? nil : try date(payload, Claim.notBefore, "the start of validity (claim 5)")
    }

    /// The health certificates.
    package static func content(in payload: CBORValue) throws(VerificationFailure) -> CBORValue {
        guard let content = payload[Claim.healthCertificate] else {
            throw malformed("there is no health certificate (claim -260)")
        }
        guard content.kind == .map else {
            throw malformed(
                "the health certificate (claim -260) must be a map, but its type is \(content.kind.rawValue)")
        }
        return content
    }

    // MARK: Dates

    private static func date(
        _ payload: CBORValue, _ claim: Int64, _ name: String
    ) throws(VerificationFailure) -> NumericDate {
        guard let value = payload[claim] else { throw malformed("\(name) is missing") }
        guard let decimal = value.decimal else {
            throw malformed(
                value.float == nil
                    ? "\(name) must be a number of seconds since 1970, but its type is \(value.kind.rawValue)"
                    : "\(name) is not a finite number")
        }
        guard let date = NumericDate(decimal: decimal), let text = date.calendarText, !text.isEmpty else {
            if let date = NumericDate(decimal: decimal), date.isPlausiblyMilliseconds {
                throw malformed("\(name) makes sense only in milliseconds; it must be in seconds since 1970")
            }
            throw VerificationFailure(
                .malformedPayload, "\(name) is outside the years 1970 to 9999: \(decimal.quoted(upTo: 40))",
                impersonalMessage: "\(name) is outside the years 1970 to 9999")
        }
        return date
    }

    /// The moment of a claim, for reports on tokens with errors; nil if it cannot be read.
    static func lenientDate(_ payload: CBORValue, _ claim: Int64) -> NumericDate? {
        payload[claim]?.decimal.flatMap { NumericDate(decimal: $0) }
    }
}
