public import Credentials
package import Cryptography
public import FHIR

/// The rules by which cards are verified: the moment, the trusted issuers, given keys and lists, and required records.
public struct CardPolicy: Sendable {
    /// The moment for which cards are verified.
    public var now: NumericDate
    /// The trusted issuers. If it is empty and no keys are given, trust is not checked.
    public var trustedIssuers = TrustedIssuers()
    /// Whether a card fails if there are neither lists of trusted issuers nor given keys for its issuer.
    public var requiresTrust = true
    /// Whether a card fails (`ReasonCode.revocationUnavailable`) if a list could have revoked it and there was none to look it up in.
    public var requiresRevocation = false
    /// Whether to try the issuer's other keys if the key that a card names does not exist, to give a hint in the message.
    public var hintsAtOtherKeys = true
    /// Keys to use instead of those that issuers publish. If there is no list of trusted issuers, only cards that verify with
    /// them can pass.
    public var givenKeys = GivenKeys()
    /// The patients' apps whose attestations are checked. Keys that were given for one of them are no keys of cards; see `isAppAlone`.
    package var apps: Set<Issuer> = []
    /// Whether keys that were given for every issuer are used even if several issuers are trusted by name. That is only right if
    /// nobody relies on the result, as in lint.
    package var mayGuessOwnersOfKeys = false
    /// The largest age of keys in a directory, from the time at which the directory retrieved them; nil for any age.
    public var maximumDirectoryAge: Duration?
    /// Whether nothing can be fetched.
    public var isOffline = false
    /// Revocation lists to use instead of those that issuers publish. Several lists of one key are combined.
    package var givenLists: [RevocationList] = []
    /// The keys whose private half is published in what was given for other kinds of credential, such as `TrustedSigners.compromisedKeys`.
    /// They verify nothing.
    package var compromisedElsewhere = CompromisedKeys()

    /// The records that a card must contain; nil if any records will do.
    public var recordQuery: RecordQuery?
    /// Names for codes, with the subjects that codes belong to.
    public var codeNames = CodeNames.builtIn

    /// Whether the policy insists that revocation is checked.
    var revocationRequirement: RevocationRequirement { requiresRevocation ? .required : .notAsked }

    /// The moment at which the ages of directories are counted; nil if it is `now`. It differs from `now` if cards are verified as of
    /// another time than that of the clock.
    package var listsAreJudgedAt: NumericDate?

    /// Creates a policy that trusts nobody yet, uses published keys and lists, and requires no records.
    package init(now: NumericDate) {
        self.now = now
    }
}

/// The policy, the evidence and the caches for cards that are verified together.
final class VerificationSetting {
    let policy: CardPolicy
    let evidence: EvidenceAnswers
    /// Whether the policy requires records.
    let asksForRecords: Bool
    /// The statuses of keys from earlier cards; nil if they are not cached.
    let statuses: KeyStatusCache?
    /// OpenSSL's state, shared by the cards; nil if each card creates its own.
    let context: VerificationContext?

    init(
        policy: CardPolicy, evidence: EvidenceAnswers, statuses: KeyStatusCache? = nil,
        context: VerificationContext? = nil
    ) {
        self.policy = policy
        asksForRecords = policy.recordQuery?.isEmpty == false
        self.evidence = evidence
        self.statuses = statuses
        self.context = context
    }
}
