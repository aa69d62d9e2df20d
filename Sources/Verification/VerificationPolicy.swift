import Containers
public import Credentials
import Cryptography
import Encodings
package import Evidence
public import FHIR
public import HealthCertificates
package import Inputs
public import SMARTHealthCards

/// The rules by which credentials of all kinds are verified: whom to trust, for which time, and what a credential must have.
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

    /// The time for which credentials are verified, and when that is done.
    package let time: VerificationTime

    /// The time for which credentials are verified.
    public var moment: VerificationTime.Moment { time.moment }

    /// Makes a policy that trusts nobody yet.
    ///
    /// - Parameter moment: the time for which credentials are verified. `now` is the moment of each call.
    public init(_ moment: VerificationTime.Moment = .now) { self.init(VerificationTime(moment, madeAt: .now)) }

    /// - Parameter time: the time for which credentials are verified, and when that is done.
    package init(_ time: VerificationTime) {
        self.time = time
        cards = CardPolicy(now: time.madeAt)
        hcerts = HCERTPolicy(now: time.madeAt)
        turn(to: time)
    }

    private mutating func turn(to time: VerificationTime) {
        cards.now = time.common ?? time.madeAt
        hcerts.now = cards.now
        hcerts.isAsOfIssue = time.moment == .issue
        guard time.moment != .now else { return }
        // The time for which credentials are verified says nothing about the age of lists.
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

extension CredentialReader {
    /// Adds the links in health certificates, each behind its certificate, if that passes every check. No request is made for it:
    /// everything that such a certificate needs is in the policy.
    ///
    /// Call it before `follow(by:)`. A certificate whose link was not added does not pass.
    ///
    /// - Parameter policy: the policy by which the certificates are verified afterwards, too.
    package mutating func addLinksOfCertificates(by policy: VerificationPolicy) throws(OutOfMemory) {
        guard certificates.contains(where: { _ in true }) else { return }
        addLinksOfCertificates(
            by: try CredentialVerifier(policy: policy, inputPayloadSize: Bounds.inputPayloadSize))
    }

    /// - Parameter verifier: a verifier with the policy by which the certificates are verified afterwards, too.
    mutating func addLinksOfCertificates(by verifier: CredentialVerifier) {
        addLinks { certificate in
            guard case .hcert(let examined) = verifier.examine(certificate.followedByItsLink), let link = examined.link,
                case .verdict(let verdict) = verifier.verify(.hcert(examined), with: EvidenceAnswers()),
                let verified = verdict.verified
            else { return nil }
            // A longer text is refused anyway, so it is not kept.
            let text = Array(link.text.prefix(2 * HealthLink.payloadSize))
            return (text, PresentedContainer.Wrapper(verified, scheme: link.scheme.rawValue))
        }
    }
}

extension WrappedLink {
    /// Why the link holds nothing that passes, for a report that has one verdict for a certificate and its link. Nothing is requested.
    ///
    /// - Parameter now: the moment at which the link must be valid.
    func failureUnopened(at now: NumericDate) -> VerificationFailure {
        LinkClient.refusal(ofUnopened: HealthLink(inCertificate: text, scheme: scheme.rawValue), at: now)
    }
}

/// Checks the attestations of patients' apps in the FHIR files of links. What it finds changes no verdict.
package struct AttestationJudge: AttestationReporter {
    private let policy: CardPolicy
    private let store: () throws -> EvidenceStore
    private let deadline: ContinuousClock.Instant?
    private var caller: EvidenceStore.Caller?

    /// - Parameters:
    ///   - policy: the listed apps, the given keys, and what is known against keys. Keys of other apps are never requested.
    ///   - deadline: when it no longer waits for keys; nil to wait for as long as requests take.
    ///   - store: makes what fetches keys. It is called only if there is an attestation.
    package init(
        policy: CardPolicy, until deadline: ContinuousClock.Instant? = nil, store: @escaping () throws -> EvidenceStore
    ) {
        self.policy = policy
        self.deadline = deadline
        self.store = store
    }

    /// What is known of the attestation in a file; nil if there is none.
    ///
    /// - Throws: `InstallationFault` if keys must be fetched and the installation cannot fetch. What the closure throws.
    package nonisolated(nonsending) mutating func report(onFile content: [UInt8]) async throws -> AttestationReport? {
        guard let bundle = try? JSONDocument.parse(content, maximumDepth: Bounds.nesting),
            let attestation = AppAttestation(ofBundle: bundle, at: policy.now)
        else { return nil }
        let store = try store()
        var caller = caller ?? store.caller(until: deadline)
        defer { self.caller = caller }
        var report: AttestationReport?
        try await store.judge(by: &caller) { evidence in
            do throws(EvidenceNeeded) {
                report = attestation.report(try attestation.finding(by: policy, evidence: evidence))
                return []
            } catch {
                return [error.request]
            }
        }
        return report
    }
}
