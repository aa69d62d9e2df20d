import SMARTHealthCards

extension Rule {
    /// The URL that is to be checked is an issuer's.
    static let liveIssuerURL = Rule(
        "invalid-issuer-url", "live-issuer", .k5,
        requirement:
            "An issuer is an https URL without a trailing slash, query or fragment, which /.well-known/jwks.json can be appended to.",
        remedy: "Use the same URL here as in the cards' iss, such as https://issuer.example/path.",
        check: .issuer { subject in
            guard let failure = subject.failure, failure.kind == .invalidURL else { return [] }
            return [Problem(failure.message)]
        })
}
