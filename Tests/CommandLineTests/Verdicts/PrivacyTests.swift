import Foundation
import StrictJSON
import TestSupport
import Testing

/// The program keeps nothing of a card, and its messages for logs contain nothing of it.
@Suite(.timeLimit(.minutes(10))) struct PrivacyTests {
    /// Requirements that the card does not meet, with the exit code.
    static let refusals: [([String], Int32)] = [
        (["--record-type", "laboratory"], 17), (["--record-type", "recovery", "--record-type", "Coverage"], 17),
        (["--since", "2031-02-03"], 17), (["--until", "1999-08-07"], 17),
        (["--record-type", "laboratory", "--since", "2031-02-03"], 17),
        (["--at", "2020-03-04T05:06:07Z"], 14), (["--at", "2030-03-04T05:06:07Z"], 15),
    ]

    /// Messages for logs contain no person, record or date, not even one from the command line. With `--records`, they
    /// do.
    @Test(arguments: refusals) func gatesLogNothingOfTheCard(_ question: [String], exitCode: Int32) async throws {
        let folder = try TemporaryDirectory()
        let bundle = #"""
            {"resourceType":"Bundle","type":"collection","entry":[
              {"fullUrl":"resource:0","resource":{"resourceType":"Patient","name":[{"text":"Jana Anyperson"}]}},
              {"fullUrl":"resource:1","resource":{"resourceType":"Immunization","status":"completed",
                "vaccineCode":{"coding":[{"system":"http://hl7.org/fhir/sid/cvx","code":"207"}]},
                "patient":{"reference":"resource:0"},"occurrenceDateTime":"2021-01-29"}}]}
            """#
        let signed = try SignedCards.sign([
            .init(issuer: "https://issuer.example", nbf: 1_611_878_400, exp: 1_893_456_000, bundle: bundle)
        ])
        let card = try folder.write(signed.cards[0], to: "card.jws")
        let options = ["--offline", "--jwks", try folder.write(signed.keySet(), to: "keys.json")] + question
        // The name of the folder is random, and may look like a date.
        let isTold = { (text: String) in
            text.replacing(folder.url.path, with: "").contains(/\b(19|20)\d\d-\d\d|16118784|18934560/)
                || ["Anyperson", "Immunization", "COVID"].contains { text.contains($0) }
        }
        let quiet = try await Shcverify.run(["verify", card, "--quiet"] + options)
        #expect(quiet.exitCode == exitCode)
        #expect(quiet.errorLines.count == 1)
        let traced = try await Shcverify.run(["verify", card, "--quiet", "-vv"] + options)
        #expect(traced.exitCode == exitCode)
        #expect(traced.errorLines.count > 4)
        #expect(!isTold(traced.stderr), "\(traced.stderr)")
        #expect(!isTold(quiet.stderr), "\(quiet.stderr)")
        let batch = try await Shcverify.run(["batch", card] + options)
        #expect(batch.exitCode == exitCode)
        let verdict = try JSONDocument.parse(Array(batch.stdout.utf8))
        let message = try #require(verdict.at("/reason/message")?.words)
        #expect(!isTold(message) && !isTold(batch.stderr), "\(message) \(batch.stderr)")
        let warnings = verdict["warnings"]?.elements?.compactMap { $0["message"]?.words } ?? []
        #expect(!warnings.contains(where: isTold))

        let asked = try await Shcverify.run(["batch", card, "--records"] + options)
        #expect(isTold(try JSONDocument.parse(Array(asked.stdout.utf8)).at("/reason/message")?.words ?? ""))
        let loud = try await Shcverify.run(["verify", card] + options)
        #expect(loud.exitCode == exitCode && isTold(loud.stderr), "\(loud.stderr)")
    }

    /// A number out of range may still be a date.
    @Test(arguments: ["nbf", "exp"], ["1611878400000", "99999999999999", "-99"])
    func gatesLogNoDateOutOfRange(_ member: String, _ value: String) async throws {
        let payload =
            #"{"iss":"https://issuer.example",\#(member == "exp" ? #""nbf":1,"# : "")"\#(member)":\#(value),"#
            + #""vc":{"type":["https://smarthealth.cards#health-card"],"credentialSubject":{"fhirVersion":"4.0.1","#
            + #""fhirBundle":{"resourceType":"Bundle"}}}}"#
        let card = UnsignedCard.jws(payload: Array(payload.utf8))
        let quiet = try await Shcverify.run(["-", "--quiet", "--offline"], stdin: card)
        #expect(!quiet.stderr.contains(value) && quiet.errorLines.count == 1)
    }

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
