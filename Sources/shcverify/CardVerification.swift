import Credentials
import HTTPSFetch
import IssuerNetwork
import JSON
import SMARTHealthCards

/// Verifies cards, and gets the evidence that the verifier asks for. All cards of a run share the evidence, so each
/// issuer is asked once.
struct CardVerification {
    private let verifier: CredentialVerifier
    private let source: any EvidenceSource
    private var evidence = Evidence()
    private var hints = 0
    private let mayHint: Bool
    private var bound: RequestBound

    init(policy: CredentialPolicy, source: any EvidenceSource) throws(OutOfMemory) {
        verifier = try CredentialVerifier(policy: policy, inputPayloadSize: Bounds.inputPayloadSize)
        mayHint = policy.cards.hintsAtOtherKeys
        bound = RequestBound(for: policy.cards.trustedIssuers)
        self.source = source
    }

    /// The verdicts of the next cards, in their order.
    ///
    /// It takes a few cards at a time. So it can ask different issuers at once, and never holds many cards.
    ///
    /// - Parameter cards: the remaining cards. The method removes those that it takes.
    /// - Throws: `InstallationFault` if something must be fetched and the installation cannot fetch.
    nonisolated(nonsending) mutating func verdicts(
        onNextOf cards: inout ArraySlice<PresentedCredential>
    ) async throws(InstallationFault) -> [Verdict] {
        var examined: [CredentialVerifier.Examined] = []
        var size = 0
        while examined.count < Self.window, size < Self.windowSize, let card = cards.popFirst() {
            examined.append(verifier.examine(card))
            size += examined.last?.payloadSize ?? 0
        }
        var verdicts = [Verdict?](repeating: nil, count: examined.count)
        while true {
            var requests: [EvidenceRequest] = []
            for (index, card) in examined.enumerated() where verdicts[index] == nil {
                // One by one: the verdict of one card decides whether to look for hints about the next.
                switch verifier.verify(card, with: evidence) {
                case .verdict(let verdict): verdicts[index] = note(verdict)
                case .needs(let request): if !requests.contains(request) { requests.append(request) }
                }
            }
            guard !requests.isEmpty else { return verdicts.compactMap(\.self) }
            let admitted = requests.filter { bound.admits($0, at: .now, in: &evidence) }
            try await source.answer(admitted, in: &evidence)
        }
    }

    private static let window = 32
    private static let windowSize = 1 << 20

    /// Counts the cards whose key was not found. Only for the first few of them, the verifier looks for another key
    /// that verifies the card.
    private mutating func note(_ verdict: Verdict) -> Verdict {
        if verdict.reason?.code == .keyNotFound { hints += 1 }
        verifier.hintsAtOtherKeys = mayHint && hints < Bounds.keyHints
        return verdict
    }
}
