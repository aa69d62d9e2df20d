import Credentials
import HTTPSFetch
import JOSE
import SMARTHealthCards

/// How the client fetches: once for all cards that need the same document, and only if the document has changed.
extension IssuerClient {
    /// How issuers are reached.
    enum Reach: Sendable {
        case transport(any Transport)
        case none(DisabledReason)
    }

    /// A cached copy and its parsed content.
    struct Held<Content: Sendable>: Sendable {
        let copy: CachedDocument
        let content: Content
    }

    /// An issuer's answer.
    struct Answer<Content: Sendable>: Sendable {
        let content: Content
        /// Whether the issuer still publishes the cached copy.
        let isCopy: Bool
        /// How long the answer is fresh, in seconds, or 0 if it must not be kept.
        let freshSeconds: Int64
    }

    /// The result of a fetch, and its lifetime.
    struct Fetched<Content: Sendable>: Sendable {
        let result: Result<Answer<Content>, FetchProblem>
        let lifetime: AnswerLifetime
    }

    /// A request to an issuer, either running or answered.
    typealias Fetch<Content: Sendable> = Task<Fetched<Content>, Never>

    /// The state of a document: the copy from the cache, and the result of a fetch.
    struct Known<Content: Sendable> {
        let held: Held<Content>?
        /// Nil if the document has not been requested.
        var fetch: Fetch<Content>?
        /// Nil until the fetch has ended.
        var fetched: Fetched<Content>?

        /// The content that was fetched most recently.
        var content: Content? { (try? fetched?.result.get())?.content }

        /// Whether the result can be used for cards that need the document now.
        ///
        /// - Parameter current: whether an earlier answer is not enough.
        func serves(at now: NumericDate, current: Bool = false) -> Bool {
            guard fetch != nil else { return !current && held?.copy.isFresh(at: now) == true }
            guard let lifetime = fetched?.lifetime else { return true }
            return lifetime.contains(now) && !lifetime.isUnkept && (!current || now < lifetime.currentEnd)
        }
    }

    /// How long the run has waited for an issuer within five minutes.
    struct Wait {
        let begin: NumericDate
        var total = Duration.zero
        /// The part of that time since these documents were requested. Each is requested once: the issuer's keys and
        /// lists share one time limit.
        var spent = Duration.zero
        var documents: Set<PublishedDocument> = []

        var end: NumericDate { begin + .seconds(300) }

        func isOver(at now: NumericDate) -> Bool { now < begin || now >= end }
    }

    /// The longest time that the run waits for an issuer within five minutes. Verdicts are given in the order of the
    /// cards, so while one card waits for its issuer, all later cards wait too.
    var maximumWait: Duration { max(.seconds(30), limits.timeout) }

    /// Waits for a fetch. If the waiting task is cancelled, the fetch still goes on to its time limit: other tasks may wait for it, and on a
    /// server one visitor who goes away must not spoil the verdicts for the others.
    ///
    /// - Throws: `InstallationFault` if nothing can be fetched at all. It says nothing about the issuer.
    func outcome<Content>(of fetch: Fetch<Content>) async throws(InstallationFault) -> Fetched<Content> {
        let fetched = await fetch.value
        if case .failure(let problem) = fetched.result, problem.cause == .installation {
            throw InstallationFault(problem.message)
        }
        return fetched
    }

    /// The cached copy of a document. Nil if there is none, if it cannot be parsed, if it was fetched with other
    /// permissions, or if there is no room for a list.
    func held<Content>(
        _ document: PublishedDocument, read: ([UInt8], MemoryBudget.Share?) throws(FetchProblem) -> Content
    ) -> Held<Content>? {
        guard let cache else { return nil }
        let copy = cache.copy(of: document, under: allowances)
        noteLookup?(CacheLookup(document, copy, at: clock()))
        guard let copy else { return nil }
        let share = document.kind == .revocationList ? listBudget.take(copy.body.count) : nil
        guard share != nil || document.kind != .revocationList else { return nil }
        return (try? read(copy.body, share)).map { Held(copy: copy, content: $0) }
    }

    private var allowances: CachedDocument.Allowances {
        CachedDocument.Allowances(
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorities: limits.certificateAuthorities?.digest)
    }

    /// Asks an issuer for a document, or whether its cached copy is still valid. Then keeps the answer.
    ///
    /// - Parameters:
    ///   - read: parses the document, and takes its share of the room for lists. If the document cannot be parsed, the
    ///     copy is kept.
    ///   - isKept: whether the document replaces the copy.
    func fetch<Content>(
        _ document: PublishedDocument, held: Held<Content>?,
        read: ([UInt8], MemoryBudget.Share?) throws(FetchProblem) -> Content,
        isKept: (Content) -> Bool = { _ in true }
    ) async -> Fetched<Content> {
        // An answer's age counts from the request, so that a slow answer does not seem younger (RFC 9111 §4.2.3).
        let asked = clock()
        beginWait(for: document, at: asked)
        do throws(FetchProblem) {
            var held = held.flatMap { $0.copy.hasValidators ? $0 : nil }
            var (response, share) = try await get(document, unlessIs: held?.copy)
            if response.status == 304, let other = held, !other.copy.isConfirmed(by: response) {
                // The answer is about another version than the copy, so request the document itself (RFC 9111 §4.3.3).
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
        // If an issuer wants to be asked each time, and is slow each time, it would delay all cards again and again.
        if lifetime.isUnkept, let wait = waits[document.issuer], wait.total >= maximumWait {
            lifetime = AnswerLifetime(from: asked, to: max(lifetime.end, wait.end))
        }
        return Fetched(result: .success(answer), lifetime: lifetime)
    }

    /// Records that a document could not be fetched, or was unusable.
    ///
    /// - Returns: when it may be requested again.
    func pause(before document: PublishedDocument, from now: NumericDate) -> NumericDate {
        var pause = unusable[document]
        if pause?.isPast(at: now) == false { pause?.lengthen(from: now) } else { pause = RetryPause(from: now) }
        unusable[document] = pause
        return pause?.end ?? now
    }

    /// Records that an issuer cannot be reached. If several requests were running, the first failure counts.
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

    /// Records that an issuer is asked for a document. If it was asked for the same one before, its time starts again.
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

    /// - Returns: the issuer's answer, and the room that a list takes.
    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?
    ) async throws(FetchProblem) -> (HTTPResponse, MemoryBudget.Share?) {
        let transport: any Transport
        switch reach {
        case .transport(let given): transport = given
        case .none(let disabledReason): throw FetchProblem(disabledReason)
        }
        guard document.kind == .revocationList else {
            let response = try await get(document, unlessIs: copy, maximumSize: document.maximumSize, by: transport)
            return (response, nil)
        }
        // Few lists are large. Room for a large list is only reserved once a list turns out to be large, so that many
        // lists can be fetched at once.
        var tried = 0
        for size in [Self.usualListSize, document.maximumSize] {
            let room = await listBudget.reserve(upTo: size)
            guard room > tried else {
                listBudget.release(room)
                break
            }
            do throws(FetchProblem) {
                let response = try await get(document, unlessIs: copy, maximumSize: room, by: transport)
                return (response, listBudget.release(room, taking: response.body.count))
            } catch {
                listBudget.release(room)
                guard error.cause == .tooLarge, room < document.maximumSize else { throw error }
                tried = room
            }
        }
        throw FetchProblem(noRoomFor: listBudget)
    }

    /// The largest usual size of a list, in bytes.
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
            let response = try await transport.sendChecked(request)
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
    /// How long ago the copy's freshness ended. Nil while it is fresh.
    fileprivate func staleness(at now: NumericDate) -> Duration? {
        copy.timePastFreshness(at: now).flatMap { $0 < .zero ? nil : $0 }
    }
}

extension IssuerClient.Held<JWKSet> {
    /// The keys, marked as an earlier answer that the issuer may have changed since.
    func asEarlier(at now: NumericDate) -> IssuerKeys {
        IssuerKeys(
            content, origin: .cache, isCurrent: false, retrieved: copy.retrieved, staleness: staleness(at: now))
    }
}

extension IssuerClient.Held<RevocationList> {
    /// The list, marked as an earlier answer.
    func asEarlier(at now: NumericDate) -> RevocationList {
        var list = content
        list.copy = RevocationList.Copy(retrieved: copy.retrieved, staleness: staleness(at: now))
        return list
    }
}
