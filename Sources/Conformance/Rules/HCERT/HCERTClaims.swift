import Credentials
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of the payload's claims.
    static let hcertClaimRules: [Rule] = [
        claimsPayload, claimsForm, claimsIssuer, claimsIssued, claimsExpires, claimsNotBefore, claimsOrder,
        claimsNumber, claimsContent, unsupportedContent, hcertNotYetValid, hcertExpired,
    ]

    static let claimsPayload = Rule(
        "hcert-claim-error", "payload", "HCERT-P1",
        requirement: "The payload is one map in CBOR (RFC 8949) without equal keys, and nothing follows it.",
        remedy: "Encode the claims with a library for CBOR, and sign exactly these bytes.",
        check: .hcertPayload { payload in
            guard case .failure(let failure) = payload.claims else { return [] }
            return .found(failure.message)
        })

    static let claimsForm = Rule(
        "hcert-claim-error", "form", "HCERT-P1",
        requirement: "Claims and contents stand under numbers, and a claim that is left out is not written as null.",
        remedy: "Encode each claim once, with its number as the key, and leave out what has no value.",
        check: .hcertPayload { payload in
            guard let claims = try? payload.claims.get() else { return [] }
            // Texts around a health link have a rule of their own.
            let problem = claims.found?.kind.isLenient == false ? claims.payload.keyProblem : nil
            // Of a claim that is required, its own rule says it.
            let isRequired = if case .failure = claims.expires { true } else { false }
            let nulls = claims.payload.nullClaims.filter { $0.number != CWTClaims.Claim.expires || !isRequired }
            return [problem].compactMap { $0.map { Problem($0, path: "hcert") } }
                + nulls.map { Problem("\($0.name) is null") }
        })

    static let claimsIssuer = Rule(
        "hcert-claim-error", "iss", "HCERT-P1",
        requirement:
            "`iss` (claim 1) of an EU certificate, if present, is a country as two capital letters (ISO 3166-1), such as AT.",
        remedy: "Write the country's code, or leave out `iss`.",
        check: .hcertPayload { payload in
            switch (try? payload.claims.get())?.issuer {
            case .failure(let failure)?: return .found(failure.message, path: "iss")
            case .success(let issuer?)?:
                // Other contents may have any issuer.
                guard (try? payload.claims.get())?.found?.kind.isIssuedByCountry ?? true else { return [] }
                let isUpperCase = issuer.utf8.allSatisfy { (0x41...0x5A).contains($0) }
                guard !issuer.isCountry || !isUpperCase else { return [] }
                return .found(
                    "`iss` (claim 1) is \(issuer.quoted(upTo: 80)), not a country as two capital letters", path: "iss",
                    severity: issuer.isCountry ? .warning : nil)
            default: return []
            }
        })

    static let claimsIssued = Rule(
        "hcert-claim-error", "iat", "HCERT-P2",
        requirement: "`iat` (claim 6) is there, and is a number of seconds since 1970.",
        remedy: "Write the time of issue in seconds as an integer, without a tag.",
        check: .hcertPayload { payload in
            guard case .failure(let failure)? = (try? payload.claims.get())?.issued else { return [] }
            return .found(failure.message, path: "iat")
        })

    static let claimsExpires = Rule(
        "hcert-claim-error", "exp", "HCERT-P2",
        requirement:
            "`exp` (claim 4) is there, and is a number of seconds since 1970. A vaccination certificate (ICVP) may lack it.",
        remedy: "Write the time of expiry in seconds as an integer, without a tag.",
        check: .hcertPayload { payload in
            // That of a health link is judged with its other times.
            guard case .failure(let failure)? = (try? payload.claims.get())?.expires, payload.link == nil else {
                return []
            }
            return .found(failure.message, path: "exp")
        })

    static let claimsNotBefore = Rule(
        "hcert-claim-error", "nbf", .rfc(8392, "3.1.5"),
        requirement: "`nbf` (claim 5), if present, is a number of seconds since 1970.",
        remedy: "Leave out `nbf`: certificates are valid from `iat` on.",
        check: .hcertPayload { payload in
            guard case .failure(let failure)? = (try? payload.claims.get())?.notBefore else { return [] }
            return .found(failure.message, path: "nbf")
        })

    static let claimsOrder = Rule(
        "hcert-claim-error", "order", "HCERT-P2",
        requirement: "`exp` is later than `iat` and `nbf`.",
        remedy: "Compute `exp` from the time of issue.",
        check: .hcertPayload { payload in
            guard let claims = try? payload.claims.get(), let expires = payload.expires else { return [] }
            let begins: [(name: String, date: NumericDate?)] = [
                ("iat", payload.issued), ("nbf", (try? claims.notBefore.get()) ?? nil),
            ]
            return begins.compactMap { name, begin in
                guard let begin, expires < begin else { return nil }
                return Problem("`exp` is \(expires), which is before `\(name)`, \(begin)", path: "exp")
            }
        })

    /// A warning: verifiers accept floats.
    static let claimsNumber = Rule(
        "hcert-claim-error", "integer", "HCERT-P2", severity: .warning,
        requirement: "`iat` and `exp` are integers.",
        remedy: "Round to seconds, and encode the number as an integer.",
        check: .hcertPayload { payload in
            guard let claims = try? payload.claims.get() else { return [] }
            let dates = [
                ("iat", CWTClaims.Claim.issued, payload.issued), ("exp", CWTClaims.Claim.expires, payload.expires),
            ]
            return dates.compactMap { name, number, date in
                guard date != nil, claims.map[number]?.float != nil else { return nil }
                return Problem("`\(name)` is a float and not an integer", path: name)
            }
        })

    static let claimsContent = Rule(
        "hcert-claim-error", "hcert", "HCERT-P3",
        requirement:
            "`hcert` (claim -260) is a map. In it is an EU Digital COVID Certificate, a map, under the key 1, a vaccination "
            + "certificate of WHO's (ICVP) under -6, or a health link under 5.",
        remedy: "Write {-260: {1: {…}}} with the certificate's content.",
        check: .hcertPayload { payload in
            guard let claims = try? payload.claims.get() else { return [] }
            // WHO's DDCC has its members in the payload.
            guard claims.unsupported == nil else { return [] }
            if case .failure(let failure) = claims.container { return .found(failure.message, path: "hcert") }
            guard case .failure(let failure)? = claims.content else { return [] }
            return .found(failure.message, path: "hcert")
        })

    static let unsupportedContent = Rule(
        "unsupported-credential", "content", "HCERT-P3",
        requirement: "The content of `hcert` (claim -260) is of a kind that is linted here: 1, -6 or 5.",
        remedy: "Check the certificate with a program for its kind.",
        check: .hcertPayload { payload in
            guard let words = (try? payload.claims.get())?.unsupported else { return [] }
            return .found(words, path: "hcert")
        })

    // MARK: Dates that depend on the day

    /// A warning, because it depends on the day.
    static let hcertNotYetValid = Rule(
        "not-yet-valid", "certificate", "HCERT-T1", severity: .warning,
        requirement:
            "A certificate is valid from `iat` on, or from `nbf` if that is later. Verifiers allow no clock skew.",
        remedy: "Use the time of signing from a correct clock.",
        check: .hcertPayload { payload in
            guard let claims = try? payload.claims.get() else { return [] }
            let now = payload.policy.now
            if let issued = payload.issued, issued > now {
                return .found(
                    "the certificate is valid only from \(issued) (`iat`); it was checked for \(now)", path: "iat")
            }
            guard let begin = (try? claims.notBefore.get()) ?? nil, begin > now else { return [] }
            return .found("the certificate is valid only from \(begin) (`nbf`); it was checked for \(now)", path: "nbf")
        })

    /// A warning, because it depends on the day and no requirement is violated.
    static let hcertExpired = Rule(
        "expiration-error", "certificate", "HCERT-T1", severity: .warning,
        requirement: "Verifiers reject a certificate after `exp`.",
        remedy: "Issue a new certificate.",
        check: .hcertPayload { payload in
            guard let expires = payload.expires, expires < payload.policy.now else { return [] }
            return .found(
                "the certificate expired at \(expires) (`exp`); it was checked for \(payload.policy.now)", path: "exp")
        })
}

extension UTF8Text {
    /// Whether the text can be the code of a country: two letters, in upper or lower case.
    var isCountry: Bool { utf8.count == 2 && utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } }
}
