import Credentials
import Cryptography
import Encodings
import Inputs
import SMARTHealthCards

/// The whole of `verify`. Only signed cards pass, and the verdict does not depend on how the verifier is asked.
enum VerifyTarget: FuzzTarget {
    static let name = "verify"
    private static let largestReported = 64 << 10

    static func run(_ bytes: [UInt8]) {
        var reader = CredentialReader()
        reader.add(bytes, source: "fuzz")
        let cards = Array(reader.cards().prefix(64))
        for policy in [FixedPolicy.keysGiven, FixedPolicy.strict] { verify(cards, by: policy) }
    }

    private static func verify(_ cards: [PresentedCredential], by policy: CardPolicy) {
        guard let reader = try? CardVerifier(policy: policy, totalPayloadSize: Bounds.inputPayloadSize) else { return }
        let examined = cards.map { reader.examine($0) }
        let verdicts = examined.map { card in
            // A new verifier for each card: it remembers nothing of the cards before.
            guard let verifier = try? CardVerifier(policy: policy) else {
                fatalError("there is no memory for a verifier")
            }
            return self.verdicts(on: [card]) { [verifier.verify($0[0], with: $1)] }[0]
        }
        for (card, verdict) in zip(cards, verdicts) {
            if let passed = verdict.verified {
                // The claims that reports read, not only the text that was presented.
                let text = (passed.claims as? ExaminedCard)?.decoded?.jws.text
                require(text.map { FixedPolicy.signed.contains($0) } == true, "only a signed card passes")
                require(text == (try? card.text.get()), "the card that passes is the one that was presented")
            }
            // A few hundred bytes of DEFLATE can become megabytes of report. They would leave no time for other inputs.
            let size = (verdict.examined as? ExaminedCard)?.decoded?.claims.payload.text.count ?? 0
            if size <= largestReported { _ = VerdictReports.check(verdict) }
        }
        compare(verdicts, on: examined, by: policy)
    }

    /// Requires the same verdicts of verifiers that judge all cards together, with and without precomputation.
    private static func compare(_ verdicts: [Verdict], on cards: [ExaminedCard], by policy: CardPolicy) {
        for precomputation in [nil, Precomputation()] {
            guard let verifier = try? CardVerifier(policy: policy, precomputation: precomputation) else { continue }
            // The first round imports the keys. Only the second can check the signatures of all cards together.
            for _ in 0..<2 {
                for (first, second) in zip(verdicts, self.verdicts(on: cards) { verifier.verify($0, with: $1) }) {
                    let isSame =
                        second.name == first.name && second.reason == first.reason
                        && second.checks.map(\.status) == first.checks.map(\.status)
                    require(isSame, "a card gets the same verdict alone and with others")
                }
            }
        }
    }

    /// The verdicts on cards. Each request for evidence is refused, as if there were no network.
    private static func verdicts(
        on cards: [ExaminedCard], _ verify: ([ExaminedCard], EvidenceAnswers) -> [VerificationStep]
    ) -> [Verdict] {
        var evidence = EvidenceAnswers()
        for _ in 0..<8 {
            let steps = verify(cards, evidence)
            require(steps.count == cards.count, "each card has an outcome")
            var verdicts: [Verdict] = []
            for step in steps {
                switch step {
                case .verdict(let verdict): verdicts.append(verdict)
                case .needs(let request): evidence.refuse(request)
                }
            }
            if verdicts.count == cards.count { return verdicts }
        }
        fatalError("oracle: a request that was refused is not made again")
    }
}
