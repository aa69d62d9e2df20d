import Deflate
import IssuerNetwork
import SMARTHealthCards

/// Brings cards before the verifier, and gets it what it lacks. What was learned of an issuer serves all cards of the
/// run, so each is asked once.
struct CardVerification {
    private let verifier: Verifier
    private let source: any EvidenceSource
    private var examiner: CardExaminer
    private var evidence = Evidence()

    init(policy: VerificationPolicy, source: any EvidenceSource) throws(InflateError) {
        verifier = Verifier(policy: policy)
        self.source = source
        examiner = try CardExaminer()
    }

    /// The verdict on one card.
    mutating func verdict(on presented: PresentedCard) async -> Verdict {
        let examined = examiner.examine(presented)
        while true {
            switch verifier.verify(examined, with: evidence) {
            case .verdict(let verdict): return verdict
            case .needs(let request): await source.answer(request, in: &evidence)
            }
        }
    }
}
