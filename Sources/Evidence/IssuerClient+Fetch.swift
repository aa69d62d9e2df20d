import Credentials
import Cryptography
import HTTPSFetch
import SMARTHealthCards
internal import Synchronization

/// How the client fetches: only if the document has changed.
extension IssuerClient {
    /// A cached copy and its parsed content.
    struct Held<Content: Sendable>: Sendable {
        let copy: CachedDocument
        let content: Content
    }

    /// The result of a fetch, and its lifetime.
    struct Fetched<Content: Sendable>: Sendable {
        /// The document, and whether it is the cached copy, which the issuer still publishes; or why there is none.
        let result: Result<(content: Content, isCopy: Bool), FetchProblem>
        let lifetime: AnswerLifetime
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
    /// - Throws: `InstallationFault` if nothing can be fetched at all. It says nothing about the issuer.
    func fetch<Content>(
        _ document: PublishedDocument, held: Held<Content>?,
        read: ([UInt8], MemoryBudget.Share?) throws(FetchProblem) -> Content,
        isKept: (Content) -> Bool = { _ in true }
    ) async throws(InstallationFault) -> Fetched<Content> {
        // An answer's age counts from the request, so that a slow answer does not seem younger (RFC 9111 §4.2.3).
        let asked = clock()
        if let known = pace.withLock({ $0.pause(before: document, at: asked) }) {
            return Fetched(result: .failure(known.problem), lifetime: AnswerLifetime(from: asked, to: known.end))
        }
        pace.withLock { $0.begin(document, at: asked) }
        func fetched(_ content: Content, isCopy: Bool, _ copy: CachedDocument?) -> Fetched<Content> {
            let lifetime = AnswerLifetime(asked: asked, freshSeconds: copy?.freshSeconds ?? 0)
            return Fetched(
                result: .success((content, isCopy)), lifetime: pace.withLock { $0.slow(lifetime, of: document.issuer) })
        }
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
                return fetched(content, isCopy: false, copy)
            case (304, let held?):
                let copy = held.copy.confirmed(by: response, at: asked)
                keep(copy, of: document)
                return fetched(held.content, isCopy: true, copy)
            default:
                throw FetchProblem(status: response.status)
            }
        } catch {
            if error.isAnswer, let copy = held?.copy { keep(copy.overruled, of: document) }
            if error.cause == .installation { throw InstallationFault(error.message) }
            let end = pace.withLock { $0.retry(document, after: error, from: clock()) }
            return Fetched(result: .failure(error), lifetime: AnswerLifetime(from: asked, to: end))
        }
    }

    private func keep(_ copy: CachedDocument?, of document: PublishedDocument) {
        if let copy { cache?.keep(copy, of: document) } else { cache?.discard(document, under: allowances) }
    }

    /// - Returns: the issuer's answer, and the room that a list takes.
    private func get(
        _ document: PublishedDocument, unlessIs copy: CachedDocument?
    ) async throws(FetchProblem) -> (HTTPResponse, MemoryBudget.Share?) {
        guard let transport else { throw .offline }
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
        let left = try pace.withLock { pace throws(FetchProblem) in try pace.time(for: issuer, at: asked) }
        let request = HTTPRequest(
            url: document.url, timeout: left, maximumBodySize: maximumSize,
            allowsPrivateNetwork: limits.allowsPrivateNetwork,
            certificateAuthorityFile: limits.certificateAuthorities?.file, entityTag: copy?.entityTag,
            lastModified: copy?.lastModified)
        let start = stopwatch()
        defer {
            let time = start.duration(to: stopwatch())
            pace.withLock { $0.spend(time, on: issuer) }
        }
        do throws(TransportFailure) {
            let response = try await transport.sendChecked(request)
            let problem = FetchProblem(status: response.status)
            pace.withLock { $0.note(problem.isUnreachable ? problem : nil, of: issuer, asked: asked, at: clock()) }
            return response
        } catch {
            let problem = FetchProblem(error)
            if problem.isUnreachable {
                pace.withLock { $0.note(problem, of: issuer, asked: asked, at: clock()) }
            }
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
