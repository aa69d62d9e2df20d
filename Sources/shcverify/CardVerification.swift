import Deflate
import IssuerNetwork
import SMARTHealthCards

/// Brings cards before the verifier, and gets it what it lacks. What was learned of an issuer serves all cards of the
/// run, so each is asked once.
struct CardVerification {
    private var verifier: Verifier
    private let source: any EvidenceSource
    private var examiner: CardExaminer
    private var evidence = Evidence()
    private var hints = 0

    init(policy: VerificationPolicy, source: any EvidenceSource) throws(InflateError) {
        verifier = Verifier(policy: policy)
        self.source = source
        examiner = try CardExaminer()
    }

    /// Whether one more issuer may be asked. Whoever made the cards names the issuers, and each may keep us waiting.
    private func mayAsk(_ issuer: Issuer) -> Bool {
        !verifier.policy.trustedIssuers.isEmpty || evidence.keys.count < Bounds.unknownIssuers
    }

    /// The verdict on one card.
    mutating func verdict(on presented: PresentedCard) async -> Verdict {
        let examined = examiner.examine(presented)
        while true {
            switch verifier.verify(examined, with: evidence) {
            case .verdict(let verdict):
                if verdict.reason?.code == .keyNotFound { hints += 1 }
                verifier.policy.hintsAtOtherKeys = hints < Bounds.keyHints
                return verdict
            case .needs(.keys(let issuer)) where !mayAsk(issuer):
                evidence.keys[issuer] = .failure(
                    VerificationFailure(
                        .keysUnavailable,
                        "\(Bounds.unknownIssuers) issuers have been asked for keys already; without a list of trusted issuers no "
                            + "more are asked in one run"))
            case .needs(let request): await source.answer(request, in: &evidence)
            }
        }
    }
}
