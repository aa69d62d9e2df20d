import JSON
import SMARTHealthCards

extension Rule {
    /// The directory says who the issuer is.
    static let directoryName = Rule(
        "issuer-directory-mismatch", "name", .d1, severity: .warning,
        requirement: "A directory gives each issuer a name, for people.",
        remedy: "Have a name added to the issuer's entry in the directory.",
        check: .issuer { subject in
            guard let entry = subject.policy.trustedIssuers.entry(for: subject.issuer),
                entry.name?.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) != true
            else { return [] }
            return [Problem("the directory has no name for this issuer")]
        })
}
