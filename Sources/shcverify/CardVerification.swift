import Deflate
import IssuerNetwork
import JSON
import SMARTHealthCards

/// Brings cards before the verifier, and gets it what it lacks. What was learned of an issuer serves all cards of the
/// run, so each is asked once.
struct CardVerification {
    private let verifier: BulkVerifier
    private let source: any EvidenceSource
    private var examiner: CardExaminer
    private var evidence = Evidence()
    private var hints = 0
    private var bound: RequestBound

    init(policy: VerificationPolicy, source: any EvidenceSource) throws(InflateError) {
        verifier = try BulkVerifier(policy: policy)
        bound = RequestBound(for: policy.trustedIssuers)
        self.source = source
        examiner = try CardExaminer()
    }

    /// The verdicts on the next cards, in their order.
    ///
    /// A few cards are taken at a time, so that different issuers are asked at once, and no more than a few are held.
    ///
    /// - Parameter cards: the cards that are left; those that are taken are removed.
    /// - Throws: `InstallationFault` if something has to be fetched and nothing can be.
    nonisolated(nonsending) mutating func verdicts(
        onNextOf cards: inout ArraySlice<PresentedCard>
    ) async throws(InstallationFault) -> [Verdict] {
        var examined: [ExaminedCard] = []
        var size = 0
        while examined.count < Self.window, size < Self.windowSize, let card = cards.popFirst() {
            examined.append(examiner.examine(card))
            size += examined.last?.decoded?.claims.payload.text.count ?? 0
        }
        var verdicts = [Verdict?](repeating: nil, count: examined.count)
        while true {
            var requests: [EvidenceRequest] = []
            for (index, card) in examined.enumerated() where verdicts[index] == nil {
                // One by one, since the verdict on one says whether to look for hints about the next.
                for outcome in verifier.verify([card], with: evidence) {
                    switch outcome {
                    case .verdict(let verdict): verdicts[index] = note(verdict)
                    case .needs(let request, _): if !requests.contains(request) { requests.append(request) }
                    }
                }
            }
            guard !requests.isEmpty else { return verdicts.compactMap(\.self) }
            let admitted = requests.filter { bound.admits($0, in: &evidence) }
            try await source.answer(admitted, in: &evidence)
        }
    }

    private static let window = 32
    private static let windowSize = 1 << 20

    /// Takes note of a verdict. Looking for another key that a card verifies under is for the first few that lack theirs.
    private mutating func note(_ verdict: Verdict) -> Verdict {
        if verdict.reason?.code == .keyNotFound { hints += 1 }
        verifier.hintsAtOtherKeys = hints < Bounds.keyHints
        return verdict
    }
}
