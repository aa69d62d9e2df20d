import Credentials
import Cryptography
import HTTPSFetch
import SMARTHealthCards
import Testing

@testable import Evidence

/// The keys that a run gets, depending on the answers to earlier runs.
struct KeyCacheTests {
    private let fixture: CacheFixture

    init() throws {
        fixture = try CacheFixture()
    }

    private var requestCount: Int { fixture.requests.count }

    // MARK: Fresh copies

    @Test func usesAFreshCopyWithoutARequest() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "max-age=3600"])
        let first = await fixture.keys()
        #expect(first.origin == .network && first.isCurrent == true)
        let retrieved = fixture.now
        fixture.advance(.seconds(3599))
        let second = try await fixture.keys().get()
        #expect(second.origin == .cache)
        #expect(!second.isCurrent)
        #expect(second.retrieved == retrieved)
        #expect(second.staleness == nil)
        #expect(second.set.keys.map(\.keyID) == [KeyID("a")])
        #expect(requestCount == 1)
    }

    @Test func nothingIsKeptWithoutACache() async throws {
        fixture.serve(keys: ["a"])
        for _ in 0..<2 {
            #expect(
                try await fixture.client(isCached: false).keys(of: CacheFixture.issuer, current: false).origin
                    == .network)
        }
        #expect(requestCount == 2)
        #expect(fixture.files.isEmpty)
    }

    @Test func issuersThatDifferInCaseShareNothing() async throws {
        fixture.serve(keys: ["a"])
        let other = Issuer(unchecked: "https://issuer.example/SHC")
        fixture.serve(CacheFixture.keySet(["b"]), at: other.keySetURL)
        #expect(await fixture.keys().keyIDs == ["a"])
        #expect(try await fixture.client().keys(of: other, current: false).keyIDs == ["b"])
        #expect(await fixture.keys().keyIDs == ["a"])
        #expect(requestCount == 2)
        #expect(fixture.files.count == 2)
    }

    // MARK: Revalidation

    @Test(arguments: [
        ["etag": "\"1\""], ["etag": "W/\"1\"", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
    ])
    func copyPastItsFreshnessIsConfirmed(headers: [String: String]) async {
        fixture.serve(keys: ["a"], headers: headers)
        _ = await fixture.keys()
        for _ in 0..<2 {
            fixture.advance(.seconds(300))
            let keys = await fixture.keys()
            #expect(keys.keyIDs == ["a"])
            #expect(keys.origin == .cache && keys.isCurrent == true)
            #expect(fixture.requests.last?.entityTag == headers["etag"])
            #expect(fixture.requests.last?.lastModified == headers["last-modified"])
        }
        #expect(requestCount == 3)
        // It is fresh again.
        fixture.advance(.seconds(299))
        #expect(await fixture.keys().isCurrent == false)
        #expect(requestCount == 3)
    }

    @Test func confirmationSaysHowLongItHolds() async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.advance(.seconds(300))
        fixture.answer(.success(HTTPResponse(status: 304, headers: ["cache-control": "max-age=600"])))
        _ = await fixture.keys()
        fixture.advance(.seconds(599))
        #expect(await fixture.keys().isCurrent == false)
        #expect(requestCount == 2)
    }

    @Test func copyWithoutValidatorsIsFetchedAnew() async {
        fixture.serve(keys: ["a"], headers: [:])
        _ = await fixture.keys()
        fixture.advance(.seconds(300))
        #expect(await fixture.keys().origin == .network)
        #expect(fixture.requests.last?.entityTag == nil && fixture.requests.last?.lastModified == nil)
    }

    @Test func removedKeyIsGoneWithTheNextAnswer() async {
        fixture.serve(keys: ["a", "b"])
        _ = await fixture.keys()
        fixture.serve(keys: ["b", "c"], headers: ["etag": "\"2\""])
        fixture.advance(.seconds(300))
        let keys = await fixture.keys()
        #expect(keys.keyIDs == ["b", "c"] && keys.origin == .network)
        #expect(await fixture.keys().keyIDs == ["b", "c"])
        #expect(requestCount == 2)
    }

    @Test func rejectsAConfirmationThatWasNotRequested() async {
        fixture.answer(.success(HTTPResponse(status: 304)))
        let keys = await fixture.keys()
        #expect(keys.message.contains("304"))
        #expect(requestCount == 1)
        // A copy without validators cannot be confirmed.
        fixture.answer(nil)
        fixture.serve(keys: ["a"], headers: [:])
        _ = await fixture.keys()
        fixture.advance(.seconds(300))
        fixture.answer(.success(HTTPResponse(status: 304)))
        #expect(await fixture.keys().message.contains("304"))
    }

    @Test func ignoresAConfirmationOfAnotherVersion() async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.advance(.seconds(300))
        fixture.answer(.success(HTTPResponse(status: 304, headers: ["etag": "\"2\""])))
        #expect(await fixture.keys().message.contains("304"))
        // The document itself was requested once more.
        #expect(fixture.requests.map(\.entityTag) == [nil, "\"1\"", nil])
    }

    @Test func keepsNoAnswerThatMustNotBeKept() async {
        fixture.serve(keys: ["a"], headers: ["cache-control": "no-store, max-age=3600", "etag": "\"1\""])
        for _ in 0..<2 { #expect(await fixture.keys().origin == .network) }
        #expect(requestCount == 2)
        #expect(fixture.files.isEmpty)
    }

    @Test(arguments: [200, 304])
    func copyIsRemovedIfItMustNotBeKept(status: Int) async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        #expect(fixture.files.count == 1)
        fixture.serve(keys: ["a"], headers: ["cache-control": "no-store", "etag": status == 200 ? "\"2\"" : "\"1\""])
        fixture.advance(.seconds(300))
        #expect(await fixture.keys().keyIDs == ["a"])
        #expect(fixture.files.isEmpty)
    }

    @Test func confirmsACopyEachTimeIfRequired() async {
        fixture.serve(keys: ["a"], headers: ["cache-control": "no-cache", "etag": "\"1\""])
        _ = await fixture.keys()
        for _ in 0..<2 { #expect(await fixture.keys().isCurrent == true) }
        #expect(requestCount == 3)
        fixture.answer(.failure(CacheFixture.unreachable))
        #expect(await fixture.keys().keyIDs == nil)
        #expect(await fixture.keys(maximumStaleness: .seconds(1)).staleness == .zero)
    }

    @Test(arguments: [(200, "<html>"), (200, ""), (200, "[]"), (200, "{}"), (404, ""), (503, ""), (429, ""), (301, "")])
    func onlyAKeySetReplacesTheCopy(status: Int, body: String) async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.advance(.seconds(300))
        fixture.answer(.success(HTTPResponse(status: status, headers: ["etag": "\"2\""], body: Array(body.utf8))))
        let keys = await fixture.keys()
        #expect(keys.keyIDs == nil)
        #expect(keys.message.contains("past their freshness"))
        // A server with a problem counts as unreachable. Any other answer comes from the issuer, and a stale copy must
        // not replace it.
        let isUnreachable = status == 503 || status == 429
        #expect(await fixture.keys(maximumStaleness: .seconds(1)).keyIDs == (isUnreachable ? ["a"] : nil))
        // The copy is not used again later, when there is no answer.
        fixture.answer(.failure(CacheFixture.unreachable))
        #expect(await fixture.keys(maximumStaleness: .seconds(1)).keyIDs == (isUnreachable ? ["a"] : nil))
        fixture.answer(nil)
        #expect(await fixture.keys().origin == .cache)
        #expect(fixture.requests.last?.entityTag == "\"1\"")
        fixture.advance(.seconds(300))
        fixture.answer(.failure(CacheFixture.unreachable))
        #expect(await fixture.keys(maximumStaleness: .seconds(1)).keyIDs == ["a"], "the issuer has confirmed it")
    }

    // MARK: Staleness

    @Test(arguments: [(0, 1, false), (1, 1, true), (1, 2, false), (600, 599, true), (86_400, 86_401, false)])
    func staleKeysServeAsLongAsIsAllowed(allowed: Int, past: Int, isUsed: Bool) async throws {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.answer(.failure(CacheFixture.unreachable))
        fixture.advance(.seconds(300 + past))
        let keys = await fixture.keys(maximumStaleness: .seconds(allowed))
        if isUsed {
            #expect(keys.keyIDs == ["a"])
            #expect(keys.origin == .cache && keys.isCurrent == false)
            #expect(keys.staleness == .seconds(past))
        } else {
            #expect(throws: VerificationFailure.self) { try keys.get() }
            #expect(keys.message.contains("no connection could be made; those in the cache, retrieved 2027-"))
        }
        #expect(requestCount == 2)
    }

    @Test(arguments: TransportFailure.Kind.allCases.filter { $0 != .installation })
    func staleKeysServeOnlyIfTheIssuerCannotBeReached(kind: TransportFailure.Kind) async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.answer(.failure(TransportFailure(kind, "words")))
        fixture.advance(.seconds(300))
        let isUnreachable = [
            .unresolvedName, .refusedAddress, .connection, .tls, .certificate, .timeout, .protocolError,
        ].contains(kind)
        #expect(await fixture.keys(maximumStaleness: .seconds(1)).keyIDs == (isUnreachable ? ["a"] : nil))
    }

    @Test func asksAReachableIssuerDespiteAllowedStaleness() async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.serve(keys: ["b"], headers: ["etag": "\"2\""])
        fixture.advance(.seconds(300))
        #expect(await fixture.keys(maximumStaleness: .seconds(86_400)).keyIDs == ["b"])
    }

    @Test func copyFromTheFutureIsNotFresh() async {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.advance(.seconds(-1))
        #expect(await fixture.keys().isCurrent == true)
        #expect(fixture.requests.last?.entityTag == "\"1\"")
        fixture.advance(.seconds(-1))
        fixture.answer(.failure(CacheFixture.unreachable))
        let keys = await fixture.keys(maximumStaleness: .seconds(86_400))
        #expect(keys.message.contains("future"))
    }
}
