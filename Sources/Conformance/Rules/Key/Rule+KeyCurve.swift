extension Rule {
    /// ES256 is defined on this curve alone (RFC 7518 §3.4).
    static let keyCurve = Rule(
        "invalid-key-wrong-crv", "crv", .k1,
        requirement: "A key that signs cards has \"crv\": \"P-256\".",
        remedy: "Use a key on the curve P-256, and name it so.",
        check: .key { $0.departure(of: "crv", from: "P-256") })
}
