extension Rule {
    /// Verifiers find a key by it; some pass over one without.
    static let keyUse = Rule(
        "invalid-key-wrong-use", "use", .k1,
        requirement: "A key that signs cards has \"use\": \"sig\".",
        remedy: "Add \"use\": \"sig\" to the key.",
        check: .key { $0.departure(of: "use", from: "sig") })
}
