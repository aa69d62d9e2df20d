/// Limits the number of processes that run at once.
///
/// Parallel tests would otherwise start hundreds of processes, and each would take as long as all of them.
actor RunGate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Runs `run` when a place is free.
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
            // The one that has waited longest gets the place.
            waiting.removeFirst().resume()
            return
        }
        free += 1
    }
}
