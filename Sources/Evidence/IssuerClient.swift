package import Credentials
import Cryptography
import Encodings
public import HTTPSFetch
package import SMARTHealthCards
internal import Synchronization

/// Gets the documents that issuers publish, from a cache or by fetching them: keys and revocation lists (SHC-K4,
/// SHC-R2).
///
/// Until the signature verifies, anyone may have written the issuer's name into the card, and the server may be
/// hostile. Answers are limited in size and strictly parsed. All others are failures with a plain message.
///
/// While a copy in the cache is fresh, it is used without a request. After that, the issuer is asked whether the
/// document has changed (RFC 9111 §4.3). `EvidenceStore` keeps the answers of a run: it asks only for what it has not, once
/// for all who wait.
public final class IssuerClient: EvidenceSource, Sendable {
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

    /// Makes the requests; nil if the user wants none.
    let transport: (any Transport)?
    let limits: Limits
    let cache: IssuerCache?
    let clock: @Sendable () -> NumericDate
    /// Measures how long an issuer takes. Unlike the clock, it is never adjusted.
    let stopwatch: @Sendable () -> ContinuousClock.Instant
    /// When issuers may be asked, and for how long.
    let pace: Mutex<IssuerPace>
    /// The memory for revocation lists. An attacker who signs cards with many keys can make the run fetch a list of the
    /// largest size for each key.
    let listBudget: MemoryBudget
    /// Is told what the cache had.
    let noteLookup: (@Sendable (CacheLookup) -> Void)?

    /// Makes a client that asks issuers.
    ///
    /// - Parameters:
    ///   - transport: makes the requests.
    ///   - limits: the rules for asking issuers.
    ///   - cache: keeps answers between runs, or nil for no cache.
    public convenience init(transport: any Transport, limits: Limits, cache: IssuerCache? = nil) {
        self.init(by: transport, limits: limits, cache: cache)
    }

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: makes the requests; nil for a client that uses only its cache, and says so in its failures.
    ///   - note: is called with what the cache had for a document, in any thread; nil if nobody wants to know.
    ///   - maximumListSize: how many bytes the revocation lists of a run may take together.
    package init(
        by transport: (any Transport)?, limits: Limits, cache: IssuerCache? = nil,
        noting note: (@Sendable (CacheLookup) -> Void)? = nil, maximumListSize: Int = 128 << 20,
        clock: @escaping @Sendable () -> NumericDate = { SystemClock.now },
        stopwatch: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.transport = transport
        self.limits = limits
        self.cache = cache
        noteLookup = note
        listBudget = MemoryBudget(maximum: maximumListSize)
        pace = Mutex(IssuerPace(timeout: limits.timeout))
        self.clock = clock
        self.stopwatch = stopwatch
    }

    // MARK: Keys

    /// Gets the keys that an issuer publishes (SHC-K4), from the cache or from the issuer.
    ///
    /// - Note: A fresh copy is used at once. A stale copy is used only while the issuer cannot be reached, and only for
    ///   the allowed time. If `current` is true, no copy is used.
    package func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
        let document = PublishedDocument.keys(of: issuer)
        let held = held(document, read: Self.keySet)
        if !current, let held, held.copy.isFresh(at: clock()) {
            return Answered(.success(held.asEarlier(at: clock())), held.copy.lifetime)
        }
        let fetched = try await fetch(document, held: held, read: Self.keySet)
        switch fetched.result {
        case .success(let answer):
            pace.withLock { $0.settle(document) }
            let keys = IssuerKeys(answer.content, origin: answer.isCopy ? .cache : .network)
            return Answered(.success(keys), fetched.lifetime)
        case .failure(let problem):
            if !current, let held, let lifetime = lifetime(of: held.copy, after: problem, until: fetched.lifetime.end) {
                return Answered(.success(held.asEarlier(at: clock())), lifetime)
            }
            return Answered(.failure(keysUnavailable(issuer, problem, held: held?.copy)), fetched.lifetime)
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
        let document = PublishedDocument.revocationList(name)
        let held = held(document, read: Self.list(name))
        let copy = held.flatMap { $0.content.hasReached(counter) ? $0 : nil }
        if let copy, copy.copy.isFresh(at: clock()) {
            return Answered(.success(copy.asEarlier(at: clock())), copy.copy.lifetime)
        }
        // A defective list, or one with a counter that is too low, must not replace a better copy.
        let fetched = try await fetch(document, held: held, read: Self.list(name)) { list in
            list.defect == nil && held?.content.counter.map { list.hasReached($0) } ?? true
        }
        switch fetched.result {
        case .success(let answer):
            let lifetime = lifetime(of: answer.content, for: fetched.lifetime, document, atLeast: counter)
            // If a server answers with an older list than before, the newer one must still count.
            if let copy, answer.content.defect == nil, !answer.content.hasReached(copy.content.counter) {
                return Answered(.success(copy.asEarlier(at: copy.copy.retrieved)), lifetime)
            }
            return Answered(.success(answer.content), lifetime)
        case .failure(let problem):
            if let copy, let lifetime = lifetime(of: copy.copy, after: problem, until: fetched.lifetime.end) {
                return Answered(.success(copy.asEarlier(at: clock())), lifetime)
            }
            let failure = listUnavailable(name, problem, held: held?.copy, isBehind: copy == nil)
            return Answered(.failure(failure), fetched.lifetime)
        }
    }

    /// How long a fetched list may be used. If its counter is too low, only until the pause ends.
    private func lifetime(
        of list: RevocationList, for lifetime: AnswerLifetime, _ document: PublishedDocument,
        atLeast counter: RevocationCounter?
    ) -> AnswerLifetime {
        pace.withLock { pace in
            guard list.isBehind(counter) else {
                pace.settle(document)
                return lifetime
            }
            return AnswerLifetime(from: lifetime.begin, to: pace.leave(document, nil, from: clock()))
        }
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
    func hasReached(_ wanted: RevocationCounter?) -> Bool {
        guard defect == nil, let counter, let wanted else { return false }
        return wanted <= counter
    }

    /// Whether the list is older than the key says. Then the issuer may publish a newer one soon.
    func isBehind(_ wanted: RevocationCounter?) -> Bool { wanted != nil && !hasReached(wanted) }
}
