import Credentials
import Encodings
import TestSupport
import Testing

@testable import HealthCertificates

/// Which copies of WHO's list may be installed (WHO-K3 to WHO-K5), without a server. `ListUpdateTests` has the same with one.
@Suite struct ListUpdateRuleTests {
    private static let now = NumericDate(text: "2026-06-01T00:00:00Z") ?? NumericDate(sinceEpoch: .zero)
    private static let path = Array("/v2/trustlist/did.json".utf8)

    private func bytes(_ name: String) throws -> [UInt8] { try VectorFiles.bytes("gdhcn/lists/\(name).json") }

    private func keys(_ name: String = "prod") throws -> ListKeys {
        try ListKeys(VectorFiles.bytes("gdhcn/keys/\(name).did.json"))
    }

    private func update(
        _ name: String, from source: ListUpdate.Source = .file, at now: NumericDate = now
    ) throws -> ListUpdate {
        try ListUpdate(bytes(name), from: source, allowsTestLists: false, now: now)
    }

    private func installed(_ name: String) throws -> ListUpdate.Installed {
        ListUpdate.Installed(list: try SignerList(bytes(name)), keys: try keys(), statedTime: nil)
    }

    /// What becomes of a list in the place of another.
    private func install(_ name: String, over earlier: String) throws {
        let installed = try installed(earlier)
        guard case .install(let list) = try update(name).step(given: nil, installed: installed) else {
            Issue.record("\(name) needs keys")
            return
        }
        try list.check(replacing: installed, in: "the folder")
    }

    private func expectRefusal(_ kind: ListUpdateProblem, _ words: String, _ body: () throws -> Void) {
        let error = #expect(throws: ListUpdateRefusal.self) { try body() }
        #expect(error?.reason == kind && error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func aNewerListTakesThePlaceOfAnOlderOne() throws {
        try install("newer", over: "good")
        try install("good", over: "good")
        expectRefusal(.stepBack, "to install an older list") { try install("older", over: "good") }
        expectRefusal(.stepBack, "to install another list") { try install("part", over: "good") }
        expectRefusal(.invalidProof, "does not verify") { try install("changed", over: "good") }
        expectRefusal(.malformed, "no proof") { try install("stripped", over: "good") }
    }

    @Test func aListFromTheFutureIsRefused() throws {
        expectRefusal(.malformed, "clock") { _ = try update("future") }
        // Clocks may differ by a day.
        let made = try #require(NumericDate(text: "2026-05-20T12:00:01Z")).sinceEpoch
        _ = try update("good", at: NumericDate(sinceEpoch: made - .seconds(86_400)))
        expectRefusal(.malformed, "clock") {
            _ = try update("good", at: NumericDate(sinceEpoch: made - .seconds(86_401)))
        }
    }

    @Test func theAddressSaysWhichListItHasToBe() throws {
        _ = try update("good", from: .url(path: Self.path))
        expectRefusal(.malformed, "the address asks for") { _ = try update("part", from: .url(path: Self.path)) }
        expectRefusal(.malformed, "the address asks for") {
            _ = try update("good", from: .url(path: Array("/v2/trustlist/DCC/did.json".utf8)))
        }
        // Every address asks for one list: that of its path, from v2 or trustlist on if it has these.
        _ = try update("good", from: .url(path: Array("/copies//v2/trustlist/did.json".utf8)))
        for path in [
            "/did.json", "/.well-known/did.json", "/copies/did.json", "/v3/list/did.json", "/copy.json", "/", "",
        ] {
            for list in ["good", "part"] {
                expectRefusal(.malformed, "the address asks for") {
                    _ = try update(list, from: .url(path: Array(path.utf8)))
                }
            }
        }
    }

    /// A list whose id has neither v2 nor trustlist is named by all that follows the host.
    @Test func anAddressWithoutATrustListIsComparedAsAWhole() throws {
        let text = String(decoding: try bytes("good"), as: UTF8.self)
        let list = Array(
            text.replacing(#""did:web:tng-cdn.who.int:v2:trustlist","#, with: #""did:web:tng-cdn.who.int:copies:one","#)
                .utf8)
        let update = { (path: String) in
            try ListUpdate(
                list, from: .url(path: Array(path.utf8)), allowsTestLists: false, now: Self.now)
        }
        _ = try update("/copies/one/did.json")
        for path in ["/copies/two/did.json", "/one/did.json", "/.well-known/did.json", "/did.json"] {
            expectRefusal(.malformed, "the address asks for") { _ = try update(path) }
        }
    }

    @Test func aListWithoutSignersOrOfATestNetworkIsRefused() throws {
        expectRefusal(.malformed, "no signers") { _ = try update("no-signers") }
        expectRefusal(.testList, "test network") { _ = try update("dev") }
    }

    @Test func aFetchedListNeedsTheKeysOfItsSigner() throws {
        let list = try update("good", from: .url(path: Self.path))
        guard case .needsKeys(let signer) = try list.step(given: nil, installed: nil) else {
            Issue.record("no key is known")
            return
        }
        #expect(signer == UTF8Text(TrustEnvironment.production.signer))
        let document = { (name: String) in try VectorFiles.bytes("gdhcn/keys/\(name).did.json") }
        let installed = try list.install(byKeysIn: document("prod"), of: signer)
        #expect(installed.created == NumericDate(text: "2026-05-20T12:00:01Z"))
        expectRefusal(.noKey, "no key of") { _ = try list.install(byKeysIn: document("uat"), of: signer) }
        let changed = try update("changed", from: .url(path: Self.path))
        expectRefusal(.invalidProof, "does not verify") {
            _ = try changed.install(byKeysIn: document("prod"), of: signer)
        }
        // Given keys decide alone, and none is asked for.
        expectRefusal(.noKey, "none of the given keys") { _ = try list.step(given: keys("uat"), installed: nil) }
    }

    /// A list that contains the private half of its own key could be anybody's, whichever key is known.
    @Test func aListThatPublishesItsOwnKeyIsRefused() throws {
        let text = String(decoding: try bytes("good"), as: UTF8.self)
        let key = String(decoding: try VectorFiles.bytes("gdhcn/keys/private.jwk.json"), as: UTF8.self)
        let published = #"{"assertionMethod":[{"publicKeyJwk":\#(key)}],"# + text.drop { $0 != "{" }.dropFirst()
        let list = try ListUpdate(Array(published.utf8), from: .file, allowsTestLists: false, now: Self.now)
        expectRefusal(.compromisedKey, "private half") { _ = try list.step(given: keys(), installed: nil) }
        expectRefusal(.compromisedKey, "private half") {
            _ = try list.step(given: nil, installed: try installed("good"))
        }
        let signer = UTF8Text(TrustEnvironment.production.signer)
        expectRefusal(.compromisedKey, "private half") {
            _ = try list.install(byKeysIn: VectorFiles.bytes("gdhcn/keys/prod.did.json"), of: signer)
        }
    }

    @Test func onlyWHOsKeysAreFetched() {
        let address = { (did: String) in DIDAddress(UTF8Text(did)) { $0 == "localhost" } }
        for environment in TrustEnvironment.allCases {
            #expect(address(environment.signer)?.isPrivate == false)
            #expect(address(environment.signer)?.url.hasPrefix("https://raw.githubusercontent.com/WorldHealth") == true)
        }
        #expect(address("did:web:localhost%3A8443:signing")?.url == "https://localhost:8443/signing/did.json")
        #expect(address("did:web:localhost%3A8443:signing")?.isPrivate == true)
        for other in [
            "did:web:issuer.example:signing", "did:web:raw.githubusercontent.com:somebody:signing:DID",
            "did:key:localhost:signing", "did:web:localhost:..:signing", "did:web:localhost:%2e%2e:signing",
            "did:web:localhost%3A:signing", "did:web:localhost%3A8443%3A1:signing", "did:web",
        ] {
            #expect(address(other) == nil, "\(other)")
        }
    }
}
