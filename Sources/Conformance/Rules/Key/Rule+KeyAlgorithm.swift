extension Rule {
    /// Verifiers find a key by it; some pass over one without.
    static let keyAlgorithm = Rule(
        "invalid-key-wrong-alg", "alg", .k1,
        requirement: "A key that signs cards has \"alg\": \"ES256\".",
        remedy: "Add \"alg\": \"ES256\" to the key.",
        check: .key { $0.departure(of: "alg", from: "ES256") })
}
