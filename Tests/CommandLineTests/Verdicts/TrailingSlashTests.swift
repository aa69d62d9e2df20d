import Foundation
import TestSupport
import Testing

/// What is fetched for an issuer whose URL ends with a slash. Tests/Sessions/trailing-slash.md has when it is judged.
@Suite(.timeLimit(.minutes(30))) struct TrailingSlashTests {
    /// Keys and lists are sought without a second slash, and kept.
    @Test func documentsAreFetchedWithoutASecondSlash() async throws {
        let server = try TestIssuer()
        let issuer = server.url("/slash/")
        let signed = try SignedCards.sign([.init(issuer: issuer, rid: "TestRid-1")])
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "/slash/.well-known/jwks.json")
        try server.serve(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":["TestRid-1"]}"#,
            at: "/slash/.well-known/crl/\(signed.keyID()).json")
        let folder = try TemporaryDirectory()
        let card = try folder.write(signed.cards[0], to: "card.jws")
        let options = [
            card, "-q", "--trust", issuer, "--allow-private-network", "--ca-file", server.authorityFile, "--timeout",
            "60", "--cache", folder.url.appendingPathComponent("cache").path,
        ]
        let result = try await Shcverify.run(options)
        #expect(result.exitCode == 16, "\(result.stderr)")
        #expect(try server.requests(for: "//").isEmpty)
        let cached = try await Shcverify.run(options + ["--offline"])
        #expect(cached.exitCode == 16, "\(cached.stderr)")
    }
}
