import Bytes
package import Credentials
public import HTTPSFetch
import JOSE
package import SMARTHealthCards
import StrictJSON

/// Gets the documents that issuers publish, from a cache or by fetching them: keys and revocation lists (SHC-K4,
/// SHC-R2).
///
/// Until the signature verifies, anyone may have written the issuer's name into the card, and the server may be
/// hostile. Answers are limited in size and strictly parsed. All others are failures with a plain message.
///
/// While a copy in the cache is fresh, it is used without a request. After that, the issuer is asked whether the
/// document has changed (RFC 9111 §4.3). One client serves one run of any length, and each answer serves all cards
/// while it is fresh. If there was no answer, the issuer is asked again after a growing pause. Answers that are no
/// longer usable are dropped.
public actor IssuerClient: EvidenceSource {
    /// The rules for asking issuers and for using their answers.
    public struct Limits: Sendable {
        /// The time for all requests to one issuer, for keys and lists together.
        public var timeout: Duration
        /// Whether loopback, link-local, private and other special-use addresses may be contacted.
        public var allowsPrivateNetwork: Bool
        /// TLS roots in addition to the system's.
        public var certificateAuthorities: CertificateAuthorities?
        /// How long cached keys and revocation lists are used after their freshness has ended, while the issuer cannot
        /// be reached (RFC 9111 §4.2.4). Zero by default, because a key or a card that has been revoked since then
        /// would still pass (SHC-R6).
        public var maximumStaleness: Duration

        /// Makes limits. The defaults are ten seconds per issuer, public addresses only, the system's TLS roots, and no
        /// use of stale copies.
        public init(
            timeout: Duration = .seconds(10), allowsPrivateNetwork: Bool = false,
            certificateAuthorities: CertificateAuthorities? = nil, maximumStaleness: Duration = .zero
        ) {
            self.timeout = timeout
            self.allowsPrivateNetwork = allowsPrivateNetwork
            self.certificateAuthorities = certificateAuthorities
            self.maximumStaleness = maximumStaleness
        }
    }

    /// Why nothing is fetched.
    package enum DisabledReason: Sendable {
        /// The user does not want any requests.
        case offline
    }

    let reach: Reach
    let limits: Limits
    let cache: IssuerCache?
    let clock: @Sendable () -> NumericDate
    /// Measures how long an issuer takes. Unlike the clock, it is never adjusted.
    let stopwatch: @Sendable () -> ContinuousClock.Instant
    /// How long the run has recently waited for each issuer.
    var waits: [Issuer: Wait] = [:]
    /// Issuers that could not be reached, and the time until which they are not asked again.
    var unreached: [Issuer: (problem: FetchProblem, pause: RetryPause)] = [:]
    /// Documents that were unusable, and the time until which they are not requested again.
    var unusable: [PublishedDocument: RetryPause] = [:]
    /// The memory for revocation lists. An attacker who signs cards with many keys can make the run fetch a list of the
    /// largest size for each key.
    let listBudget: MemoryBudget
    /// Is told what the cache had.
    let noteLookup: (@Sendable (CacheLookup) -> Void)?

    private(set) var keySets: [Issuer: Known<JWKSet>] = [:]
    private(set) var lists: [RevocationListName: Known<RevocationList>] = [:]

    /// Makes a client that asks issuers.
    ///
    /// - Parameters:
    ///   - transport: makes the requests.
    ///   - limits: the rules for asking issuers.
    ///   - cache: keeps answers between runs, or nil for no cache.
    ///   - note: is called with what the cache had for a document, in any thread; nil if nobody wants to know.
    public init(transport: any Transport, limits: Limits, cache: IssuerCache? = nil) {
        self.init(reach: .transport(transport), limits: limits, cache: cache)
    }

    package init(
        transport: any Transport, limits: Limits, cache: IssuerCache? = nil,
        noting note: (@Sendable (CacheLookup) -> Void)?
    ) {
        self.init(reach: .transport(transport), limits: limits, cache: cache, noting: note)
    }

    /// Makes a client that uses only its cache. Its failures state the reason.
    package init(
        _ disabledReason: DisabledReason, limits: Limits, cache: IssuerCache? = nil,
        noting note: (@Sendable (CacheLookup) -> Void)? = nil
    ) {
        self.init(reach: .none(disabledReason), limits: limits, cache: cache, noting: note)
    }

    init(
        reach: Reach, limits: Limits, cache: IssuerCache?, noting note: (@Sendable (CacheLookup) -> Void)? = nil,
        maximumListSize: Int = 128 << 20,
        clock: @escaping @Sendable () -> NumericDate = { SystemClock.now },
        stopwatch: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.reach = reach
        self.limits = limits
        self.cache = cache
        noteLookup = note
        listBudget = MemoryBudget(maximum: maximumListSize)
        self.clock = clock
        self.stopwatch = stopwatch
    }

    // MARK: Keys

    /// Gets the keys that an issuer publishes (SHC-K4), from the cache or from the issuer.
    ///
    /// - Note: A fresh copy is used at once. A stale copy is used only while the issuer cannot be reached, and only for
    ///   the allowed time. If `current` is true, no copy is used. All tasks that need the same keys share one fetch, which
    ///   goes on if a task is cancelled.
    package func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
        let known = known(issuer, current: current)
        if !current, known.fetch == nil, let held = known.held, held.copy.isFresh(at: clock()) {
            return Answered(.success(held.asEarlier(at: clock())), held.copy.lifetime)
        }
        let fetched = try await outcome(of: known.fetch ?? fetchKeys(issuer, known))
        switch fetched.result {
        case .success(let answer):
            unusable[.keys(of: issuer)] = nil
            let keys = IssuerKeys(answer.content, origin: answer.isCopy ? .cache : .network)
            return Answered(.success(keys), fetched.lifetime)
        case .failure(let problem):
            if !current, let held = known.held,
                let lifetime = lifetime(of: held.copy, after: problem, until: fetched.lifetime.end)
            {
                return Answered(.success(held.asEarlier(at: clock())), lifetime)
            }
            return Answered(.failure(keysUnavailable(issuer, problem, held: known.held?.copy)), fetched.lifetime)
        }
    }

    /// How long a copy may be used although the issuer gave no answer. It may be used while it is fresh, and while the
    /// issuer cannot be reached for the allowed time after that. Nil if it must not be used.
    ///
    /// - Parameter retry: when the issuer is asked again.
    private func lifetime(
        of copy: CachedDocument, after problem: FetchProblem, until retry: NumericDate
    ) -> AnswerLifetime? {
        let now = clock()
        guard let past = copy.timePastFreshness(at: now) else { return nil }
        if past < .zero { return copy.lifetime }
        let maximum = limits.maximumStaleness
        guard problem.isUnreachable, !copy.isOverruled, maximum > .zero, past <= maximum else { return nil }
        return AnswerLifetime(from: now, to: min(retry, copy.lifetime.end + maximum))
    }

    /// The state of an issuer's keys. If it is no longer usable, the cache is read again.
    private func known(_ issuer: Issuer, current: Bool) -> Known<JWKSet> {
        let now = clock()
        if let known = keySets[issuer], known.serves(at: now, current: current) { return known }
        let known = Known(held: held(.keys(of: issuer), read: Self.keySet))
        keySets[issuer] = known
        return known
    }

    private func fetchKeys(_ issuer: Issuer, _ known: Known<JWKSet>) -> Fetch<JWKSet> {
        forget(at: clock())
        let fetch = Task {
            let fetched = await self.fetch(.keys(of: issuer), held: known.held, read: Self.keySet)
            keySets[issuer]?.fetched = fetched
            return fetched
        }
        keySets[issuer] = Known(held: known.held, fetch: fetch)
        return fetch
    }

    /// Drops results that are no longer usable, so that a long run needs no more memory than a short one.
    private func forget(at now: NumericDate) {
        keySets = keySets.filter { $0.value.serves(at: now) }
        lists = lists.filter { $0.value.serves(at: now) }
        waits = waits.filter { !$0.value.isOver(at: now) }
        unreached = unreached.filter { !$0.value.pause.isPast(at: now) }
        unusable = unusable.filter { !$0.value.isPast(at: now) }
    }

    private static func keySet(_ body: [UInt8], _: MemoryBudget.Share?) throws(FetchProblem) -> JWKSet {
        do throws(JWKSetError) {
            return try JWKSet(body)
        } catch {
            throw FetchProblem(body, expected: "a key set", error.description)
        }
    }

    // MARK: Revocation lists

    /// - Note: A copy can be used if its counter has reached the key's `crlVersion` (SHC-R4). It is used at once while
    ///   it is fresh. After that, it is used only while the issuer cannot be reached, and only for the allowed time. A
    ///   fetched list is returned even if its counter is too low, and the verifier decides about it.
    package func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Answered<RevocationList> {
        let known = known(name, atLeast: counter)
        let copy = known.held.flatMap { $0.content.hasReached(counter) ? $0 : nil }
        if known.fetch == nil, let copy, copy.copy.isFresh(at: clock()) {
            return Answered(.success(copy.asEarlier(at: clock())), copy.copy.lifetime)
        }
        let fetched = try await outcome(of: known.fetch ?? fetchList(name, known))
        let lifetime = lifetime(of: fetched, name, atLeast: counter)
        switch fetched.result {
        case .success(let answer):
            // If a server answers with an older list than before, the newer one must still count.
            if let copy, answer.content.defect == nil, !answer.content.hasReached(copy.content.counter) {
                return Answered(.success(copy.asEarlier(at: copy.copy.retrieved)), lifetime)
            }
            return Answered(.success(answer.content), lifetime)
        case .failure(let problem):
            if let copy, let lifetime = self.lifetime(of: copy.copy, after: problem, until: lifetime.end) {
                return Answered(.success(copy.asEarlier(at: clock())), lifetime)
            }
            let failure = listUnavailable(name, problem, held: known.held?.copy, isBehind: copy == nil)
            return Answered(.failure(failure), lifetime)
        }
    }

    /// The state of a list. If it is no longer usable, the cache is read again.
    private func known(_ name: RevocationListName, atLeast counter: RevocationCounter?) -> Known<RevocationList> {
        let now = clock()
        if let known = lists[name], known.serves(at: now) {
            // A list with a counter that is too low is fetched again, after a pause.
            let isBehind = known.content.map { $0.isBehind(counter) } ?? false
            guard isBehind, unusable[.revocationList(name)]?.contains(now) != true else { return known }
        }
        forget(at: now)
        lists[name] = nil
        let known = Known(held: held(.revocationList(name), read: Self.list(name)))
        lists[name] = known
        return known
    }

    private func fetchList(_ name: RevocationListName, _ known: Known<RevocationList>) -> Fetch<RevocationList> {
        let held = known.held
        let fetch = Task {
            // A defective list, or one with a counter that is too low, must not replace a better copy.
            let fetched = await self.fetch(.revocationList(name), held: held, read: Self.list(name)) { list in
                list.defect == nil && held?.content.counter.map { list.hasReached($0) } ?? true
            }
            lists[name]?.fetched = fetched
            return fetched
        }
        lists[name] = Known(held: held, fetch: fetch)
        return fetch
    }

    /// How long a fetched list may be used. If its counter is too low, only until the pause ends.
    private func lifetime(
        of fetched: Fetched<RevocationList>, _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) -> AnswerLifetime {
        let document = PublishedDocument.revocationList(name)
        guard case .success(let answer) = fetched.result else { return fetched.lifetime }
        let asked = fetched.lifetime.begin
        // There is one pause for each fetch, even if many cards need the list in different versions.
        let noted = unusable[document].flatMap { $0.begin >= asked ? $0 : nil }
        guard answer.content.isBehind(counter) else {
            if noted == nil { unusable[document] = nil }
            return fetched.lifetime
        }
        return AnswerLifetime(from: asked, to: noted?.end ?? pause(before: document, from: clock()))
    }

    private static func list(
        _ name: RevocationListName
    ) -> @Sendable ([UInt8], MemoryBudget.Share?) throws(FetchProblem) -> RevocationList {
        { body, share throws(FetchProblem) in
            do throws(Malformed) {
                var list = try RevocationList(body)
                guard list.keyID == name.keyID else { throw Malformed("it is for another key than the requested one") }
                list.companion = share
                return list
            } catch {
                throw FetchProblem(body, expected: "a revocation list", error.description)
            }
        }
    }
}

extension RevocationList {
    /// Whether this list is new enough, by SHC-R4.
    fileprivate func hasReached(_ wanted: RevocationCounter?) -> Bool {
        guard defect == nil, let counter, let wanted else { return false }
        return wanted <= counter
    }

    /// Whether the list is older than the key says. Then the issuer may publish a newer one soon.
    fileprivate func isBehind(_ wanted: RevocationCounter?) -> Bool { wanted != nil && !hasReached(wanted) }
}
