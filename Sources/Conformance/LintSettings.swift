import Credentials
import SMARTHealthCards

/// The settings of a run, and what follows from them alone. All that is linted shares them, since they are large.
final class LintSettings: Sendable {
    let policy: LintPolicy
    /// The same settings, as verification takes them.
    let verification: CardPolicy
    /// What speaks against keys and cards in everything that was given.
    let counterEvidence: Revocations
    /// Whether what is linted is what a patient's app shares.
    let isOfPatientApp: Bool

    /// The rules of Bundles: all, those that need no departure from the structure, those that need none from HL7's guide, and those that
    /// need neither.
    private let bundleRules: [[(rule: Rule, check: RuleSubject<BundleSubject>.Check)]]

    init(_ policy: LintPolicy) {
        self.policy = policy
        verification = policy.verification
        counterEvidence = verification.counterEvidence
        let isOfPatientApp = policy.profiles.contains(.patientApp)
        self.isOfPatientApp = isOfPatientApp
        let rules = RuleCheck.bundle.checks.filter { rule, _ in
            guard case .profile(let profile) = rule.check.need else { return true }
            return policy.profiles.contains(profile)
        }
        bundleRules = [[], [.structure], [.guide], [.structure, .guide]].map { (needs: [RuleNeed]) in
            rules.filter { !needs.contains($0.rule.check.need) }
        }
    }

    /// Whether a rule is applied. What a patient's app shares is no card.
    func applies(_ rule: Rule) -> Bool { !isOfPatientApp || !rule.citation.isOfHealthCards }

    /// The rules that may find something in a Bundle.
    func rules(of bundle: BundleSubject) -> [(rule: Rule, check: RuleSubject<BundleSubject>.Check)] {
        bundleRules[(bundle.structure.isEmpty ? 1 : 0) + (bundle.departsFromGuide ? 0 : 2)]
    }
}
