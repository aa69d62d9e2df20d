package import Credentials
package import Cryptography
package import FHIR
package import HealthCertificates
package import SMARTHealthCards

/// The settings of lint: the time, and what is known of issuers.
package struct LintPolicy: Sendable {
    /// The time that dates are compared with.
    package var now: NumericDate
    /// Keys to use instead of those that the issuers publish.
    package var givenKeys = GivenKeys()
    /// Revocation lists to use in addition to those that the issuers publish.
    package var givenLists: [RevocationList] = []
    /// The issuers to trust. If there are none, trust is not checked.
    package var trustedIssuers = TrustedIssuers()
    /// The trusted signers of EU certificates. If there are none, the signatures of certificates are not checked.
    package var signers = TrustedSigners()
    /// The keys that sign trust lists. If there are none, the proofs of linted lists are not checked.
    package var listKeys: ListKeys?
    /// The keys whose private half is published in other files that were given, such as those of anchors. They verify nothing.
    package var compromisedElsewhere = CompromisedKeys()
    /// Batches of revoked EU certificates.
    package var revocations: [RevocationBatch] = []
    /// The profiles whose rules are added. If there are none, the contents of a card choose profiles of HL7's guide.
    package var profiles: [Profile] = []
    /// The user's own profiles, whose rules are added too.
    package var ownProfiles: [OwnProfile] = []
    /// The patients' apps whose attestations are checked. Keys of others are never requested, and those of an app do not count for cards,
    /// unless it is trusted as an issuer too.
    package var apps: Set<Issuer> = []
    /// Whether the organization that receives links is named to their servers. Only the profile ktc asks for it.
    package var namesRecipient = false
    /// The issuer whose key set, revocation list or live server is linted; nil if it is unknown.
    package var issuer: Issuer?
    /// The ids of rules whose findings are left out.
    package var waivedRules: Set<String> = []
    /// The names and topics of codes.
    package var codeNames = CodeNames.builtIn
    /// The signature of the linted snapshot in DER; nil if it is not checked.
    package var snapshotSignature: [UInt8]?
    /// The key that must have signed the snapshot; nil for VCI's (`VCISigner`).
    package var snapshotSigner: P521PublicKey?

    package init(now: NumericDate) {
        self.now = now
    }

    /// Whether profiles were asked for.
    var asksForProfiles: Bool { !profiles.isEmpty || !ownProfiles.isEmpty }

    /// The same settings, as verification takes them.
    var verification: CardPolicy {
        var policy = CardPolicy(now: now)
        policy.requiresTrust = false
        policy.givenKeys = givenKeys
        policy.apps = apps
        policy.givenLists = givenLists
        policy.trustedIssuers = trustedIssuers
        policy.compromisedElsewhere = compromisedElsewhere
        policy.compromisedElsewhere.formUnion(signers.compromisedKeys)
        policy.mayGuessOwnersOfKeys = true
        return policy
    }

    /// The settings with which the signers of EU certificates are looked for.
    var hcertPolicy: HCERTPolicy {
        var policy = HCERTPolicy(now: now)
        policy.signers = signers
        policy.anchors = trustedIssuers.anchors
        policy.compromisedElsewhere = compromisedElsewhere
        policy.compromisedElsewhere.formUnion(verification.compromisedKeys)
        return policy
    }
}

extension Bounds {
    /// The number of keys of one set that are checked. A real issuer has a few.
    static let keysOfSet = 1000
    /// The number of violations that one rule collects in one text. The first few are shown.
    static let problems = 1000
    /// The number of entries of a revocation list that are compared with each other.
    static let comparedEntries = 250_000
    /// The number of other keys of an issuer that are tried if a card does not verify under the key that it names.
    static let triedKeys = 64

    /// The number of bytes that an input may have; nil stands for any form.
    package static func size(of form: InputForm?) -> Int { form?.largestSize ?? max(revocationListSize, directorySize) }

    /// The number of JSON values that an input may have. `verify` takes no more in what may hold cards.
    static func values(of form: InputForm?) -> Int {
        [nil, .file, .parameters].contains(form) || form?.isContainer == true ? inputValues : listValues
    }
}

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
        bundleRules[(bundle.structure.isEmpty ? 0 : 1) + (bundle.violatesRows ? 2 : 0)]
    }
}
