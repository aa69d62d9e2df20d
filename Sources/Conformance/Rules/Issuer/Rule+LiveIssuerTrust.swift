import JSON
import SMARTHealthCards

extension Rule {
    /// The issuer is in the directory that was given.
    static let liveIssuerTrust = Rule(
        "issuer-not-trusted", "live-issuer", .d1,
        requirement:
            "An issuer that verifiers are to trust is listed in their directory, by exactly the URL in its cards.",
        remedy: "Have the issuer listed, or correct its URL there or here.",
        check: .issuer { subject in
            let trusted = subject.policy.trustedIssuers
            guard trusted.hasLists, trusted.trust(in: subject.issuer) == nil else { return [] }
            let near = trusted.nearMiss(of: subject.issuer).map { "; \($0)" } ?? ""
            return [Problem("no directory lists \(subject.issuer.url.quoted())\(near)")]
        })
}
