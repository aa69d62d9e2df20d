import Credentials

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
