import Credentials
import SMARTHealthCards

/// How many cards have which verdict.
struct VerdictCounts {
    var passed = 0
    var failed = 0
    /// The cards that cannot be judged yet, because keys or revocation lists are missing.
    var open = 0

    mutating func add(_ step: VerificationStep) {
        guard case .verdict(let verdict) = step else {
            open += 1
            return
        }
        switch verdict.outcome {
        case .pass: passed += 1
        case .fail: failed += 1
        case .undetermined: open += 1
        }
    }

    static func + (left: VerdictCounts, right: VerdictCounts) -> VerdictCounts {
        VerdictCounts(
            passed: left.passed + right.passed, failed: left.failed + right.failed, open: left.open + right.open)
    }
}

/// Counts the verdicts on cards, one compact JWS each, on several threads.
func countVerdicts(
    on cards: [[UInt8]], by policy: CardPolicy, threads: Int
) async throws -> VerdictCounts {
    let threads = max(1, threads)
    let precomputation = Precomputation()
    let size = max(1, (cards.count + threads - 1) / threads)
    return try await withThrowingTaskGroup(of: VerdictCounts.self) { group in
        for start in stride(from: 0, to: cards.count, by: size) {
            group.addTask {
                // A verifier belongs to one thread. The threads share the precomputation.
                let verifier = try CardVerifier(policy: policy, precomputation: precomputation)
                var counts = VerdictCounts()
                var rest = cards[start..<min(start + size, cards.count)]
                while !rest.isEmpty {
                    let examined = rest.prefix(verifier.bestCount).map { text in
                        verifier.examine(PresentedCredential(jws: text, source: "card"))
                    }
                    rest = rest.dropFirst(verifier.bestCount)
                    for step in verifier.verify(examined, with: Evidence()) { counts.add(step) }
                }
                return counts
            }
        }
        return try await group.reduce(VerdictCounts(), +)
    }
}
