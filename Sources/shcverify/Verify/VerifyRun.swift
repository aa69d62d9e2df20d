import ArgumentParser
import Containers
import CredentialReports
import Credentials
import Encodings
import Evidence
import Inputs
import SMARTHealthCards
import Verification

/// Reads and verifies the cards of a command line: the main loop of `verify`, `records` and `fetch-cards`.
final class VerifyRun {
    private let network: any NetworkChoices
    /// What decides about verdicts.
    private let policy: VerificationPolicy
    /// Whether messages leave out persons, records and dates. With `--quiet` they do, because gates are logged.
    private let isQuiet: Bool
    /// Whether the report for people has the reasons, so that a terminal need not show them twice.
    private let showsReasons: Bool
    private var made: EvidenceStore?

    init(network: any NetworkChoices, policy: VerificationPolicy, isQuiet: Bool = false, showsReasons: Bool = false) {
        self.network = network
        self.policy = policy
        self.isQuiet = isQuiet
        self.showsReasons = showsReasons
    }

    private var trace: Trace { network.trace }

    /// What issuers publish. It is made once, since it says whether the cache can be used.
    private func store() throws -> EvidenceStore {
        let store =
            try made ?? Requests(network).evidence(.init(for: policy.cards.trustedIssuers, listing: policy.cards.apps))
        made = store
        return store
    }

    /// Reads all cards of the inputs, and of what holds further inputs among them.
    ///
    /// - Parameters:
    ///   - session: what is known of check-ins.
    ///   - keepsUnsigned: whether FHIR content that nobody signed is kept for a hand-over.
    /// - Returns: the cards, in their order.
    nonisolated(nonsending) func read(
        _ inputs: InputOptions, _ links: any LinkChoices, _ session: CheckInSession, keepsUnsigned: Bool = false
    ) async throws -> [PresentedCredential] {
        let start = trace.start
        let now = policy.time.common ?? policy.time.madeAt
        var follower = try LinkFollower(
            links, network: network, now: now, mayAsk: !inputs.readsStandardInput, keepsUnsigned: keepsUnsigned)
        follower.attestations = AttestationJudge(policy: policy.withSharedEvidence.cards) { try self.store() }
        var reader = try await CredentialReader(reading: inputs)
        try reader.addLinksOfCertificates(by: policy)
        try await reader.follow(by: follower)
        reader.openContainers(in: session, at: now)
        let cards = reader.cards()
        trace.end(start, "\(cards.count.counted("card")) read from the inputs")
        return cards
    }

    /// Verifies cards that were read, in their order. Prints a line on standard error for each card that does not verify.
    ///
    /// - Parameters:
    ///   - cards: the cards.
    ///   - take: is called with each verdict.
    /// - Returns: the reason of the first card that did not verify.
    nonisolated(nonsending) func verify(
        _ cards: [PresentedCredential], take: (Verdict) throws -> Void
    ) async throws -> RunOutcome {
        try checkSlashes(in: cards)
        var verification = try CredentialVerification(policy: policy, store: store())
        var outcome = RunOutcome()
        var cards = cards[...]
        while !cards.isEmpty {
            let start = trace.start
            let verdicts = try await verification.verdicts(onNextOf: &cards)
            trace.end(start, "\(verdicts.count.counted("verdict"))")
            for verdict in verdicts {
                trace.note(verdict)
                if let reason = verdict.reason {
                    let source = verdict.examined.presented.source
                    let message = Tool.shcverify.message(of: reason, isImpersonal: isQuiet)
                    outcome.warn(
                        source, reason.code, message, isShown: showsReasons && !verdict.isOfUnreadInput)
                }
                try take(verdict)
            }
        }
        return outcome
    }

    /// Throws if keys were given for an issuer with a slash at its end, and the cards name it only without. If a card has the slash, the
    /// option is right, and each card is judged.
    private func checkSlashes(in cards: [PresentedCredential]) throws {
        let keys = policy.cards.givenKeys
        guard keys.hasIssuersWithSlash else { return }
        let verifier = try CardVerifier(policy: policy.cards)
        let issuers = cards.compactMap { card -> Issuer? in
            guard card.kind != .healthCertificate else { return nil }
            return verifier.examine(card).claims?.issuer.map { Issuer(unchecked: $0) }
        }
        for issuer in issuers {
            guard let given = keys.slashedIssuer(meantFor: issuer), !issuers.contains(given) else { continue }
            throw ValidationError(
                "--jwks \(given.url)=…: the card names its issuer without a slash at the end. Write --jwks \(issuer.url)=…"
            )
        }
    }
}
