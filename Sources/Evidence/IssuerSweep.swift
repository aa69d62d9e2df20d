package import Credentials
package import Directories
package import HTTPSFetch

/// Asks the issuers of a directory, several at a time, until the time is used up.
package struct IssuerSweep: Sendable {
    private let jobs: Int
    private let limit: Duration
    private let limits: IssuerClient.Limits
    private let transport: any Transport
    private let triesTLS: Bool
    private let listSize: Int

    /// - Parameters:
    ///   - jobs: the most issuers that are asked at the same time.
    ///   - limit: the time for all issuers together.
    ///   - limits: the limits on requests to one issuer.
    ///   - transport: makes the requests.
    ///   - triesTLS: whether to find out which versions of TLS the servers accept.
    ///   - listSize: the size of all revocation lists of an issuer together, in bytes.
    package init(
        jobs: Int, limit: Duration, limits: IssuerClient.Limits, transport: any Transport, triesTLS: Bool, listSize: Int
    ) {
        self.jobs = jobs
        self.limit = limit
        self.limits = limits
        self.transport = transport
        self.triesTLS = triesTLS
        self.listSize = listSize
    }

    /// Asks issuers.
    ///
    /// - Parameters:
    ///   - issuers: the issuers.
    ///   - progress: is told how many issuers have answered.
    ///   - judge: turns the answers of one issuer into what is kept of it. It is called on several threads at once.
    /// - Returns: the results in the order of the issuers; nil for those that were not asked, because the time was used up.
    /// - Throws: `InstallationFault` if nothing can be fetched at all, or an error of `judge`.
    package func results<Result: Sendable>(
        of issuers: [Issuer], showing progress: some SweepProgress,
        judge: @escaping @Sendable (Int, PublishedIssuer) throws -> Result
    ) async throws -> [Result?] {
        let deadline = ContinuousClock.now + limit
        var results = [Result?](repeating: nil, count: issuers.count)
        var progress = progress
        defer { progress.end() }
        try await withThrowingTaskGroup(of: (Int, Result?).self) { group in
            var next = 0
            var running = 0
            while true {
                while running < jobs, next < issuers.count, ContinuousClock.now < deadline {
                    let (place, issuer) = (next, issuers[next])
                    next += 1
                    running += 1
                    group.addTask {
                        let answers = try await answers(of: issuer, until: deadline)
                        return (place, try answers.map { try judge(place, $0) })
                    }
                }
                guard let (place, result) = try await group.next() else { return }
                running -= 1
                results[place] = result
                progress.advance()
            }
        }
        return results
    }

    /// - Returns: nil if the issuer had less time than one has, and used it up. Its silence says nothing about it.
    private func answers(of issuer: Issuer, until deadline: ContinuousClock.Instant) async throws -> PublishedIssuer? {
        var limits = limits
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return nil }
        limits.timeout = min(limits.timeout, left)
        let probe = IssuerProbe(
            transport: transport, limits: limits, triesTLS: triesTLS, listSize: listSize)
        let answers = try await probe.answers(of: issuer)
        return limits.timeout < self.limits.timeout && ContinuousClock.now >= deadline ? nil : answers
    }
}

/// Shows how many of the issuers of a sweep have answered.
package protocol SweepProgress {
    /// One more issuer has answered, or was asked in vain.
    mutating func advance()
    /// The sweep is over.
    func end()
}

/// Limits how many unknown issuers are asked. The maker of a card chooses the issuer's name, and each issuer can keep
/// the program waiting.
///
/// An issuer that is asked gets a place. It keeps the place for an hour, or longer if its answer stays fresh longer. So
/// even in a long run, the number of places limits the issuers that are asked at a time, the answers that are held, and
/// the new issuers per hour.
struct IssuerPlaces: Sendable {
    /// The number of places; nil for no limit, if a list names the trusted issuers.
    private let limit: Int?
    /// The issuers that have a place, and the end of each place.
    private var places: [Issuer: NumericDate] = [:]

    private static let shortestStay = Duration.seconds(3600)

    init(limit: Int?) { self.limit = limit }

    /// Why a request may not be made, since the limit is reached; nil if it may be.
    mutating func unaskedFailure(of request: EvidenceRequest, at now: NumericDate) -> VerificationFailure? {
        guard let limit, let issuer = request.issuerOfNewKeys, places[issuer] == nil, places.count >= limit else {
            return nil
        }
        places = places.filter { $0.value > now }
        guard places.count >= limit else { return nil }
        return VerificationFailure(
            .keysUnavailable,
            "\(limit) issuers have been asked for keys already; without a list of trusted issuers, no more "
                + "are asked in one run, or in one hour of a long run", isUnasked: true)
    }

    /// Gives the issuer of a request that is made a place.
    mutating func take(for request: EvidenceRequest, at now: NumericDate) {
        guard limit != nil, let issuer = request.issuerOfNewKeys else { return }
        let end = NumericDate(sinceEpoch: now.sinceEpoch + Self.shortestStay)
        places[issuer] = places[issuer].map { max($0, end) } ?? end
    }

    /// Extends the place of an issuer until its answer is no longer fresh.
    mutating func keep(_ answer: EvidenceAnswer) {
        guard let issuer = answer.request.issuerOfNewKeys else { return }
        places[issuer] = places[issuer].map { max($0, answer.lifetime.end) }
    }
}

extension EvidenceRequest {
    /// The issuer whose keys are wanted for the first time; nil for another request.
    fileprivate var issuerOfNewKeys: Issuer? { isOfKeys && !isRenewal ? issuer : nil }
}

/// When issuers may be asked, and how long a run waits for them. Verdicts are given in the order of the cards, so while one
/// card waits for its issuer, all later cards wait too.
struct IssuerPace: Sendable {
    /// How long the run has waited for an issuer within five minutes.
    private struct Wait {
        let begin: NumericDate
        var total = Duration.zero
        /// The part of that time since these documents were requested. Each is requested once: the issuer's keys and
        /// lists share one time limit.
        var spent = Duration.zero
        var documents: Set<PublishedDocument> = []

        var end: NumericDate { begin + .seconds(300) }

        func isOver(at now: NumericDate) -> Bool { now < begin || now >= end }
    }

    /// The time for all requests to one issuer, for keys and lists together.
    private let timeout: Duration
    private var waits: [Issuer: Wait] = [:]
    /// Issuers that could not be reached, and the time until which they are not asked again.
    private var unreached: [Issuer: (problem: FetchProblem, pause: RetryPause)] = [:]
    /// Documents that were unusable, and the time until which they are not requested again.
    private var unusable: [PublishedDocument: (problem: FetchProblem?, pause: RetryPause)] = [:]

    init(timeout: Duration) { self.timeout = timeout }

    /// The longest time that the run waits for an issuer within five minutes.
    private var maximumWait: Duration { max(.seconds(30), timeout) }

    /// The number of issuers and documents that are remembered.
    var count: Int { waits.count + unreached.count + unusable.count }

    // MARK: Waiting

    /// Records that an issuer is asked for a document. If it was asked for the same one before, its time starts again.
    mutating func begin(_ document: PublishedDocument, at now: NumericDate) {
        // So a long run needs no more memory than a short one.
        waits = waits.filter { !$0.value.isOver(at: now) }
        unreached = unreached.filter { !$0.value.pause.isPast(at: now) }
        unusable = unusable.filter { !$0.value.pause.isPast(at: now) }
        var wait = waits[document.issuer] ?? Wait(begin: now)
        if wait.documents.contains(document) { (wait.spent, wait.documents) = (.zero, []) }
        wait.documents.insert(document)
        waits[document.issuer] = wait
    }

    /// The time that an issuer has left for a request.
    ///
    /// - Throws: why it is not asked now.
    func time(for issuer: Issuer, at now: NumericDate) throws(FetchProblem) -> Duration {
        if let known = unreached[issuer], known.pause.contains(now) { throw known.problem }
        let wait = waits[issuer] ?? Wait(begin: now)
        guard timeout > wait.spent, wait.total < maximumWait else {
            throw FetchProblem("the time for this issuer is used up", isUnreachable: true)
        }
        return timeout - wait.spent
    }

    /// Records the time that a request took.
    mutating func spend(_ time: Duration, on issuer: Issuer) {
        waits[issuer]?.spent += time
        waits[issuer]?.total += time
    }

    /// The lifetime of an answer. If an issuer wants to be asked each time, and is slow each time, it would delay all cards again
    /// and again.
    func slow(_ lifetime: AnswerLifetime, of issuer: Issuer) -> AnswerLifetime {
        guard lifetime.isUnkept, let wait = waits[issuer], wait.total >= maximumWait else { return lifetime }
        return AnswerLifetime(from: lifetime.begin, to: max(lifetime.end, wait.end))
    }

    // MARK: Pauses

    /// Records whether an issuer could be reached. If several requests were running, the first failure counts.
    ///
    /// - Parameters:
    ///   - problem: why it could not; nil if it could.
    ///   - asked: when the request was made.
    mutating func note(_ problem: FetchProblem?, of issuer: Issuer, asked: NumericDate, at now: NumericDate) {
        guard let problem else {
            unreached[issuer] = nil
            return
        }
        var pause = RetryPause(from: now)
        if let earlier = unreached[issuer]?.pause, !earlier.isPast(at: now) {
            guard earlier.end <= asked else { return }
            pause = earlier
            pause.lengthen(from: now)
        }
        unreached[issuer] = (problem, pause)
    }

    /// Why a document is not requested now, and when it is again; nil if it may be requested.
    func pause(before document: PublishedDocument, at now: NumericDate) -> (problem: FetchProblem, end: NumericDate)? {
        guard let known = unusable[document], known.pause.contains(now) else { return nil }
        return known.problem.map { ($0, known.pause.end) }
    }

    /// When a document that could not be fetched is requested again.
    mutating func retry(
        _ document: PublishedDocument, after problem: FetchProblem, from now: NumericDate
    ) -> NumericDate {
        if let pause = unreached[document.issuer]?.pause, pause.contains(now) { return pause.end }
        return leave(document, problem, from: now)
    }

    /// Records that a document could not be fetched, or was unusable.
    ///
    /// - Parameter problem: why; nil if it was fetched, and is older than it should be.
    /// - Returns: when it may be requested again.
    mutating func leave(
        _ document: PublishedDocument, _ problem: FetchProblem?, from now: NumericDate
    ) -> NumericDate {
        var pause = RetryPause(from: now)
        if let earlier = unusable[document]?.pause, !earlier.isPast(at: now) {
            pause = earlier
            pause.lengthen(from: now)
        }
        unusable[document] = (problem, pause)
        return pause.end
    }

    /// Records that a document was of use.
    mutating func settle(_ document: PublishedDocument) { unusable[document] = nil }
}
