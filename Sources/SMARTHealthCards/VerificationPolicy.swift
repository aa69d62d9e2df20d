public import FHIR

/// What a card is verified by: the moment, whom to trust, and what the verifier brings along.
public struct VerificationPolicy: Sendable {
    /// The moment for which the card is verified.
    public var now: NumericDate
    /// Whom to trust. Empty: trust is not judged.
    public var trustedIssuers = TrustedIssuers()
    /// Whether a card may pass only where something says that its issuer is trusted: a list, or keys that were given.
    public var requiresTrust = false
    /// Whether to look for a key that a card verifies under in place of the one it names, to hint at it.
    public var hintsAtOtherKeys = true
    /// Keys to use instead of those that issuers publish.
    public var givenKeys = GivenKeys()
    /// How long ago a directory may have retrieved an issuer's keys for them to be relied on; nil for any time.
    public var maximumDirectoryAge: Duration?
    /// Whether nothing can be fetched, so that what is at hand is all there is.
    public var isOffline = false
    /// Revocation lists to apply instead of those that issuers publish. Several of one key add up.
    public var givenLists: [RevocationList] = []

    /// What the card has to record; nil for anything.
    public var recordQuery: RecordQuery?
    /// Names for codes, and what they are about.
    public var codeNames = CodeNames.builtIn

    public init(now: NumericDate) {
        self.now = now
    }
}
