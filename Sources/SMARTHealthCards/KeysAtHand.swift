import JOSE

/// The keys of an issuer that the verifier has without asking it, by its policy and the time alone.
struct KeysAtHand {
    /// Those that it was given; nil for none.
    var given: JWKSet?
    /// Those that recent directories have.
    var listed = JWKSet([JWK]())
    /// When the oldest of these were retrieved.
    var retrieved: NumericDate?
    /// What directories have that is too old to rely on.
    var outdated: [IssuerDirectory.Snapshot] = []
    /// For which moments this holds.
    var span = ValiditySpan()
}
