import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// Only where lists or anchors are given. Lists add up, and issuers are compared exactly.
    static let cardTrust = Rule(
        "issuer-not-trusted", "issuer", .d1,
        requirement: "The issuer is on one of the lists of trusted issuers, or its key has a certificate that an "
            + "anchor vouches for.",
        remedy: "Apply to the directory, with the URL exactly as iss has it; or give the list that the issuer is on.",
        check: .card { card in
            guard case .untrusted(let objection) = card.trust, let issuer = card.issuer else { return [] }
            let trusted = card.policy.trustedIssuers
            var words = "the issuer \(issuer.url.quoted())"
            if trusted.hasLists { words += " is on none of the lists of trusted issuers" }
            if let near = trusted.nearMiss(of: issuer) { words += "; \(near)" }
            if let objection {
                words += trusted.hasLists ? ", and" : " is not trusted:"
                words +=
                    objection.reason == .noCertificate
                    ? " its key has no certificate that could vouch for it" : " \(objection.message)"
            }
            return [Problem(words)]
        })
}
