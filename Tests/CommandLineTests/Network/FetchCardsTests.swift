import Encodings
import Foundation
import TestSupport
import Testing

/// `fetch-cards` with a provider's FHIR server on loopback.
@Suite(.timeLimit(.minutes(30))) struct FetchCardsTests {
    private let server: TestIssuer

    init() throws { server = try TestIssuer.shared.get() }

    private static let capability = #"{"capabilities":["health-cards"]}"#
    private static let operation = "/Patient/p-1/$health-cards-issue"

    /// Serves a provider, and returns the address of its FHIR server.
    private func provider(_ answer: [String: Any], configuration: String? = capability) throws -> (
        base: String, path: String
    ) {
        let name = "/\(UUID().uuidString)"
        try server.serve(JSONSerialization.data(withJSONObject: answer), at: name + Self.operation)
        if let configuration { try server.serve(configuration, at: name + "/.well-known/smart-configuration") }
        return (server.url("/link\(name)"), name)
    }

    private func run(
        _ base: String, _ arguments: [String] = [], token: String? = nil
    ) async throws -> Shcverify.Result {
        try await Shcverify.run(
            [
                "fetch-cards", base, "--patient", "p-1", "--jwks", Paths.vector("keys/issuer-a.jwks.json"),
                "--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600",
            ] + arguments,
            environment: ["SHCVERIFY_TOKEN": token])
    }

    private func card() throws -> String {
        String(decoding: try Paths.bytes(Paths.vector("cards/inputs/jws.jws")), as: UTF8.self)
    }

    private func parameters(_ cards: [String]) -> [String: Any] {
        let parameters = cards.map { ["name": "verifiableCredential", "valueString": $0] }
        return cards.isEmpty
            ? ["resourceType": "Parameters"] : ["resourceType": "Parameters", "parameter": parameters]
    }

    /// The address of the request names the patient.
    @Test func traceNamesOnlyTheServer() async throws {
        let (base, path) = try provider(["answer": parameters([card()])])
        let result = try await run(base, ["-vv", "--quiet"], token: "secret-token")
        #expect(result.exitCode == 0)
        #expect(
            result.errorLines.contains { $0.hasPrefix("trace: POST \"\(server.url(""))\": 200 after ") },
            "\(result.stderr)")
        for secret in ["p-1", "secret-token", path, "Patient"] { #expect(!result.stderr.contains(secret)) }
    }

    @Test func asksOnceAndVerifies() async throws {
        let (base, path) = try provider(["answer": parameters([card()])])
        let result = try await run(
            base + "/",
            ["--type", "Immunization", "--type", "#covid19", "--value-set", "https://v.example", "--since", "2025"],
            token: "secret-token")
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.headline == "PASS" && result.stderr.isEmpty)
        let requests = try server.requests(for: path)
        #expect(requests.map(\.method) == ["GET", "POST"])
        #expect(requests[0].headers["Authorization"] == nil)
        #expect(requests[1].headers["Authorization"] == "Bearer secret-token")
        #expect(requests[1].headers["Content-Type"] == "application/fhir+json")
        #expect(requests[1].headers["Accept"] == "application/fhir+json")
        let sent = try JSONDocument.parse(Array(requests[1].body.utf8))
        let values = sent["parameter"]?.elements?.map { ($0["valueUri"] ?? $0["valueDateTime"])?.words }
        #expect(values == ["Immunization", "#covid19", "https://v.example", "2025"])
    }

    @Test func handsTheCardsOver() async throws {
        let (base, _) = try provider(["answer": parameters([card()])])
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("bundle.json").path
            let result = try await run(base, ["--handover", file])
            #expect(result.exitCode == 0 && result.headline == "PASS", "\(result.stderr)")
            let bundle = try JSONDocument.parse(Paths.bytes(file))
            #expect(bundle["type"]?.words == "transaction")
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await run(base + "x", ["--handover", file]).exitCode != 0)
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func savesTheCards() async throws {
        let (base, _) = try provider(["answer": parameters([card()])])
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("out.smart-health-card").path
            #expect(try await run(base, ["-q", "--output", file]).exitCode == 0)
            let again = try await Shcverify.run(
                [file, "-q", "--offline", "--jwks", Paths.vector("keys/issuer-a.jwks.json")])
            #expect(again.exitCode == 0)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    /// The operation is called once. So a file that cannot be written is an error before that.
    @Test func asksNothingIfTheCardsCannotBeSaved() async throws {
        let (base, path) = try provider(["answer": parameters([card()])])
        let unwritable = try await run(base, ["--output", "/nonexistent/x"])
        #expect(unwritable.exitCode == 1 && unwritable.stdout.isEmpty)
        #expect(unwritable.stderr.contains("--output /nonexistent/x: cannot be written"))
        #expect(try server.requests(for: path).isEmpty)
    }

    /// Nothing of another patient's file may stay behind the new cards.
    @Test func replacesTheFileThatALinkLeadsTo() async throws {
        let (base, _) = try provider(["answer": parameters([card()])])
        let (none, _) = try provider(["answer": parameters([])])
        let folder = try TemporaryDirectory()
        let target = try folder.write(
            String(repeating: "another patient ", count: 9000), to: "real", permissions: 0o644)
        let link = folder.url.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
        #expect(try await run(none, ["-q", "--output", link]).exitCode == 19)
        #expect(try Paths.bytes(target).count == 144_000, "without a card, the file is not changed")
        #expect(try await run(base, ["-q", "--output", link]).exitCode == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real")
        #expect(try JSONDocument.parse(Paths.bytes(target))["verifiableCredential"]?.elements?.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(left == ["link", "real"])
    }

    @Test func aForgedCardFails() async throws {
        let card = try card()
        let (base, _) = try provider(["answer": parameters([String(card.dropLast(2)) + "AA"])])
        #expect(try await run(base).exitCode == 11)
    }

    @Test func missingCapabilityIsAWarning() async throws {
        let (base, _) = try provider(["answer": parameters([card()])], configuration: nil)
        let result = try await run(base, ["-q"])
        #expect(result.exitCode == 0 && result.stderr.contains("provider-capability"))
    }

    @Test(
        arguments: [
            (401, 25, "provider-refused"), (403, 25, "provider-refused"), (404, 25, "provider-refused"),
            (422, 25, "provider-refused"), (500, 24, "provider-unavailable"), (501, 24, "provider-unavailable"),
            (302, 24, "provider-unavailable"),
        ] as [(Int, Int32, String)])
    func statusDecides(_ status: Int, _ code: Int32, _ reason: String) async throws {
        let outcome: [String: Any] = [
            "resourceType": "OperationOutcome", "issue": [["diagnostics": "no\u{1B}[31m such type"]],
        ]
        let (base, _) = try provider(["status": status, "answer": outcome])
        let result = try await run(base, ["--format", "json"], token: "secret-token")
        #expect(result.exitCode == code)
        #expect(result.stdout.contains(reason))
        #expect(!(result.stdout + result.stderr).contains("secret-token"))
        #expect(!result.stderr.contains("\u{1B}"))
        if status == 422 { #expect(result.stderr.contains("such type")) }
    }

    @Test func theServersWordsAreNotLogged() async throws {
        let outcome: [String: Any] = ["issue": [["diagnostics": "Jane Doe is unknown"]]]
        let (base, _) = try provider(["status": 404, "answer": outcome])
        #expect(try await run(base, ["-q"]).stderr.contains("Jane") == false)
        let echo: [String: Any] = ["issue": [["diagnostics": "bad token SECRET-Token xyz"]]]
        let (other, _) = try provider(["status": 401, "answer": echo])
        let result = try await run(other, token: "Secret-token")
        #expect(result.exitCode == 25 && !(result.stdout + result.stderr).contains("xyz"))
    }

    @Test func noCardsAreAReasonOfTheirOwn() async throws {
        let (base, _) = try provider(["answer": parameters([])])
        let result = try await run(base)
        #expect(result.exitCode == 19 && result.stderr.contains("no-cards-issued"))
        let (other, _) = try provider(["answer": "hello"])
        #expect(try await run(other).exitCode == 10)
    }

    /// The token goes to no other server.
    @Test func followsNoRedirectToAnotherServer() async throws {
        let (base, path) = try provider(["answer": parameters([card()])])
        let moved = base.replacing("/link/", with: "/moved-link/tls13/link/")
        #expect(try await run(moved, ["-q"], token: "secret-token").exitCode == 24)
        #expect(try server.requests(for: path).allSatisfy { $0.port == "good" || $0.headers["Authorization"] == nil })
    }
}
