package import Credentials
package import HTTPSFetch
package import SMARTHealthCards

/// Gets the evidence that the verifier asks for. `EvidenceAnswers` keeps the answers for their lifetime.
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
    /// Whose server is asked.
    var issuer: Issuer { get }
    /// Whether it is for the keys of an issuer. An issuer that no list names needs a place before it is asked for them. When new keys
    /// come, its lists that were kept are asked for again.
    var isOfKeys: Bool { get }
    /// Whether only what is published now will do.
    var isRenewal: Bool { get }
    /// The request as which a good answer is kept.
    var answered: EvidenceRequest { get }
    /// The reason if nothing is known in time.
    var unavailable: ReasonCode { get }
    /// The query for what new keys of the issuer ask for.
    func renewed(by keys: IssuerKeys) -> Self
    /// Whether an answer to an equal query, or to one that differs only in how new the answer must be, is enough for this one.
    func accepts(_ result: Result<Answer, VerificationFailure>, to asked: Self) -> Bool
    /// The answer of a source.
    func answer(from source: some EvidenceSource) async throws(InstallationFault) -> EvidenceAnswer
}

extension FetchedQuery {
    package func renewed(by keys: IssuerKeys) -> Self { self }
    package func accepts(_ result: Result<Answer, VerificationFailure>, to asked: Self) -> Bool { true }
    package var isOfKeys: Bool { false }
    package var isRenewal: Bool { false }
    package var answered: EvidenceRequest { EvidenceRequest(self) }
}

extension IssuerKeysQuery: FetchedQuery {
    package var isOfKeys: Bool { true }
    package var isRenewal: Bool { isCurrent }
    package var answered: EvidenceRequest { .keys(issuer) }
    package var unavailable: ReasonCode { .keysUnavailable }

    package func answer(from source: some EvidenceSource) async throws(InstallationFault) -> EvidenceAnswer {
        let keys = try await source.keys(of: issuer, current: isCurrent)
        // If keys cannot be fetched again, those that were known before remain valid.
        if case .failure = keys.result { return EvidenceAnswer(keys.result, to: self, lifetime: keys.lifetime) }
        return EvidenceAnswer(keys.result, to: .keys(issuer), lifetime: keys.lifetime)
    }
}

extension RevocationListQuery: FetchedQuery {
    package var issuer: Issuer { name.issuer }
    package var answered: EvidenceRequest { EvidenceRequest(kept) }
    package var unavailable: ReasonCode { .revocationUnavailable }

    package func accepts(_ result: Result<RevocationList, VerificationFailure>, to asked: RevocationListQuery) -> Bool {
        guard case .success(let list) = result, counter != nil else { return true }
        // If it is older than was asked for, the issuer has no newer one at present.
        return list.hasReached(counter) || list.isBehind(asked.counter)
    }

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
    private let addition: @Sendable (inout EvidenceAnswers) -> Void
    private let acceptance: @Sendable (EvidenceRequest) -> Bool

    /// An answer, good or bad.
    package init<Query: FetchedQuery>(
        _ result: Result<Query.Answer, VerificationFailure>, to query: Query, lifetime: AnswerLifetime
    ) {
        self.init(to: query, lifetime) {
            $0[query] = result
        } isEnough: {
            ($0.query as? Query)?.accepts(result, to: query) ?? false
        }
    }

    /// The answer to a query that no source answers.
    fileprivate init(refusing query: some EvidenceQuery) {
        let failure = VerificationFailure(.keysUnavailable, "nothing can fetch this kind of evidence", isUnasked: true)
        let now = SystemClock.now
        self.init(to: query, AnswerLifetime(from: now, to: now + .seconds(3600))) {
            $0[query] = .failure(failure)
        } isEnough: { _ in
            true
        }
    }

    private init(
        to query: some EvidenceQuery, _ lifetime: AnswerLifetime,
        addition: @escaping @Sendable (inout EvidenceAnswers) -> Void,
        isEnough acceptance: @escaping @Sendable (EvidenceRequest) -> Bool
    ) {
        request = EvidenceRequest(query).kept
        self.lifetime = lifetime
        self.addition = addition
        self.acceptance = acceptance
    }

    /// Whether the answer is enough for a request. It may have been got for another one.
    func isEnough(for request: EvidenceRequest) -> Bool { acceptance(request) }

    /// Adds the answer to the evidence, in place of an earlier one.
    package func add(to evidence: inout EvidenceAnswers) { addition(&evidence) }
}

/// What the store has to know of a request. Of a kind that nothing fetches, it knows nothing.
extension EvidenceRequest {
    private var fetched: (any FetchedQuery)? { query as? any FetchedQuery }

    var issuer: Issuer? { fetched?.issuer }
    var isOfKeys: Bool { fetched?.isOfKeys ?? false }
    var isRenewal: Bool { fetched?.isRenewal ?? false }
    var answered: EvidenceRequest { fetched?.answered ?? self }

    func renewed(by keys: IssuerKeys) -> EvidenceRequest {
        func renewed(_ query: some FetchedQuery) -> EvidenceRequest { EvidenceRequest(query.renewed(by: keys)) }
        return fetched.map { renewed($0) } ?? self
    }

    /// Why there is no answer for a caller whose time is up.
    var failureAfterDeadline: VerificationFailure {
        VerificationFailure(
            fetched?.unavailable ?? .keysUnavailable, "the time for this input was used up before the issuer answered")
    }
}

extension VerificationStep {
    /// The verdict; nil if evidence must be fetched first.
    package var verdict: Verdict? { if case .verdict(let verdict) = self { verdict } else { nil } }

    /// The verdict if no keys can be fetched, for this reason; nil if something else is missing.
    package static func verdict(
        withoutKeysBecause failure: VerificationFailure, _ verify: (EvidenceAnswers) -> VerificationStep
    ) -> Verdict? {
        var evidence = EvidenceAnswers()
        while true {
            switch verify(evidence) {
            case .verdict(let verdict): return verdict
            case .needs(let request):
                guard request.isOfKeys, !evidence.holds(request) else { return nil }
                evidence.refuse(request, because: failure)
            }
        }
    }
}

extension [VerificationStep] {
    /// The evidence that is needed, without repetitions.
    package var requests: [EvidenceRequest] {
        var requests: [EvidenceRequest] = []
        for case .needs(let request) in self where !requests.contains(request) { requests.append(request) }
        return requests
    }
}
