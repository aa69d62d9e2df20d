import Foundation
import TestSupport
import Testing

/// The program keeps nothing of a card. Tests/Sessions/privacy.md has what its messages say.
@Suite(.timeLimit(.minutes(30))) struct PrivacyTests {
    @Test func nothingOfACardIsWrittenToDisk() async throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer")
        let signed = try SignedCards.sign([.init(issuer: issuer, rid: "TestRid-Of-Jana")])
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "/issuer/.well-known/jwks.json")
        try server.serve(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":["TestRid-Of-Other"]}"#,
            at: "/issuer/.well-known/crl/\(signed.keyID()).json")
        let home = try TemporaryDirectory()
        let card = Array(signed.cards[0].utf8)
        let network = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "60"]
        let script = #"cd "$HOME" && exec "$S" "$@""#
        for arguments in [
            ["verify", "-"], ["verify", "-", "--format", "json"], ["records", "-"], ["lint", "-"],
            ["batch", "-", "--resume", "state", "--records", "--bundle"], ["lint", "--issuer", issuer],
        ] {
            let result = try await Shcverify.run(
                ["-c", script, "sh"] + arguments + network, stdin: card,
                environment: [
                    "S": Shcverify.path, "HOME": home.url.path, "TMPDIR": home.url.path, "XDG_CACHE_HOME": nil,
                ], executable: "/bin/sh")
            #expect([0, 10].contains(result.exitCode), "\(arguments): \(result.stderr)")
        }
        let inspected = try await Shcverify.run(
            ["-c", script, "sh", "inspect", "-"], stdin: card,
            environment: ["S": Shcverify.path, "HOME": home.url.path, "TMPDIR": home.url.path], executable: "/bin/sh")
        #expect(inspected.exitCode == 0)

        let parts = signed.cards[0].split(separator: ".").map { String($0) }
        var files: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: home.url.path) {
            let content = FileManager.default.contents(atPath: home.url.appendingPathComponent(path).path) ?? Data()
            if !content.isEmpty { files.append(path) }
            for secret in ["Anyperson", "TestRid-Of-Jana", "Jana"] + parts + parts.map({ String($0.prefix(40)) }) {
                #expect(content.range(of: Data(secret.utf8)) == nil, "\(path) has \(secret)")
                #expect(!path.contains(secret))
            }
        }
        // The key set, the revocation list and the state: there is something to check.
        #expect(files.count == 3, "\(files)")
        // The requests to the server contain nothing of the card either.
        for text in try server.requests().flatMap({ [$0.path] + $0.headers.values }) {
            #expect(!text.contains("TestRid") && !text.contains("Jana"))
        }
    }
}
