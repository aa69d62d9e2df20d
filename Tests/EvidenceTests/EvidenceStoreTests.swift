import Credentials
import Cryptography
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import TestSupport
import Testing

@testable import Evidence

/// The answers that callers share, and what becomes of their requests.
@Suite(.timeLimit(.minutes(30))) struct EvidenceStoreTests {
    private static let issuer = Issuer(unchecked: "https://issuer.example")

    /// A store that asks as many issuers as are named.
    private static func store(_ source: any EvidenceSource) -> EvidenceStore {
        var limits = EvidenceStore.Limits(for: TrustedIssuers())
        limits.unknownIssuers = nil
        return EvidenceStore(source: source, limits: limits)
    }

    /// The answers to requests of a caller.
    private static func answers(
        _ requests: [EvidenceRequest], from store: EvidenceStore, to caller: inout EvidenceStore.Caller
    ) async throws -> EvidenceAnswers {
        let asked = store.ask(for: requests, by: &caller)
        var evidence = asked.held
        try await store.answers(to: asked.open, in: &evidence)
        return evidence
    }

    private static func request(_ issuer: Issuer = issuer, current: Bool = false) -> EvidenceRequest {
        EvidenceRequest(IssuerKeysQuery(issuer: issuer, isCurrent: current))
    }

    private static func answer(_ set: JWKSet, isUnkept: Bool = false) -> Answered<IssuerKeys> {
        let now = NumericDate.now
        let end = NumericDate(sinceEpoch: now.sinceEpoch + .seconds(600))
        return Answered(
            .success(IssuerKeys(set, origin: .network)),
            AnswerLifetime(from: now, to: end, currentTo: now, isUnkept: isUnkept))
    }

    /// Answers first with a key, and then without it, and with the wish that this is not kept.
    private final class Withdrawing: EvidenceSource {
        let first: JWKSet
        let count = Mutex(0)

        init(_ first: JWKSet) { self.first = first }

        func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
            count.withLock { $0 += 1 }
            return count.withLock { $0 } == 1
                ? EvidenceStoreTests.answer(first) : EvidenceStoreTests.answer(JWKSet([JWK]()), isUnkept: true)
        }

        func revocationList(
            _ name: RevocationListName, atLeast counter: RevocationCounter?
        ) async throws(InstallationFault) -> Answered<RevocationList> {
            throw InstallationFault("no list is asked for")
        }
    }

    private static func keys(in evidence: EvidenceAnswers) -> Int? {
        guard case .success(let keys)? = evidence[.keys(issuer)] else { return nil }
        return keys.set.keys.count
    }

    /// A key that an issuer has withdrawn does not come back, for nobody.
    @Test func aNewerAnswerTakesThePlaceOfAnOlderOne() async throws {
        let set = try JWKSet(VectorFiles.bytes("keys/issuer-a.jwks.json"))
        let store = Self.store(Withdrawing(set))
        var (one, other) = (store.caller(), store.caller())
        let first = try await Self.answers([Self.request()], from: store, to: &one)
        #expect(try #require(Self.keys(in: first)) > 0)
        let second = try await Self.answers([Self.request(current: true)], from: store, to: &one)
        #expect(Self.keys(in: second) == 0)
        #expect(Self.keys(in: store.current) == nil)
        // Requests to other issuers bring nothing back.
        _ = try await Self.answers([Self.request(Issuer(unchecked: "https://other.example"))], from: store, to: &one)
        #expect(Self.keys(in: store.current) == nil)
        let others = try await Self.answers([Self.request()], from: store, to: &other)
        #expect(Self.keys(in: others) == 0)
    }

    /// A source of which each answer waits until it is let go.
    private final class Slow: EvidenceSource {
        let asked = Mutex<[String]>([])
        let isOpen = Mutex(false)

        func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
            asked.withLock { $0.append(issuer.url.description) }
            while issuer.url.description.contains("slow"), !isOpen.withLock({ $0 }) { await Task.yield() }
            return EvidenceStoreTests.answer(JWKSet([JWK]()))
        }

        func revocationList(
            _ name: RevocationListName, atLeast counter: RevocationCounter?
        ) async throws(InstallationFault) -> Answered<RevocationList> {
            throw InstallationFault("no list is asked for")
        }
    }

    /// Eight requests run at a time, and the next one is that of the caller with the fewest.
    @Test func callersTakeTurns() async throws {
        let source = Slow()
        let store = Self.store(source)
        let slow = (0..<30).map { Self.request(Issuer(unchecked: "https://slow-\($0).example")) }
        let hog = Task {
            var caller = store.caller()
            return try await Self.answers(slow, from: store, to: &caller)
        }
        while source.asked.withLock({ $0.count }) < 8 { await Task.yield() }
        let victim = Task {
            var caller = store.caller()
            return try await Self.answers([Self.request()], from: store, to: &caller)
        }
        // All others wait: 22 of the one caller, and that of the other one.
        while store.state.withLock({ $0.turns.waiting.count }) < 23 { await Task.yield() }
        #expect(source.asked.withLock { $0.count } == 8)
        source.isOpen.withLock { $0 = true }
        _ = try await (hog.value, victim.value)
        let asked = source.asked.withLock { $0 }
        let place = try #require(asked.firstIndex(of: Self.issuer.url.description))
        #expect(asked.count == 31 && place < 20)
    }

    // MARK: Who asks, and for how long

    private static let slow = Issuer(unchecked: "https://slow.example")

    /// Judges until the keys of issuers are there, and returns what was found.
    private static func judge(
        _ issuers: [Issuer], from store: EvidenceStore, by caller: EvidenceStore.Caller
    ) async throws -> EvidenceAnswers {
        var (caller, found) = (caller, EvidenceAnswers())
        try await store.judge(by: &caller) { evidence in
            found = evidence
            return issuers.filter { evidence[.keys($0)] == nil }.map { request($0) }
        }
        return found
    }

    private static func failure(of issuer: Issuer, in evidence: EvidenceAnswers) -> VerificationFailure? {
        if case .failure(let failure)? = evidence[.keys(issuer)] { failure } else { nil }
    }

    /// One gives up, and the others have their answer from the request that was made for it.
    @Test func oneRequestServesAllWhoWait() async throws {
        let source = Slow()
        let store = Self.store(source)
        let first = Task { try await Self.judge([Self.slow], from: store, by: store.caller()) }
        while source.asked.withLock({ $0.isEmpty }) { await Task.yield() }
        let others = (0..<200).map { _ in
            Task { try await Self.judge([Self.slow], from: store, by: store.caller()) }
        }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        source.isOpen.withLock { $0 = true }
        for other in others { #expect(try await other.value[.keys(Self.slow)] != nil) }
        #expect(source.asked.withLock { $0.count } == 1)
    }

    /// Its answer is for those who come later.
    @Test func requestGoesOnAfterTheTimeOfItsCaller() async throws {
        let source = Slow()
        let store = Self.store(source)
        var caller = store.caller(until: .now)
        // Its time was over while it asked.
        var late = EvidenceAnswers()
        let asked = store.ask(for: [Self.request(Self.slow)], by: &caller)
        try await store.answers(to: asked.open, until: caller.deadline, in: &late)
        #expect(try await eventually { source.asked.withLock { $0.count } == 1 })
        let failure = try #require(Self.failure(of: Self.slow, in: late))
        #expect(failure.code == .keysUnavailable && failure.message.contains("the time for this input was used up"))
        // Its time is over, so nothing more is asked for it.
        _ = try await Self.judge([Self.issuer], from: store, by: caller)
        #expect(source.asked.withLock { $0 } == [Self.slow.url.description])
        source.isOpen.withLock { $0 = true }
        let next = try await Self.judge([Self.slow], from: store, by: store.caller())
        #expect(Self.failure(of: Self.slow, in: next) == nil)
        #expect(source.asked.withLock { $0.count } == 1)
    }

    @Test func unknownIssuersHavePlacesInAnInputAndInAll() async throws {
        let source = Slow()
        let issuers = (0..<30).map { Issuer(unchecked: "https://issuer-\($0).example") }
        let listed = Issuer(unchecked: "https://app.example")
        let store = EvidenceStore(source: source, limits: .init(for: TrustedIssuers(), listing: [listed]))
        let input = try await Self.judge(Array(issuers[..<6]), from: store, by: store.caller(naming: 4))
        #expect(issuers[..<6].map { Self.failure(of: $0, in: input)?.isUnasked } == [nil, nil, nil, nil, true, true])
        let all = try await Self.judge(issuers, from: store, by: store.caller())
        #expect(issuers.filter { Self.failure(of: $0, in: all) == nil } == Array(issuers[..<20]))
        #expect(source.asked.withLock { $0.count } == 20)
        // What the user has listed needs no place.
        let app = try await Self.judge([listed], from: store, by: store.caller(naming: 0))
        #expect(Self.failure(of: listed, in: app) == nil)
    }

    /// A place is for a request. To wait for the request of another one costs none.
    @Test func waitingForWhatIsFetchedNeedsNoPlace() async throws {
        let source = Slow()
        let store = EvidenceStore(source: source, limits: .init(for: TrustedIssuers()))
        var (first, second) = (store.caller(), store.caller(naming: 0))
        let made = store.ask(for: [Self.request(Self.slow)], by: &first)
        let joined = store.ask(for: [Self.request(Self.slow), Self.request()], by: &second)
        #expect(joined.open.map(\.request) == [Self.request(Self.slow)])
        #expect(Self.failure(of: Self.issuer, in: joined.refused)?.isUnasked == true)
        source.isOpen.withLock { $0 = true }
        var evidence = EvidenceAnswers()
        for asked in [made, joined] { try await store.answers(to: asked.open, in: &evidence) }
        #expect(source.asked.withLock { $0 } == [Self.slow.url.description])
    }

    @Test func sameEvidenceIsNotAskedForWithoutEnd() async throws {
        let source = Slow()
        let store = Self.store(source)
        var caller = store.caller()
        await #expect(throws: InstallationFault("the evidence for a credential is never complete")) {
            try await store.judge(by: &caller) { _ in [Self.request()] }
        }
        #expect(source.asked.withLock { $0.count } < 5)
    }

    /// An interrupted run starts nothing more.
    @Test func closedStoreMakesNoFurtherRequests() async throws {
        let source = Slow()
        let store = Self.store(source)
        let issuers = (0..<20).map { Issuer(unchecked: "https://slow-\($0).example") }
        let callers = issuers.map { issuer in
            Task { try await Self.judge([issuer], from: store, by: store.caller()) }
        }
        while source.asked.withLock({ $0.count }) < 8 { await Task.yield() }
        store.close()
        source.isOpen.withLock { $0 = true }
        var failed = 0
        for caller in callers {
            if case .failure(let error) = await caller.result {
                #expect(error as? InstallationFault == InstallationFault("no further requests are made"))
                failed += 1
            }
        }
        #expect(failed == 12 && source.asked.withLock { $0.count } == 8)
    }
}
