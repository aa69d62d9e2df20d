import SMARTHealthCards

extension Rule {
    /// Without keys nobody can verify the card. An issuer that is not trusted is not asked.
    static let cardKeySet = Rule(
        "issuer-key-download-error", "keys", .k4,
        requirement: "The issuer's key set is published at <iss>/.well-known/jwks.json.",
        remedy: "Publish the key set there for anyone, by https; or give it with --jwks.",
        check: .card { card in
            guard case .failure(let failure) = card.keys else { return [] }
            guard failure.isUnasked else { return [Problem(failure.message)] }
            // Who gives keys means the card to verify under one of them.
            guard card.policy.givenKeys.isEmpty else {
                return [Problem("the keys that were given are other issuers': \(failure.message)")]
            }
            return [
                Problem("neither the key nor the signature was checked: \(failure.message)", severity: .unchecked)
            ]
        })
}
