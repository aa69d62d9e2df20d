import Credentials
import Cryptography
import Encodings
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import Testing

@testable import Evidence

/// The requests of one run, and how it uses a copy if it cannot make any.
struct KeyCacheRunTests {
    private let fixture: CacheFixture

    init() throws {
        fixture = try CacheFixture()
    }

    private var requestCount: Int { fixture.requests.count }

    @Test func refreshesAFreshCopyWithoutTheKeyOnce() async throws {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.serve(keys: ["a", "b"], headers: ["etag": "\"2\""])
        let run = fixture.client()
        #expect(try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == ["a"])
        for _ in 0..<3 {
            let keys = try await run.keys(of: CacheFixture.issuer, current: true)
            #expect(keys.keyIDs == ["a", "b"] && keys.isCurrent == true)
        }
        #expect(requestCount == 2)
        #expect(fixture.requests.last?.entityTag == "\"1\"")
        #expect(try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == ["a", "b"])
    }

    @Test func freshCopyStillServesIfTheIssuerCannotBeReached() async throws {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.answer(.failure(CacheFixture.unreachable))
        let run = fixture.client()
        let current = try await run.keys(of: CacheFixture.issuer, current: true)
        #expect(current.message.contains("lack the card's key"))
        let earlier = try await run.keys(of: CacheFixture.issuer, current: false)
        #expect(earlier.keyIDs == ["a"] && earlier.isCurrent == false && earlier.staleness == nil)
        #expect(requestCount == 2)
    }

    @Test func staleCopyDoesNotServeIfTheCurrentKeysAreNeeded() async throws {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.advance(.seconds(301))
        fixture.answer(.failure(CacheFixture.unreachable))
        let run = fixture.client(maximumStaleness: .seconds(60))
        #expect(try await run.keys(of: CacheFixture.issuer, current: false).staleness == .seconds(1))
        #expect(try await run.keys(of: CacheFixture.issuer, current: true).keyIDs == nil)
        #expect(requestCount == 2)
    }

    @Test(arguments: [
        Result<HTTPResponse, TransportFailure>.failure(CacheFixture.unreachable),
        .success(HTTPResponse(status: 429, headers: ["retry-after": "0"])), .success(HTTPResponse(status: 503)),
    ])
    func asksAnUnavailableIssuerOnce(answer: Result<HTTPResponse, TransportFailure>) async throws {
        fixture.answer(answer)
        let run = fixture.client()
        for _ in 0..<3 { #expect(try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == nil) }
        #expect(try await run.keys(of: CacheFixture.issuer, current: true).keyIDs == nil)
        let list = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a"))
        await #expect(throws: VerificationFailure.self) { try await run.revocationList(list, atLeast: nil).get() }
        #expect(requestCount == 1)
        // Another issuer is not affected.
        _ = try await run.keys(of: Issuer(unchecked: "https://other.example"), current: false)
        #expect(requestCount == 2)
    }

    @Test func requestsForTheSameDocumentShareOneFetch() async throws {
        let gate = Gate()
        let run = Run(IssuerClient(transport: gate, limits: IssuerClient.Limits()))
        let answers = try await withThrowingTaskGroup(of: [String]?.self) { group in
            for _ in 0..<20 { group.addTask { try await run.keys(of: CacheFixture.issuer, current: false).keyIDs } }
            await gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: ["a"], count: 20))
        #expect(await gate.count == 1)
    }

    /// Who asked for a newer list asks again if the one that others wait for is too old.
    @Test func requestsForVersionsOfAListShareOneFetchAtATime() async throws {
        let name = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a"))
        func counter(_ number: Int) throws -> RevocationCounter? {
            RevocationCounter(try JSONDocument.parse(Array("\(number)".utf8)))
        }
        fixture.serve(#"{"kid":"a","method":"rid","ctr":1,"rids":[]}"#, at: name.url)
        _ = try await fixture.client().revocationList(name, atLeast: try counter(1))
        fixture.serve(#"{"kid":"a","method":"rid","ctr":2,"rids":[]}"#, at: name.url)
        let source = Held(fixture.client().client)
        let store = EvidenceStore(
            source: source, limits: EvidenceStore.Limits(for: TrustedIssuers()), clock: { fixture.now })
        var (old, new) = (store.caller(), store.caller())
        let (one, two) = (try counter(1), try counter(2))
        // The copy in the cache is enough for the first.
        let first = store.ask(for: [.revocationList(name, atLeast: one)], by: &old)
        let second = store.ask(for: [.revocationList(name, atLeast: two)], by: &new)
        #expect(first.open.count == 1 && second.open.count == 1)
        source.isOpen.withLock { $0 = true }
        var evidence = EvidenceAnswers()
        try await store.answers(to: first.open, in: &evidence)
        #expect(try evidence[.revocationList(name)]?.get().counter == one)
        evidence = EvidenceAnswers()
        try await store.answers(to: second.open, in: &evidence)
        #expect(evidence[.revocationList(name)] == nil)
        #expect(requestCount == 1)
        let third = store.ask(for: [.revocationList(name, atLeast: two)], again: [], by: &new)
        try await store.answers(to: third.open, in: &evidence)
        #expect(try evidence[.revocationList(name)]?.get().counter == two)
        #expect(requestCount == 2)
    }

    /// On a server, a visitor who goes away must not end the fetch for which others wait.
    @Test func cancelledTaskEndsNoFetch() async throws {
        let gate = Gate()
        let run = Run(IssuerClient(transport: gate, limits: IssuerClient.Limits()))
        let tasks = (0..<2).map { _ in Task { try await run.keys(of: CacheFixture.issuer, current: false).keyIDs } }
        await gate.hasRequest()
        tasks[0].cancel()
        await gate.open()
        #expect(try await tasks[1].value == ["a"])
        #expect(try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == ["a"])
        #expect(await gate.count == 1)
    }

    @Test func installationFaultsAreThrown() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "max-age=60"])
        _ = await fixture.keys()
        fixture.answer(.failure(TransportFailure(.installation, "/x/shcverify-fetch is missing")))
        let fault = InstallationFault("/x/shcverify-fetch is missing")
        let run = fixture.client(maximumStaleness: .seconds(86_400))
        #expect(
            try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == ["a"], "a fresh copy needs no request"
        )
        await #expect(throws: fault) { _ = try await run.keys(of: CacheFixture.issuer, current: true) }
        let list = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a"))
        await #expect(throws: fault) { _ = try await run.revocationList(list, atLeast: nil) }
        fixture.advance(.seconds(400))
        await #expect(throws: fault, "the issuer may be reachable, so a stale copy must not be used") {
            _ = try await fixture.client(maximumStaleness: .seconds(86_400)).keys(
                of: CacheFixture.issuer, current: false)
        }
    }

    // MARK: Offline

    @Test func freshCopyServesOffline() async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        let keys = await fixture.keys(offline: true)
        #expect(keys.keyIDs == ["a"] && keys.origin == .cache && keys.staleness == nil)
        #expect(
            await fixture.keys(current: true, offline: true).message
                == "no keys of this issuer were given, those in the cache, retrieved 2027-01-15T08:00:00Z, lack the card's "
                + "key, and none can be fetched offline")
    }

    @Test func staleCopyServesOfflineAsLongAsIsAllowed() async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.advance(.seconds(400))
        #expect(
            await fixture.keys(offline: true).message
                == "no keys of this issuer were given, those in the cache, retrieved 2027-01-15T08:00:00Z, are past their "
                + "freshness, and none can be fetched offline")
        #expect(await fixture.keys(maximumStaleness: .seconds(100), offline: true).staleness == .seconds(100))
        #expect(requestCount == 1)
    }

    @Test func saysThatThereIsNoCopyOffline() async throws {
        #expect(
            await fixture.keys(offline: true).message
                == "no keys of this issuer were given, the cache has none for these settings, and none can be fetched "
                + "offline")
        #expect(
            try await fixture.client(offline: true, isCached: false).keys(of: CacheFixture.issuer, current: false)
                .message
                == "no keys of this issuer were given, and none can be fetched offline")
        #expect(fixture.requests.isEmpty)
    }

    // MARK: Permissions

    @Test(arguments: [false, true])
    func copiesServeOnlyRunsWithTheSamePermissions(offline: Bool) async throws {
        fixture.serve(keys: ["a"])
        typealias Terms = (isPrivate: Bool, authorities: CertificateAuthorities?)
        let first = CertificateAuthorities(file: "/a.pem", content: [1])
        let moved = CertificateAuthorities(file: "/moved/a.pem", content: [1])
        let other = CertificateAuthorities(file: "/a.pem", content: [2])
        func origin(_ terms: Terms, offline: Bool = false) async throws -> KeyOrigin? {
            let client = fixture.client(
                offline: offline, allowsPrivateNetwork: terms.isPrivate, authorities: terms.authorities)
            let answer = try await client.keys(of: CacheFixture.issuer, current: false)
            return answer.origin
        }
        let all: [Terms] = [(false, nil), (true, nil), (false, first), (true, first), (false, other), (true, other)]
        for (index, terms) in all.enumerated() {
            for later in all[index...] { #expect(try await origin(later, offline: true) == nil) }
            #expect(try await origin(terms) == .network)
            // A copy from a run with other permissions is not even confirmed, since this run might not have contacted
            // its source.
            #expect(fixture.requests.last?.entityTag == nil)
            for earlier in all[...index] {
                #expect(try await origin(earlier, offline: offline) == .cache, "each has a copy of its own")
            }
        }
        #expect(try await origin((true, moved), offline: offline) == .cache, "files are compared by their content")
        #expect(fixture.requests.count == all.count)
    }
}

/// A source that answers only when the test tells it to.
private final class Held: EvidenceSource {
    let isOpen = Mutex(false)
    private let source: any EvidenceSource

    init(_ source: any EvidenceSource) { self.source = source }

    func keys(of issuer: Issuer, current: Bool) async throws(InstallationFault) -> Answered<IssuerKeys> {
        try await source.keys(of: issuer, current: current)
    }

    func revocationList(
        _ name: RevocationListName, atLeast counter: RevocationCounter?
    ) async throws(InstallationFault) -> Answered<RevocationList> {
        while !isOpen.withLock({ $0 }) { await Task.yield() }
        return try await source.revocationList(name, atLeast: counter)
    }
}

/// A transport that answers only when the test tells it to.
private actor Gate: Transport {
    private(set) var count = 0
    private var isOpen = false

    func open() { isOpen = true }

    func hasRequest() async {
        while count == 0 { await Task.yield() }
    }

    nonisolated func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        await begin()
        while await !isOpen {
            guard !Task.isCancelled else { throw TransportFailure(.cancelled, "the fetch was cancelled") }
            await Task.yield()
        }
        return HTTPResponse(status: 200, body: Array(CacheFixture.keySet(["a"]).utf8))
    }

    private func begin() { count += 1 }
}
