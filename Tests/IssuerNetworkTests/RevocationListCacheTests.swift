import JOSE
import JSON
import SMARTHealthCards
import Testing

@testable import IssuerNetwork

/// Which revocation list a run gets, after what earlier runs have seen (SHC-R4).
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
        atLeast number: Int?, offline: Bool = false
    ) async throws -> Result<RevocationList, VerificationFailure> {
        let wanted = try counter(number)
        return try await fixture.client(offline: offline).revocationList(Self.name, atLeast: wanted)
    }

    @Test(arguments: [2, 3])
    func freshCopyThatIsNewEnoughIsUsedWithoutAQuestion(counter: Int) async throws {
        serve(3)
        _ = try await list(atLeast: 1)
        #expect(try await list(atLeast: counter).get().counter == self.counter(3))
        #expect(fixture.requests.count == 1)
    }

    @Test func copyThatHasFallenBehindIsAskedForOnce() async throws {
        serve(1)
        _ = try await list(atLeast: 1)
        serve(2)
        #expect(try await list(atLeast: 2).get().counter == counter(2))
        #expect(fixture.requests.last?.entityTag == "\"1\"")
        #expect(try await list(atLeast: 2).get().counter == counter(2))
        #expect(fixture.requests.count == 2)
    }

    @Test func listThatHasFallenBehindIsLeftToTheVerifier() async throws {
        serve(1)
        let run = fixture.client()
        for _ in 0..<2 {
            #expect(try await run.revocationList(Self.name, atLeast: counter(2)).get().counter == counter(1))
        }
        #expect(fixture.requests.count == 1)
        // The copy says the same when the server confirms it.
        #expect(try await list(atLeast: 2).get().counter == counter(1))
        #expect(fixture.requests.count == 2)
    }

    @Test func copyIsAskedForWhereTheKeySaysNoVersion() async throws {
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
    func copyThatIsNewEnoughServesWhereTheListCannotBeHad(offline: Bool) async throws {
        serve(3)
        _ = try await list(atLeast: 3)
        fixture.advance(.seconds(86_400 * 400))
        fixture.answer(.failure(CacheFixture.unreachable))
        #expect(try await list(atLeast: 3, offline: offline).get().counter == counter(3))
        for wanted in [4, nil] {
            let failure = await #expect(throws: VerificationFailure.self) {
                try await list(atLeast: wanted, offline: offline).get()
            }
            #expect(failure?.code == .revocationUnavailable)
            #expect(failure?.message.contains(offline ? "offline none can be fetched" : "no connection") == true)
        }
    }

    @Test func offlineWithoutACopyIsSaid() async throws {
        let failure = await #expect(throws: VerificationFailure.self) {
            try await list(atLeast: 1, offline: true).get()
        }
        #expect(
            failure?.message
                == "the issuer's key has a revocation list, which was not given, and offline none can be fetched")
    }

    @Test(arguments: [
        HTTPResponse(status: 200, body: Array("<html>".utf8)), HTTPResponse(status: 404),
        HTTPResponse(status: 200, body: Array(#"{"kid":"b","method":"rid","ctr":9,"rids":[]}"#.utf8)),
        HTTPResponse(status: 200, body: Array(#"{"kid":"a","method":"other","ctr":9,"rids":[]}"#.utf8)),
        HTTPResponse(status: 200, body: Array(#"{"kid":"a","method":"rid","ctr":2,"rids":[]}"#.utf8)),
    ])
    func copyThatIsNewEnoughDoesNotGiveWayToAWorseOne(answer: HTTPResponse) async throws {
        serve(3)
        _ = try await list(atLeast: 3)
        fixture.advance(.seconds(300))
        fixture.answer(.success(answer))
        for _ in 0..<2 { #expect(try await list(atLeast: 3).get().counter == counter(3)) }
    }

    @Test func listWithADefectIsLeftToTheVerifierAndNotKept() async throws {
        serve(1, method: "other")
        #expect(try await list(atLeast: 1).get().defect != nil)
        #expect(fixture.files.isEmpty)
    }

    @Test func noMoreListsAreFetchedOnceTheyAreLarge() async throws {
        serve(1)
        let other = RevocationListName(issuer: CacheFixture.issuer, keyID: KeyID("A"))
        fixture.serve(#"{"kid":"A","method":"rid","ctr":1,"rids":[]}"#, at: other.url)
        fixture.serve(keys: ["a"])
        let run = fixture.client(isCached: false, maximumListSize: 20)
        #expect(try await run.revocationList(Self.name, atLeast: nil).get().counter == counter(1))
        let failure = await #expect(throws: VerificationFailure.self) {
            try await run.revocationList(other, atLeast: nil).get()
        }
        #expect(failure?.code == .revocationUnavailable)
        #expect(fixture.requests.count == 1)
        // Keys are another matter, and so is what is at hand already.
        #expect(try await run.keys(of: CacheFixture.issuer, current: false).keyIDs == ["a"])
        #expect(try await run.revocationList(Self.name, atLeast: nil).get().counter == counter(1))
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
