import JOSE
import JSON
public import SMARTHealthCards

/// Gets what issuers publish: their keys and their revocation lists (SHC-K4, SHC-R2), from a cache or by fetching them.
///
/// The issuer named in a card is the holder's claim until the signature verifies, and its server may be hostile. What
/// comes back is bounded, strictly parsed, and otherwise a failure in plain words.
///
/// A copy in the cache is used without a question while it is fresh; then the issuer is asked whether it has changed.
/// One client is for one run: in that, an issuer is asked for a document once, however many cards want it and whatever
/// comes of it.
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
    /// How long each issuer has kept us waiting.
    var spent: [Issuer: Duration] = [:]
    /// Issuers that could not be reached, which are not tried again.
    var unreached: [Issuer: FetchProblem] = [:]
    /// The memory for revocation lists. They are kept for the run, and whoever makes cards under keys of his own can have a
    /// list of the largest size fetched for each.
    var listRoom: ListRoom

    private var copiesOfKeys: [Issuer: Held<JWKSet>?] = [:]
    private var keyFetches: [Issuer: Fetch<JWKSet>] = [:]
    private var copiesOfLists: [RevocationListName: Held<RevocationList>?] = [:]
    private var listFetches: [RevocationListName: Fetch<RevocationList>] = [:]

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
        clock: @escaping @Sendable () -> NumericDate = { SystemClock.now }
    ) {
        self.reach = reach
        self.limits = limits
        self.cache = cache
        listRoom = ListRoom(maximum: maximumListSize)
        self.clock = clock
    }

    // MARK: Keys

    public func keys(
        of issuer: Issuer, current: Bool
    ) async throws(InstallationFault) -> Result<Evidence.Keys, VerificationFailure> {
        let held = copyOfKeys(issuer)
        if !current, keyFetches[issuer] == nil, let held, held.copy.isFresh(at: clock()) {
            return .success(held.asEarlier(at: clock()))
        }
        switch try await outcome(of: keyFetch(issuer)) {
        case .success(let answer):
            return .success(Evidence.Keys(answer.content, origin: answer.isCopy ? .cache : .network))
        case .failure(let problem):
            if !current, let held, mayServe(held.copy, after: problem) { return .success(held.asEarlier(at: clock())) }
            return .failure(keysUnavailable(issuer, problem, held: held?.copy))
        }
    }

    /// Whether a copy may be used although the issuer was asked in vain: it is fresh, or not too far past that while nobody
    /// can be reached who knows better.
    private func mayServe(_ copy: CachedDocument, after problem: FetchProblem) -> Bool {
        guard let past = copy.timePastFreshness(at: clock()) else { return false }
        return past < .zero
            || problem.isUnreachable && limits.maximumStaleness > .zero && past <= limits.maximumStaleness
    }

    private func copyOfKeys(_ issuer: Issuer) -> Held<JWKSet>? {
        if let known = copiesOfKeys[issuer] { return known }
        let held = held(.keys(of: issuer), read: Self.keySet)
        copiesOfKeys[issuer] = .some(held)
        return held
    }

    private func keyFetch(_ issuer: Issuer) -> Fetch<JWKSet> {
        if let fetch = keyFetches[issuer] { return fetch }
        let held = copyOfKeys(issuer)
        let fetch = Task { await self.fetch(.keys(of: issuer), held: held, read: Self.keySet) }
        keyFetches[issuer] = fetch
        return fetch
    }

    private static func keySet(_ body: [UInt8]) throws(FetchProblem) -> JWKSet {
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
    ) async throws(InstallationFault) -> Result<RevocationList, VerificationFailure> {
        let held = copyOfList(name)
        let copy = held.flatMap { $0.content.hasReached(counter) ? $0 : nil }
        if listFetches[name] == nil, let copy, copy.copy.isFresh(at: clock()) {
            return .success(copy.asEarlier(at: clock()))
        }
        switch try await outcome(of: listFetch(name)) {
        case .success(let answer):
            // A server that answers with an older list than it once had must not make us forget what that one said.
            if let copy, answer.content.defect == nil, !answer.content.hasReached(copy.content.counter) {
                return .success(copy.asEarlier(at: copy.copy.retrieved))
            }
            return .success(answer.content)
        case .failure(let problem):
            if let copy, mayServe(copy.copy, after: problem) { return .success(copy.asEarlier(at: clock())) }
            return .failure(listUnavailable(name, problem, held: held?.copy, isBehind: copy == nil))
        }
    }

    private func copyOfList(_ name: RevocationListName) -> Held<RevocationList>? {
        if let known = copiesOfLists[name] { return known }
        var held = held(.revocationList(name), read: Self.list(name))
        if let copy = held?.copy, !listRoom.take(copy.body.count) { held = nil }
        copiesOfLists[name] = .some(held)
        return held
    }

    private func listFetch(_ name: RevocationListName) -> Fetch<RevocationList> {
        if let fetch = listFetches[name] { return fetch }
        let held = copyOfList(name)
        let fetch = Task {
            // One that nothing can be concluded from, or that has fallen behind, must not cost us the better copy.
            await self.fetch(.revocationList(name), held: held, read: Self.list(name)) { list in
                list.defect == nil && held?.content.counter.map { list.hasReached($0) } ?? true
            }
        }
        listFetches[name] = fetch
        return fetch
    }

    private static func list(
        _ name: RevocationListName
    ) -> @Sendable ([UInt8]) throws(FetchProblem) -> RevocationList {
        { body throws(FetchProblem) in
            do throws(RevocationListError) {
                let list = try RevocationList(body)
                guard list.keyID == name.keyID else { throw RevocationListError.otherKey }
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
}
