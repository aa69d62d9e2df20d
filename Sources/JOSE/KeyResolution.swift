/// What a key set has to say about a key id.
public enum KeyResolution: Sendable {
    /// The keys of that id that may verify, at least one, no two the same. Ids ought to be of one key each, and are
    /// not always.
    case found([P256PublicKey])
    /// The set has no key of that id.
    case absent
    /// The set has that id, but no key of it may verify. The error is `privateKey` where the private half of one is
    /// published, else that of the first.
    case unusable(JWKError)
}
