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
    ///
    /// - Throws: `InstallationFault` if nobody can be asked: that says nothing of the issuer.
    func outcome<Content>(of fetch: Fetch<Content>) async throws(InstallationFault) -> Fetched<Content> {
        let fetched = await withTaskCancellationHandler {
            await fetch.value
        } onCancel: {
            fetch.cancel()
        }
        if case .failure(let problem) = fetched.result, problem.cause == .installation {
            throw InstallationFault(problem.message)
        }
        return fetched
    }

    /// The copy of a document, where there is one that says something and was fetched with the same allowed as now.
    /// A list for which there is no room is not held.
    func held<Content>(
        _ document: PublishedDocument, read: ([UInt8], ListRoom.Share?) throws(FetchProblem) -> Content
    ) -> Held<Content>? {
        guard let copy = cache?.copy(of: document, under: allowances) else { return nil }
        let share = document.kind == .revocationList ? listRoom.take(copy.body.count) : nil
        guard share != nil || document.kind != .revocationList else { return nil }
        return (try? read(copy.body, share)).map { Held(copy: copy, content: $0) }
    }

    private var allowances: CachedDocument.Allowances {
        CachedDocument.Allowances(
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorities: limits.certificateAuthorities?.digest)
    }

    /// Asks an issuer for a document, or whether the copy of it still holds; and keeps what it says.
    ///
    /// - Parameters:
    ///   - read: makes sense of the document, and keeps its share of the room for lists. The copy does not give way to one
    ///     that makes no sense.
    ///   - isKept: whether it gives way to this one.
    func fetch<Content>(
        _ document: PublishedDocument, held: Held<Content>?,
        read: ([UInt8], ListRoom.Share?) throws(FetchProblem) -> Content,
        isKept: (Content) -> Bool = { _ in true }
    ) async -> Fetched<Content> {
        // An answer's age is counted from the question, so that a slow one is not taken for younger.
        let asked = clock()
        beginWait(for: document, at: asked)
        do throws(FetchProblem) {
            var held = held.flatMap { $0.copy.hasValidators ? $0 : nil }
            var (response, share) = try await get(document, unlessIs: held?.copy)
            if response.status == 304, let other = held, !other.copy.isConfirmed(by: response) {
                // This is about something else than the copy, so it says nothing of it: ask for the document itself.
                held = nil
                (response, share) = try await get(document, unlessIs: nil)
            }
            switch (response.status, held) {
            case (200, _):
                let content = try read(response.body, share)
                let copy = CachedDocument(response, retrieved: asked, allowances: allowances)
                if isKept(content) { keep(copy, of: document) }
                return fetched(
                    Answer(content: content, isCopy: false, freshSeconds: copy?.freshSeconds ?? 0), of: document,
                    asked: asked)
            case (304, let held?):
                let copy = held.copy.confirmed(by: response, at: asked)
                keep(copy, of: document)
                return fetched(
                    Answer(content: held.content, isCopy: true, freshSeconds: copy?.freshSeconds ?? 0), of: document,
                    asked: asked)
            default:
                throw FetchProblem(status: response.status)
            }
        } catch {
            let now = clock()
            if error.isAnswer, let copy = held?.copy { keep(copy.overruled, of: document) }
            let isUnreached = unreached[document.issuer]?.pause.contains(now) == true
            let end = isUnreached ? unreached[document.issuer]?.pause.end : pause(before: document, from: now)
            return Fetched(result: .failure(error), lifetime: AnswerLifetime(from: asked, to: end ?? now))
        }
    }

    private func fetched<Content>(
        _ answer: Answer<Content>, of document: PublishedDocument, asked: NumericDate
    ) -> Fetched<Content> {
        var lifetime = AnswerLifetime(asked: asked, freshSeconds: answer.freshSeconds)
        // An issuer that wants to be asked each time, and takes long each time, would hold up all cards for ever.
        if lifetime.isUnkept, let wait = waits[document.issuer], wait.total >= maximumWait {
            lifetime = AnswerLifetime(from: asked, to: max(lifetime.end, wait.end))
        }
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
        if let copy { cache?.keep(copy, of: document) } else { cache?.discard(document, under: allowances) }
    }

    /// - Returns: what the issuer answers, and the room that a list takes.
    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?
    ) async throws(FetchProblem) -> (HTTPResponse, ListRoom.Share?) {
        let transport: any Transport
        switch reach {
        case .transport(let given): transport = given
        case .none(let hindrance): throw FetchProblem(hindrance)
        }
        guard document.kind == .revocationList else {
            let response = try await get(document, unlessIs: copy, maximumSize: document.maximumSize, by: transport)
            return (response, nil)
        }
        // Hardly any list is large. So that many can be fetched at once, room for a large one is kept only for what has
        // turned out to be one.
        var tried = 0
        for size in [Self.usualListSize, document.maximumSize] {
            let room = await listRoom.reserve(upTo: size)
            guard room > tried else {
                listRoom.release(room)
                break
            }
            do throws(FetchProblem) {
                let response = try await get(document, unlessIs: copy, maximumSize: room, by: transport)
                return (response, listRoom.release(room, taking: response.body.count))
            } catch {
                listRoom.release(room)
                guard error.cause == .tooLarge, room < document.maximumSize else { throw error }
                tried = room
            }
        }
        throw FetchProblem(noRoomFor: listRoom)
    }

    /// What a list has at most, unless it is of a rare size.
    private static let usualListSize = 16 << 20

    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?, maximumSize: Int, by transport: any Transport
    ) async throws(FetchProblem) -> HTTPResponse {
        let issuer = document.issuer
        let asked = clock()
        if let known = unreached[issuer], known.pause.contains(asked) { throw known.problem }
        let wait = waits[issuer] ?? Wait(begin: asked)
        let left = limits.timeout - wait.spent
        guard left > .zero, wait.total < maximumWait else {
            throw FetchProblem("the time for this issuer is used up", isUnreachable: true)
        }
        let request = HTTPRequest(
            url: document.url, timeout: left, maximumBodySize: maximumSize,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorities?.file, entityTag: copy?.entityTag,
            lastModified: copy?.lastModified)
        let start = stopwatch()
        defer {
            let time = start.duration(to: stopwatch())
            waits[issuer]?.spent += time
            waits[issuer]?.total += time
        }
        do throws(TransportFailure) {
            let response = try await transport.get(request)
            let problem = FetchProblem(status: response.status)
            if problem.isUnreachable { leave(issuer, problem, asked: asked) } else { unreached[issuer] = nil }
            return response
        } catch {
            let problem = FetchProblem(error)
            if problem.isUnreachable { leave(issuer, problem, asked: asked) }
            throw problem
        }
    }
}

extension IssuerClient.Held {
    /// How far past its freshness the copy is; nil while it is fresh.
    fileprivate func staleness(at now: NumericDate) -> Duration? {
        copy.timePastFreshness(at: now).flatMap { $0 < .zero ? nil : $0 }
    }
}

extension IssuerClient.Held<JWKSet> {
    /// The keys as those of an earlier day, which the issuer may have changed since.
    func asEarlier(at now: NumericDate) -> Evidence.Keys {
        Evidence.Keys(
            content, origin: .cache, isCurrent: false, retrieved: copy.retrieved, staleness: staleness(at: now))
    }
}

extension IssuerClient.Held<RevocationList> {
    /// The list as that of an earlier day.
    func asEarlier(at now: NumericDate) -> RevocationList {
        var list = content
        list.copy = RevocationList.Copy(retrieved: copy.retrieved, staleness: staleness(at: now))
        return list
    }
}
