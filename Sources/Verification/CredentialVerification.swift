package import Credentials
package import Evidence
import HTTPSFetch
import SMARTHealthCards

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
