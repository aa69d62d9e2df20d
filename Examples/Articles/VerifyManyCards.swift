import Verification

/// How many of the credentials have which verdict: `pass`, `fail` or `undetermined`. Sixteen inputs are in work at a time.
func countVerdicts(on inputs: [[UInt8]], by verifier: Verifier) async throws -> [String: Int] {
    try await withThrowingTaskGroup(of: [Verdict].self) { group in
        var counts: [String: Int] = [:]
        var waiting = inputs[...]
        func begin() {
            guard let input = waiting.popFirst() else { return }
            group.addTask { try await verifier.verify(input, source: "card") }
        }
        for _ in 0..<16 { begin() }
        while let verdicts = try await group.next() {
            for verdict in verdicts { counts[verdict.name, default: 0] += 1 }
            begin()
        }
        return counts
    }
}
