package import Credentials
import Encodings
package import Evidence
package import HealthCertificates
package import SMARTHealthCards

/// The verifiers of all kinds of credential, for one thread. `Verifier`, the commands and `batch` go through it.
///
/// A further kind gets a property here, and a case in `Examined`. Nothing else knows what is in an examined
/// credential.
package final class CredentialVerifier {
    /// A credential after its form was examined.
    package enum Examined: Sendable {
        case card(ExaminedCard)
        case hcert(ExaminedHCERT)

        /// The size of the inflated payload in bytes. In memory, a credential takes several times this size.
        package var payloadSize: Int {
            switch self {
            case .card(let card): card.decoded?.claims.payload.text.count ?? 0
            case .hcert(let hcert): hcert.size
            }
        }

        /// The claims, verified or not; nil if they could not be read.
        fileprivate var claims: (any Claims)? {
            switch self {
            case .card(let card): card.claims
            case .hcert(let hcert): hcert.claims
            }
        }

        /// The number of bytes to subtract from the limit of an input.
        fileprivate var spentSize: Int {
            switch self {
            case .card(let card): card.spentPayloadSize
            case .hcert(let hcert): hcert.spentSize
            }
        }
    }

    private let cards: CardVerifier
    private let hcerts: HCERTVerifier
    /// The most bytes that the payloads of an input may have together; nil for any number.
    private let inputPayloadSize: Int?
    /// What the credentials before have left of it: for the input with this number.
    var left: (input: Int, budget: PayloadBudget)?

    /// - Parameters:
    ///   - precomputation: tables that the threads of a run share; nil to verify signatures with OpenSSL's EVP alone.
    ///   - inputPayloadSize: the largest size of all inflated payloads of an input together, in bytes; nil for any size.
    package init(
        policy: VerificationPolicy, precomputation: Precomputation? = nil, inputPayloadSize: Int? = nil
    ) throws(OutOfMemory) {
        self.inputPayloadSize = inputPayloadSize
        time = policy.time
        let policy = policy.withSharedEvidence
        let confirmer = precomputation?.confirmer()
        cards = try CardVerifier(policy: policy.cards, confirmer: confirmer)
        var hcertPolicy = policy.hcerts
        hcertPolicy.failureOfUnopenedLink = { link, now in link.failureUnopened(at: now) }
        hcerts = try HCERTVerifier(policy: hcertPolicy, confirmer: confirmer)
    }

    /// The time for which credentials are verified.
    package var time: VerificationTime {
        didSet {
            if let now = time.common { turn(to: now) }
            guard time.moment != .now else { return }
            // The time for which credentials are verified says nothing about the age of lists. A verifier may live for days.
            cards.listsAreJudgedAt = time.madeAt
            hcerts.listsAreJudgedAt = time.madeAt
        }
    }

    private func turn(to now: NumericDate) {
        cards.now = now
        hcerts.now = now
    }

    /// Whether to look for another key under which a credential verifies, to give a hint.
    package var hintsAtOtherKeys: Bool {
        get { cards.hintsAtOtherKeys }
        set { cards.hintsAtOtherKeys = newValue }
    }

    /// How many credentials are best verified together.
    package var bestCount: Int { cards.bestCount }

    package func examine(_ credential: PresentedCredential) -> Examined {
        let examined = refused(credential).map(examineAdmitted) ?? examineAdmitted(credential)
        left?.budget.spend(examined.spentSize)
        return examined
    }

    private func examineAdmitted(_ credential: PresentedCredential) -> Examined {
        switch credential.kind {
        // What cannot be read at all is reported as a card.
        case .smartHealthCard, nil: .card(cards.examine(credential))
        case .healthCertificate: .hcert(hcerts.examine(credential))
        }
    }

    /// If the credentials before this one in its input have used up the limit, the same one, saying so; nil if it may be inflated.
    ///
    /// The limit never makes a payload too large: what is begun may be as large as any, and what is not begun is undetermined.
    private func refused(_ credential: PresentedCredential) -> PresentedCredential? {
        guard let inputPayloadSize else { return nil }
        if left?.input != credential.input { left = (credential.input, PayloadBudget(inputPayloadSize)) }
        guard let left, left.budget.isUsedUp, case .success = credential.text else { return nil }
        return credential.failing(
            with: VerificationFailure(
                .unreadableInput,
                "not judged: the cards before it in this input have used up \(inputPayloadSize >> 20) MiB, the limit for the "
                    + "inflated payloads of an input. Give it in an input of its own"))
    }

    /// Decodes a credential as far as possible. Nothing is verified.
    ///
    /// - Returns: the credential, and the link in it, if it is a certificate around one.
    package func inspect(_ credential: PresentedCredential) -> (CredentialInspection, link: WrappedLink?) {
        let credential = refused(credential) ?? credential
        // Also to count the size of its payload.
        let examined = inputPayloadSize == nil && credential.kind != .healthCertificate ? nil : examine(credential)
        let link: WrappedLink? = if case .hcert(let hcert)? = examined { hcert.link } else { nil }
        return switch credential.kind {
        case .smartHealthCard, nil: (cards.inspect(credential), nil)
        case .healthCertificate: (hcerts.inspect(credential), link)
        }
    }

    package func verify(_ credential: Examined, with evidence: EvidenceAnswers) -> VerificationStep {
        if time.common == nil { turn(to: time.moment(for: credential.claims)) }
        return switch credential {
        case .card(let card): cards.verify(card, with: evidence)
        case .hcert(let hcert): .verdict(hcerts.verify(hcert))
        }
    }

    package func verify(_ credentials: [Examined], with evidence: EvidenceAnswers) -> [VerificationStep] {
        // Together, they would share a moment.
        guard time.common != nil else { return credentials.map { verify($0, with: evidence) } }
        var cards: [ExaminedCard] = []
        var hcerts: [ExaminedHCERT] = []
        cards.reserveCapacity(credentials.count)
        for credential in credentials {
            switch credential {
            case .card(let card): cards.append(card)
            case .hcert(let hcert): hcerts.append(hcert)
            }
        }
        let steps = cards.isEmpty ? [] : self.cards.verify(cards, with: evidence)
        guard !hcerts.isEmpty else { return steps }
        var rest = (cards: steps[...], hcerts: self.hcerts.verify(hcerts)[...])
        return credentials.map { credential in
            switch credential {
            case .card: rest.cards.removeFirst()
            case .hcert: .verdict(rest.hcerts.removeFirst())
            }
        }
    }
}

/// Some credentials that are verified together. It never holds many, and different issuers can be asked at once.
struct CredentialWindow: Sendable {
    private var examined: [CredentialVerifier.Examined] = []
    private var judged: [Verdict?] = []

    private static let mostCredentials = 32
    private static let mostPayload = 1 << 20

    /// Examines the next credentials.
    ///
    /// - Parameter credentials: the remaining credentials. Those that are taken are removed.
    init(
        takingFrom credentials: inout ArraySlice<PresentedCredential>, verifier: CredentialVerifier
    ) {
        var size = 0
        while examined.count < Self.mostCredentials, size < Self.mostPayload, let next = credentials.popFirst() {
            let one = verifier.examine(next)
            size += one.payloadSize
            examined.append(one)
        }
        judged = Array(repeating: nil, count: examined.count)
    }

    /// Verifies what is not judged yet.
    ///
    /// - Parameters:
    ///   - evidence: the answers so far.
    ///   - hints: how many hints were given.
    /// - Returns: the evidence to fetch before this is called again; empty if all are judged.
    mutating func judge(
        by verifier: CredentialVerifier, with evidence: EvidenceAnswers, counting hints: inout KeyHints
    ) -> [EvidenceRequest] {
        var steps: [VerificationStep] = []
        for (index, credential) in examined.enumerated() where judged[index] == nil {
            verifier.hintsAtOtherKeys = hints.mayHint
            // One by one: the verdict on one credential decides whether to look for hints about the next.
            let step = verifier.verify(credential, with: evidence)
            steps.append(step)
            judged[index] = step.verdict
            if let verdict = step.verdict { hints.note(verdict) }
        }
        return steps.requests
    }

    /// The verdicts in their order, after all are judged.
    var verdicts: [Verdict] { judged.compactMap(\.self) }
}

/// Counts the credentials whose key was not found. Only for the first few of them, the verifier looks for another key that verifies
/// the credential.
struct KeyHints: Sendable {
    private var count = 0
    private let isAllowed: Bool

    /// - Parameter isAllowed: whether the policy allows hints.
    init(isAllowed: Bool) { self.isAllowed = isAllowed }

    /// Whether to look for another key.
    var mayHint: Bool { isAllowed && count < Bounds.keyHints }

    mutating func note(_ verdict: Verdict) {
        if verdict.reason?.code == .keyNotFound { count += 1 }
    }
}

/// Verifies the credentials of a run on the thread of its caller. All credentials of a run share the evidence, so each issuer is asked
/// once. `Verifier` does the same for many callers at once.
package struct CredentialVerification {
    private let verifier: CredentialVerifier
    private let store: EvidenceStore
    private var caller: EvidenceStore.Caller
    private var hints: KeyHints

    package init(policy: VerificationPolicy, store: EvidenceStore) throws(OutOfMemory) {
        verifier = try CredentialVerifier(policy: policy, inputPayloadSize: Bounds.inputPayloadSize)
        hints = KeyHints(isAllowed: policy.cards.hintsAtOtherKeys)
        self.store = store
        caller = store.caller()
    }

    /// The verdicts on the next credentials, in their order.
    ///
    /// - Parameter credentials: the remaining credentials. Those that are taken are removed.
    /// - Throws: `InstallationFault` if something must be fetched and the installation cannot fetch.
    package nonisolated(nonsending) mutating func verdicts(
        onNextOf credentials: inout ArraySlice<PresentedCredential>
    ) async throws -> [Verdict] {
        var window = CredentialWindow(takingFrom: &credentials, verifier: verifier)
        var caller = caller
        defer { self.caller = caller }
        try await store.judge(by: &caller) { window.judge(by: verifier, with: $0, counting: &hints) }
        return window.verdicts
    }
}
