import JOSE
import JSON
public import SMARTHealthCards

/// Gets what issuers publish: their keys and their revocation lists (SHC-K4, SHC-R2), from a cache or by fetching them.
///
/// The issuer named in a card is the holder's claim until the signature verifies, and its server may be hostile. What
/// comes back is bounded, strictly parsed, and otherwise a failure in plain words.
///
/// A copy in the cache is used without a question while it is fresh; then the issuer is asked whether it has changed.
/// One client is for one run, however long: an issuer is asked for a document once as long as the answer is fresh, however
/// many cards want it, and again after a growing pause if no answer came. What no longer serves is forgotten.
public actor IssuerClient: EvidenceSource {
    /// How issuers may be asked, and how long their answers serve.
    public struct Limits: Sendable {
        /// For the whole of one issuer's fetch, keys and lists together.
        public var timeout: Duration
        /// Whether loopback, link-local, private and other special-use addresses may be contacted.
        public var allowsPrivateNetwork: Bool
        /// TLS roots beside the system's.
        public var certificateAuthorities: CertificateAuthorities?
        /// How far past their freshness cached keys and revocation lists are used while the issuer cannot be reached. None
        /// by default: a key that was withdrawn meanwhile would still verify cards (SHC-R6), and so would a card.
        public var maximumStaleness: Duration

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
    public enum Hindrance: Sendable {
        /// It is not wanted.
        case offline
    }

    let reach: Reach
    let limits: Limits
    let cache: IssuerCache?
    let clock: @Sendable () -> NumericDate
    /// Measures how long an issuer takes. Unlike the clock it is never set.
    let stopwatch: @Sendable () -> ContinuousClock.Instant
    /// How long each issuer has kept us waiting lately.
    var waits: [Issuer: Wait] = [:]
    /// Issuers that could not be reached, and until when they are left alone.
    var unreached: [Issuer: (problem: FetchProblem, pause: RetryPause)] = [:]
    /// Documents that were not what was asked for, and until when they are not asked for again.
    var unusable: [PublishedDocument: RetryPause] = [:]
    /// The memory for revocation lists. Anybody who makes cards with keys of his own can have a list of the largest size
    /// fetched for each.
    let listRoom: ListRoom

    private(set) var keySets: [Issuer: Known<JWKSet>] = [:]
    private(set) var lists: [RevocationListName: Known<RevocationList>] = [:]

    /// A client that asks issuers.
    ///
    /// - Parameters:
    ///   - cache: where answers are kept between runs; nil for nowhere.
    public init(transport: any Transport, limits: Limits, cache: IssuerCache? = nil) {
        self.init(reach: .transport(transport), limits: limits, cache: cache)
    }

    /// A client that has only its cache, and says why.
    public init(_ hindrance: Hindrance, limits: Limits, cache: IssuerCache? = nil) {
        self.init(reach: .none(hindrance), limits: limits, cache: cache)
    }

    init(
        reach: Reach, limits: Limits, cache: IssuerCache?, maximumListSize: Int = 128 << 20,
        clock: @escaping @Sendable () -> NumericDate = { SystemClock.now },
        stopwatch: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.reach = reach
        self.limits = limits
        self.cache = cache
        listRoom = ListRoom(maximum: maximumListSize)
        self.clock = clock
        self.stopwatch = stopwatch
    }

    // MARK: Keys

    public func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<Evidence.Keys> {
        let known = known(issuer, current: current)
        if !current, known.fetch == nil, let held = known.held, held.copy.isFresh(at: clock()) {
            return Answered(.success(held.asEarlier(at: clock())), held.copy.lifetime)
        }
        let fetched = try await outcome(of: known.fetch ?? fetchKeys(issuer, known))
        switch fetched.result {
        case .success(let answer):
            unusable[.keys(of: issuer)] = nil
            let keys = Evidence.Keys(answer.content, origin: answer.isCopy ? .cache : .network)
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

    /// For how long a copy serves although the issuer was asked in vain; nil if it does not. It serves if it is fresh, or not
    /// too far past that while nobody can be reached who knows better.
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

    /// What is known of an issuer's keys. What no longer serves is looked for anew, first in the cache.
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

    /// Forgets what is no longer of use, so that a run holds no more however long it goes on.
    private func forget(at now: NumericDate) {
        keySets = keySets.filter { $0.value.serves(at: now) }
        lists = lists.filter { $0.value.serves(at: now) }
        waits = waits.filter { !$0.value.isOver(at: now) }
        unreached = unreached.filter { !$0.value.pause.isPast(at: now) }
        unusable = unusable.filter { !$0.value.isPast(at: now) }
    }

    private static func keySet(_ body: [UInt8], _: ListRoom.Share?) throws(FetchProblem) -> JWKSet {
        do throws(JWKSetError) {
            return try JWKSet(body)
        } catch {
            throw FetchProblem(body, expected: "a key set", error.description)
        }
    }

    // MARK: Revocation lists

    /// - Note: A copy counts if its counter has reached what the key says (SHC-R4): while it is fresh at once, after that
    ///   only while the issuer cannot be reached and as long as is allowed. A list that is fetched is returned even if it
    ///   has fallen behind, for the verifier to judge.
    public func revocationList(
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
            // A server that answers with an older list than it once had must not make us forget what that one said.
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

    /// What is known of a list. What no longer serves is looked for anew, first in the cache.
    private func known(_ name: RevocationListName, atLeast counter: RevocationCounter?) -> Known<RevocationList> {
        let now = clock()
        if let known = lists[name], known.serves(at: now) {
            // A list that has fallen behind is asked for again, after a pause.
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
            // One that nothing can be concluded from, or that has fallen behind, must not cost us the better copy.
            let fetched = await self.fetch(.revocationList(name), held: held, read: Self.list(name)) { list in
                list.defect == nil && held?.content.counter.map { list.hasReached($0) } ?? true
            }
            lists[name]?.fetched = fetched
            return fetched
        }
        lists[name] = Known(held: held, fetch: fetch)
        return fetch
    }

    /// For how long it serves what a fetch brought: if the list has fallen behind, no longer than a pause.
    private func lifetime(
        of fetched: Fetched<RevocationList>, _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) -> AnswerLifetime {
        let document = PublishedDocument.revocationList(name)
        guard case .success(let answer) = fetched.result else { return fetched.lifetime }
        let asked = fetched.lifetime.begin
        // One pause for each fetch, however many want the list, and whatever version.
        let noted = unusable[document].flatMap { $0.begin >= asked ? $0 : nil }
        guard answer.content.isBehind(counter) else {
            if noted == nil { unusable[document] = nil }
            return fetched.lifetime
        }
        return AnswerLifetime(from: asked, to: noted?.end ?? pause(before: document, from: clock()))
    }

    private static func list(
        _ name: RevocationListName
    ) -> @Sendable ([UInt8], ListRoom.Share?) throws(FetchProblem) -> RevocationList {
        { body, share throws(FetchProblem) in
            do throws(RevocationListError) {
                var list = try RevocationList(body)
                guard list.keyID == name.keyID else { throw RevocationListError.otherKey }
                list.companion = share
                return list
            } catch {
                throw FetchProblem(body, expected: "a revocation list", error.description)
            }
        }
    }
}

extension RevocationList {
    /// Whether an earlier copy of this list will do, by SHC-R4.
    fileprivate func hasReached(_ wanted: RevocationCounter?) -> Bool {
        guard defect == nil, let counter, let wanted else { return false }
        return wanted <= counter
    }

    /// Whether the list is older than what is wanted, so that a newer one may be there soon.
    fileprivate func isBehind(_ wanted: RevocationCounter?) -> Bool { wanted != nil && !hasReached(wanted) }
}
