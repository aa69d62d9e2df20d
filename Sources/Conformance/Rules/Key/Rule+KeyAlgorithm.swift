import JSON

extension Rule {
    /// Verifiers find a key by it; some pass over one without.
    static let keyAlgorithm = Rule(
        "invalid-key-wrong-alg", "alg", .k1,
        requirement: "A key that signs cards has \"alg\": \"ES256\".",
        remedy: "Sign cards with ES256 and a key on P-256, and write \"alg\": \"ES256\" into it.",
        check: .key { key in
            // What a key of another kind lacks is not this.
            guard key.value["alg"] != nil || key.mayBeOnP256 else { return [] }
            return key.departure(of: "alg", from: "ES256")
        })
}
