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

    /// The rules of Bundles, but those of profiles that were not asked for, by what they need.
    private let bundleRules: [[(rule: Rule, check: RuleSubject<BundleSubject>.Check)]]
    /// The profiles that were asked for, but that of a patient's app.
    private let profiles: [Profile]
    /// The profile of a patient's app, if it was asked for.
    private let patientApp: Profile?

    init(_ policy: LintPolicy) {
        self.policy = policy
        verification = policy.verification
        counterEvidence = verification.counterEvidence
        let isOfPatientApp = policy.profiles.contains(.patientApp)
        self.isOfPatientApp = isOfPatientApp
        let own = policy.ownProfiles
        profiles =
            policy.profiles.filter { $0 != .patientApp }.compactMap { ProfileFile.profile($0) } + own.map(\.profile)
        patientApp = isOfPatientApp ? ProfileFile.profile(.patientApp) : nil
        let rules =
            RuleCheck.bundle.checks.filter { rule, _ in
                guard case .profile(let profile) = rule.check.need else { return true }
                return policy.profiles.contains(profile)
            } + own.flatMap(\.rules).compactMap { rule in RuleCheck.bundle.check(of: rule).map { (rule, $0) } }
        let needs: [RuleNeed] = [.structure, .rows]
        bundleRules = (0..<4).map { met in
            rules.filter { rule in needs.indices.allSatisfy { met & 1 << $0 != 0 || rule.rule.check.need != needs[$0] }
            }
        }
    }

    /// The profiles for a Bundle, which is that of a card or what a patient's app shares.
    func profiles(isShared: Bool) -> [Profile] { isShared ? profiles + [patientApp].compactMap(\.self) : profiles }

    /// Whether a rule is applied. What a patient's app shares is not a card.
    func applies(_ rule: Rule) -> Bool { !isOfPatientApp || !rule.citation.isOfHealthCards }

    /// The rules that may find something in a Bundle.
    func rules(of bundle: BundleSubject) -> [(rule: Rule, check: RuleSubject<BundleSubject>.Check)] {
        bundleRules[(bundle.structure.isEmpty ? 0 : 1) + (bundle.departsFromRows ? 2 : 0)]
    }
}
