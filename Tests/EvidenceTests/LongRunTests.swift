import Credentials
import Cryptography
import Encodings
import HTTPSFetch
import SMARTHealthCards
import Synchronization
import Testing

@testable import Evidence

/// The requests of a run that lasts for days.
struct LongRunTests {
    private static let issuer = CacheFixture.issuer
    private static let name = RevocationListName(issuer: issuer, keyID: KeyID("a"))
    private let fixture: CacheFixture

    init() throws {
        fixture = try CacheFixture()
    }

    private var requestCount: Int { fixture.requests.count }

    private func serveList(_ counter: Int, rids: String = "[]", headers: [String: String] = [:]) {
        fixture.serve(
            #"{"kid":"a","method":"rid","ctr":\#(counter),"rids":\#(rids)}"#, at: Self.name.url, headers: headers)
    }

    private func counter(_ number: Int) throws -> RevocationCounter? {
        RevocationCounter(try JSONDocument.parse(Array(String(number).utf8)))
    }

    // MARK: Freshness

    @Test(arguments: [false, true]) func keysAreAskedForAgainOnceTheyAreStale(isCached: Bool) async throws {
        fixture.serve(keys: ["a", "b"], headers: ["cache-control": "max-age=600", "etag": "\"1\""])
        let run = fixture.client(isCached: isCached)
        let begin = fixture.now
        let first = try await run.keys(of: Self.issuer, current: false)
        #expect(first.lifetime.begin == begin && first.lifetime.end == begin + .seconds(600))
        fixture.serve(keys: ["b"], headers: ["cache-control": "max-age=600", "etag": "\"2\""])
        fixture.advance(.seconds(599))
        #expect(try await run.keys(of: Self.issuer, current: false).keyIDs == ["a", "b"])
        #expect(requestCount == 1)
        fixture.advance(.seconds(1))
        let second = try await run.keys(of: Self.issuer, current: false)
        #expect(second.keyIDs == ["b"] && second.lifetime.end == begin + .seconds(1200))
        #expect(requestCount == 2)
        #expect(fixture.requests.last?.entityTag == (isCached ? "\"1\"" : nil))
    }

    @Test func listIsAskedForAgainOnceItIsStale() async throws {
        serveList(1)
        let run = fixture.client(isCached: false)
        let wanted = try counter(1)
        for _ in 0..<2 { _ = try await run.revocationList(Self.name, atLeast: wanted) }
        serveList(1, rids: #"["x"]"#)
        fixture.advance(.seconds(300))
        let list = try await run.revocationList(Self.name, atLeast: wanted)
        #expect(try list.get().lists("x", issued: NumericDate(sinceEpoch: .zero)))
        #expect(requestCount == 2)
    }

    @Test func usesACopyThatAnotherProcessHasRenewed() async throws {
        fixture.serve(keys: ["a"])
        let run = fixture.client()
        _ = try await run.keys(of: Self.issuer, current: false)
        fixture.advance(.seconds(300))
        #expect(await fixture.keys().isCurrent == true)
        #expect(try await run.keys(of: Self.issuer, current: false).isCurrent == false)
        #expect(requestCount == 2)
    }

    /// Keys may be fresh for a day, but the issuer may add others in that time.
    @Test func keysCountAsCurrentForFiveMinutes() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "max-age=86400"])
        let run = fixture.client(isCached: false)
        let begin = fixture.now
        let keys = try await run.keys(of: Self.issuer, current: false)
        #expect(keys.isCurrent == true && keys.lifetime.currentEnd == begin + .seconds(300))
        fixture.serve(keys: ["a", "b"], headers: ["cache-control": "max-age=86400"])
        fixture.advance(.seconds(299))
        #expect(try await run.keys(of: Self.issuer, current: true).keyIDs == ["a"])
        fixture.advance(.seconds(1))
        #expect(try await run.keys(of: Self.issuer, current: true).keyIDs == ["a", "b"])
        #expect(requestCount == 2)
    }

    @Test(arguments: ["no-store", "no-cache", "max-age=600, no-store"])
    func requestsAnAnswerThatMustNotBeKeptAgain(directive: String) async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": directive, "etag": "\"1\""])
        serveList(1, headers: ["cache-control": directive])
        let run = fixture.client()
        let wanted = try counter(1)
        for _ in 0..<3 {
            let keys = try await run.keys(of: Self.issuer, current: false)
            #expect(keys.keyIDs == ["a"] && keys.isCurrent == true)
            #expect(keys.lifetime.isUnkept && keys.lifetime.end == fixture.now + .seconds(60))
            #expect(try await run.revocationList(Self.name, atLeast: wanted).lifetime.isUnkept)
        }
        #expect(requestCount == 6)
    }

    @Test func settingTheClockBackMakesNoAnswerYounger() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "max-age=86400"])
        let run = fixture.client(isCached: false)
        _ = try await run.keys(of: Self.issuer, current: false)
        fixture.advance(.seconds(-3600))
        _ = try await run.keys(of: Self.issuer, current: false)
        #expect(requestCount == 2)
        fixture.answer(.failure(CacheFixture.unreachable))
        fixture.advance(.seconds(-3600))
        _ = try await run.keys(of: Self.issuer, current: false)
        fixture.answer(nil)
        fixture.advance(.seconds(-3600))
        #expect(try await run.keys(of: Self.issuer, current: false).keyIDs == ["a"], "a pause ends in the same way")
    }

    // MARK: Failures

    private static let pauses = [5, 10, 20, 40, 80, 160, 300, 300]

    @Test(arguments: [
        Result<HTTPResponse, TransportFailure>.failure(CacheFixture.unreachable),
        .success(HTTPResponse(status: 503)), .success(HTTPResponse(status: 404)),
        .success(HTTPResponse(status: 200, body: Array("<html>".utf8))),
    ])
    func failureIsTriedAgainAfterAGrowingPause(answer: Result<HTTPResponse, TransportFailure>) async throws {
        fixture.serve(keys: ["a"])
        let run = fixture.client(isCached: false)
        func keys() async throws -> Answered<IssuerKeys> { try await run.keys(of: Self.issuer, current: false) }
        for round in 1...2 {
            fixture.answer(answer)
            for pause in Self.pauses {
                let before = requestCount
                let failed = try await keys()
                #expect(failed.keyIDs == nil && requestCount == before + 1)
                #expect(failed.lifetime.end == fixture.now + .seconds(pause), "round \(round)")
                fixture.advance(.seconds(pause - 1))
                #expect(try await keys().keyIDs == nil && requestCount == before + 1)
                fixture.advance(.seconds(1))
            }
            // After one useful answer, the pauses start again from the shortest.
            fixture.answer(nil)
            #expect(try await keys().keyIDs == ["a"])
            fixture.advance(.seconds(300))
        }
    }

    /// Also if somebody else asks with the same client, such as a second verifier.
    @Test func unusableDocumentIsNotRequestedDuringThePause() async throws {
        let first = fixture.client(isCached: false)
        #expect(try await first.keys(of: Self.issuer, current: false).keyIDs == nil)
        fixture.serve(keys: ["a"])
        fixture.advance(.seconds(4))
        let second = Run(first.client) { [fixture] in fixture.now }
        let refused = try await second.keys(of: Self.issuer, current: false)
        #expect(refused.message.contains("404") && refused.lifetime.end == fixture.now + .seconds(1))
        #expect(requestCount == 1)
        fixture.advance(.seconds(1))
        #expect(try await second.keys(of: Self.issuer, current: false).keyIDs == ["a"])
    }

    /// A run of hours has one caller.
    @Test func callerUsesNoAnswerForLongAfterItsTime() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "no-store"])
        let store = fixture.client(isCached: false).store
        var caller = store.caller()
        func keys() async throws -> [String]? {
            var found: Result<IssuerKeys, VerificationFailure>?
            try await store.judge(by: &caller) { evidence in
                found = evidence[.keys(Self.issuer)]
                return found == nil ? [.keys(Self.issuer)] : []
            }
            return try found?.get().set.keys.compactMap { $0.keyID?.description }
        }
        #expect(try await keys() == ["a"])
        fixture.serve(keys: ["b"], headers: ["cache-control": "no-store"])
        fixture.advance(.seconds(59))
        #expect(try await keys() == ["a"])
        fixture.advance(.seconds(1))
        #expect(try await keys() == ["b"])
        #expect(requestCount == 2)
    }

    @Test func sendsNoRequestsToAnUnreachableIssuerDuringThePause() async throws {
        fixture.answer(.failure(CacheFixture.unreachable))
        serveList(1)
        let run = fixture.client(isCached: false)
        _ = try await run.keys(of: Self.issuer, current: false)
        fixture.advance(.seconds(2))
        let wanted = try counter(1)
        let list = try await run.revocationList(Self.name, atLeast: wanted)
        #expect(list.lifetime.end == fixture.now + .seconds(3), "the pause is the issuer's")
        #expect(requestCount == 1)
        fixture.answer(nil)
        fixture.advance(.seconds(3))
        #expect(try await run.revocationList(Self.name, atLeast: wanted).get().counter == wanted)
    }

    @Test func refusedRefreshIsTriedAgainAndTheCopyServesMeanwhile() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "max-age=600"])
        _ = await fixture.keys()
        fixture.answer(.failure(CacheFixture.unreachable))
        let run = fixture.client()
        #expect(try await run.keys(of: Self.issuer, current: true).lifetime.end == fixture.now + .seconds(5))
        let copy = try await run.keys(of: Self.issuer, current: false)
        #expect(copy.keyIDs == ["a"] && copy.lifetime.end == fixture.now + .seconds(600))
        fixture.answer(nil)
        fixture.serve(keys: ["a", "b"])
        fixture.advance(.seconds(5))
        #expect(try await run.keys(of: Self.issuer, current: true).keyIDs == ["a", "b"])
    }

    @Test func staleKeysServeNoLongerThanThePause() async throws {
        fixture.serve(keys: ["a"])
        _ = await fixture.keys()
        fixture.answer(.failure(CacheFixture.unreachable))
        let run = fixture.client(maximumStaleness: .seconds(7))
        fixture.advance(.seconds(301))
        var keys = try await run.keys(of: Self.issuer, current: false)
        #expect(keys.staleness == .seconds(1) && keys.lifetime.end == fixture.now + .seconds(5))
        fixture.advance(.seconds(5))
        keys = try await run.keys(of: Self.issuer, current: false)
        #expect(keys.staleness == .seconds(6) && keys.lifetime.end == fixture.now + .seconds(1))
        #expect(requestCount == 3)
        fixture.advance(.seconds(2))
        #expect(try await run.keys(of: Self.issuer, current: false).keyIDs == nil)
        fixture.answer(nil)
        fixture.advance(.seconds(10))
        #expect(try await run.keys(of: Self.issuer, current: false).keyIDs == ["a"])
    }

    @Test func requestsAnOutdatedListAgainAfterAPause() async throws {
        serveList(1, headers: ["cache-control": "max-age=86400"])
        let run = fixture.client(isCached: false)
        let (old, new) = (try counter(1), try counter(2))
        #expect(try await run.revocationList(Self.name, atLeast: old).lifetime.end == fixture.now + .seconds(86_400))
        #expect(requestCount == 1)
        // The key says that there is a newer list. It is requested at once, and then from time to time.
        for pause in [5, 10, 20] {
            let before = requestCount
            for _ in 0..<2 {
                let behind = try await run.revocationList(Self.name, atLeast: new)
                #expect(try behind.get().counter == old)
                #expect(behind.lifetime.end == fixture.now + .seconds(pause))
                #expect(requestCount == before + 1)
            }
            // Cards that need no newer list get the older one.
            #expect(try await run.revocationList(Self.name, atLeast: nil).get().counter == old)
            fixture.advance(.seconds(pause))
        }
        serveList(2)
        #expect(try await run.revocationList(Self.name, atLeast: new).get().counter == new)
    }

    // MARK: Bounds

    @Test(arguments: [("no-store", 0), ("max-age=300", 300), ("max-age=86400", 86_400)])
    func anIssuersTimeStartsAgainWhenItIsAskedAgain(directive: String, seconds: Int) async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": directive])
        serveList(1, headers: ["cache-control": directive])
        fixture.slowDown(.seconds(4))
        let run = fixture.client(isCached: false)
        let wanted = try counter(1)
        for _ in 0..<3 {
            _ = try await run.keys(of: Self.issuer, current: false)
            _ = try await run.revocationList(Self.name, atLeast: wanted)
            fixture.advance(.seconds(seconds))
        }
        #expect(fixture.requests.map(\.timeout) == [10, 6, 10, 6, 10, 6].map { Duration.seconds($0) })
    }

    /// Verdicts keep the order of the cards, so all cards wait for a slow issuer.
    @Test func asksASlowIssuerLessOftenThanItWants() async throws {
        fixture.serve(keys: ["a"], headers: ["cache-control": "no-store"])
        fixture.slowDown(.seconds(4))
        let run = fixture.client()
        let begin = fixture.now
        func keys() async throws -> Answered<IssuerKeys> { try await run.keys(of: Self.issuer, current: false) }
        for _ in 0..<7 { #expect(try await keys().lifetime.isUnkept) }
        let last = try await keys()
        #expect(last.keyIDs == ["a"] && !last.lifetime.isUnkept && last.lifetime.end == begin + .seconds(300))
        fixture.advance(.seconds(300 - 32 - 1))
        #expect(try await keys().keyIDs == ["a"] && requestCount == 8)
        // The issuer's other documents must wait as well.
        #expect(try await run.keys(of: Self.issuer, current: true).keyIDs == ["a"])
        let list = try await run.revocationList(Self.name, atLeast: nil)
        #expect(throws: VerificationFailure.self) { try list.get() }
        #expect(requestCount == 8)
        fixture.advance(.seconds(5))
        #expect(try await keys().lifetime.isUnkept && requestCount == 9)
        _ = try await run.revocationList(Self.name, atLeast: nil)
        #expect(requestCount == 10)
    }

    @Test func listsCountAsLongAsTheyAreHeld() async throws {
        serveList(1)
        let other = RevocationListName(issuer: Self.issuer, keyID: KeyID("A"))
        fixture.serve(#"{"kid":"A","method":"rid","ctr":1,"rids":[]}"#, at: other.url)
        let run = fixture.client(isCached: false, maximumListSize: 60)
        // There is room for only one of the two. It may be requested many times, since it is held only once.
        for _ in 0..<3 {
            #expect(try await run.revocationList(Self.name, atLeast: nil).get().defect == nil)
            let refused = try await run.revocationList(other, atLeast: nil)
            #expect(throws: VerificationFailure.self) { try refused.get() }
            fixture.advance(.seconds(300))
            #expect(try await run.holdsNoList())
        }
        #expect(requestCount == 6)
        #expect(try await run.revocationList(other, atLeast: nil).get().defect == nil)
    }

    @Test func dropsAnswersThatAreNoLongerUsable() async throws {
        let run = fixture.client(isCached: false)
        for number in 0..<500 {
            let issuer = Issuer(unchecked: "https://i\(number).example")
            let name = RevocationListName(issuer: issuer, keyID: KeyID("a"))
            switch number % 3 {
            case 0:
                fixture.serve(CacheFixture.keySet(["a"]), at: issuer.keySetURL)
                fixture.serve(#"{"kid":"a","method":"rid","ctr":1,"rids":[]}"#, at: name.url)
            case 1: fixture.answer(.failure(CacheFixture.unreachable))
            default: break
            }
            _ = try await run.keys(of: issuer, current: false)
            _ = try await run.revocationList(name, atLeast: nil)
            fixture.answer(nil)
            fixture.advance(.seconds(100))
        }
        // A pause is remembered for ten minutes after its end, to count the failures.
        let kept = run.store.state.withLock { $0.kept.answers.count }
        let paced = run.client.pace.withLock { $0.count }
        #expect(kept < 20 && paced < 40)
    }
}
