extension Rule {
    /// Keys of other kinds may stand beside it (SHC-K6).
    static let keyType = Rule(
        "invalid-key-wrong-kty", "kty", .k1,
        requirement: "A key that signs cards has \"kty\": \"EC\".",
        remedy: "Publish the elliptic-curve key that cards are signed with; ES256 knows no other kind.",
        check: .key { $0.departure(of: "kty", from: "EC") })
}
