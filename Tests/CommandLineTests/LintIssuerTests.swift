import Foundation
import JSON
import TestSupport
import Testing

/// `lint --issuer`: a real HTTPS server on loopback.
@Suite(.timeLimit(.minutes(10))) struct LintIssuerTests {
    @Test func liveIssuerIsAskedForWhatItPublishes() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        try server.serve(
            signed.keySet(), at: "/issuer/.well-known/jwks.json",
            headers: ["Cache-Control": "max-age=3600", "Access-Control-Allow-Origin": nil])
        let options = [
            "--issuer", server.url("/issuer"), "--ca-file", server.authorityFile, "--allow-private-network",
            "--timeout", "60",
        ]
        let (document, exitCode) = try await LintTests.json(options)
        #expect(exitCode == 10)
        #expect(LintTests.codes(document) == ["issuer-key-wellknown-endpoint-cors"])
        #expect(document.at("/findings/0/source")?.string == server.url("/issuer"))
        #expect(document.at("/findings/0/layer")?.string == "issuer")
        let result = try await LintTests.lint(options + ["--format", "sarif"])
        #expect(SARIFLog(try JSONDocument.parse(Array(result.stdout.utf8))).problems.isEmpty)
    }

    @Test func issuerThatCannotBeAskedIsAFinding() async throws {
        let (document, exitCode) = try await LintTests.json(["--issuer", "https://issuer.example", "--offline"])
        #expect(exitCode == 10)
        #expect(LintTests.codes(document) == ["issuer-key-download-error"])
    }
}
