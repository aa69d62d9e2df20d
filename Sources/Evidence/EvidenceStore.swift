package import Credentials
import HTTPSFetch
package import SMARTHealthCards
internal import Synchronization

/// The keys and lists that issuers publish, as far as they are known now. Everybody who verifies or lints cards asks here.
///
/// A request that several callers need is made once. It goes on if a caller is cancelled or its time is up, since others may wait for
/// it. Only a few run at a time, and the callers take turns, so that one who names many slow issuers does not hold up the others.
/// Answers serve all callers while they are fresh. Which unknown issuers are asked at all is decided here, and nowhere else.
package final class EvidenceStore: Sendable {
    /// What differs between a command, a server that runs for weeks, and a batch that runs for days.
    package struct Limits: Sendable {
        /// How many issuers that no list names are asked in an hour; nil for any number, if a list names the trusted issuers.
        package var unknownIssuers: Int?
        /// Issuers that the user has listed, such as the apps of `--app`. They are never unknown issuers.
        package var listedIssuers: Set<Issuer>
        /// Whether answers that their issuers do not allow to be kept serve later callers too, for a minute at most, until
        /// `forgetUnkept()`. If not, they serve only those who wait for them.
        package var keepsUnkept = false
        /// The shortest time between two equal requests whose answers may not be kept. Who needs one earlier waits.
        package var unkeptInterval = Duration.zero
        /// How many requests run at a time.
        let simultaneousRequests = 8
        /// How often one request may be missing for one judgement.
        let repetitions = 4

        /// With anchors alone, trust depends on the certificates, which come with the keys. So unknown issuers must be
        /// asked, and there may be many genuine ones.
        private static let certifiedIssuers = 1000

        /// The limits for one run of a command, or for a server.
        package init(for trusted: TrustedIssuers, listing listed: Set<Issuer> = []) {
            unknownIssuers =
                trusted.isEmpty ? Bounds.unknownIssuers : trusted.hasLists ? nil : Self.certifiedIssuers
            listedIssuers = listed
        }

        /// The limits for a run over lines: what may not be kept serves until the run has caught up with its input.
        package static func lines(for trusted: TrustedIssuers, listing listed: Set<Issuer> = []) -> Limits {
            var limits = Limits(for: trusted, listing: listed)
            limits.keepsUnkept = true
            limits.unkeptInterval = .seconds(1)
            return limits
        }
    }

    /// One who asks, such as an input of a server, or the block of a batch.
    package struct Caller: Sendable {
        /// Tells callers apart when they take turns.
        fileprivate let number: Int
        /// Limits how many unknown issuers its input may name; nil for as many as the store allows.
        fileprivate var places: IssuerPlaces?
        /// When it no longer waits. What is missing then counts as not available. Nil to wait for as long as requests take.
        package let deadline: ContinuousClock.Instant?
        /// The answers that it has, and since when; nil if it has judged nothing yet.
        fileprivate var evidence: (answers: EvidenceAnswers, since: NumericDate)?
    }

    /// What became of the requests of a caller at once.
    package struct Asked: Sendable {
        /// The answers that others had got already.
        package fileprivate(set) var held = EvidenceAnswers()
        /// The answer that no further issuer is asked, for those that are not asked.
        package fileprivate(set) var refused = EvidenceAnswers()
        /// What is being fetched.
        package fileprivate(set) var open: [Open] = []

        /// Nothing was asked for.
        package init() {}
    }

    /// A request that is being made.
    package struct Open: Sendable {
        /// The request.
        package let request: EvidenceRequest
        let task: Answering
    }

    typealias Answering = Task<Result<EvidenceAnswer, InstallationFault>, Never>

    struct State {
        var kept = KeptAnswers()
        var places: IssuerPlaces
        /// The requests that are being made or wait for their turn. Those for one document share one.
        var running: [EvidenceRequest: Answering] = [:]
        var turns: Turns
        var callers = 0
        var isClosed = false
    }

    let state: Mutex<State>
    private let source: any EvidenceSource
    private let limits: Limits
    /// The clock that decides how old an answer is. It is not the time for which cards are verified.
    private let clock: @Sendable () -> NumericDate

    /// - Parameters:
    ///   - source: what fetches.
    ///   - limits: whom it may ask, and what it keeps.
    ///   - clock: the machine's clock, but for tests.
    package init(
        source: any EvidenceSource, limits: Limits, clock: @escaping @Sendable () -> NumericDate = { .now }
    ) {
        self.source = source
        self.limits = limits
        self.clock = clock
        state = Mutex(
            State(
                places: IssuerPlaces(limit: limits.unknownIssuers), turns: Turns(most: limits.simultaneousRequests)))
    }

    /// The answers that are fresh now.
    package var current: EvidenceAnswers {
        state.withLock { state in
            state.kept.turn(to: clock())
            return state.kept.evidence
        }
    }

    /// Drops the answers that their issuers do not allow to be kept.
    package func forgetUnkept() { state.withLock { $0.kept.forgetUnkept() } }

    // MARK: Asking

    /// Starts no further requests: the run was interrupted. Those that wait for their turn fail.
    package func close() {
        change { state in
            state.isClosed = true
            state.turns.open()
        }
    }

    /// One who asks from now on.
    ///
    /// - Parameters:
    ///   - most: how many unknown issuers its input may name, if the store limits them at all; nil for as many as the store allows.
    ///   - deadline: when it no longer waits; nil to wait for as long as requests take.
    package func caller(
        naming most: Int? = nil, until deadline: ContinuousClock.Instant? = nil
    ) -> Caller {
        let places = most.map { most in IssuerPlaces(limit: limits.unknownIssuers.map { min($0, max(0, most)) }) }
        let number = state.withLock { state in
            state.callers += 1
            return state.callers
        }
        return Caller(number: number, places: places, deadline: deadline)
    }

    /// Judges with what is known, asks for what is missing, and judges again, until nothing is.
    ///
    /// - Parameters:
    ///   - caller: who asks. It keeps the answers for what it judges next.
    ///   - step: judges, and returns what is missing.
    /// - Throws: `InstallationFault` if something must be fetched and the installation cannot fetch, `CancellationError` at once if the
    ///   caller is cancelled, and what `step` throws.
    nonisolated(nonsending) package func judge(
        by caller: inout Caller, _ step: nonisolated(nonsending) (EvidenceAnswers) async throws -> [EvidenceRequest]
    ) async throws {
        var times: [EvidenceRequest: Int] = [:]
        // In a run of hours too, no answer is used for long after its time.
        let since = caller.evidence?.since ?? clock()
        let isRecent = AnswerLifetime(from: since, to: since + AnswerLifetime.unkept).contains(clock())
        var evidence = isRecent ? caller.evidence?.answers ?? current : current
        defer { caller.evidence = (evidence, isRecent ? since : clock()) }
        while true {
            let requests = try await step(evidence)
            guard !requests.isEmpty else { return }
            if let deadline = caller.deadline, ContinuousClock.now >= deadline {
                for request in requests { evidence.refuse(request, because: request.failureAfterDeadline) }
                continue
            }
            // What others had got was not enough, if the same is missing again.
            let again = Set(requests.filter { times[$0] != nil })
            for request in requests {
                times[request, default: 0] += 1
                guard times[request, default: 0] <= limits.repetitions else {
                    throw InstallationFault("the evidence for a credential is never complete")
                }
            }
            let asked = ask(for: requests, again: again, by: &caller)
            evidence.formUnion(asked.held, replacing: true)
            evidence.formUnion(asked.refused, replacing: true)
            try await answers(to: asked.open, until: caller.deadline, in: &evidence)
        }
    }

    /// Begins to fetch what is neither known nor being fetched.
    ///
    /// - Parameters:
    ///   - requests: what is missing.
    ///   - again: those of them for which what is kept is not enough.
    ///   - caller: who asks.
    package func ask(
        for requests: [EvidenceRequest], again: Set<EvidenceRequest> = [], by caller: inout Caller
    ) -> Asked {
        var asked = Asked()
        state.withLock { state in
            let now = clock()
            state.kept.turn(to: now)
            for request in requests {
                if !again.contains(request), state.kept.give(request, to: &asked.held) { continue }
                // To wait for what another caller has asked for costs nothing.
                if state.running[request.answered] == nil,
                    !(request.issuer.map(limits.listedIssuers.contains) ?? false)
                {
                    let refusal = caller.places?.unaskedFailure(of: request, at: now)
                    if let refusal = refusal ?? state.places.unaskedFailure(of: request, at: now) {
                        asked.refused.refuse(request, because: refusal)
                        continue
                    }
                    caller.places?.take(for: request, at: now)
                    state.places.take(for: request, at: now)
                }
                let task =
                    state.running[request.answered]
                    ?? fetch(request, after: state.kept.wait(before: request, at: now, limits))
                state.running[request.answered] = task
                state.turns.want(request.answered, caller.number)
                asked.open.append(Open(request: request, task: task))
            }
        }
        return asked
    }

    /// Waits for answers, and adds them.
    ///
    /// - Throws: `InstallationFault` if nothing can be fetched at all, `CancellationError` at once if the caller is cancelled.
    nonisolated(nonsending) package func answers(
        to open: [Open], until deadline: ContinuousClock.Instant? = nil, in evidence: inout EvidenceAnswers
    ) async throws {
        for request in open {
            guard let result = try await request.task.value(until: deadline) else {
                evidence.refuse(request.request, because: request.request.failureAfterDeadline)
                continue
            }
            // If it is older than this caller needs, since another one asked for it, the caller asks again.
            let answer = try result.get()
            if answer.isEnough(for: request.request) { answer.add(to: &evidence) }
        }
    }

    // MARK: Fetching

    private func fetch(_ request: EvidenceRequest, after wait: Duration) -> Answering {
        Task {
            if wait > .zero { try? await Task.sleep(for: wait) }
            await withCheckedContinuation { continuation in
                change { $0.turns.wait(request.answered, continuation) }
            }
            let result: Result<EvidenceAnswer, InstallationFault>
            do throws(InstallationFault) {
                guard !state.withLock({ $0.isClosed }) else { throw InstallationFault("no further requests are made") }
                result = .success(try await source.answer(request))
            } catch {
                result = .failure(error)
            }
            end(request, result)
            return result
        }
    }

    private func end(_ request: EvidenceRequest, _ result: Result<EvidenceAnswer, InstallationFault>) {
        change { state in
            state.running[request.answered] = nil
            state.turns.end(request.answered)
            guard case .success(let answer) = result else { return }
            // It takes the place of an older answer, also if its issuer does not allow it to be kept: it is for those who waited for
            // it, and what was known before is known to be old.
            state.kept.add(answer, to: request)
            guard limits.keepsUnkept || !answer.lifetime.isUnkept else { return state.kept.forgetUnkept() }
            // While its answer is held, an issuer keeps its place. So the places limit the answers that are held.
            state.places.keep(answer)
        }
    }

    /// Changes the state, and starts the requests whose turn it is.
    private func change(_ body: (inout State) -> Void) {
        let next = state.withLock { state in
            body(&state)
            return state.turns.begin()
        }
        for continuation in next { continuation.resume() }
    }

    /// The requests that may run. The next one is that of the caller who has the fewest running.
    struct Turns {
        /// How many requests run at a time.
        private var most: Int
        /// Who asks for a request.
        private var callers: [EvidenceRequest: Set<Int>] = [:]
        private(set) var waiting: [(request: EvidenceRequest, continuation: CheckedContinuation<Void, Never>)] = []
        /// On whose turn a request runs.
        private var running: [EvidenceRequest: Int] = [:]
        /// How many requests run on the turns of a caller.
        private var counts: [Int: Int] = [:]

        init(most: Int) { self.most = most }

        /// Lets all begin that wait.
        mutating func open() { most = .max }

        /// A caller asks for a request, which others may ask for too.
        mutating func want(_ request: EvidenceRequest, _ caller: Int) { callers[request, default: []].insert(caller) }

        mutating func wait(_ request: EvidenceRequest, _ continuation: CheckedContinuation<Void, Never>) {
            waiting.append((request, continuation))
        }

        mutating func begin() -> [CheckedContinuation<Void, Never>] {
            var begun: [CheckedContinuation<Void, Never>] = []
            while running.count < most {
                let callers = waiting.map { fewest($0.request) }
                guard let next = callers.indices.min(by: { callers[$0].count < callers[$1].count }) else { break }
                let (request, continuation) = waiting.remove(at: next)
                let caller = callers[next].caller
                running[request] = caller
                counts[caller, default: 0] += 1
                begun.append(continuation)
            }
            return begun
        }

        /// Who of those that ask for a request has the fewest running, and how many.
        private func fewest(_ request: EvidenceRequest) -> (caller: Int, count: Int) {
            let all = callers[request, default: []].map { ($0, counts[$0, default: 0]) }
            return all.min { $0.1 < $1.1 } ?? (0, 0)
        }

        mutating func end(_ request: EvidenceRequest) {
            callers[request] = nil
            guard let caller = running.removeValue(forKey: request) else { return }
            counts[caller] = counts[caller].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}

extension Task where Failure == Never {
    /// The task's value; nil if it has not ended by a deadline, if there is one. The task goes on.
    ///
    /// - Throws: `CancellationError` at once if the caller is cancelled.
    package func value(until deadline: ContinuousClock.Instant?) async throws -> Success? {
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
