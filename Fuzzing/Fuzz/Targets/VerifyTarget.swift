import Deflate
import JOSE
import JSON
import SMARTHealthCards

/// All of `verify`: no card passes but those that were signed, and all ways to ask say the same.
enum VerifyTarget: FuzzTarget {
    static let name = "verify"
    private static let largestReported = 64 << 10

    static func run(_ bytes: [UInt8]) {
        var reader = ArtifactReader()
        reader.add(bytes, source: "fuzz")
        let cards = reader.cards().prefix(64)
        for policy in [FixedPolicy.keysGiven, FixedPolicy.strict] { verify(cards, by: policy) }
    }

    private static func verify(_ cards: ArraySlice<PresentedCard>, by policy: VerificationPolicy) {
        guard var examiner = try? CardExaminer(), let bulk = try? BulkVerifier(policy: policy) else { return }
        let verifier = Verifier(policy: policy)
        for card in cards {
            let examined = examiner.examine(card)
            let verdict = verdict(on: examined) { verifier.verify($0, with: $1) }
            if let passed = verdict.verified {
                require(FixedPolicy.signed.contains(passed.card.jws.text), "only what was signed passes")
                require((try? card.jws.get()) == passed.card.jws.text, "what passes is what was presented")
            }
            let again = self.verdict(on: examined) { card, evidence in
                for outcome in bulk.verify([card], with: evidence) {
                    switch outcome {
                    case .verdict(let verdict): return .verdict(verdict)
                    case .needs(let request, _): return .needs(request)
                    }
                }
                return nil
            }
            let isSame =
                again.name == verdict.name && again.reason == verdict.reason
                && again.checks.map(\.status) == verdict.checks.map(\.status)
            require(isSame, "the verdict in bulk is the same")
            // A few hundred bytes of DEFLATE are megabytes of report, which would leave no time for other inputs.
            let size = verdict.claims?.payload.text.count ?? 0
            if size <= largestReported { _ = VerdictReports.check(verdict) }
        }
    }

    private static func verdict(
        on card: ExaminedCard, _ verify: (ExaminedCard, Evidence) -> Verifier.Step?
    ) -> Verdict {
        var evidence = Evidence()
        for _ in 0..<8 {
            switch verify(card, evidence) {
            case .verdict(let verdict): return verdict
            case .needs(let request): evidence.refuse(request)
            case nil: fatalError("oracle: a card has an outcome")
            }
        }
        fatalError("oracle: what was refused is not asked for again")
    }
}
