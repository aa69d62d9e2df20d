import Dispatch

/// Runs what blocks on a thread of its own: the few threads that tests run on are needed by what it waits for.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "blocking").async { continuation.resume(with: Result { try body() }) }
    }
}
