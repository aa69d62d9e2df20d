/// Lets so many processes run at once, and has the others wait for their turn.
///
/// Tests that run in parallel would start hundreds, and each would take as long as all of them.
actor RunGate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Runs something when it is its turn.
    func inTurn<Value: Sendable>(_ run: @Sendable () async throws -> Value) async throws -> Value {
        await enter()
        defer { leave() }
        return try await run()
    }

    private func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        guard waiting.isEmpty else {
            // The turn goes to the one who has waited longest.
            waiting.removeFirst().resume()
            return
        }
        free += 1
    }
}
