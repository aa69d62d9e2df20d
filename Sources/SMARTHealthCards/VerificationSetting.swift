import FHIR
import JOSE

/// What cards are verified by and with: the same for all that are verified together.
final class VerificationSetting {
    let policy: VerificationPolicy
    let evidence: Evidence
    /// Whether the policy asks what cards record.
    let asksForRecords: Bool
    /// What is remembered from card to card; nil if nothing is.
    let standings: KeyStandings?
    /// OpenSSL's state; nil if each card has its own.
    let context: VerificationContext?

    init(
        policy: VerificationPolicy, evidence: Evidence, standings: KeyStandings? = nil,
        context: VerificationContext? = nil
    ) {
        self.policy = policy
        asksForRecords = policy.recordQuery?.isEmpty == false
        self.evidence = evidence
        self.standings = standings
        self.context = context
    }
}
