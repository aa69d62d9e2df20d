import Encodings
import Foundation
import TestSupport
import Testing

/// What a patient's app shares (Kill the Clipboard): its attestation, and lint for its makers. Tests/Sessions/apps.md has the rest. All
/// tests use the same app.
@Suite(.timeLimit(.minutes(30)), .serialized) struct PatientAppTests {
    private let server: TestIssuer
    private let shared: TemporaryDirectory
    private let key: String
    private let app: String
    /// How many requests there were for keys before the test.
    private let earlierRequests: Int

    /// What the app shares, which is encrypted for the server.
    private static let shared = Result {
        let (shared, process) = (try TemporaryDirectory(), Process())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-B", Paths.root.appendingPathComponent("Tests/TestSupport/share.py").path,
            "\(try TestIssuer.shared.get().port())", shared.url.path,
        ]
        try process.run()
        process.waitUntilExit()
        return shared
    }

    init() throws {
        server = try TestIssuer.shared.get()
        shared = try Self.shared.get()
        app = server.url("/app")
        let index = try JSONDocument.parse(Paths.bytes(Paths.vector("links/links.json")))
        key = try #require(index["key"]?.words)
        earlierRequests = try server.requests(for: "/app/").count
        try server.serve(Data(Paths.bytes(keys)), at: "/app/.well-known/jwks.json")
    }

    private var keys: String { shared.url.appendingPathComponent("app.jwks.json").path }

    /// The link to a file, which has the flag `U` and expires in ten minutes.
    private func link(_ name: String, _ members: [String: Any] = [:]) throws -> String {
        let file = "/apps/\(name).jwe"
        try server.serve(Data(Paths.bytes(shared.url.appendingPathComponent("\(name).jwe").path)), at: file)
        let payload: [String: Any] = [
            "url": server.url(file), "key": key, "flag": "U", "exp": Int(Date().timeIntervalSince1970) + 600,
        ]
        let json = try JSONSerialization.data(
            withJSONObject: payload.merging(members) { $1 }, options: [.withoutEscapingSlashes])
        let text = json.base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing(
            "/", with: "_")
        return "shlink:/\(text)"
    }

    private func run(_ command: [String], _ text: String, _ arguments: [String]) async throws -> Shcverify.Result {
        let network = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"]
        return try await Shcverify.run(command + ["-"] + network + arguments, stdin: Array(text.utf8))
    }

    /// The exit code, and what is said of the attestation.
    private func attestation(_ name: String, _ arguments: String...) async throws -> (Int32, JSONValue?) {
        let result = try await run(["verify"], try link(name), arguments + ["--format", "json"])
        let report = try JSONDocument.parse(Array(result.stdout.utf8))
        return (result.exitCode, report.at("/links/0/files/0/attestation"))
    }

    private var requestsForKeys: Int { get throws { try server.requests(for: "/app/").count - earlierRequests } }

    // MARK: Attestations

    @Test(arguments: [
        ("good", "verified"), ("other-key", "invalid"), ("other-kid", "invalid"), ("claims", "invalid"),
        ("form", "invalid"), ("unreachable", "unchecked"),
    ])
    func anAttestationChangesNoVerdict(_ name: String, _ status: String) async throws {
        let (code, attestation) = try await attestation(name, "--app", app, "--app", app + "-elsewhere")
        #expect(code == 19, "nobody signed the content")
        #expect(attestation?["status"]?.words == status)
        if name == "good" {
            #expect(attestation?["iss"]?.words == app)
            #expect(attestation?["kid"]?.words == "app key 1")
            #expect(attestation?["issued"]?.words == "2026-05-28T20:26:40Z")
            #expect(attestation?["jti"]?.words == "6f1f47a3-0d0e-4b3a-9a44-1b2c3d4e5f60")
        }
    }

    @Test func aBundleWithoutAnAttestationHasNone() async throws {
        #expect(try await attestation("plain", "--app", app).1?.isNull == true)
        #expect(try await attestation("patient", "--app", app).1?.isNull == true)
        #expect(try requestsForKeys == 0)
    }

    @Test func noRequestForAnUnlistedApp() async throws {
        for arguments in [[], ["--app", "https://app.example"], ["--app", app + "x"]] {
            let result = try await run(["verify"], try link("good"), arguments + ["--format", "json"])
            let report = try JSONDocument.parse(Array(result.stdout.utf8))
            #expect(result.exitCode == 19)
            #expect(report.at("/links/0/files/0/attestation/status")?.words == "unknown-app")
        }
        #expect(try requestsForKeys == 0)
    }

    @Test func givenKeysAreUsedWithoutARequest() async throws {
        #expect(
            try await attestation("good", "--app", app, "--jwks", "\(app)=\(keys)").1?["status"]?.words == "verified")
        #expect(
            try await attestation("other-key", "--app", app, "--jwks", "\(app)=\(keys)").1?["status"]?.words
                == "invalid")
        #expect(try requestsForKeys == 0)
    }

    /// Any owner of such a key could attest as any app.
    @Test func keysOfNobodyInParticularAttestNothing() async throws {
        let elsewhere = app + "-elsewhere"
        #expect(
            try await attestation("unreachable", "--app", elsewhere, "--jwks", keys).1?["status"]?.words == "unchecked")
    }

    @Test(arguments: [("future", "invalid"), ("old", "invalid"), ("slash", "unknown-app")])
    func anAttestationHasAPlausibleTimeAndAListedApp(_ name: String, _ status: String) async throws {
        #expect(try await attestation(name, "--app", app).1?["status"]?.words == status)
        #expect(try requestsForKeys == 0)
    }

    /// The key set of an app whose name ends with a slash has the same address as without it.
    @Test func anAppMayBeNamedWithASlash() async throws {
        #expect(try await attestation("slash", "--app", app + "/").1?["status"]?.words == "verified")
        #expect(try server.requests(for: "/app/")[earlierRequests...].map(\.path) == ["/app/.well-known/jwks.json"])
        let given = try await attestation("slash", "--app", app + "/", "--jwks", "\(app)=\(keys)").1
        #expect(given?["status"]?.words == "verified")
        #expect(try requestsForKeys == 1)
    }

    /// Anyone who knows the private half can attest for the app, so nobody can.
    @Test func aKeyWhosePrivateHalfIsPublishedAttestsNothing() async throws {
        let published = shared.url.appendingPathComponent("private.jwks.json").path
        let (_, attestation) = try await attestation("good", "--app", app, "--jwks", published)
        #expect(attestation?["status"]?.words == "invalid")
    }

    @Test func aVerifiedAppIsInTheProvenance() async throws {
        for (arguments, isNamed) in [(["--app", app], true), ([], false)] {
            let result = try await run(
                ["verify"], try link("good"), arguments + ["--format", "handover", "--include-unsigned"])
            #expect(result.exitCode == 19)
            let bundle = try JSONDocument.parse(Array(result.stdout.utf8))
            let entries = bundle["entry"]?.elements.map { Array($0) } ?? []
            let provenance = try #require(entries.last?["resource"])
            #expect(provenance["resourceType"]?.words == "Provenance")
            let agents = provenance["agent"]?.elements.map { Array($0) } ?? []
            let roles = agents.compactMap { $0.at("/type/coding/0/code")?.words }
            #expect(roles == (isNamed ? ["informant", "assembler", "verifier"] : ["informant", "verifier"]))
            #expect(!isNamed || agents[1].at("/who/identifier/value")?.words == app)
            // The content stays what the patient says.
            #expect(result.stdout.contains("PATAST") && !result.stdout.contains("DIGSIG"))
        }
    }

    // MARK: Lint

    /// The rules that a link violates, with those who have to correct it.
    private func findings(_ text: String, _ arguments: [String] = ["--recipient", "Example Clinic"]) async throws
        -> [String: String?]
    {
        let result = try await run(["lint"], text, ["--profile", "ktc", "--format", "json"] + arguments)
        let report = try JSONDocument.parse(Array(result.stdout.utf8))
        let findings = report["findings"]?.elements.map { Array($0) } ?? []
        return Dictionary(findings.map { ($0["rule"]?.words ?? "", $0["actor"]?.words) }) { first, _ in first }
    }

    @Test func contentIsLinted() async throws {
        #expect(try await findings(link("plain")).isEmpty)
        let defects = try await findings(link("defects"))
        for name in ["bundle-type", "patient", "entries"] {
            #expect(defects["profile-error/ktc-\(name)"] == "sender", "\(name): \(defects)")
        }
        #expect(try await findings(link("patient"))["profile-error/ktc-content"] == "sender")
        #expect(
            try await findings(link("cty")).keys.sorted()
                == ["profile-error/ktc-cty", "shlink-manifest-error/content-type"])
        #expect(try await findings(link("plain", ["flag": "L"]))["profile-error/ktc-flag"] == "sender")
        #expect(
            try await findings(link("plain"), ["--offline", "--recipient", "x"]).keys.contains {
                $0.hasPrefix("profile")
            } == false)
    }

    @Test func saysWhoReceives() async throws {
        #expect(try await findings(link("plain"), [])["profile-error/ktc-recipient"] == "operator")
    }

    @Test func attestationsAreLinted() async throws {
        let listed = ["--recipient", "Example Clinic", "--app", app]
        #expect(try await findings(link("good"), listed).isEmpty)
        #expect(
            try await findings(link("other-key"), listed).keys.sorted() == ["profile-error/ktc-attestation-signature"])
        #expect(try await findings(link("claims"), listed).keys.sorted() == ["profile-error/ktc-attestation-claims"])
        #expect(try await findings(link("form"), listed).keys.sorted() == ["profile-error/ktc-attestation-form"])
        #expect(try requestsForKeys > 0)
        // The keys of an app are no issuer's.
        #expect(try await findings(link("good"), listed + ["--jwks", "\(app)=\(keys)"]).isEmpty)
    }
}
