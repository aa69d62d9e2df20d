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
        /// A file of PEM certificates that are accepted as TLS roots beside the system's.
        public var certificateAuthorityFile: String?
        /// How far past their freshness cached keys are used while the issuer's own cannot be had. None by default:
        /// a key that was withdrawn meanwhile would still verify cards (SHC-R6).
        public var maximumStaleness: Duration

        public init(
            timeout: Duration = .seconds(10), allowsPrivateNetwork: Bool = false,
            certificateAuthorityFile: String? = nil, maximumStaleness: Duration = .zero
        ) {
            self.timeout = timeout
            self.allowsPrivateNetwork = allowsPrivateNetwork
            self.certificateAuthorityFile = certificateAuthorityFile
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
    /// How many bytes the revocation lists have that were fetched.
    var listSize = 0
    /// How many they may have before no more are fetched. They are kept for the run, and whoever makes cards under keys of
    /// his own can have a list of the largest size fetched for each.
    let maximumListSize: Int

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
        self.maximumListSize = maximumListSize
        self.clock = clock
    }

    // MARK: Keys

    public func keys(
        of issuer: Issuer, current: Bool
    ) async throws(InstallationFault) -> Result<Evidence.Keys, VerificationFailure> {
        let held = copyOfKeys(issuer)
        if !current, keyFetches[issuer] == nil, let held, held.copy.isFresh(at: clock()) {
            return .success(held.asEarlier())
        }
        switch try await outcome(of: keyFetch(issuer)) {
        case .success(let answer):
            return .success(Evidence.Keys(answer.content, origin: answer.isCopy ? .cache : .network))
        case .failure(let problem):
            if !current, let held, let keys = resort(to: held) { return .success(keys) }
            return .failure(keysUnavailable(issuer, problem, held: held?.copy))
        }
    }

    /// What the cache holds once the issuer cannot be asked, where it is fresh or may be used all the same.
    private func resort(to held: Held<JWKSet>) -> Evidence.Keys? {
        guard let past = held.copy.timePastFreshness(at: clock()) else { return nil }
        if past < .zero { return held.asEarlier() }
        let maximum = limits.maximumStaleness
        return maximum > .zero && past <= maximum ? held.asEarlier(staleness: past) : nil
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

    /// - Note: A copy counts where its counter has reached what the key says (SHC-R4): while it is fresh at once, and
    ///   after that where the issuer has nothing that counts more. A list that is fetched is returned even where it has
    ///   fallen behind, for the verifier to judge.
    public func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Result<RevocationList, VerificationFailure> {
        let held = copyOfList(name)
        let copy = held.flatMap { $0.content.hasReached(counter) ? $0 : nil }
        if listFetches[name] == nil, let copy, copy.copy.isFresh(at: clock()) { return .success(copy.content) }
        let outcome = try await outcome(of: listFetch(name))
        if let copy {
            // A server that answers with an older list than it once had must not make us forget what that one said.
            if case .success(let answer) = outcome, answer.content.hasReached(counter),
                copy.content.counter.map({ answer.content.hasReached($0) }) ?? true
            {
                return .success(answer.content)
            }
            return .success(copy.content)
        }
        switch outcome {
        case .success(let answer): return .success(answer.content)
        case .failure(let problem): return .failure(listUnavailable(name, problem, held: held != nil))
        }
    }

    private func copyOfList(_ name: RevocationListName) -> Held<RevocationList>? {
        if let known = copiesOfLists[name] { return known }
        let held = held(.revocationList(name), read: Self.list(name))
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
