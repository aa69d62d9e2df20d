import JOSE
import SMARTHealthCards

/// How the client fetches: once for all who want the same, and by asking only for what has changed.
extension IssuerClient {
    /// How issuers are reached.
    enum Reach: Sendable {
        case transport(any Transport)
        case none(Hindrance)
    }

    /// A copy, and what it says.
    struct Held<Content: Sendable>: Sendable {
        let copy: CachedDocument
        let content: Content
    }

    /// What came of asking an issuer.
    struct Answer<Content: Sendable>: Sendable {
        let content: Content
        /// Whether the copy that was held is still what the issuer publishes.
        let isCopy: Bool
        /// For how long it is fresh; 0 if it is not to be kept.
        let freshSeconds: Int64
    }

    /// What came of a fetch, and for how long that serves.
    struct Fetched<Content: Sendable>: Sendable {
        let result: Result<Answer<Content>, FetchProblem>
        let lifetime: AnswerLifetime
    }

    /// A question to an issuer, asked or under way.
    typealias Fetch<Content: Sendable> = Task<Fetched<Content>, Never>

    /// What is known of a document: the copy that was in the cache, and what was fetched.
    struct Known<Content: Sendable> {
        let held: Held<Content>?
        /// Nil if it has not been asked for.
        var fetch: Fetch<Content>?
        /// Nil as long as it has not ended.
        var fetched: Fetched<Content>?

        /// What was fetched last.
        var content: Content? { (try? fetched?.result.get())?.content }

        /// Whether it serves those who want it now.
        ///
        /// - Parameter current: whether an answer from earlier will not do.
        func serves(at now: NumericDate, current: Bool = false) -> Bool {
            guard fetch != nil else { return !current && held?.copy.isFresh(at: now) == true }
            guard let lifetime = fetched?.lifetime else { return true }
            return lifetime.contains(now) && !lifetime.isUnkept && (!current || now < lifetime.currentEnd)
        }
    }

    /// How long an issuer has kept us waiting within five minutes.
    struct Wait {
        let begin: NumericDate
        var total = Duration.zero
        /// How much of that since it was asked for these documents, each once: its keys and lists, which have one bound of
        /// time together.
        var spent = Duration.zero
        var documents: Set<PublishedDocument> = []

        var end: NumericDate { begin + .seconds(300) }

        func isOver(at now: NumericDate) -> Bool { now < begin || now >= end }
    }

    /// How long an issuer may keep us waiting within five minutes. Verdicts keep the order of the cards, so while a card
    /// waits for its issuer, all cards after it wait.
    var maximumWait: Duration { max(.seconds(30), limits.timeout) }

    /// What comes of a fetch. All who wait for one are of one run, so it ends when any of them is cancelled.
    func outcome<Content>(of fetch: Fetch<Content>) async -> Fetched<Content> {
        await withTaskCancellationHandler {
            await fetch.value
        } onCancel: {
            fetch.cancel()
        }
    }

    /// The copy of a document, where there is one that says something.
    ///
    /// One that was fetched with more allowed than now is none. Offline nothing is fetched, so nothing is asked of how
    /// it was.
    func held<Content>(_ document: PublishedDocument, read: ([UInt8]) throws(FetchProblem) -> Content) -> Held<Content>?
    {
        guard let copy = cache?.copy(of: document) else { return nil }
        if case .transport = reach, !copy.allowances.areWithin(allowances) { return nil }
        return (try? read(copy.body)).map { Held(copy: copy, content: $0) }
    }

    private var allowances: CachedDocument.Allowances {
        CachedDocument.Allowances(
            allowsPrivateNetwork: limits.allowsPrivateNetwork, certificateAuthorityFile: limits.certificateAuthorityFile
        )
    }

    /// Asks an issuer for a document, or whether the copy of it still holds; and keeps what it says.
    ///
    /// - Parameters:
    ///   - read: makes sense of the document. The copy does not give way to one that makes none.
    ///   - isKept: whether it gives way to this one.
    func fetch<Content>(
        _ document: PublishedDocument, held: Held<Content>?, read: ([UInt8]) throws(FetchProblem) -> Content,
        isKept: (Content) -> Bool = { _ in true }
    ) async -> Fetched<Content> {
        // An answer's age is counted from the question, so that a slow one is not taken for younger.
        let asked = clock()
        beginWait(for: document, at: asked)
        do throws(FetchProblem) {
            var held = held.flatMap { $0.copy.hasValidators ? $0 : nil }
            var response = try await get(document, unlessIs: held?.copy)
            if response.status == 304, let other = held, !other.copy.isConfirmed(by: response) {
                // This is about something else than the copy, so it says nothing of it: ask for the document itself.
                held = nil
                response = try await get(document, unlessIs: nil)
            }
            switch (response.status, held) {
            case (200, _):
                let content = try read(response.body)
                let copy = CachedDocument(response, retrieved: asked, allowances: allowances)
                if isKept(content) { keep(copy, of: document) }
                return fetched(
                    Answer(content: content, isCopy: false, freshSeconds: copy?.freshSeconds ?? 0), of: document,
                    size: response.body.count, asked: asked)
            case (304, let held?):
                let copy = held.copy.confirmed(by: response, at: asked, allowances: held.copy.allowances)
                keep(copy, of: document)
                return fetched(
                    Answer(content: held.content, isCopy: true, freshSeconds: copy?.freshSeconds ?? 0), of: document,
                    size: response.body.count, asked: asked)
            default:
                throw FetchProblem(status: response.status)
            }
        } catch {
            let now = clock()
            let isUnreached = unreached[document.issuer]?.pause.contains(now) == true
            let end = isUnreached ? unreached[document.issuer]?.pause.end : pause(before: document, from: now)
            return Fetched(result: .failure(error), lifetime: AnswerLifetime(from: asked, to: end ?? now))
        }
    }

    private func fetched<Content>(
        _ answer: Answer<Content>, of document: PublishedDocument, size: Int, asked: NumericDate
    ) -> Fetched<Content> {
        var lifetime = AnswerLifetime(asked: asked, freshSeconds: answer.freshSeconds)
        // An issuer that wants to be asked each time, and takes long each time, would hold up all cards for ever.
        if lifetime.isUnkept, let wait = waits[document.issuer], wait.total >= maximumWait {
            lifetime = AnswerLifetime(from: asked, to: max(lifetime.end, wait.end))
        }
        if document.kind == .revocationList { listSizes[document] = (size, lifetime.end) }
        return Fetched(result: .success(answer), lifetime: lifetime)
    }

    /// Notes that a document could not be fetched, or was not what it should be.
    ///
    /// - Returns: when it is asked for again.
    func pause(before document: PublishedDocument, from now: NumericDate) -> NumericDate {
        var pause = unusable[document]
        if pause?.isPast(at: now) == false { pause?.lengthen(from: now) } else { pause = RetryPause(from: now) }
        unusable[document] = pause
        return pause?.end ?? now
    }

    /// Notes that an issuer cannot be reached. Of several questions that were under way at once, the first counts.
    private func leave(_ issuer: Issuer, _ problem: FetchProblem, asked: NumericDate) {
        let now = clock()
        var pause = RetryPause(from: now)
        if let earlier = unreached[issuer]?.pause, !earlier.isPast(at: now) {
            guard earlier.end <= asked else { return }
            pause = earlier
            pause.lengthen(from: now)
        }
        unreached[issuer] = (problem, pause)
    }

    /// Notes that an issuer is asked for a document. If it was asked for it before, its time begins anew.
    private func beginWait(for document: PublishedDocument, at now: NumericDate) {
        var wait = waits[document.issuer] ?? Wait(begin: now)
        if wait.isOver(at: now) { wait = Wait(begin: now) }
        if wait.documents.contains(document) { (wait.spent, wait.documents) = (.zero, []) }
        wait.documents.insert(document)
        waits[document.issuer] = wait
    }

    private func keep(_ copy: CachedDocument?, of document: PublishedDocument) {
        if let copy { cache?.keep(copy, of: document) } else { cache?.discard(document) }
    }

    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?
    ) async throws(FetchProblem) -> HTTPResponse {
        let issuer = document.issuer
        let transport: any Transport
        switch reach {
        case .transport(let given): transport = given
        case .none(let hindrance): throw FetchProblem(hindrance)
        }
        let asked = clock()
        if let known = unreached[issuer], known.pause.contains(asked) { throw known.problem }
        if document.kind == .revocationList, listSize(beside: document, at: asked) >= maximumListSize {
            throw FetchProblem(
                "the lists that were fetched and are in use have \(maximumListSize >> 20) MiB together already")
        }
        let wait = waits[issuer] ?? Wait(begin: asked)
        let left = limits.timeout - wait.spent
        guard left > .zero, wait.total < maximumWait else { throw FetchProblem("the time for this issuer is used up") }
        let request = HTTPRequest(
            url: document.url, timeout: left, maximumBodySize: document.maximumSize,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorityFile, entityTag: copy?.entityTag,
            lastModified: copy?.lastModified)
        let start = stopwatch()
        defer {
            let time = start.duration(to: stopwatch())
            waits[issuer]?.spent += time
            waits[issuer]?.total += time
        }
        do throws(TransportFailure) {
            let response = try await transport.get(request)
            if response.status == 429 || response.status >= 500 {
                leave(issuer, FetchProblem(status: response.status), asked: asked)
            } else {
                unreached[issuer] = nil
            }
            return response
        } catch {
            let problem = FetchProblem(error.message)
            leave(issuer, problem, asked: asked)
            throw problem
        }
    }

    /// How many bytes the fetched lists have that are in use, without one that is to be fetched anew.
    private func listSize(beside document: PublishedDocument, at now: NumericDate) -> Int {
        listSizes.reduce(0) { sum, entry in
            entry.key == document || entry.value.end <= now ? sum : sum + entry.value.size
        }
    }
}

extension IssuerClient.Held<JWKSet> {
    /// The keys as those of an earlier day, which the issuer may have changed since.
    func asEarlier(staleness: Duration? = nil) -> Evidence.Keys {
        Evidence.Keys(
            content, origin: .cache, isCurrent: false, retrieved: copy.retrieved, staleness: staleness)
    }
}
