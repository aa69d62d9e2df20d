import JSON
import SMARTHealthCards

extension Rule {
    /// The server answers when it is asked for the key set.
    static let keySetAnswer = Rule(
        "issuer-key-download-error", "no-answer", .k4,
        requirement: "The issuer's key set can be fetched from <iss>/.well-known/jwks.json over https.",
        remedy:
            "Make the key set available at that address to everyone, with a certificate of a public authority, valid for the host, and with the certificates between it and the root.",
        check: .issuer { subject in
            guard let failure = subject.failure, failure.kind != .invalidURL else { return [] }
            let url = subject.answers.keySet.url.quoted()
            guard failure.kind != .unasked else {
                return [
                    Problem("nothing that the issuer publishes was checked: \(failure.message)", severity: .unchecked)
                ]
            }
            return [
                Problem("the key set cannot be fetched from \(url), so nothing in it was looked at: \(failure.message)")
            ]
        })
}
