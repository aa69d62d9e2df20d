package import CBOR
package import Credentials
package import StrictJSON

/// The claims of a CBOR Web Token with a health certificate (RFC 8392 §3, HCERT §3.3).
package struct CWTClaims: Sendable {
    /// The issuer (claim 1); nil if there is none.
    let issuer: UTF8Text?
    /// When the token was issued (claim 6).
    let issued: NumericDate
    /// Through which moment the token is valid (claim 4). The moment itself is included. Nil if that is not given.
    let expires: NumericDate?
    /// From when the token is valid (claim 5); nil if that is not given.
    let notBefore: NumericDate?
    /// Deviations that are only allowed for lenient kinds of content.
    let warnings: [CredentialWarning]

    /// From when the token is valid.
    var begin: NumericDate { max(issued, notBefore ?? issued) }

    /// The numbers of the claims.
    package enum Claim {
        package static let issuer: Int64 = 1
        package static let expires: Int64 = 4
        package static let notBefore: Int64 = 5
        package static let issued: Int64 = 6
        package static let healthCertificate: Int64 = -260
        /// All claims that are read.
        static let all = [issuer, expires, notBefore, issued, healthCertificate]
    }

    /// Reads the claims, strictly.
    ///
    /// - Parameter found: the content that the payload has.
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    init(_ payload: CBORValue, with found: FoundContent?) throws(VerificationFailure) {
        try Self.requireMap(payload)
        let isLenient = found?.kind.isLenient == true
        issuer = try Self.issuer(in: payload, lenient: isLenient)
        issued = try Self.issued(in: payload, lenient: isLenient)
        expires =
            found?.kind.requiresExpiry == false
            ? try Self.optionalExpires(in: payload) : try Self.expires(in: payload, lenient: isLenient)
        notBefore = try Self.notBefore(in: payload, lenient: isLenient)
        _ = try Self.content(in: payload, lenient: isLenient)
        if let found, let problem = Self.keyProblem(in: payload, lenient: found.kind.isLenient) {
            throw Self.malformed(problem)
        }
        var warnings = Self.nullClaims(in: payload).map {
            CredentialWarning(.nullMember, "\($0.name) is null; it was read as if it were not there")
        }
        if isLenient {
            if !Self.textKeys(in: payload).isEmpty {
                warnings.append(
                    CredentialWarning(.claimKeyText, "claims stand under texts, such as \"6\", instead of numbers"))
            }
            let late = Self.namesInMilliseconds(payload)
            if !late.isEmpty {
                warnings.append(
                    CredentialWarning(
                        .timeMilliseconds,
                        "\(late.joined(separator: " and ")) in milliseconds; read as such, and not as seconds"))
            }
        }
        self.warnings = warnings
    }

    static func malformed(_ problem: String) -> VerificationFailure { VerificationFailure(.malformedPayload, problem) }

    // MARK: Keys that are texts

    /// The value of a claim; nil if there is none.
    ///
    /// - Parameter lenient: whether the claim may stand under a text.
    /// - Throws: `VerificationFailure` if it stands under both.
    private static func value(
        _ claim: Int64, in payload: CBORValue, lenient: Bool
    ) throws(VerificationFailure) -> CBORValue? {
        guard lenient, let named = payload["\(claim)"] else { return payload[claim] }
        guard payload[claim] == nil else { throw doubled(claim) }
        return named
    }

    /// The maps with numbers that have a meaning, and these numbers: the claims, and the contents of a health certificate.
    private static func maps(in payload: CBORValue) -> [(map: CBORValue, numbers: [Int64])] {
        let container = Claim.healthCertificate
        return [(payload, Claim.all)]
            + [payload[container], payload.hasTextKeys ? payload["\(container)"] : nil].compactMap { map in
                map.map { ($0, HealthContentKind.all.map(\.number)) }
            }
    }

    /// The claims that are read, and the contents, that stand under texts.
    package static func textKeys(in payload: CBORValue) -> [Int64] {
        maps(in: payload).flatMap { map, numbers in
            map.hasTextKeys ? numbers.filter { map["\($0)"] != nil } : []
        }
    }

    /// What is wrong with the keys of the claims and of the contents; nil if all of them are numbers, or, if that is allowed, all are
    /// texts. Of two keys for one claim, two readers could choose different ones.
    ///
    /// - Parameter lenient: whether all of them may be texts.
    package static func keyProblem(in payload: CBORValue, lenient: Bool) -> String? {
        let texts = textKeys(in: payload)
        guard let text = texts.first else { return nil }
        let numbers = maps(in: payload).flatMap { map, numbers in numbers.filter { map[$0] != nil } }
        if let both = texts.first(where: numbers.contains) { return doubled(both).message }
        guard !lenient || !numbers.isEmpty else { return nil }
        return "the claim or content \(text) stands under a text"
            + (numbers.first.map { ", and \($0) under a number" } ?? "") + ", so two readers could differ"
    }

    private static func doubled(_ claim: Int64) -> VerificationFailure {
        malformed("the claim \(claim) is there twice, under the number and under a text, so two readers could differ")
    }

    // MARK: Each claim by itself

    /// Requires that the payload can have claims at all.
    package static func requireMap(_ payload: CBORValue) throws(VerificationFailure) {
        guard payload.kind == .map else {
            throw malformed("the payload must be a map, but its type is \(payload.kind.rawValue)")
        }
    }

    /// The claims that some certificates need not have. Null is none.
    private static let optionalClaims: [(number: Int64, name: String)] = [
        (Claim.issuer, "the issuer (claim 1)"), (Claim.expires, "the expiry (claim 4)"),
        (Claim.notBefore, "the start of validity (claim 5)"),
    ]

    /// The claims that are null. If one of them is required, reading it fails.
    package static func nullClaims(in payload: CBORValue) -> [(number: Int64, name: String)] {
        optionalClaims.filter { payload[$0.number]?.isNull == true || payload["\($0.number)"]?.isNull == true }
    }

    /// The value of a claim that need not be there; nil if it is not, or if it is null.
    private static func optional(
        _ claim: Int64, in payload: CBORValue, lenient: Bool
    ) throws(VerificationFailure) -> CBORValue? {
        let value = try value(claim, in: payload, lenient: lenient)
        return value?.isNull == true ? nil : value
    }

    /// The issuer; nil if there is none.
    package static func issuer(
        in payload: CBORValue, lenient: Bool = false
    ) throws(VerificationFailure) -> UTF8Text? {
        guard let issuer = try optional(Claim.issuer, in: payload, lenient: lenient) else { return nil }
        guard let text = issuer.text else {
            throw malformed("the issuer (claim 1) must be a text, but its type is \(issuer.kind.rawValue)")
        }
        return UTF8Text(decoding: text)
    }

    /// When the token was issued.
    package static func issued(
        in payload: CBORValue, lenient: Bool = false
    ) throws(VerificationFailure) -> NumericDate {
        try date(payload, Claim.issued, "the time of issue (claim 6)", lenient: lenient)
    }

    /// Through which moment the token is valid.
    package static func expires(
        in payload: CBORValue, lenient: Bool = false
    ) throws(VerificationFailure) -> NumericDate {
        try date(payload, Claim.expires, "the expiry (claim 4)", lenient: lenient)
    }

    /// Through which moment a token of a kind that need not expire is valid; nil if that is not given.
    package static func optionalExpires(in payload: CBORValue) throws(VerificationFailure) -> NumericDate? {
        try optional(Claim.expires, in: payload, lenient: false) == nil ? nil : try expires(in: payload)
    }

    /// From when the token is valid; nil if that is not given.
    package static func notBefore(
        in payload: CBORValue, lenient: Bool = false
    ) throws(VerificationFailure) -> NumericDate? {
        try optional(Claim.notBefore, in: payload, lenient: lenient) == nil
            ? nil : try date(payload, Claim.notBefore, "the start of validity (claim 5)", lenient: lenient)
    }

    /// The health certificates: a map whose keys are kinds of content.
    package static func content(
        in payload: CBORValue, lenient: Bool = false
    ) throws(VerificationFailure) -> CBORValue {
        guard let content = try value(Claim.healthCertificate, in: payload, lenient: lenient) else {
            throw malformed("there is no health certificate (claim -260)")
        }
        guard content.kind == .map else {
            throw malformed(
                "the health certificate (claim -260) must be a map, but its type is \(content.kind.rawValue)")
        }
        return content
    }

    // MARK: Dates

    /// The names of the times that are in milliseconds: `iat`, `exp`.
    package static func namesInMilliseconds(_ payload: CBORValue) -> [String] {
        [("iat", Claim.issued), ("exp", Claim.expires)].filter { claim in
            (try? rawDate(payload, claim.1, lenient: true))?.isPlausiblyMilliseconds == true
        }.map(\.0)
    }

    /// The number of a claim, as it stands.
    private static func rawDate(
        _ payload: CBORValue, _ claim: Int64, lenient: Bool
    ) throws(VerificationFailure) -> NumericDate? {
        try value(claim, in: payload, lenient: lenient)?.decimal.flatMap { NumericDate(decimal: $0) }
    }

    private static func date(
        _ payload: CBORValue, _ claim: Int64, _ name: String, lenient: Bool
    ) throws(VerificationFailure) -> NumericDate {
        guard let value = try value(claim, in: payload, lenient: lenient) else { throw malformed("\(name) is missing") }
        guard let decimal = value.decimal else {
            throw malformed(
                value.float == nil
                    ? "\(name) must be a number of seconds since 1970, but its type is \(value.kind.rawValue)"
                    : "\(name) is not a finite number")
        }
        guard let date = NumericDate(decimal: decimal), let text = date.calendarText, !text.isEmpty else {
            if let date = NumericDate(decimal: decimal), date.isPlausiblyMilliseconds {
                // Only the time of issue and the expiry were seen like this.
                if lenient, claim != Claim.notBefore { return NumericDate(milliseconds: date) }
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
