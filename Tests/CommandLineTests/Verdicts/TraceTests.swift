import Encodings
import Foundation
import TestSupport
import Testing

/// The trace of `-v`, with a real HTTPS issuer on loopback. `PrivacyTests` has what it must not say.
@Suite(.timeLimit(.minutes(30))) struct TraceTests {
    private let server: TestIssuer
    private let folder: TemporaryDirectory
    private let issuer: String
    private let card: [UInt8]
    private let keyID: String

    init() throws {
        server = try TestIssuer()
        folder = try TemporaryDirectory()
        issuer = server.url("/issuer")
        let signed = try SignedCards.sign([.init(issuer: issuer)])
        card = Array(signed.cards[0].utf8)
        keyID = signed.keyID()
        try server.serve(signed.keySet(), at: "/issuer/.well-known/jwks.json")
    }

    private func run(_ arguments: [String], stdin: [UInt8]? = nil) async throws -> Shcverify.Result {
        let network = [
            "--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "60", "--cache",
            folder.url.appendingPathComponent("cache").path,
        ]
        return try await Shcverify.run(arguments + network, stdin: stdin ?? card)
    }

    private static func trace(_ result: Shcverify.Result) -> [String] {
        result.errorLines.filter { $0.hasPrefix("trace: ") }.map { String($0.dropFirst("trace: ".count)) }
    }

    private func keySet(_ words: String) -> String { "\(words) \"\(issuer)/.well-known/jwks.json\"" }

    @Test func saysWhereTheKeyCameFrom() async throws {
        let fetched = try await run(["-", "-v"])
        #expect(fetched.exitCode == 0)
        var lines = Self.trace(fetched)
        #expect(lines.count == fetched.errorLines.count, "only the trace")
        #expect(lines.contains { $0 == keySet("cache:") + ": miss" }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix(keySet("GET") + ": 200 after ") && $0.hasSuffix(" ms") })
        #expect(lines.contains("stdin#0: issuer \"\(issuer)\": its trust was not checked"))
        #expect(lines.contains { $0.hasPrefix("stdin#0: key \"\(keyID)\": from the issuer's server") })
        #expect(
            lines.contains {
                $0.hasPrefix("stdin#0: format pass, issuer-trust not asked for, key pass, signature pass")
            })
        for step in ["options and their files read in ", "1 card read from the inputs in ", "1 verdict in "] {
            #expect(lines.contains { $0.hasPrefix(step) }, "\(step)")
        }

        let kept = try await run(["-", "-v", "--trust", issuer, "--quiet"])
        lines = Self.trace(kept)
        #expect(kept.stdout.isEmpty && kept.exitCode == 0)
        #expect(
            lines.contains { $0.hasPrefix(keySet("cache:") + ": hit, fresh, ") && $0.hasSuffix(" old") }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("GET ") })
        #expect(lines.contains("stdin#0: issuer \"\(issuer)\": trusted, because --trust names it"))
        #expect(lines.contains { $0.hasPrefix("stdin#0: key \"\(keyID)\": from the cache, retrieved ") })
    }

    /// A proxy explains much that goes wrong. Its address may have a password.
    @Test func namesTheHostOfTheProxy() async throws {
        let result = try await Shcverify.run(
            ["-", "-v", "--no-cache", "--timeout", "60"], stdin: card,
            environment: ["https_proxy": "http://user:secret@127.0.0.1:9/path", "no_proxy": nil])
        let request = Self.trace(result).first { $0.hasPrefix("GET ") }
        #expect(request?.hasPrefix(keySet("GET") + " through the proxy \"127.0.0.1:9\": ") == true, "\(result.stderr)")
        #expect(!result.stderr.contains("secret") && !result.stderr.contains("user"))
    }

    @Test func onlySizesAreAddedByMore() async throws {
        for (option, hasSizes) in [("-v", false), ("-vv", true), ("--verbose", false), ("-vvv", true)] {
            let fetched = try await run(["-", option, "--no-cache"].filter { $0 != "--no-cache" })
            let requests = Self.trace(fetched).filter { $0.hasPrefix("GET ") || $0.hasPrefix("cache: ") }
            #expect(!requests.isEmpty)
            #expect(requests.contains { $0.hasSuffix(" bytes") } == hasSizes, "\(option) \(requests)")
        }
    }

    /// The trace changes neither the report nor the exit code, and without `-v` there is none.
    @Test(arguments: [
        ["verify", "-", "--format", "json", "--at", "2026-06-01T00:00:00Z"], ["records", "-"], ["lint", "-"],
    ])
    func changesNothingElse(_ arguments: [String]) async throws {
        let silent = try await run(arguments)
        let traced = try await run(arguments + ["-vv"])
        let again = try await run(arguments)
        #expect(Self.trace(silent).isEmpty && !Self.trace(traced).isEmpty)
        // When a verdict was made says the clock, which goes on from one run to the next.
        let made = /"madeAt" ?: ?"[^"]*"/
        #expect(traced.stdout.replacing(made, with: "") == again.stdout.replacing(made, with: ""))
        #expect(traced.exitCode == silent.exitCode)
        #expect(traced.errorLines.filter { !$0.hasPrefix("trace: ") } == again.errorLines)
    }

    @Test func saysWhyARequestFailed() async throws {
        let other = try SignedCards.sign([.init(issuer: server.url("/other"))])
        let missing = try await run(["-", "-v"], stdin: Array(other.cards[0].utf8))
        #expect(missing.exitCode == 20)
        #expect(
            Self.trace(missing).contains {
                $0.hasPrefix("GET \"\(server.url("/other"))/.well-known/jwks.json\": 404 after ")
            })
        let refused = try await Shcverify.run(["-", "-v", "--no-cache"], stdin: card)
        #expect(refused.exitCode == 20)
        let request = Self.trace(refused).first { $0.hasPrefix(keySet("GET")) }
        #expect(request?.contains("private") == true || request?.contains("loopback") == true, "\(refused.stderr)")
        let offline = try await run(["-", "-v", "--offline"])
        #expect(!Self.trace(offline).contains { $0.hasPrefix("GET ") })
    }

    /// In a batch, each issuer and key is named once, but no card.
    @Test func batchNamesEachKeyOnce() async throws {
        let lines = Array(repeatElement(card, count: 50).joined(separator: [0x0A]))
        let result = try await run(["batch", "-", "-v"], stdin: lines)
        #expect(result.exitCode == 0)
        let trace = Self.trace(result)
        #expect(trace.count { $0.hasPrefix(keySet("GET")) } == 1)
        #expect(!trace.contains { $0.contains("stdin#") })
        #expect(trace.count { $0 == "issuer \"\(issuer)\": its trust was not checked" } == 1, "\(trace)")
        #expect(trace.count { $0 == "key \"\(keyID)\" of \"\(issuer)\": from the issuer's server" } == 1)
        #expect(trace.count < 10)
    }

    /// A key that was not found came from nowhere.
    @Test func saysWhereAMissingKeyWasSought() async throws {
        let other = try SignedCards.sign([.init(issuer: issuer, kid: "another")])
        let result = try await run(["-", "-v"], stdin: Array(other.cards[0].utf8))
        #expect(result.exitCode == 12)
        let line = Self.trace(result).first { $0.hasPrefix("stdin#0: key ") }
        #expect(
            line?.contains(": not found, or not usable, among the keys from the issuer's server") == true,
            "\(result.stderr)")
    }

    /// The address of a card may name its person, and a query may have a token.
    @Test func namesNoAddressOfACardAndNoQuery() async throws {
        let network = ["--allow-private-network", "--ca-file", server.authorityFile]
        for arguments in [
            ["lint", "--card-url", server.url("/Jana-Anyperson.smart-health-card?token=secret")],
            ["directory", "update", "--url", server.url("/did.json?token=secret")],
        ] {
            let result = try await Shcverify.run(arguments + ["-vv"] + network)
            let lines = Self.trace(result).joined(separator: "\n")
            #expect(lines.contains("GET \"https://"), "\(result.stderr)")
            #expect(!lines.contains("Jana") && !lines.contains("secret"), "\(lines)")
        }
    }

    /// A name of an issuer or of a key cannot write lines of its own, or control a terminal.
    @Test func namesFromACardCannotWriteLines() async throws {
        let payload =
            #"{"iss":"https://issuer.example/\u001b[2J\u000atrace: x\u202e","nbf":1,"#
            + #""vc":{"type":["https://smarthealth.cards#health-card"],"credentialSubject":{"fhirVersion":"4.0.1","#
            + #""fhirBundle":{"resourceType":"Bundle"}}}}"#
        let result = try await Shcverify.run(
            ["-", "-vv", "--offline"], stdin: UnsignedCard.jws(payload: Array(payload.utf8)))
        #expect(result.exitCode != 0)
        #expect(!result.stderr.contains("\u{1B}") && !result.stderr.contains("\u{202E}"))
        #expect(!result.stderr.contains("\ntrace: x"))
    }
}
