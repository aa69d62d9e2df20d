import JSON
import SMARTHealthCards

extension Rule {
    /// An alias names an issuer that is listed.
    static let canonicalIssuer = Rule(
        "issuer-directory-mismatch", "canonical-issuer", .d1, severity: .warning,
        requirement: "canonical_iss is the URL of another issuer of the directory.",
        remedy: "Correct canonical_iss in the directory, or have the issuer that it names listed.",
        check: .issuer { subject in
            let trusted = subject.policy.trustedIssuers
            guard let canonical = trusted.entry(for: subject.issuer)?.canonicalIssuer else { return [] }
            let words = "the directory's canonical_iss for this issuer, \(canonical.url.quoted()),"
            if canonical == subject.issuer { return [Problem("\(words) is the issuer itself")] }
            do throws(VerificationFailure) {
                _ = try Issuer(canonical.url)
            } catch {
                return [Problem("\(words) is no issuer: \(error.message)")]
            }
            guard trusted.entry(for: canonical) == nil else { return [] }
            return [Problem("\(words) is not listed itself")]
        })
}
