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
        if case .failure(let problem) = outcome, let fault = problem.installationFault { throw fault }
        return outcome
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
                keep(held.copy.confirmed(by: response, at: asked, allowances: held.copy.allowances), of: document)
                return .success(Answer(content: held.content, isCopy: true))
            default:
                throw FetchProblem(status: response.status)
            }
        } catch {
            return .failure(error)
        }
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
        if let problem = unreached[issuer] { throw problem }
        if document.kind == .revocationList, listSize >= maximumListSize {
            throw FetchProblem(
                "the lists that were fetched in this run have \(maximumListSize >> 20) MiB together already")
        }
        let left = limits.timeout - spent[issuer, default: .zero]
        guard left > .zero else { throw FetchProblem("the time for this issuer is used up") }
        let request = HTTPRequest(
            url: document.url, timeout: left, maximumBodySize: document.maximumSize,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorityFile, entityTag: copy?.entityTag,
            lastModified: copy?.lastModified)
        let start = ContinuousClock.now
        defer { spent[issuer, default: .zero] += start.duration(to: .now) }
        do throws(TransportFailure) {
            let response = try await transport.get(request)
            if document.kind == .revocationList { listSize += response.body.count }
            if response.status == 429 || response.status >= 500 {
                unreached[issuer] = FetchProblem(status: response.status)
            }
            return response
        } catch {
            let problem = FetchProblem(error)
            unreached[issuer] = problem
            throw problem
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
