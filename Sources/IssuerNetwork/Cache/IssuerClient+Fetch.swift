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
    }

    /// A question to an issuer, asked or under way.
    typealias Fetch<Content: Sendable> = Task<Result<Answer<Content>, FetchProblem>, Never>

    /// What comes of a fetch. All who wait for one are of one run, so it ends when any of them is cancelled.
    func outcome<Content>(
        of fetch: Fetch<Content>
    ) async throws(InstallationFault) -> Result<Answer<Content>, FetchProblem> {
        let outcome = await withTaskCancellationHandler {
            await fetch.value
        } onCancel: {
            fetch.cancel()
        }
        if case .failure(let problem) = outcome, problem.cause == .installation {
            throw InstallationFault(problem.message)
        }
        return outcome
    }

    /// The copy of a document, where there is one that says something and was fetched with the same allowed as now.
    func held<Content>(_ document: PublishedDocument, read: ([UInt8]) throws(FetchProblem) -> Content) -> Held<Content>?
    {
        guard let copy = cache?.copy(of: document, under: allowances) else { return nil }
        return (try? read(copy.body)).map { Held(copy: copy, content: $0) }
    }

    private var allowances: CachedDocument.Allowances {
        CachedDocument.Allowances(
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorities: limits.certificateAuthorities?.digest)
    }

    /// Asks an issuer for a document, or whether the copy of it still holds; and keeps what it says.
    ///
    /// - Parameters:
    ///   - read: makes sense of the document. The copy does not give way to one that makes none.
    ///   - isKept: whether it gives way to this one.
    func fetch<Content>(
        _ document: PublishedDocument, held: Held<Content>?, read: ([UInt8]) throws(FetchProblem) -> Content,
        isKept: (Content) -> Bool = { _ in true }
    ) async -> Result<Answer<Content>, FetchProblem> {
        do throws(FetchProblem) {
            // The copy's age is counted from the question, so that a slow answer does not make it younger.
            let asked = clock()
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
                if isKept(content) {
                    keep(CachedDocument(response, retrieved: asked, allowances: allowances), of: document)
                }
                return .success(Answer(content: content, isCopy: false))
            case (304, let held?):
                keep(held.copy.confirmed(by: response, at: asked), of: document)
                return .success(Answer(content: held.content, isCopy: true))
            default:
                throw FetchProblem(status: response.status)
            }
        } catch {
            return .failure(error)
        }
    }

    private func keep(_ copy: CachedDocument?, of document: PublishedDocument) {
        if let copy { cache?.keep(copy, of: document) } else { cache?.discard(document, under: allowances) }
    }

    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?
    ) async throws(FetchProblem) -> HTTPResponse {
        let transport: any Transport
        switch reach {
        case .transport(let given): transport = given
        case .none(let hindrance): throw FetchProblem(hindrance)
        }
        guard document.kind == .revocationList else {
            return try await get(document, unlessIs: copy, maximumSize: document.maximumSize, by: transport)
        }
        // Hardly any list is large. So that many can be fetched at once, room for a large one is kept only for what has
        // turned out to be one.
        var tried = 0
        for size in [Self.usualListSize, document.maximumSize] {
            let room = await reserveRoom(upTo: size)
            var taken = 0
            defer { listRoom.release(room, taking: taken) }
            guard room > tried else { break }
            do throws(FetchProblem) {
                let response = try await get(document, unlessIs: copy, maximumSize: room, by: transport)
                taken = response.body.count
                return response
            } catch {
                guard error.cause == .tooLarge, room < document.maximumSize else { throw error }
                tried = room
            }
        }
        throw FetchProblem(noRoomFor: listRoom)
    }

    /// What a list has at most, unless it is of a rare size.
    private static let usualListSize = 16 << 20

    /// Room for a list that is to be fetched. While it is under way it has all that it may need; then others see what is left.
    private func reserveRoom(upTo size: Int) async -> Int {
        while true {
            if let room = listRoom.reserve(upTo: size) { return room }
            await withCheckedContinuation { listRoom.wait($0) }
        }
    }

    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?, maximumSize: Int, by transport: any Transport
    ) async throws(FetchProblem) -> HTTPResponse {
        let issuer = document.issuer
        if let problem = unreached[issuer] { throw problem }
        let left = limits.timeout - spent[issuer, default: .zero]
        guard left > .zero else { throw FetchProblem("the time for this issuer is used up", isUnreachable: true) }
        let request = HTTPRequest(
            url: document.url, timeout: left, maximumBodySize: maximumSize,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorities?.file, entityTag: copy?.entityTag,
            lastModified: copy?.lastModified)
        let start = ContinuousClock.now
        defer { spent[issuer, default: .zero] += start.duration(to: .now) }
        do throws(TransportFailure) {
            let response = try await transport.get(request)
            let problem = FetchProblem(status: response.status)
            if problem.isUnreachable { unreached[issuer] = problem }
            return response
        } catch {
            let problem = FetchProblem(error)
            if problem.isUnreachable { unreached[issuer] = problem }
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
