public import Credentials
import Cryptography
public import FHIR
public import HealthCertificates
public import SMARTHealthCards

/// The rules by which credentials of all kinds are verified: whom to trust, as of when, and what a credential must have.
///
///     var policy = VerificationPolicy()
///     policy.cards.trustedIssuers.allow(try Issuer("https://issuer.example/cards"))
///     try policy.hcerts.signers.add(list: trustList)
///     let verifier = try Verifier(policy, source: client)
///
/// A policy that trusts nobody lets nothing pass, unless `requiresTrust` is set to false.
public struct VerificationPolicy: Sendable {
    /// The rules for SMART Health Cards. Its `now` is set for each call.
    public var cards: CardPolicy
    /// The rules for EU Digital COVID Certificates. Its `now` is set for each call.
    public var hcerts: HCERTPolicy

    /// The patients' apps whose attestations are checked. It trusts no card: keys that were given for an app are keys of cards only if the
    /// app is trusted as an issuer too. Keys of other apps are never requested.
    public var apps: Set<Issuer> {
        get { cards.apps }
        set { cards.apps = newValue }
    }

    /// As of when credentials are verified, and when that is done.
    package let time: VerificationTime

    /// As of when credentials are verified.
    public var moment: VerificationTime.Moment { time.moment }

    /// Makes a policy that trusts nobody yet.
    ///
    /// - Parameter moment: as of when credentials are verified. `now` is the moment of each call.
    public init(_ moment: VerificationTime.Moment = .now) { self.init(VerificationTime(moment, madeAt: .now)) }

    /// - Parameter time: as of when credentials are verified, and when that is done.
    package init(_ time: VerificationTime) {
        self.time = time
        cards = CardPolicy(now: time.madeAt)
        hcerts = HCERTPolicy(now: time.madeAt)
        turn(to: time)
    }

    private mutating func turn(to time: VerificationTime) {
        cards.now = time.common ?? time.madeAt
        hcerts.now = cards.now
        guard time.moment != .now else { return }
        // As of when credentials are verified says nothing about the age of lists.
        cards.listsAreJudgedAt = time.madeAt
        hcerts.listsAreJudgedAt = time.madeAt
    }

    /// The same policy, in which each kind of credential knows what was found out about keys in the files of the other kinds.
    package var withSharedEvidence: VerificationPolicy {
        var policy = self
        policy.cards.compromisedElsewhere.formUnion(hcerts.signers.compromisedKeys)
        policy.hcerts.compromisedElsewhere.formUnion(cards.compromisedKeys)
        return policy
    }

    // MARK: Rules for all kinds

    /// Whether a card fails if no list says that its issuer is trusted. It is true at first. If it is false and there is no list, a card
    /// of anybody passes, and `Verdict.issuerTrust` is `unchecked`. EU certificates always need a trust list.
    public var requiresTrust: Bool {
        get { cards.requiresTrust }
        set { cards.requiresTrust = newValue }
    }

    /// Whether a credential fails that could have been revoked and was looked up in no list.
    public var requiresRevocation: Bool {
        get { cards.requiresRevocation && hcerts.requiresRevocation }
        set {
            cards.requiresRevocation = newValue
            hcerts.requiresRevocation = newValue
        }
    }

    /// Names for codes.
    public var codeNames: CodeNames {
        get { cards.codeNames }
        set {
            cards.codeNames = newValue
            hcerts.codeNames = newValue
        }
    }

    /// The records that a credential must contain; nil if any records will do.
    public var recordQuery: RecordQuery? {
        get { cards.recordQuery }
        set {
            cards.recordQuery = newValue
            hcerts.recordQuery = newValue
        }
    }
}
