import Credentials
import Foundation
import JSON
import SMARTHealthCards
import TestSupport
import Testing

@testable import shcverify

/// `lint --issuer` against a real HTTPS server on loopback.
@Suite(.timeLimit(.minutes(10))) struct LintIssuerTests {
    @Test func checksWhatALiveIssuerPublishes() async throws {
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
        #expect(document.at("/findings/0/source")?.words == server.url("/issuer"))
        #expect(document.at("/findings/0/layer")?.words == "issuer")
        let result = try await LintTests.lint(options + ["--format", "sarif"])
        #expect(SARIFLog(try JSONDocument.parse(Array(result.stdout.utf8))).problems.isEmpty)
    }

    /// Ciphers without forward secrecy, and keys that are too short.
    @Test(arguments: [
        ("good", []), ("staticRSA", ["issuer-tls-error/static-rsa"]), ("weakDHE", ["issuer-tls-error/weak-dhe"]),
        ("strongDHE", []),
        (
            "weakRSA",
            ["issuer-key-download-error/no-answer", "issuer-tls-error/certificate", "issuer-tls-error/static-rsa"]
        ),
    ])
    func findsWeakCiphers(port: String, rules: [String]) async throws {
        let server = try TestIssuer(hasWeakCiphers: true)
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        try server.serve(
            signed.keySet(), at: "/issuer/.well-known/jwks.json", headers: ["Cache-Control": "max-age=3600"])
        let (document, _) = try await LintTests.json([
            "--issuer", server.url("/issuer", port: port), "--ca-file", server.authorityFile,
            "--allow-private-network", "--timeout", "60",
        ])
        let found = document["findings"]?.elements?.map { $0["rule"]?.words ?? "" } ?? []
        #expect(Set(found) == Set(rules), "\(document.at("/findings/0/message")?.words ?? "")")
    }

    @Test func offlineIssuerIsNotChecked() async throws {
        let arguments = ["--issuer", "https://issuer.example", "--offline"]
        let (document, exitCode) = try await LintTests.json(arguments)
        #expect(exitCode == 0)
        #expect(LintTests.codes(document) == ["issuer-key-download-error"])
        #expect(document.at("/findings/0/severity")?.words == "unchecked")
        #expect(try await LintTests.json(arguments + ["--fail-on", "unchecked"]).1 == 10)
    }

    /// An issuer that cannot be reached is the issuer's fault. An issuer past the limit is not, so it counts as not
    /// asked.
    @Test func issuersPastTheBoundAreNotAsked() throws {
        var bound = RequestBound(limit: 1)
        var evidence = Evidence()
        let issuers = (1...3).map { Issuer(unchecked: "https://issuer.example/\($0)") }
        #expect(
            issuers.map { bound.admits(.keys($0), at: NumericDate(sinceEpoch: .zero), in: &evidence) } == [
                true, false, false,
            ])
        for issuer in issuers.dropFirst() {
            guard case .failure(let failure)? = evidence[.keys(issuer)] else {
                Issue.record("no answer")
                continue
            }
            #expect(failure.code == .keysUnavailable && failure.isUnasked)
        }
        #expect(evidence[.keys(issuers[0])] == nil)
    }
}
