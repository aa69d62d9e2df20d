import Credentials
import HTTPSFetch
import IssuerNetwork
import SMARTHealthCards

/// The answers of issuers that the callers of a `Verifier` share, each for as long as it is fresh.
///
/// A request that several callers need is made once. It goes on if a caller is cancelled or its time is up, since others may wait for it.
actor SharedEvidence {
    private let source: any EvidenceSource
    private var bound: RequestBound
    private var kept = RunEvidence()
    private var running: [EvidenceRequest: Task<Result<EvidenceAnswer, InstallationFault>, Never>] = [:]

    init(source: any EvidenceSource, bound: RequestBound) {
        self.source = source
        self.bound = bound
    }

    /// The answers that are fresh now.
    var current: Evidence {
        kept.turn(to: .now)
        return kept.evidence
    }

    /// Gets the answers to the requests of a caller.
    ///
    /// - Parameters:
    ///   - requests: what is missing.
    ///   - known: the caller's answers so far.
    ///   - asksAgain: whether what was fetched for others was not enough.
    ///   - deadline: when the caller no longer waits. What is missing then counts as not available.
    /// - Returns: the caller's answers, with those to all requests.
    func answering(
        _ requests: [EvidenceRequest], for known: Evidence, asksAgain: Bool, until deadline: ContinuousClock.Instant
    ) async throws -> Evidence {
        var evidence = known
        kept.turn(to: .now)
        // Another caller may have got it in the meantime.
        if !asksAgain { evidence.formUnion(kept.evidence, replacing: true) }
        var waiting: [(EvidenceRequest, Task<Result<EvidenceAnswer, InstallationFault>, Never>)] = []
        for request in requests where asksAgain || !kept.holds(request) {
            guard bound.admits(request, at: .now, in: &evidence) else { continue }
            waiting.append((request, task(for: request)))
        }
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

    private func task(for request: EvidenceRequest) -> Task<Result<EvidenceAnswer, InstallationFault>, Never> {
        if let task = running[request] { return task }
        let source = source
        let task = Task { () async -> Result<EvidenceAnswer, InstallationFault> in
            let result: Result<EvidenceAnswer, InstallationFault>
            do throws(InstallationFault) {
                result = .success(try await source.answer(request))
            } catch {
                result = .failure(error)
            }
            end(request, result)
            return result
        }
        running[request] = task
        return task
    }

    private func end(_ request: EvidenceRequest, _ result: Result<EvidenceAnswer, InstallationFault>) {
        running[request] = nil
        // An answer that its issuer does not allow to be kept is for those who waited for it.
        guard case .success(let answer) = result, !answer.lifetime.isUnkept else { return }
        kept.add(answer, to: request)
        // While its answer is held, an issuer keeps its place. So the places limit the answers that are held.
        if let query = request.query as? IssuerKeysQuery { bound.keep(query.issuer, until: answer.lifetime.end) }
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
