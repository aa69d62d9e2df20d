package import Credentials
package import Encodings

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
        let payload = try CWTPayload(payload, with: found)
        issuer = try payload.issuer()
        issued = try payload.issued()
        expires = try payload.expires()
        notBefore = try payload.notBefore()
        _ = try payload.content()
        if found != nil, let problem = payload.keyProblem { throw Self.malformed(problem) }
        var warnings = payload.nullClaims.map {
            CredentialWarning(.nullMember, "\($0.name) is null; it was read as if it were not there")
        }
        if payload.isLenient {
            if !payload.textKeys.isEmpty {
                warnings.add(.claimKeyText, "claims stand under texts, such as \"6\", instead of numbers")
            }
            let late = payload.namesInMilliseconds
            if !late.isEmpty {
                warnings.add(
                    .timeMilliseconds,
                    "\(late.joined(separator: " and ")) in milliseconds; read as such, and not as seconds")
            }
        }
        self.warnings = warnings
    }

    static func malformed(_ problem: String) -> VerificationFailure { VerificationFailure(.malformedPayload, problem) }

    /// The moment of a claim, for reports on tokens with errors; nil if it cannot be read.
    static func lenientDate(_ payload: CBORValue, _ claim: Int64) -> NumericDate? {
        payload[claim]?.decimal.flatMap { NumericDate(decimal: $0) }
    }
}

/// The payload of a CBOR Web Token, whose claims are read one by one.
package struct CWTPayload: Sendable {
    private typealias Claim = CWTClaims.Claim

    private let map: CBORValue
    /// Whether claims may have texts as keys, and be in milliseconds.
    package let isLenient: Bool
    private let requiresExpiry: Bool

    /// Requires that the payload can have claims at all.
    ///
    /// - Parameters:
    ///   - payload: all claims.
    ///   - found: the content that the payload has. Its kind says how strictly the claims are read.
    /// - Throws: `VerificationFailure` with `malformed-payload`.
    package init(_ payload: CBORValue, with found: FoundContent?) throws(VerificationFailure) {
        guard payload.kind == .map else {
            throw CWTClaims.malformed("the payload must be a map, but its type is \(payload.kind.rawValue)")
        }
        map = payload
        isLenient = found?.kind.isLenient == true
        requiresExpiry = found?.kind.requiresExpiry != false
    }

    // MARK: Keys that are texts

    /// The value of a claim; nil if there is none.
    ///
    /// - Throws: `VerificationFailure` if it may have a text as its key, and is there under both.
    private func value(of claim: Int64) throws(VerificationFailure) -> CBORValue? {
        guard isLenient, let named = map["\(claim)"] else { return map[claim] }
        guard map[claim] == nil else { throw Self.doubled(claim) }
        return named
    }

    /// The maps with numbers that have a meaning, and these numbers: the claims, and the contents of a health certificate.
    private var maps: [(map: CBORValue, numbers: [Int64])] {
        let container = Claim.healthCertificate
        return [(map, Claim.all)]
            + [map[container], map.hasTextKeys ? map["\(container)"] : nil].compactMap { map in
                map.map { ($0, HealthContentKind.all.map(\.number)) }
            }
    }

    /// The claims that are read, and the contents, that have texts as keys.
    package var textKeys: [Int64] {
        maps.flatMap { map, numbers in map.hasTextKeys ? numbers.filter { map["\($0)"] != nil } : [] }
    }

    /// What is wrong with the keys of the claims and of the contents; nil if all of them are numbers, or, if that is allowed, all are
    /// texts. Of two keys for one claim, two readers could choose different ones.
    package var keyProblem: String? {
        guard let text = textKeys.first else { return nil }
        let both = maps.flatMap { map, numbers in numbers.filter { map[$0] != nil && map["\($0)"] != nil } }
        if let both = both.first { return Self.doubled(both).message }
        let numbers = maps.flatMap { map, numbers in numbers.filter { map[$0] != nil } }
        guard !isLenient || !numbers.isEmpty else { return nil }
        let other = numbers.first { $0 != text }.map { ", and \($0) under a number" } ?? ""
        return "the claim or content \(text) stands under a text\(other), so two readers could differ"
    }

    private static func doubled(_ claim: Int64) -> VerificationFailure {
        CWTClaims.malformed(
            "the claim \(claim) is there twice, under the number and under a text, so two readers could differ")
    }

    // MARK: Each claim by itself

    /// The claims that some certificates need not have. Null is none.
    private static let optionalClaims: [(number: Int64, name: String)] = [
        (Claim.issuer, "the issuer (claim 1)"), (Claim.expires, "the expiry (claim 4)"),
        (Claim.notBefore, "the start of validity (claim 5)"),
    ]

    /// The claims that are null. If one of them is required, reading it fails.
    package var nullClaims: [(number: Int64, name: String)] {
        Self.optionalClaims.filter { map[$0.number]?.isNull == true || map["\($0.number)"]?.isNull == true }
    }

    /// The value of a claim that need not be there; nil if it is not, or if it is null.
    private func optional(_ claim: Int64) throws(VerificationFailure) -> CBORValue? {
        let value = try value(of: claim)
        return value?.isNull == true ? nil : value
    }

    /// The issuer; nil if there is none.
    package func issuer() throws(VerificationFailure) -> UTF8Text? {
        guard let issuer = try optional(Claim.issuer) else { return nil }
        guard let text = issuer.text else {
            throw CWTClaims.malformed("the issuer (claim 1) must be a text, but its type is \(issuer.kind.rawValue)")
        }
        return UTF8Text(decoding: text)
    }

    /// When the token was issued.
    package func issued() throws(VerificationFailure) -> NumericDate {
        try date(Claim.issued, "the time of issue (claim 6)")
    }

    /// Through which moment the token is valid; nil if that is not given, and its kind need not expire.
    package func expires() throws(VerificationFailure) -> NumericDate? {
        if !requiresExpiry, try optional(Claim.expires) == nil { return nil }
        return try date(Claim.expires, "the expiry (claim 4)")
    }

    /// From when the token is valid; nil if that is not given.
    package func notBefore() throws(VerificationFailure) -> NumericDate? {
        try optional(Claim.notBefore) == nil ? nil : try date(Claim.notBefore, "the start of validity (claim 5)")
    }

    /// The health certificates: a map whose keys are kinds of content.
    package func content() throws(VerificationFailure) -> CBORValue {
        guard let content = try value(of: Claim.healthCertificate) else {
            throw CWTClaims.malformed("there is no health certificate (claim -260)")
        }
        guard content.kind == .map else {
            throw CWTClaims.malformed(
                "the health certificate (claim -260) must be a map, but its type is \(content.kind.rawValue)")
        }
        return content
    }

    // MARK: Dates

    /// The names of the times that are in milliseconds: `iat`, `exp`.
    package var namesInMilliseconds: [String] {
        [("iat", Claim.issued), ("exp", Claim.expires)].filter { _, claim in
            let value = try? value(of: claim)
            return value?.decimal.flatMap { NumericDate(decimal: $0) }?.isPlausiblyMilliseconds == true
        }.map(\.0)
    }

    private func date(_ claim: Int64, _ name: String) throws(VerificationFailure) -> NumericDate {
        guard let value = try value(of: claim) else { throw CWTClaims.malformed("\(name) is missing") }
        guard let decimal = value.decimal else {
            throw CWTClaims.malformed(
                value.float == nil
                    ? "\(name) must be a number of seconds since 1970, but its type is \(value.kind.rawValue)"
                    : "\(name) is not a finite number")
        }
        guard let date = NumericDate(decimal: decimal), let text = date.calendarText, !text.isEmpty else {
            if let date = NumericDate(decimal: decimal), date.isPlausiblyMilliseconds {
                // Only the time of issue and the expiry were seen like this.
                if isLenient, claim != Claim.notBefore { return NumericDate(milliseconds: date) }
                throw CWTClaims.malformed(
                    "\(name) makes sense only in milliseconds; it must be in seconds since 1970")
            }
            throw VerificationFailure(
                .malformedPayload, "\(name) is outside the years 1970 to 9999: \(decimal.quoted(upTo: 40))",
                impersonalMessage: "\(name) is outside the years 1970 to 9999")
        }
        return date
    }
}
