/// What the verifier says of one card.
public final class Verdict: Sendable {
    /// How the verification ended.
    public enum Outcome: Sendable {
        /// The card is genuine and valid, as far as the policy asks.
        case pass(VerifiedCard)
        /// It is not, and that is final.
        case fail(VerificationFailure)
        /// Something that has to be known could not be fetched; the card may verify later.
        case undetermined(VerificationFailure)
    }

    /// How the verification ended.
    public let outcome: Outcome
    /// The card as it was presented and read.
    public let examined: ExaminedCard
    /// The checks in the order they ran.
    public var checks: [Check] { Check.all(ownChecks, standing) }
    private let ownChecks: [Check]
    /// Why the issuer is trusted, or that it is not.
    public let issuerTrust: IssuerTrust
    /// Where the key was had from; nil if none was sought.
    public let keyOrigin: KeyOrigin?
    /// When the key was had from there; nil if that is not known, or is now.
    public let keyRetrieved: NumericDate?
    /// What the directories say of the issuer; nil if none lists it.
    public let directoryEntry: DirectoryEntry?
    /// What was to be said of the card's key, and holds for every card of that key; nil if it was not asked.
    package let standing: KeyStanding?
    /// What everyone who relies on the card should know.
    public let warnings: [CardWarning]

    init(_ outcome: Outcome, of examined: ExaminedCard, run: VerificationRun) {
        self.outcome = outcome
        self.examined = examined
        ownChecks = run.ownChecks
        issuerTrust = run.trust
        keyOrigin = run.keyOrigin
        keyRetrieved = run.keyRetrieved
        directoryEntry = run.directoryEntry
        standing = run.standing
        warnings = run.warnings
    }

    /// How a check went that is made of the card, not of its key; nil if it is another.
    package func ownStatus(of name: Check.Name) -> Check.Status? { ownChecks.last { $0.name == name }?.status }

    /// Why the card did not verify; nil if it did.
    public var reason: VerificationFailure? {
        switch outcome {
        case .pass: nil
        case .fail(let failure), .undetermined(let failure): failure
        }
    }

    /// The card, where it verified.
    public var verified: VerifiedCard? {
        guard case .pass(let card) = outcome else { return nil }
        return card
    }

    /// `pass`, `fail` or `undetermined`.
    public var name: String {
        switch outcome {
        case .pass: "pass"
        case .fail: "fail"
        case .undetermined: "undetermined"
        }
    }

    /// What the card says, true or not; nil if it could not be read.
    public var claims: CardClaims? { examined.decoded?.claims }
}
