package import Credentials
package import HTTPSFetch
package import SMARTHealthCards

/// Gets the evidence that the verifier asks for. `Evidence` keeps the answers for their lifetime.
///
/// If a problem concerns one issuer, it is part of the answer. An `InstallationFault` is thrown if nothing can be
/// fetched at all. It ends the run.
package protocol EvidenceSource: Sendable {
    /// Gets the keys that an issuer publishes, or `keys-unavailable` if they cannot be fetched.
    ///
    /// - Parameters:
    ///   - issuer: the issuer.
    ///   - current: whether an earlier answer is not enough.
    func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys>

    /// Gets a revocation list that an issuer publishes, or `revocation-unavailable` if it cannot be fetched.
    ///
    /// - Parameters:
    ///   - name: the list.
    ///   - counter: the counter that an earlier answer must have reached. Nil if no earlier answer is enough.
    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Answered<RevocationList>
}

/// An answer or a failure, with its lifetime.
package struct Answered<Content: Sendable>: Sendable {
    /// The content, or why there is none.
    package let result: Result<Content, VerificationFailure>
    /// How long the answer may be used. A failure has a lifetime too.
    package let lifetime: AnswerLifetime

    /// Makes an answer with its lifetime.
    package init(_ result: Result<Content, VerificationFailure>, _ lifetime: AnswerLifetime) {
        self.result = result
        self.lifetime = lifetime
    }
}

extension EvidenceSource {
    /// Adds the answers to several requests to the evidence, including failures. Eight requests run at a time.
    package func answer(
        _ requests: [EvidenceRequest], in evidence: inout Evidence
    ) async throws(InstallationFault) {
        let fault = await withTaskGroup(of: Result<EvidenceAnswer, InstallationFault>.self) {
            group -> InstallationFault? in
            var waiting = requests[...]
            for request in waiting.prefix(8) { group.addTask { await result(of: request) } }
            waiting = waiting.dropFirst(8)
            while let answer = await group.next() {
                switch answer {
                case .success(let answer): answer.add(to: &evidence)
                case .failure(let fault):
                    group.cancelAll()
                    return fault
                }
                if let request = waiting.popFirst() { group.addTask { await self.result(of: request) } }
            }
            return nil
        }
        if let fault { throw fault }
    }

    private func result(of request: EvidenceRequest) async -> Result<EvidenceAnswer, InstallationFault> {
        do throws(InstallationFault) {
            return .success(try await answer(request))
        } catch {
            return .failure(error)
        }
    }

    /// Gets the answer to one request.
    package func answer(_ request: EvidenceRequest) async throws(InstallationFault) -> EvidenceAnswer {
        guard let query = request.query as? any FetchedQuery else {
            return EvidenceAnswer(refusing: request.query)
        }
        return try await query.answer(from: self)
    }
}

/// A query that an `EvidenceSource` can answer. A new kind of evidence that is fetched conforms.
package protocol FetchedQuery: EvidenceQuery {
    /// The answer of a source.
    func answer(from source: some EvidenceSource) async throws(InstallationFault) -> EvidenceAnswer
}

extension IssuerKeysQuery: FetchedQuery {
    package func answer(from source: some EvidenceSource) async throws(InstallationFault) -> EvidenceAnswer {
        let keys = try await source.keys(of: issuer, current: isCurrent)
        // If keys cannot be fetched again, those that were known before remain valid.
        if case .failure = keys.result { return EvidenceAnswer(keys.result, to: self, lifetime: keys.lifetime) }
        return EvidenceAnswer(keys.result, to: .keys(issuer), lifetime: keys.lifetime)
    }
}

extension RevocationListQuery: FetchedQuery {
    package func answer(from source: some EvidenceSource) async throws(InstallationFault) -> EvidenceAnswer {
        let list = try await source.revocationList(name, atLeast: counter)
        return EvidenceAnswer(list.result, to: self, lifetime: list.lifetime)
    }
}

/// An answer to a query, and its lifetime.
package struct EvidenceAnswer: Sendable {
    /// The request that was answered, as which the answer is kept.
    package let request: EvidenceRequest
    /// How long the answer may be used.
    package let lifetime: AnswerLifetime
    private let addition: @Sendable (inout Evidence) -> Void

    /// An answer, good or bad.
    package init<Query: EvidenceQuery>(
        _ result: Result<Query.Answer, VerificationFailure>, to query: Query, lifetime: AnswerLifetime
    ) {
        request = EvidenceRequest(query).kept
        self.lifetime = lifetime
        addition = { $0[query] = result }
    }

    /// The answer to a query that no source answers.
    fileprivate init(refusing query: some EvidenceQuery) {
        let failure = VerificationFailure(.keysUnavailable, "nothing can fetch this kind of evidence", isUnasked: true)
        let now = SystemClock.now
        self.init(.failure(failure), to: query, lifetime: AnswerLifetime(from: now, to: now + .seconds(3600)))
    }

    /// Adds the answer to the evidence, in place of an earlier one.
    package func add(to evidence: inout Evidence) { addition(&evidence) }
}
