import Credentials
import HTTPSFetch
import IssuerNetwork
import SMARTHealthCards

/// The answers of issuers that the callers of a `Verifier` share, each for as long as it is fresh.
///
/// A request that several callers need is made once. It goes on if a caller is cancelled or its time is up, since others may wait for it.
/// Only a few run at a time, and the callers take turns, so that one who names many slow issuers does not hold up the others.
actor SharedEvidence {
    private typealias Answering = Task<Result<EvidenceAnswer, InstallationFault>, Never>

    private let source: any EvidenceSource
    private var bound: RequestLimiter
    private var kept = EvidenceCache()
    private var tasks: [EvidenceRequest: Answering] = [:]
    private var turns = Turns()

    init(source: any EvidenceSource, bound: RequestLimiter) {
        self.source = source
        self.bound = bound
    }

    /// The answers that are fresh now.
    var current: Evidence {
        kept.turn(to: .now)
        return kept.evidence
    }

    /// What one caller may ask for.
    struct Caller: Sendable {
        /// Tells callers apart.
        let number: Int
        /// Limits how many unknown issuers its input may name.
        var bound: RequestLimiter
        /// When it no longer waits. What is missing then counts as not available.
        let deadline: ContinuousClock.Instant
    }

    /// Gets the answers to the requests of a caller.
    ///
    /// - Parameters:
    ///   - requests: what is missing.
    ///   - known: the caller's answers so far. None of them is replaced by an older one.
    ///   - asksAgain: whether what was fetched for others was not enough.
    /// - Returns: the caller's answers, with those to all requests.
    func answering(
        _ requests: [EvidenceRequest], for known: Evidence, asksAgain: Bool, by caller: inout Caller
    ) async throws -> Evidence {
        var evidence = known
        var waiting: [(EvidenceRequest, Answering)] = []
        kept.turn(to: .now)
        for request in requests {
            // Another caller may have got it in the meantime.
            // Keys that are current are kept as the issuer's keys.
            let held =
                (request.query as? IssuerKeysQuery).map { EvidenceRequest(IssuerKeysQuery.keys($0.issuer)) } ?? request
            if !asksAgain, kept.holds(request), evidence.take(held, from: kept.evidence) { continue }
            guard caller.bound.admits(request, at: .now, in: &evidence),
                bound.admits(request, at: .now, in: &evidence)
            else { continue }
            waiting.append((request, task(for: request, by: caller.number)))
        }
        let deadline = caller.deadline
        for (request, task) in waiting {
            guard let result = try await task.value(until: deadline) else {
                let isOfList = request.query is RevocationListQuery
                evidence.refuse(
                    request,
                    because: VerificationFailure(
                        isOfList ? .revocationUnavailable : .keysUnavailable,
                        "the time for this input was used up before the issuer answered"))
                continue
            }
            try result.get().add(to: &evidence)
        }
        return evidence
    }

    private func task(for request: EvidenceRequest, by caller: Int) -> Answering {
        if let task = tasks[request] { return task }
        let source = source
        let task = Task { () async -> Result<EvidenceAnswer, InstallationFault> in
            await turn(of: caller)
            let result: Result<EvidenceAnswer, InstallationFault>
            do throws(InstallationFault) {
                result = .success(try await source.answer(request))
            } catch {
                result = .failure(error)
            }
            end(request, of: caller, result)
            return result
        }
        tasks[request] = task
        return task
    }

    private func turn(of caller: Int) async {
        await withCheckedContinuation { continuation in
            turns.wait(caller, continuation)
            turns.begin()
        }
    }

    private func end(_ request: EvidenceRequest, of caller: Int, _ result: Result<EvidenceAnswer, InstallationFault>) {
        tasks[request] = nil
        turns.end(caller)
        guard case .success(let answer) = result else { return }
        // It takes the place of an older answer, also if its issuer does not allow it to be kept: it is for those who waited for it,
        // and what was known before is known to be old.
        kept.add(answer, to: request)
        guard !answer.lifetime.isUnkept else { return kept.forgetUnkept() }
        // While its answer is held, an issuer keeps its place. So the places limit the answers that are held.
        if let query = request.query as? IssuerKeysQuery { bound.keep(query.issuer, until: answer.lifetime.end) }
    }

    /// The requests that may run. The next one is that of the caller with the fewest.
    private struct Turns {
        private var running: [Int: Int] = [:]
        private var count = 0
        private var waiting: [(caller: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// The same number as a program without this actor runs at a time.
        static let most = 8

        mutating func wait(_ caller: Int, _ continuation: CheckedContinuation<Void, Never>) {
            waiting.append((caller, continuation))
        }

        mutating func begin() {
            while count < Self.most,
                let next = waiting.indices.min(by: {
                    running[waiting[$0].caller, default: 0] < running[waiting[$1].caller, default: 0]
                })
            {
                let (caller, continuation) = waiting.remove(at: next)
                running[caller, default: 0] += 1
                count += 1
                continuation.resume()
            }
        }

        mutating func end(_ caller: Int) {
            count -= 1
            running[caller] = running[caller].flatMap { $0 > 1 ? $0 - 1 : nil }
            begin()
        }
    }
}

extension Task where Failure == Never {
    /// The task's value; nil if it has not ended by a deadline, if there is one. The task goes on.
    ///
    /// - Throws: `CancellationError` at once if the caller is cancelled.
    func value(until deadline: ContinuousClock.Instant?) async throws -> Success? {
        let (stream, continuation) = AsyncStream<Success?>.makeStream()
        let waiter = Task<Void, Never> {
            continuation.yield(await value)
            continuation.finish()
        }
        let timer = deadline.map { deadline in
            Task<Void, any Error> {
                try await Task<Never, Never>.sleep(until: deadline, clock: .continuous)
                continuation.yield(nil)
                continuation.finish()
            }
        }
        defer {
            timer?.cancel()
            waiter.cancel()
        }
        // A stream ends at once if its reader is cancelled.
        for await result in stream { return result }
        throw _Concurrency.CancellationError()
    }
}
