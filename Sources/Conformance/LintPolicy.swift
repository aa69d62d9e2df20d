public import FHIR
public import JOSE
public import SMARTHealthCards

/// What is linted by: the day, and what is known of issuers.
public struct LintPolicy: Sendable {
    /// A profile whose rules are added.
    public enum Profile: String, Sendable, CaseIterable {
        /// COVID-19 vaccination and laboratory results of the Vaccination & Testing guide, as used in the USA.
        case usaCOVID19Immunization = "usa-covid19-immunization"
    }

    /// The moment for which it is linted.
    public var now: NumericDate
    /// Keys to use instead of those that issuers publish.
    public var givenKeys = GivenKeys()
    /// Revocation lists to use beside those that issuers publish.
    public var givenLists: [RevocationList] = []
    /// Whom to trust; empty: trust is not judged.
    public var trustedIssuers = TrustedIssuers()
    /// The profile whose rules are added.
    public var profile: Profile?
    /// Whose key set, revocation list or live server is linted, where the input does not say.
    public var issuer: Issuer?
    /// Ids of rules whose findings are left out.
    public var waivedRules: Set<String> = []
    /// Names for codes, and what they are about.
    public var codeNames = CodeNames.builtIn
    /// The signature of the snapshot that is linted, in DER; nil if it is not to be checked.
    public var snapshotSignature: [UInt8]?
    /// Who has to have signed the snapshot; nil for VCI (`VCISigner`).
    public var snapshotSigner: P521PublicKey?

    public init(now: NumericDate) {
        self.now = now
    }

    /// What speaks against keys and cards.
    var counterEvidence: CounterEvidence {
        CounterEvidence(keys: givenKeys, directories: trustedIssuers, lists: givenLists)
    }
}
