import Credentials
import SMARTHealthCards

/// How many of the cards, one compact JWS each, pass on all processors.
func countPassing(_ cards: [[UInt8]], by policy: VerificationPolicy, threads: Int) async throws -> Int {
    let precomputation = Precomputation()
    let size = max(1, (cards.count + threads - 1) / threads)
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for start in stride(from: 0, to: cards.count, by: size) {
            group.addTask {
                // A verifier belongs to one thread. The threads share the precomputation.
                let verifier = try Verifier(policy: policy, precomputation: precomputation)
                var count = 0
                var rest = cards[start..<min(start + size, cards.count)]
                while !rest.isEmpty {
                    let examined = rest.prefix(verifier.bestCount).map { text in
                        verifier.examine(PresentedCredential(text: text, source: "card"))
                    }
                    rest = rest.dropFirst(verifier.bestCount)
                    for case .verdict(let verdict) in verifier.verify(examined, with: Evidence()) {
                        if verdict.verified != nil { count += 1 }
                    }
                }
                return count
            }
        }
        return try await group.reduce(0, +)
    }
}
