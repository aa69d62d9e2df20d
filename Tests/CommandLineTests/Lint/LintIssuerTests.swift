import Credentials
import Encodings
import Foundation
import SMARTHealthCards
import TestSupport
import Testing
import Verification

@testable import shcverify

/// `lint --issuer` against a real HTTPS server on loopback.
@Suite(.timeLimit(.minutes(30))) struct LintIssuerTests {
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

    @Test func reportsAByteOrderMarkAndPadding() async throws {
        let server = try TestIssuer()
        let keySet = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        let padded = keySet.replacing(/"x": ?"([\w-]{43})"/) { "\"x\":\"\($0.1)=\"" }
        try server.serve(
            "\u{FEFF}" + padded, at: "/issuer/.well-known/jwks.json", headers: ["Cache-Control": "max-age=3600"])
        let (document, _) = try await LintTests.json([
            "--issuer", server.url("/issuer"), "--ca-file", server.authorityFile, "--allow-private-network",
            "--timeout", "60",
        ])
        let found = document["findings"]?.elements?.map { $0["rule"]?.words ?? "" } ?? []
        #expect(Set(found) == ["byte-order-mark/input", "invalid-key-schema/coordinates"])
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

    /// A card file as a patient downloads it: type, name and content.
    @Test func checksACardFileOnAServer() async throws {
        let server = try TestIssuer()
        let type = "application/smart-health-card"
        let file = "invalid-file-extension"
        for (path, headers, rules) in [
            ("a.smart-health-card", ["Content-Type": type], []),
            ("a.smart-health-card", ["Content-Type": "\(type); charset=utf-8"], []),
            ("a.smart-health-card", ["Content-Type": "application/json"], ["\(file)/content-type"]),
            ("a.smart-health-card", ["Content-Type": nil], ["\(file)/content-type"]),
            ("download", ["Content-Type": type], ["\(file)/served-name"]),
            ("download", ["Content-Type": type, "Content-Disposition": "attachment"], ["\(file)/served-name"]),
            (
                "download",
                ["Content-Type": type, "Content-Disposition": "attachment; filename=\"my; card.smart-health-card\""], []
            ),
            (
                "download",
                [
                    "Content-Type": type,
                    "Content-Disposition":
                        "attachment; FileName=card.txt; filename*=UTF-8''caf%C3%A9.smart-health-card",
                ], []
            ),
            (
                "a.smart-health-card",
                ["Content-Type": type, "Content-Disposition": "attachment; filename=a.smart-health-card.json"],
                ["\(file)/served-name"]
            ),
        ] as [(String, [String: String?], [String])] {
            try server.serve(#"{"verifiableCredential":["x"]}"#, at: "/\(path)", headers: headers)
            let (document, exitCode) = try await LintTests.json([
                "--card-url", server.url("/\(path)"), "--ca-file", server.authorityFile, "--allow-private-network",
                "--timeout", "60",
            ])
            #expect(exitCode == 10, "the card is none")
            let found = document["findings"]?.elements?.map { $0["rule"]?.words ?? "" } ?? []
            #expect(found.filter { $0.hasPrefix(file) } == rules, "\(path) \(headers)")
            #expect(found.contains("json-parse-error/jws-parts"), "the content is linted too")
        }
        let (missing, _) = try await LintTests.json([
            "--card-url", server.url("/none.smart-health-card"), "--ca-file", server.authorityFile,
            "--allow-private-network", "--timeout", "60",
        ])
        #expect(LintTests.codes(missing) == ["file-download-error"])
    }
}
