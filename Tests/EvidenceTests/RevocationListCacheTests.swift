import Credentials
import Cryptography
import Encodings
import HTTPSFetch
import SMARTHealthCards
import Testing

@testable import Evidence

/// The revocation list that a run gets, depending on the answers to earlier runs (SHC-R4).
struct RevocationListCacheTests {
    private static let name = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a"))
    private let fixture: CacheFixture

    init() throws {
        fixture = try CacheFixture()
    }

    private func serve(_ counter: Int, rids: String = "[]", method: String = "rid", headers: [String: String] = [:]) {
        let text = #"{"kid":"a","method":"\#(method)","ctr":\#(counter),"rids":\#(rids)}"#
        fixture.serve(text, at: Self.name.url, headers: ["etag": "\"\(counter)\""].merging(headers) { $1 })
    }

    private func counter(_ number: Int?) throws -> RevocationCounter? {
        guard let number else { return nil }
        return RevocationCounter(try JSONDocument.parse(Array(String(number).utf8)))
    }

    /// Asks for the list in a new run.
    private func list(
        atLeast number: Int?, offline: Bool = false, maximumStaleness: Duration = .zero
    ) async throws -> Answered<RevocationList> {
        let wanted = try counter(number)
        return try await fixture.client(maximumStaleness: maximumStaleness, offline: offline)
            .revocationList(Self.name, atLeast: wanted)
    }

    @Test(arguments: [2, 3])
    func usesAFreshAndNewEnoughCopyWithoutARequest(counter: Int) async throws {
        serve(3)
        _ = try await list(atLeast: 1)
        #expect(try await list(atLeast: counter).get().counter == self.counter(3))
        #expect(fixture.requests.count == 1)
    }

    @Test func refreshesAnOutdatedCopyOnce() async throws {
        serve(1)
        _ = try await list(atLeast: 1)
        serve(2)
        #expect(try await list(atLeast: 2).get().counter == counter(2))
        #expect(fixture.requests.last?.entityTag == "\"1\"")
        #expect(try await list(atLeast: 2).get().counter == counter(2))
        #expect(fixture.requests.count == 2)
    }

    @Test func returnsAnOutdatedListToTheVerifier() async throws {
        serve(1)
        let run = fixture.client()
        for _ in 0..<2 {
            #expect(try await run.revocationList(Self.name, atLeast: counter(2)).get().counter == counter(1))
        }
        #expect(fixture.requests.count == 1)
        // The result is the same if the server confirms the copy.
        #expect(try await list(atLeast: 2).get().counter == counter(1))
        #expect(fixture.requests.count == 2)
    }

    @Test func requestsTheListIfTheKeyHasNoVersion() async throws {
        serve(1)
        for _ in 0..<2 { _ = try await list(atLeast: nil) }
        #expect(fixture.requests.count == 2)
    }

    @Test func listThatChangedUnderItsVersionIsSeenWhenTheCopyIsNotFresh() async throws {
        serve(1)
        _ = try await list(atLeast: 1)
        serve(1, rids: #"["x"]"#, headers: ["etag": "\"other\""])
        fixture.advance(.seconds(300))
        let changed = try await list(atLeast: 1).get()
        #expect(changed.lists("x", issued: NumericDate(sinceEpoch: .zero)))
    }

    @Test(arguments: [false, true])
    func copyPastItsFreshnessServesOnlyAsLongAsIsAllowed(offline: Bool) async throws {
        serve(3)
        #expect(try await list(atLeast: 3).get().copy == nil)
        let retrieved = fixture.now
        fixture.answer(.failure(CacheFixture.unreachable))
        fixture.advance(.seconds(299))
        let fresh = try await list(atLeast: 3, offline: offline).get()
        #expect(fresh.copy?.retrieved == retrieved && fresh.copy?.staleness == nil)
        fixture.advance(.seconds(61))
        let stale = try await list(atLeast: 3, offline: offline, maximumStaleness: .seconds(60)).get()
        #expect(try stale.counter == counter(3))
        #expect(stale.copy?.retrieved == retrieved && stale.copy?.staleness == .seconds(60))
        for (wanted, staleness, words) in [
            (3, 0, "retrieved 2027-01-15T08:00:00Z, is past its freshness"), (3, 59, "is past its freshness"),
            (4, 60, "is older than the key says"), (nil, 60, "is older than the key says"),
        ] {
            let failure = await #expect(throws: VerificationFailure.self) {
                try await list(atLeast: wanted, offline: offline, maximumStaleness: .seconds(staleness)).get()
            }
            #expect(failure?.code == .revocationUnavailable)
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains(offline ? "none can be fetched offline" : "no connection") == true)
        }
    }

    @Test func saysThatThereIsNoCopyOffline() async throws {
        let failure = await #expect(throws: VerificationFailure.self) {
            try await list(atLeast: 1, offline: true).get()
        }
        #expect(
            failure?.message
                == #"the revocation list of the key "a", published at "https://issuer.example/shc/.well-known/crl/a.json", was not "#
                + "given, and none can be fetched offline")
        #expect(failure?.isUnasked == true)
    }

    @Test(arguments: [
        HTTPResponse(status: 200, body: Array("<html>".utf8)), HTTPResponse(status: 404), HTTPResponse(status: 410),
        HTTPResponse(status: 403),
        HTTPResponse(status: 200, body: Array(#"{"kid":"b","method":"rid","ctr":9,"rids":[]}"#.utf8)),
    ])
    func answerThatIsNotAListIsAnAnswer(answer: HTTPResponse) async throws {
        serve(3)
        _ = try await list(atLeast: 3)
        fixture.advance(.seconds(300))
        fixture.answer(.success(answer))
        let failure = await #expect(throws: VerificationFailure.self) {
            try await list(atLeast: 3, maximumStaleness: .seconds(86_400)).get()
        }
        #expect(failure?.code == .revocationUnavailable)
        // The copy is not used again later, when there is no answer.
        fixture.answer(.failure(CacheFixture.unreachable))
        let later = await #expect(throws: VerificationFailure.self) {
            try await list(atLeast: 3, maximumStaleness: .seconds(86_400)).get()
        }
        #expect(later?.code == .revocationUnavailable)
        fixture.answer(nil)
        serve(2)
        #expect(try await list(atLeast: 1).get().counter == counter(3), "nothing replaced the copy")
    }

    @Test func aDefectiveListDoesNotReplaceTheCopy() async throws {
        serve(3)
        _ = try await list(atLeast: 3)
        fixture.advance(.seconds(300))
        serve(9, method: "other")
        #expect(try await list(atLeast: 3, maximumStaleness: .seconds(86_400)).get().defect != nil)
        fixture.answer(.failure(CacheFixture.unreachable))
        #expect(try await list(atLeast: 3, maximumStaleness: .seconds(86_400)).get().counter == counter(3))
    }

    @Test func anOlderListDoesNotReplaceTheCopy() async throws {
        serve(3, rids: #"["x"]"#)
        _ = try await list(atLeast: 1)
        fixture.advance(.seconds(300))
        serve(2)
        for _ in 0..<2 {
            let list = try await list(atLeast: 1).get()
            #expect(list.lists("x", issued: NumericDate(sinceEpoch: .zero)))
            #expect(list.copy != nil && list.copy?.staleness == nil, "nothing newer is published")
        }
    }

    @Test func returnsADefectiveListToTheVerifierAndDoesNotKeepIt() async throws {
        serve(1, method: "other")
        #expect(try await list(atLeast: 1).get().defect != nil)
        #expect(fixture.files.isEmpty)
    }

    private func names(_ count: Int) -> [RevocationListName] {
        (0..<count).map { RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("a\($0)")) }
    }

    /// Serves lists of this many bytes.
    private func serve(_ names: [RevocationListName], size: Int) {
        for name in names {
            let text = #"{"kid":"\#(name.keyID)","method":"rid","ctr":1,"rids":[]}"#
            fixture.serve(text + String(repeating: " ", count: size - text.utf8.count), at: name.url)
        }
    }

    @Test func noMoreListsAreFetchedOnceTheyAreLarge() async throws {
        let names = names(8)
        serve(names, size: 400)
        fixture.serve(keys: ["a"])
        let run = fixture.client(isCached: false, maximumListSize: 1000)
        let sizes = try await withThrowingTaskGroup(of: Int?.self) { group in
            for name in names {
                group.addTask { (try? await run.revocationList(name, atLeast: nil).get()) == nil ? nil : 400 }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes.compactMap(\.self).count == 2)
        #expect(fixture.requests.allSatisfy { $0.maximumBodySize <= 1000 })
        // The limit does not apply to keys, or to lists that are already in memory.
        #expect(try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == ["a"])
        for name in names { _ = try await run.revocationList(name, atLeast: nil) }
        let failure = await #expect(throws: VerificationFailure.self) {
            for name in names { _ = try await run.revocationList(name, atLeast: nil).get() }
        }
        #expect(failure?.code == .revocationUnavailable)
        #expect(failure?.message.contains("together") == true, "\(failure?.message ?? "")")
    }

    @Test func copiesOfListsShareTheBoundOfThoseThatAreFetched() async throws {
        let names = names(4)
        serve(names, size: 400)
        for name in names { _ = try await fixture.client().revocationList(name, atLeast: counter(1)).get() }
        fixture.answer(.failure(CacheFixture.unreachable))
        let run = fixture.client(maximumListSize: 1000)
        var count = 0
        for name in names where (try? await run.revocationList(name, atLeast: counter(1)).get()) != nil { count += 1 }
        #expect(count == 2)
    }

    /// If a list must not be kept, the client drops it as soon as another one is requested. Its room becomes free when
    /// nobody else holds the list.
    @Test func aListTakesRoomWhileAnybodyHoldsIt() async throws {
        let names = names(3)
        for name in names {
            fixture.serve(
                #"{"kid":"\#(name.keyID)","method":"rid","ctr":1,"rids":[]}"# + String(repeating: " ", count: 400),
                at: name.url, headers: ["cache-control": "no-store"])
        }
        let run = fixture.client(isCached: false, maximumListSize: 1000)
        var held: [RevocationList] = []
        for name in names.prefix(2) { held.append(try await run.revocationList(name, atLeast: nil).get()) }
        let failure = await #expect(throws: VerificationFailure.self) {
            try await run.revocationList(names[2], atLeast: nil).get()
        }
        #expect(failure?.message.contains("together") == true, "\(failure?.message ?? "")")
        #expect(held.count == 2)
        held = []
        fixture.advance(.seconds(10))
        #expect(try await run.holdsNoList())
        #expect(try await run.revocationList(names[2], atLeast: nil).get().keyID == names[2].keyID)
    }

    @Test func anAnswerThatIsNotAListTakesNoRoom() async throws {
        let names = names(4)
        for name in names { fixture.serve("{" + String(repeating: " ", count: 400) + "}", at: name.url) }
        let run = fixture.client(isCached: false, maximumListSize: 1000)
        for name in names {
            let failure = await #expect(throws: VerificationFailure.self) {
                try await run.revocationList(name, atLeast: nil).get()
            }
            #expect(failure?.message.contains("has no \"kid\"") == true, "\(failure?.message ?? "")")
        }
    }

    @Test func reservesRoomForManySmallListsAtOnce() async throws {
        let server = CountingServer(together: 8)
        let run = Run(IssuerClient(transport: server, limits: IssuerClient.Limits(timeout: .seconds(3600))))
        let names = names(16)
        let count = await withTaskGroup(of: Bool.self) { group in
            for name in names {
                group.addTask { (try? await run.revocationList(name, atLeast: nil).get()) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 16)
        #expect(await server.mostReserved == 128 << 20)
    }

    @Test func requestsAnUnusuallyLargeListAgainWithMoreRoom() async throws {
        let names = names(2)
        serve([names[0]], size: 17 << 20)
        let run = fixture.client(isCached: false)
        #expect(try await run.revocationList(names[0], atLeast: nil).get().counter == counter(1))
        #expect(fixture.requests.map(\.maximumBodySize) == [16 << 20, 64 << 20])
        serve([names[1]], size: 65 << 20)
        await #expect(throws: VerificationFailure.self) {
            try await run.revocationList(names[1], atLeast: nil).get()
        }
    }

    @Test func listsOfKeysThatDifferInCaseShareNothing() async throws {
        serve(1)
        let other = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("A"))
        fixture.serve(#"{"kid":"A","method":"rid","ctr":5,"rids":[]}"#, at: other.url)
        _ = try await list(atLeast: 1)
        #expect(try await fixture.client().revocationList(other, atLeast: counter(1)).get().counter == counter(5))
        #expect(try await list(atLeast: 1).get().counter == counter(1))
        #expect(fixture.requests.count == 2)
    }
}

/// A transport that answers once a number of requests have arrived together, and adds up the sizes that they allow.
private actor CountingServer: Transport {
    private(set) var mostReserved = 0
    private var reserved = 0
    private var count = 0
    private let together: Int

    init(together: Int) { self.together = together }

    nonisolated func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        await begin(request.maximumBodySize)
        while await !isOpen { await Task.yield() }
        let name = request.url.split(separator: "/").last?.dropLast(5) ?? ""
        await end(request.maximumBodySize)
        return HTTPResponse(
            status: 200, body: Array(#"{"kid":"\#(name)","method":"rid","ctr":1,"rids":[]}"#.utf8))
    }

    private var isOpen: Bool { count >= together }

    private func begin(_ size: Int) {
        count += 1
        reserved += size
        mostReserved = max(mostReserved, reserved)
    }

    private func end(_ size: Int) { reserved -= size }
}
