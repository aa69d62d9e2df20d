import Conformance
import Credentials
import Evidence
import HTTPSFetch
import SMARTHealthCards
import TestSupport
import Testing

/// A live issuer, checked from end to end: a real HTTPS server on loopback, `shcverify-fetch`, `IssuerProbe` and the
/// linter.
@Suite(.timeLimit(.minutes(30)))
struct LiveIssuerTests {
    private static let started = Result { () throws -> (TestIssuer, SignedCards) in
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        let caching: [String: String?] = ["Cache-Control": "max-age=3600"]
        func serve(_ name: String, headers: [String: String?]) throws {
            try server.serve(
                signed.keySet(), at: "/\(name)/.well-known/jwks.json", headers: caching.merging(headers) { $1 })
        }
        try serve("issuer", headers: [:])
        try serve("closed-to-others", headers: ["Access-Control-Allow-Origin": nil])
        try serve("open-to-one", headers: ["Access-Control-Allow-Origin": "https://other.example"])
        try serve("open-to-all", headers: ["Access-Control-Allow-Origin": IssuerProbe.origin, "Vary": "Origin"])
        try serve("echo", headers: ["Access-Control-Allow-Origin": IssuerProbe.origin])
        try serve("text", headers: ["Content-Type": "text/plain"])
        try serve("uncached", headers: ["Cache-Control": nil, "ETag": nil])
        try serve("forever", headers: ["Cache-Control": "max-age=31536000"])
        for (name, counter) in [("listing", 1), ("behind", 0), ("unlisted", nil)] as [(String, Int?)] {
            try server.serve(
                signed.keySet(adding: ["crlVersion": 1]), at: "/\(name)/.well-known/jwks.json", headers: caching)
            guard let counter else { continue }
            try server.serve(
                #"{"kid":"\#(signed.keyID())","method":"rid","ctr":\#(counter),"rids":[]}"#,
                at: "/\(name)/.well-known/crl/\(signed.keyID()).json",
                headers: name == "behind" ? ["Access-Control-Allow-Origin": nil] : [:])
        }
        return (server, signed)
    }

    private let server: TestIssuer

    init() throws {
        server = try Self.started.get().0
    }

    /// The findings of the rules for live issuers.
    private func findings(
        _ path: String, port: String = "good", host: String = "localhost", allowsPrivateNetwork: Bool = true,
        timeout: Duration = .seconds(600)
    ) async throws -> [Finding] {
        let fetcher = FetchProcess(executable: BuiltProduct.path(of: "shcverify-fetch"))
        let probe = IssuerProbe(
            transport: fetcher,
            limits: .init(
                timeout: timeout, allowsPrivateNetwork: allowsPrivateNetwork,
                certificateAuthorities: CertificateAuthorities(file: server.authorityFile, content: [])))
        let answers = try await probe.answers(of: Issuer(unchecked: server.url(path, port: port, host: host)))
        var linter = try Linter(policy: LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_800_000_000))))
        linter.add(answers)
        return linter.findings.filter { $0.layer == .issuer }
    }

    @Test(
        arguments: [
            ("/issuer", []), ("/open-to-all", []), ("/listing", []),

            ("/closed-to-others", ["issuer-key-wellknown-endpoint-cors/key-set"]),
            ("/open-to-one", ["issuer-key-wellknown-endpoint-cors/key-set"]),
            ("/echo", ["issuer-key-wellknown-endpoint-cors/vary"]),
            ("/text", ["issuer-response-error/content-type"]), ("/uncached", ["issuer-response-error/caching"]),
            ("/forever", ["issuer-response-error/freshness"]),
            ("/unlisted", ["revocation-error/list-download"]),
            (
                "/behind",
                ["issuer-key-wellknown-endpoint-cors/revocation-list", "revocation-error/list-counter"]
            ),
            ("/redirect-1/issuer", ["issuer-key-download-error/redirect"]),
            ("/redirect-4/issuer", ["issuer-key-download-error/no-answer"]),
            ("/redirect-http/issuer", ["issuer-key-download-error/no-answer"]),
            ("/endless/issuer", ["issuer-key-download-error/no-answer"]),
            ("/crash/issuer", ["issuer-key-download-error/no-answer"]),
            ("/nowhere", ["issuer-key-download-error/status"]), ("/status-503", ["issuer-key-download-error/status"]),
            ("/auth/issuer", ["issuer-key-download-error/status"]),
            ("/issuer/", ["invalid-issuer-url/live-issuer"]),
        ] as [(String, [String])])
    func findsMistakesOfAServer(path: String, ids: [String]) async throws {
        let findings = try await findings(path)
        #expect(findings.map(\.rule.id).sorted() == ids, "\(findings.map(\.message))")
    }

    @Test func findsAPageInsteadOfTheKeySet() async throws {
        let findings = try await findings("/html/issuer")
        #expect(findings.contains { $0.rule.id == "issuer-key-download-error/content" && $0.message.contains("HTML") })
    }

    private static let refusedCertificate = ["issuer-key-download-error/no-answer", "issuer-tls-error/certificate"]

    @Test(
        arguments: [
            ("good", nil, []), ("tls13", nil, []), ("tls11and12", nil, ["issuer-tls-error/legacy"]),
            (
                "tls11", "TLS 1.2",
                ["issuer-key-download-error/no-answer", "issuer-tls-error/legacy", "issuer-tls-error/version"]
            ),
            ("plain", "TLS", ["issuer-key-download-error/no-answer", "issuer-tls-error/version"]),
            ("expired", "has expired", Self.refusedCertificate),
            ("notYetValid", "not valid yet", Self.refusedCertificate),
            ("wrongHost", "another host", Self.refusedCertificate),
            ("selfSigned", "self-signed", Self.refusedCertificate),
            ("incomplete", "does not send", Self.refusedCertificate),
            ("closed", "refused", ["issuer-key-download-error/no-answer"]),
        ] as [(String, String?, [String])])
    func findsProblemsOfTheConnection(port: String, words: String?, ids: [String]) async throws {
        let findings = try await findings("/issuer", port: port)
        #expect(findings.map(\.rule.id).sorted() == ids, "\(findings.map(\.message))")
        guard let words else { return }
        #expect(findings.contains { $0.message.contains(words) }, "\(findings.map(\.message))")
    }

    @Test func contactsNoPrivateAddressUnlessThatIsAllowed() async throws {
        let findings = try await findings("/unasked", host: "127.0.0.1", allowsPrivateNetwork: false)
        #expect(findings.map(\.rule.id) == ["issuer-key-download-error/no-answer"])
        #expect(findings.first?.message.contains("loopback") == true)
        #expect(try server.requests(for: "/unasked/").isEmpty)
    }

    /// These servers never complete an answer, so without a limit this would not end.
    @Test(
        .timeLimit(.minutes(30)),
        arguments: [("/silent/issuer", "good"), ("/issuer", "hang"), ("/drip/issuer", "good")])
    func limitsTheTotalTime(path: String, port: String) async throws {
        let findings = try await findings(path, port: port, timeout: .milliseconds(800))
        #expect(findings.map(\.rule.id) == ["issuer-key-download-error/no-answer"])
    }

    @Test func saysThatANameDoesNotExist() async throws {
        let findings = try await findings("/issuer", host: "nowhere.invalid")
        #expect(findings.map(\.rule.id) == ["issuer-key-download-error/no-answer"])
        #expect(findings.first?.message.contains("cannot be resolved") == true)
    }
}
