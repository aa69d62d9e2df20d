import Credentials
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of the payload's claims.
    static let hcertClaimRules: [Rule] = [
        claimsPayload, claimsForm, claimsIssuer, claimsIssued, claimsExpires, claimsNotBefore, claimsOrder,
        claimsNumber, claimsContent, unsupportedContent, hcertNotYetValid, hcertExpired,
    ]

    static let claimsPayload = Rule("hcert-claim-error/payload", RuleCheck.hcertPayload) { payload in
        guard case .failure(let failure) = payload.claims else { return [] }
        return .found(failure.message)
    }

    static let claimsForm = Rule("hcert-claim-error/form", RuleCheck.hcertPayload) { payload in
        guard let claims = try? payload.claims.get() else { return [] }
        // Texts around a health link have a rule of their own.
        let problem = claims.found?.kind.isLenient == false ? claims.payload.keyProblem : nil
        // Of a claim that is required, its own rule says it.
        let isRequired = if case .failure = claims.expires { true } else { false }
        let nulls = claims.payload.nullClaims.filter { $0.number != CWTClaims.Claim.expires || !isRequired }
        return [problem].compactMap { $0.map { Problem($0, path: "hcert") } }
            + nulls.map { Problem("\($0.name) is null") }
    }

    static let claimsIssuer = Rule("hcert-claim-error/iss", RuleCheck.hcertPayload) { payload in
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
    }

    static let claimsIssued = Rule("hcert-claim-error/iat", RuleCheck.hcertPayload) { payload in
        guard case .failure(let failure)? = (try? payload.claims.get())?.issued else { return [] }
        return .found(failure.message, path: "iat")
    }

    static let claimsExpires = Rule("hcert-claim-error/exp", RuleCheck.hcertPayload) { payload in
        // That of a health link is judged with its other times.
        guard case .failure(let failure)? = (try? payload.claims.get())?.expires, payload.link == nil else {
            return []
        }
        return .found(failure.message, path: "exp")
    }

    static let claimsNotBefore = Rule("hcert-claim-error/nbf", RuleCheck.hcertPayload) { payload in
        guard case .failure(let failure)? = (try? payload.claims.get())?.notBefore else { return [] }
        return .found(failure.message, path: "nbf")
    }

    static let claimsOrder = Rule("hcert-claim-error/order", RuleCheck.hcertPayload) { payload in
        guard let claims = try? payload.claims.get(), let expires = payload.expires else { return [] }
        let begins: [(name: String, date: NumericDate?)] = [
            ("iat", payload.issued), ("nbf", (try? claims.notBefore.get()) ?? nil),
        ]
        return begins.compactMap { name, begin in
            guard let begin, expires < begin else { return nil }
            return Problem("`exp` is \(expires), which is before `\(name)`, \(begin)", path: "exp")
        }
    }

    /// A warning: verifiers accept floats.
    static let claimsNumber = Rule("hcert-claim-error/integer", RuleCheck.hcertPayload) { payload in
        guard let claims = try? payload.claims.get() else { return [] }
        let dates = [
            ("iat", CWTClaims.Claim.issued, payload.issued), ("exp", CWTClaims.Claim.expires, payload.expires),
        ]
        return dates.compactMap { name, number, date in
            guard date != nil, claims.map[number]?.float != nil else { return nil }
            return Problem("`\(name)` is a float and not an integer", path: name)
        }
    }

    static let claimsContent = Rule("hcert-claim-error/hcert", RuleCheck.hcertPayload) { payload in
        guard let claims = try? payload.claims.get() else { return [] }
        // WHO's DDCC has its members in the payload.
        guard claims.unsupported == nil else { return [] }
        if case .failure(let failure) = claims.container { return .found(failure.message, path: "hcert") }
        guard case .failure(let failure)? = claims.content else { return [] }
        return .found(failure.message, path: "hcert")
    }

    static let unsupportedContent = Rule("unsupported-credential/content", RuleCheck.hcertPayload) { payload in
        guard let words = (try? payload.claims.get())?.unsupported else { return [] }
        return .found(words, path: "hcert")
    }

    // MARK: Dates that depend on the day

    /// A warning, because it depends on the day.
    static let hcertNotYetValid = Rule("not-yet-valid/certificate", RuleCheck.hcertPayload) { payload in
        guard let claims = try? payload.claims.get() else { return [] }
        let now = payload.policy.now
        if let issued = payload.issued, issued > now {
            return .found(
                "the certificate is valid only from \(issued) (`iat`); it was checked for \(now)", path: "iat")
        }
        guard let begin = (try? claims.notBefore.get()) ?? nil, begin > now else { return [] }
        return .found("the certificate is valid only from \(begin) (`nbf`); it was checked for \(now)", path: "nbf")
    }

    /// A warning, because it depends on the day and no requirement is violated.
    static let hcertExpired = Rule("expiration-error/certificate", RuleCheck.hcertPayload) { payload in
        guard let expires = payload.expires, expires < payload.policy.now else { return [] }
        return .found(
            "the certificate expired at \(expires) (`exp`); it was checked for \(payload.policy.now)", path: "exp")
    }
}

extension UTF8Text {
    /// Whether the text can be the code of a country: two letters, in upper or lower case.
    var isCountry: Bool { utf8.count == 2 && utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } }
}
