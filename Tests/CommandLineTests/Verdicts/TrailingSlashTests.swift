import Foundation
import StrictJSON
import TestSupport
import Testing

/// An issuer whose URL ends with a slash is judged only if exactly this URL is trusted by name.
@Suite(.timeLimit(.minutes(5))) struct TrailingSlashTests {
    private static let issuer = "https://issuer.example/cards/"

    private struct Given {
        let folder: TemporaryDirectory
        let card: String
        let keys: String
        let list: String

        init(issuer: String = TrailingSlashTests.issuer) throws {
            folder = try TemporaryDirectory()
            let signed = try SignedCards.sign([
                .init(
                    issuer: issuer,
                    bundle:
                        #"{"resourceType":"Bundle","type":"collection","entry":[{"fullUrl":"resource:0","resource":{"resourceType":"Patient"}},{"fullUrl":"resource:1","resource":{"resourceType":"Condition"}}]}"#
                )
            ])
            card = try folder.write(signed.cards[0], to: "card.jws")
            keys = try folder.write(signed.keySet(), to: "keys.json")
            list = try folder.write(
                #"{"participating_issuers":[{"iss":"\#(TrailingSlashTests.issuer)","name":"EHR"}]}"#, to: "list.json")
        }
    }

    @Test(arguments: ["verify", "records", "batch"])
    func isJudgedIfTrustedByExactlyThisName(_ command: String) async throws {
        let given = try Given()
        let own = ["--jwks", "\(Self.issuer)=\(given.keys)"]
        let lists: [[String]] = [
            own, own + ["--trust", Self.issuer], own + ["--directory", given.list],
            ["--jwks", given.keys, "--trust", Self.issuer],
        ]
        for options in lists {
            let format = command == "batch" ? [] : ["--format", "json"]
            let result = try await Shcverify.run([command, given.card, "--offline"] + format + options)
            #expect(result.exitCode == 0, "\(options): \(result.stderr)")
            #expect(result.stdout.contains("issuer-trailing-slash"), "\(options)")
        }
    }

    @Test func isRefusedOtherwise() async throws {
        let given = try Given()
        let plain = "https://issuer.example/cards"
        for options in [
            [], ["--jwks", given.keys], ["--trust", plain], ["--jwks", "\(plain)=\(given.keys)"],
            ["--trust", plain, "--jwks", "\(Self.issuer)=\(given.keys)"],
        ] {
            let result = try await Shcverify.run([given.card, "--offline", "-q"] + options)
            #expect(
                result.exitCode == 10 && result.stderr.contains("invalid-issuer-url"), "\(options): \(result.stderr)")
        }
        let inspected = try await Shcverify.run(["inspect", given.card])
        #expect(inspected.stdout.contains("invalid-issuer-url") || inspected.stderr.contains("invalid-issuer-url"))
        let linted = try await Shcverify.run([
            "lint", given.card, "--jwks", "\(Self.issuer)=\(given.keys)", "--offline",
        ])
        #expect(linted.exitCode == 10 && linted.stdout.contains("invalid-issuer-url"))
        #expect(!linted.stdout.contains("jws-verification-error"))
    }

    /// For a card without the slash, it is the mistake that it usually is.
    @Test func slashTooManyInAnOptionIsNamed() async throws {
        let given = try Given(issuer: "https://issuer.example/cards")
        let jwks = try await Shcverify.run([given.card, "--offline", "--jwks", "\(Self.issuer)=\(given.keys)"])
        #expect(jwks.exitCode == 64 && jwks.stdout.isEmpty)
        #expect(jwks.stderr.contains("Write --jwks https://issuer.example/cards=…"), "\(jwks.stderr)")
        let trust = try await Shcverify.run(
            [given.card, "--offline", "-q", "--trust", Self.issuer, "--jwks", given.keys])
        #expect(trust.exitCode == 13)
        let two = try await Shcverify.run([given.card, "--offline", "--jwks", "\(Self.issuer)/=\(given.keys)"])
        #expect(two.exitCode == 64)
    }

    /// A card of another issuer says nothing about an option that is right for a card beside it.
    @Test func eachCardIsJudgedIfOneHasTheSlash() async throws {
        let (slashed, plain) = (try Given(), try Given(issuer: "https://issuer.example/cards"))
        let result = try await Shcverify.run([
            plain.card, slashed.card, "--offline", "--format", "json", "--jwks", "\(Self.issuer)=\(slashed.keys)",
        ])
        // Without a network, keys of others are not sought.
        #expect(result.exitCode == 20, "\(result.stderr)")
        #expect(result.stdout.contains("issuer-trailing-slash"))
    }

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
