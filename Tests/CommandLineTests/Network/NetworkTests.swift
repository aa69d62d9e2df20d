import Encodings
import Foundation
import TestSupport
import Testing

/// The executable against a real HTTPS issuer on loopback, both well-behaved and hostile.
@Suite(.timeLimit(.minutes(30))) struct NetworkTests {
    /// One server for all of these tests. Each issuer has a path of its own. The cards are signed after the server has
    /// started, since they contain its address.
    private static let shared = Result { () throws -> TestIssuer in
        let server = try TestIssuer()
        // All issuers have the same key. Only some have a revocation list.
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        for name in ["issuer", "once", "untrusted"] {
            try server.serve(signed.keySet(), at: "/\(name)/.well-known/jwks.json")
        }
        let other = try SignedCards.sign([.init(issuer: "https://localhost", key: "issuer-b")])
        try server.serve(other.keySet(), at: "/rotated/.well-known/jwks.json")
        for (name, rids) in [("revoking", #"["TestRid-1"]"#), ("listing", "[]"), ("behind", "[]"), ("unlisted", nil)] {
            try server.serve(
                signed.keySet(adding: ["crlVersion": name == "behind" ? 7 : 1]), at: "/\(name)/.well-known/jwks.json")
            guard let rids else { continue }
            try server.serve(
                #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":\#(rids)}"#,
                at: "/\(name)/.well-known/crl/\(signed.keyID()).json")
        }
        return server
    }

    private let server: TestIssuer

    init() throws {
        server = try Self.shared.get()
    }

    private func card(of issuer: String, rid: String? = nil, kid: String? = nil) throws -> [UInt8] {
        Array(try SignedCards.sign([.init(issuer: issuer, rid: rid, kid: kid)]).cards[0].utf8)
    }

    /// Verifies a card of the issuer at this path.
    private func verify(
        _ path: String, port: String = "good", rid: String? = nil, kid: String? = nil, arguments: [String] = []
    ) async throws -> Shcverify.Result {
        let card = try card(of: server.url(path, port: port), rid: rid, kid: kid)
        return try await Shcverify.run(
            ["-", "--format", "json", "--allow-private-network", "--ca-file", server.authorityFile]
                + (arguments.contains("--timeout") ? [] : ["--timeout", "600"]) + arguments,
            stdin: card)
    }

    @Test func keysAreFetchedFromTheIssuer() async throws {
        let result = try await verify("/issuer")
        #expect(result.exitCode == 0, "\(result.stderr)")
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(document.at("/cards/0/key/source")?.words == "network")
        #expect(document.at("/cards/0/issuer/trust")?.words == "unchecked")
    }

    @Test func readsAFetchedKeySetWithAByteOrderMarkAndPadding() async throws {
        let keySet = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        // Each coordinate of 32 bytes has 43 characters.
        let padded = keySet.replacing(/"(x|y)": ?"([\w-]{43})"/) { "\"\($0.1)\":\"\($0.2)=\"" }
        #expect(padded != keySet)
        for (name, text, count) in [("marked", "\u{FEFF}" + keySet, 1), ("padded", "\u{FEFF}" + padded, 2)] {
            try server.serve(text, at: "/\(name)/.well-known/jwks.json")
            let result = try await verify("/\(name)")
            #expect(result.exitCode == 0, "\(result.stderr)")
            let document = try JSONDocument.parse(Array(result.stdout.utf8))
            let warnings = document.at("/cards/0/warnings")?.elements?.map { $0["code"]?.words } ?? []
            #expect(warnings.count { $0 == "key-encoding" } == count, "\(name): \(warnings)")
        }
    }

    @Test func saysThatTheIssuerWasNotChecked() async throws {
        let arguments = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"]
        let card = try card(of: server.url("/issuer"))
        let unchecked = try await Shcverify.run(["-"] + arguments, stdin: card)
        #expect(unchecked.headline == "PASS (signature valid, issuer not checked)")
        // The row of the check, and what a patient can do.
        for words in [
            "\n  issuer-trust not asked for   not checked: anybody can sign at an address of their own\n",
            "--directory vci",
            "is this the web address of the organisation that gave you the card?",
            "\"shcverify explain issuer-not-checked\" says more",
        ] { #expect(unchecked.stdout.contains(words), "\(unchecked.stdout)") }
        let coloured = try await Shcverify.run(["-", "--color", "always"] + arguments, stdin: card)
        #expect(coloured.headline == "\u{1B}[1;33m? PASS (signature valid, issuer not checked)\u{1B}[0m")
        #expect(!coloured.stdout.contains("✓"))
        let page = try await Shcverify.run(["-", "--format", "html"] + arguments, stdin: card).stdout
        #expect(page.contains(#"<header class="unsure">"#) && !page.contains("✓"))
        let trusted = try await Shcverify.run(["-", "--trust", server.url("/issuer")] + arguments, stdin: card)
        #expect(trusted.headline == "PASS")
    }

    /// Outputs that have no verdict of their own say it too, and programs are told on standard error.
    @Test func recordsAndBatchesSayThatTheIssuerWasNotChecked() async throws {
        let arguments = ["--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"]
        let bundle =
            #"{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Immunization"}}]}"#
        let signed = try SignedCards.sign([.init(issuer: server.url("/issuer"), bundle: bundle)])
        let card = Array(signed.cards[0].utf8)
        let text = try await Shcverify.run(["records", "-"] + arguments, stdin: card)
        #expect(text.stdout.hasPrefix("PASS (signature valid, issuer not checked)\nCard     stdin#0\n"))
        #expect(text.stdout.contains("(not checked: ") && text.stderr.isEmpty, "\(text)")
        let caution = "shcverify: 1 card: 1 verified, 0 not; 1 by an issuer that was not checked\n"
        for format in ["json", "csv", "ndjson"] {
            let records = try await Shcverify.run(["records", "-", "--format", format] + arguments, stdin: card)
            #expect(records.exitCode == 0 && records.stderr == caution, "\(format): \(records.stderr)")
        }
        #expect(try await Shcverify.run(["-", "--format", "fhir"] + arguments, stdin: card).stderr == caution)
        #expect(try await Shcverify.run(["-", "--format", "fhir", "-q"] + arguments, stdin: card).stderr.isEmpty)
        let trusting = arguments + ["--trust", server.url("/issuer")]
        for command in [["--format", "fhir"], ["records", "--format", "csv"]] {
            #expect(try await Shcverify.run(command + ["-"] + trusting, stdin: card).stderr.isEmpty)
        }
        // A line with a card of which the same is said, one that waits for the first, and one that does not verify.
        let lines = card + Array("\n".utf8) + card + Array("\nx\n".utf8)
        let batch = try await Shcverify.run(["batch"] + arguments, stdin: lines)
        #expect(batch.exitCode == 10 && batch.errorLines.count == 3)
        #expect(batch.errorLines.dropFirst().first == "shcverify: 2 of the verified: the issuer was not checked")
        #expect(try await Shcverify.run(["batch"] + trusting, stdin: lines).errorLines.count == 2)
    }

    @Test(arguments: [
        ("/status-404", "good", "404"), ("/status-403", "good", "403"), ("/status-429", "good", "429"),
        ("/status-503", "good", "503"), ("/html", "good", "html"), ("/empty", "good", "empty"),
        ("/redirect-http", "good", "https"), ("/redirect-loop", "good", "redirect"),
        ("/redirect-4", "good", "redirect"),
        ("/auth", "good", "401"), ("/endless", "good", "larger than 1 mib"),
        ("/content-length-max", "good", "larger than 1 mib"),
        ("/compressed-bomb", "good", "larger than 1 mib"), ("/compressed-cut", "good", "not a key set"),
        ("/closed", "good", "middle"),
        ("/garbage", "good", "http"), ("", "wrongHost", "certificate"), ("", "expired", "certificate"),
        ("", "selfSigned", "certificate"), ("", "tls11", "tls"), ("", "plain", "tls"), ("", "closed", "connect"),
    ])
    func hostileServerMakesKeysUnavailable(_ path: String, port: String, word: String) async throws {
        let result = try await verify("\(path)/issuer", port: port)
        #expect(result.exitCode == 20)
        #expect(result.errorLines.count == 1)
        #expect(result.stderr.contains("keys-unavailable"))
        #expect(result.stderr.lowercased().contains(word), "\(result.stderr)")
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(document.at("/cards/0/verdict")?.words == "undetermined")
    }

    @Test(arguments: [("/drip/issuer", "good"), ("/slow-headers/issuer", "good"), ("/issuer", "hang")])
    func givesUpASlowServerAtTheTimeLimit(_ path: String, port: String) async throws {
        let result = try await verify(path, port: port, arguments: ["--timeout", "0.7"])
        #expect(result.exitCode == 20, "\(result.stderr)")
    }

    @Test func privateAddressIsRefusedUnlessAllowed() async throws {
        let card = try card(of: server.url("/issuer"))
        let result = try await Shcverify.run(["-", "--ca-file", server.authorityFile], stdin: card)
        #expect(result.exitCode == 20)
        #expect(result.stderr.contains("private") || result.stderr.contains("loopback"))
    }

    @Test func asksEachIssuerOncePerRun() async throws {
        let card = String(decoding: try card(of: server.url("/once")), as: UTF8.self)
        let file = #"{"verifiableCredential":["\#(card)","\#(card)","\#(card)"]}"#
        let result = try await Shcverify.run(
            ["-", "-q", "--allow-private-network", "--ca-file", server.authorityFile, "--timeout", "600"],
            stdin: Array(file.utf8))
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(try server.requests(for: "/once/").count == 1)
    }

    @Test func verdictsKeepTheOrderOfTheCards() async throws {
        let name = "/\(UUID().uuidString)"
        let issuers = ["/held\(name)", "/issuer", "/status-404\(name)", "/issuer"].map { server.url($0) }
        let cards = try SignedCards.sign(issuers.map { .init(issuer: $0) }).cards
        let file = #"{"verifiableCredential":["\#(cards.joined(separator: #"",""#))"]}"#
        async let run = Shcverify.run(
            [
                "-", "--format", "json", "--allow-private-network", "--ca-file", server.authorityFile, "--timeout",
                "600",
            ],
            stdin: Array(file.utf8))
        #expect(try await eventually { try server.requests(for: name).count == 2 })
        // The first issuer answers last.
        try server.release(name)
        let verdicts = try await JSONDocument.parse(Array(run.stdout.utf8))["cards"]?.elements
        #expect(verdicts?.compactMap { $0.at("/issuer/iss")?.words } == issuers)
        #expect(verdicts?.compactMap { $0["verdict"]?.words } == ["undetermined", "pass", "undetermined", "pass"])
    }

    @Test func doesNotContactUntrustedIssuers() async throws {
        let result = try await verify("/untrusted", arguments: ["--trust", "https://other.example"])
        #expect(result.exitCode == 13)
        #expect(try server.requests(for: "/untrusted/").isEmpty)
    }

    @Test func makesNoRequestForAMalformedCardOrOffline() async throws {
        let card = try card(of: server.url("/untrusted"))
        let options = ["-", "--allow-private-network", "--ca-file", server.authorityFile]
        // A card with another algorithm in its header, and a card with a cut payload.
        let header = Data(#"{"alg":"none","zip":"DEF","kid":"x"}"#.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        let parts = String(decoding: card, as: UTF8.self).split(separator: ".")
        for malformed in ["\(header).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1].dropLast(9)).\(parts[2])"] {
            let result = try await Shcverify.run(options, stdin: Array(malformed.utf8))
            #expect(result.exitCode == 10)
        }
        let offline = try await Shcverify.run(options + ["--offline"], stdin: card)
        #expect(offline.exitCode == 20)
        #expect(try server.requests(for: "/untrusted/").isEmpty)
    }

    /// Given keys alone say whom to trust.
    @Test(arguments: [[], ["--require-trusted"]])
    func issuerWithoutGivenKeysIsNotTrusted(_ options: [String]) async throws {
        let keys = Paths.vector("keys/issuer-a.jwks.json")
        let other = try await verify(
            "/untrusted", arguments: options + ["--jwks", "https://other.example=\(keys)"])
        #expect(other.exitCode == 13)
        let absent = try await verify("/untrusted", kid: "unknown", arguments: options + ["--jwks", keys])
        #expect(absent.exitCode == 12)
        let signers = try await verify(
            "/untrusted", arguments: options + ["--jwks", Paths.vector("hcert/trust/signers.pem")])
        #expect(signers.exitCode == 12)
        #expect(try server.requests(for: "/untrusted/").isEmpty)
    }

    /// An entry that cannot be used must not make the certificate of the usable one superfluous.
    @Test(arguments: [
        #"{"kty":"RSA","kid":"KID","n":"AQAB","e":"AQAB","x5c":["AAAA"]}"#,
        #"{"kty":"EC","crv":"P-256","kid":"KID","use":"enc","x":"AA","y":"AA","x5c":["AAAA"]}"#,
        #"{"kty":"EC","crv":"P-256","kid":"KID","d":"AQ","x":"AA","y":"AA"}"#,
    ])
    func keyWithoutCertificateIsNotTrustedBesideAnUnusableOne(_ entry: String) async throws {
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        let usable = try #require(try JSONDocument.parse(Array(signed.keySet().utf8)).at("/keys/0")?.compact)
        let unusable = entry.replacingOccurrences(of: "KID", with: signed.keyID())
        let path = "/stranger-\(UUID().uuidString)"
        for keys in ["\(unusable),\(usable)", "\(usable),\(unusable)"] {
            try server.serve(#"{"keys":[\#(keys)]}"#, at: "\(path)/.well-known/jwks.json")
            let result = try await verify(
                path, arguments: ["--no-cache", "--require-trusted", "--anchor", server.authorityFile])
            #expect([12, 13].contains(result.exitCode), "\(result.stderr)")
        }
    }

    @Test func withdrawnKeyIsNotFound() async throws {
        let result = try await verify("/rotated")
        #expect(result.exitCode == 12)
        #expect(result.stderr.contains("key-not-found"))
    }

    @Test func hintsAtAnotherKeyThatVerifiesTheCard() async throws {
        let result = try await verify("/issuer", kid: "another-id")
        #expect(result.exitCode == 12)
        #expect(result.stderr.contains("does verify with another key"))
    }

    @Test(arguments: [
        ("/revoking", "TestRid-1", 16), ("/revoking", "TestRid-2", 0), ("/revoking", nil, 0),
        ("/listing", "TestRid-1", 0),
        ("/behind", "TestRid-1", 21), ("/unlisted", "TestRid-1", 21),
    ])
    func fetchesTheRevocationListOfAKey(_ path: String, rid: String?, exitCode: Int32) async throws {
        let result = try await verify(path, rid: rid)
        #expect(result.exitCode == exitCode, "\(result.stderr)")
    }

    @Test func listOfHashesAppliesToCardsWithoutRid() async throws {
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        for (name, method, entry) in [
            ("hashed", "hash-fhir", signed.bundleHash),
            ("hashed-earlier", "hash-fhir", "\(signed.bundleHash).1600000000"),
            ("hashed-other", "hash-fhir", "AAAAAAAAAAA"), ("not-hashed", "rid", signed.bundleHash),
        ] {
            try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "/\(name)/.well-known/jwks.json")
            try server.serve(
                #"{"kid":"\#(signed.keyID())","method":"\#(method)","ctr":1,"rids":["\#(entry)"]}"#,
                at: "/\(name)/.well-known/crl/\(signed.keyID()).json")
        }
        #expect(try await verify("/hashed").exitCode == 16)
        #expect(try await verify("/hashed-earlier").exitCode == 0)
        #expect(try await verify("/hashed-other").exitCode == 0)
        #expect(try await verify("/not-hashed").exitCode == 0)
        #expect(try await verify("/unlisted").exitCode == 0, "without an identifier the list is not required")
    }
}
