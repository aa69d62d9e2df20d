import Credentials
import Dispatch
import Synchronization

/// The threads of a `Verifier`. Each has verifiers of its own, which remember keys from one call to the next.
///
/// Verification never runs on the threads of Swift's concurrency: many large inputs would keep all of them busy, and a server's
/// timers would not fire. Calls take turns, a few credentials at a time, so that a large input does not hold up a small one.
final class VerifierThreads: Sendable {
    /// One call, as far as it has come. It goes from thread to thread.
    struct Call: Sendable {
        /// The credentials that are not examined yet.
        var waiting: ArraySlice<PresentedCredential>
        let time: VerificationTime
        var hints: KeyHints
        /// The answers so far.
        var evidence = EvidenceAnswers()
        /// What has to be fetched before the call goes on.
        fileprivate(set) var requests: [EvidenceRequest] = []
        fileprivate var window: CredentialWindow?
        /// What is left of the limit on inflated payloads: for the input with this number.
        fileprivate var left: (input: Int, budget: PayloadBudget)?

        init(waiting: ArraySlice<PresentedCredential>, time: VerificationTime, hints: KeyHints) {
            self.waiting = waiting
            self.time = time
            self.hints = hints
        }

        /// The verdicts on the credentials that were examined last.
        mutating func take() -> [Verdict] {
            defer { window = nil }
            return window?.verdicts ?? []
        }
    }

    private let threads: [Thread]
    private let next = Atomic<Int>(0)

    init(_ policy: VerificationPolicy, count: Int, inputPayloadSize: Int) throws(OutOfMemory) {
        threads = try (0..<max(1, count)).map { _ throws(OutOfMemory) in
            Thread(try CredentialVerifier(policy: policy, inputPayloadSize: inputPayloadSize))
        }
    }

    /// Examines and verifies the next credentials of a call.
    func begin(_ call: Call) async -> Call {
        await run(call) { call, verifier in
            verifier.left = call.left
            call.window = CredentialWindow(takingFrom: &call.waiting, verifier: verifier)
            call.left = verifier.left
        }
    }

    /// Verifies what had to wait for evidence.
    func `continue`(_ call: Call) async -> Call { await run(call) { _, _ in } }

    /// Does something else that takes time on one of the threads, with its verifier.
    func perform<T: Sendable>(
        at time: VerificationTime, _ body: @escaping @Sendable (CredentialVerifier) -> T
    ) async -> T {
        await thread.run { verifier in
            verifier.time = time
            verifier.left = nil
            return body(verifier)
        }
    }

    /// The thread whose turn it is.
    private var thread: Thread {
        let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return threads[Int(UInt(bitPattern: turn) % UInt(threads.count))]
    }

    private func run(
        _ call: Call, _ first: @escaping @Sendable (inout Call, CredentialVerifier) -> Void
    ) async -> Call {
        await thread.run { verifier in
            var call = call
            verifier.time = call.time
            first(&call, verifier)
            call.requests =
                call.window?.judge(by: verifier, with: call.evidence, counting: &call.hints) ?? []
            return call
        }
    }

    /// One thread at a time, with a verifier.
    private final class Thread: Sendable {
        private let queue = DispatchQueue(label: "shcverify.verifier")
        private let verifier: Mutex<CredentialVerifier>

        init(_ verifier: sending CredentialVerifier) { self.verifier = Mutex(verifier) }

        func run<T: Sendable>(_ body: @escaping @Sendable (CredentialVerifier) -> T) async -> T {
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(returning: verifier.withLock { verifier in body(verifier) })
                }
            }
        }
    }
}
