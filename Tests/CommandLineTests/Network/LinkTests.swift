import Cryptography
import Encodings
import Foundation
import TestSupport
import Testing

/// SMART Health Links, with a real HTTPS server on loopback. Tests/Sessions/links.md has what is refused before a request.
@Suite(.timeLimit(.minutes(30))) struct LinkTests {
    private static let shared = Result { () throws -> TestIssuer in
        let server = try TestIssuer.shared.get()
        for name in try FileManager.default.contentsOfDirectory(atPath: Paths.vector("links"))
        where name.hasSuffix(".jwe") {
            try server.serve(Data(Paths.bytes(Paths.vector("links/\(name)"))), at: "/files/\(name)")
        }
        return server
    }

    private let server: TestIssuer
    private let key: String
    private let directory: TemporaryDirectory
    /// It is in the paths of all requests of one test, since the tests share a server.
    private let id = UUID().uuidString

    init() throws {
        server = try Self.shared.get()
        directory = try TemporaryDirectory()
        let index = try JSONDocument.parse(Paths.bytes(Paths.vector("links/links.json")))
        key = try #require(index["key"]?.words)
    }

    // MARK: Making links

    /// One entry of a manifest.
    private func embedded(_ name: String, _ members: [String: String] = [:]) throws -> [String: String] {
        let text = String(decoding: try Paths.bytes(Paths.vector("links/\(name).jwe")), as: UTF8.self)
        return ["contentType": "application/smart-health-card", "embedded": text].merging(members) { $1 }
    }

    private func located(
        _ name: String, port: String = "good", path: String? = nil, _ members: [String: String] = [:]
    ) -> [String: String] {
        ["contentType": "application/smart-health-card", "location": "@\(port)@\(path ?? "/files/\(name).jwe")?\(id)"]
            .merging(members) { $1 }
    }

    /// Serves a manifest, and returns its address.
    ///
    /// - Parameter settings: further members for the server, such as the passcode or the status.
    private func manifest(
        _ files: [[String: String]], adding members: [String: String] = [:], settings: [String: Any] = [:]
    ) throws -> String {
        var answer: [String: Any] = members
        answer["files"] = files
        var content = settings
        if content["answer"] == nil { content["answer"] = answer }
        let name = "/\(id)-\(UUID().uuidString).json"
        try server.serve(try JSONSerialization.data(withJSONObject: content), at: name)
        return server.url("/link\(name)")
    }

    private func link(_ url: String, _ members: [String: Any] = [:]) throws -> String {
        var payload: [String: Any] = ["url": url, "key": key]
        payload.merge(members) { $1 }
        let json = try JSONSerialization.data(withJSONObject: payload, options: [.withoutEscapingSlashes])
        let text = json.base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing(
            "/", with: "_")
        return "shlink:/\(text)"
    }

    private func link(of files: [[String: String]], _ members: [String: Any] = [:]) throws -> String {
        try link(manifest(files), members)
    }

    // MARK: Running

    private var network: [String] { ["--allow-private-network", "--ca-file", server.authorityFile] }

    private static let keys = ["--jwks", Paths.vector("keys/issuer-a.jwks.json")]

    private func run(
        _ text: String, _ arguments: [String] = [], environment: [String: String?] = [:]
    ) async throws -> Shcverify.Result {
        let result = try await Shcverify.run(
            ["-"] + arguments + network + Self.keys + (arguments.contains("--timeout") ? [] : ["--timeout", "600"]),
            stdin: Array(text.utf8), environment: environment)
        expectNoSecret(in: result)
        return result
    }

    /// The exit code and the report.
    private func report(
        _ text: String, _ arguments: [String] = [], environment: [String: String?] = [:]
    ) async throws -> (Int32, JSONValue) {
        let result = try await run(text, arguments + ["--format", "json"], environment: environment)
        return (result.exitCode, try JSONDocument.parse(Array(result.stdout.utf8)))
    }

    /// No output may have the key, a passcode or an access token.
    private func expectNoSecret(in result: Shcverify.Result) {
        for output in [result.stdout, result.stderr] {
            for secret in [key, String(key.dropLast(4)), "Secret-Passcode", "SECRET-ACCESS-TOKEN"] {
                #expect(!output.contains(secret))
            }
        }
    }

    private func list(_ value: JSONValue?) -> [JSONValue] { value?.elements.map { Array($0) } ?? [] }
    private func reasons(_ report: JSONValue) -> [String?] {
        list(report["cards"]).map { $0["reason"]?["code"]?.words }
    }
    private func warnings(_ value: JSONValue?) -> [String] { list(value?["warnings"]).compactMap { $0["code"]?.words } }

    // MARK: Opening

    /// Only the first card has the warnings about other files, or they would multiply with the cards.
    @Test func warningsOfFilesDoNotMultiply() async throws {
        let wrong = try embedded("card", ["contentType": "application/fhir+json;x=1"])
        let other = try embedded("card", ["contentType": "application/smart-api-access"])
        let (code, report) = try await report(link(of: [embedded("card"), other, other, wrong]))
        #expect(code == 0)
        let cards = list(report["cards"])
        #expect(warnings(list(report["links"]).first).count == 3)
        #expect(cards.map { warnings($0).count { $0 == "content-type-mismatch" } } == [3, 1, 1, 1])
    }

    /// What is a card in FHIR or in a list is judged, and digits are refused as in a file.
    @Test(arguments: [
        ("attached", 0, nil), ("attached-forged", 11, "signature-invalid"), ("attached-refused", 10, "malformed-input"),
        ("digits", 10, "malformed-input"), ("list-of-cards", 0, nil),
    ])
    func cardsInOtherContentAreJudged(_ name: String, _ exitCode: Int32, _ reason: String?) async throws {
        let file = try embedded(name, ["contentType": name.hasPrefix("attached") ? "application/fhir+json" : ""])
        let (code, report) = try await report(link(of: [file, embedded("card")]))
        #expect(code == exitCode)
        #expect(reasons(report) == [reason, nil])
        let kinds = list(list(report["links"]).first?["files"]).map { $0["kind"]?.words }
        let expected = exitCode == 10 ? nil : name.hasPrefix("attached") ? "fhir" : "health-card"
        let kind = kinds.first ?? nil
        #expect(kind == expected)
        let alone = try await self.report(link(of: [file]))
        #expect(alone.0 == exitCode && reasons(alone.1) == [reason])
    }

    @Test func opensEmbeddedLocatedAndUnsignedFiles() async throws {
        let text = try link(
            of: [
                embedded("card"), located("two-cards"),
                embedded("fhir", ["contentType": "application/fhir+json;fhirVersion=4.0.1"]),
            ], ["label": "For the school", "flag": "L", "exp": 4_102_444_800])
        let (code, report) = try await report(text)
        #expect(code == 0)
        #expect(reasons(report) == [nil, nil, nil])
        let cards = list(report["cards"])
        #expect(cards.map { $0["inputKind"]?.words } == ["link", "link", "link"])
        #expect(cards.map { $0["source"]?.words } == ["stdin#0", "stdin#1", "stdin#2"])
        #expect(cards.map { $0["link"]?["file"]?.number?.integer } == [0, 1, 1])
        #expect(cards.allSatisfy { list($0["checks"]).first?["name"]?.words == "link" })
        let opened = try #require(list(report["links"]).first)
        #expect(opened["form"]?.words == "bare" && opened["label"]?.words == "For the school")
        #expect(opened["origin"]?.words == server.url(""))
        #expect(opened["expires"]?.words == "2100-01-01T00:00:00Z" && opened["recipient"]?.words == "shcverify")
        #expect(opened["version"]?.number?.integer == 1 && opened["reason"]?.isNull == true)
        let files = list(opened["files"])
        #expect(files.map { $0["delivery"]?.words } == ["embedded", "location", "embedded"])
        #expect(files.map { $0["kind"]?.words } == ["health-card", "health-card", "fhir"])
        #expect(files.map { $0["verifiable"]?.boolean } == [true, true, false])
        #expect(files[2]["resourceType"]?.words == "Bundle" && files[2]["fhirVersion"]?.words == "4.0.1")
        #expect(warnings(opened) == ["unsigned-content"])
    }

    /// The address of a link is a secret, because it opens the link.
    @Test func traceNamesOnlyTheServer() async throws {
        let text = try link(of: [embedded("card"), located("two-cards")])
        let result = try await run(text, ["-vv", "--quiet"])
        #expect(result.exitCode == 0, "\(result.stderr)")
        let trace = result.errorLines.filter { $0.hasPrefix("trace: ") }
        #expect(trace.contains { $0.hasPrefix("trace: POST \"\(server.url(""))\": 200 after ") }, "\(trace)")
        #expect(trace.contains { $0.hasPrefix("trace: GET \"\(server.url(""))\": 200 after ") })
        #expect(!result.stderr.contains(id) && !result.stderr.contains("/link") && !result.stderr.contains(".jwe"))
    }

    @Test func secondLineSaysWhatTheLinkHeld() async throws {
        let result = try await run(link(of: [embedded("card"), embedded("fhir"), embedded("access")]))
        #expect(result.exitCode == 0)
        let lines = result.stdout.split(separator: "\n")
        #expect(
            lines[1]
                == "Link     opened, 3 files: 1 health card, 1 FHIR Bundle that nobody signed, 1 access token, which was not used"
        )
    }

    /// A forged Bundle beside a genuine card must not be taken for verified.
    @Test func unsignedContentIsNeverPrintedAsVerified() async throws {
        let text = try link(of: [embedded("fhir"), embedded("card")])
        for arguments in [["--format", "fhir"], ["--format", "text"], ["--format", "json"]] {
            let result = try await run(text, arguments)
            #expect(result.exitCode == 0)
            #expect(!result.stdout.contains("Unsigned") && !result.stdout.contains("2025-10-06"))
        }
        let records = try await Shcverify.run(
            ["records", "-"] + network + Self.keys, stdin: Array(text.utf8))
        #expect(records.exitCode == 0 && records.stdout.contains("2025-01-29"))
        #expect(!records.stdout.contains("2025-10-06"))
    }

    @Test(arguments: [["fhir"], ["access"], ["nested"], ["pdf"], ["empty"], [], ["fhir", "access"]])
    func withoutACardNothingIsVerified(_ names: [String]) async throws {
        let (code, report) = try await report(link(of: names.map { try embedded($0, ["contentType": ""]) }))
        #expect(code == 19)
        #expect(reasons(report) == ["no-signed-content"])
        #expect(list(report["cards"])[0]["link"]?["file"]?.isNull == true)
        #expect(list(report["links"])[0]["reason"]?["code"]?.words == "no-signed-content")
    }

    /// What is a card in a picture that is an input is one in a picture in a link.
    @Test(
        .enabled(if: ScannerProducts.areBuilt, "needs make scanner"),
        arguments: [
            (["picture"], 0, [nil]), (["document"], 0, [nil]), (["document-attachment"], 0, [nil]),
            (["card", "picture-forged"], 11, [nil, "signature-invalid"]),
            (["picture-forged"], 11, ["signature-invalid"]),
            (["card", "picture-nothing"], 0, [nil]), (["picture-nothing"], 19, ["no-signed-content"]),
        ] as [([String], Int32, [String?])])
    func picturesAreSearchedForCards(_ names: [String], _ exitCode: Int32, _ expected: [String?]) async throws {
        let (code, report) = try await report(
            link(of: names.map { try embedded($0, ["contentType": ""]) }), ["--at", "2026-06-01T00:00:00Z"])
        #expect(code == exitCode)
        #expect(reasons(report) == expected)
        let link = list(report["links"])[0]
        #expect(warnings(link).contains("unsigned-content") == (names.last == "picture-nothing"))
        let kinds = list(link["files"]).map { $0["kind"]?.words }
        #expect(kinds.last == (names.last == "picture-nothing" ? "other" : "health-card"))
        guard exitCode != 19 else { return }
        #expect(list(report["cards"]).allSatisfy { $0["inputKind"]?.words == "link" })
    }

    /// What a picture says that it is decides nothing: it is searched first.
    @Test func aPictureThatClaimsToBeACardIsSearched() async throws {
        let claim = ["contentType": "application/smart-health-card"]
        #expect(try await run(link(of: [embedded("picture", claim)])).exitCode == 0)
        let nothing = try await run(link(of: [embedded("card"), embedded("picture-nothing", claim)]))
        #expect(nothing.exitCode == 10 && nothing.stderr.contains("malformed-input"), "\(nothing.stderr)")
    }

    /// A picture that was not read may hold a card, so the report names the file.
    @Test func aPictureThatIsNotReadIsNamed() async throws {
        let (code, report) = try await report(
            link(of: [embedded("card"), embedded("picture-broken", ["contentType": ""])]),
            ["--at", "2026-06-01T00:00:00Z"])
        #expect(code == 0)
        let warning = list(list(report["links"])[0]["warnings"]).first { $0["code"]?.words == "codes-not-read" }
        #expect(warning?["message"]?.words?.hasPrefix("file 2 of the link is a picture, which was not read") == true)
    }

    @Test func eachFileIsJudged() async throws {
        let index = try JSONDocument.parse(Paths.bytes(Paths.vector("links/links.json")))
        for file in list(index["files"]) {
            let name = try #require(file["file"]?.words?.replacing(".jwe", with: ""))
            // What is attached to the file is judged too, and this one is refused.
            let isRefused = name == "attached-refused"
            let expected = isRefused ? "malformed-input" : try #require(file["expect"]?.words)
            let (code, report) = try await report(
                link(of: [embedded(name, ["contentType": ""]), embedded("card")]), Self.certificates)
            let found = list(list(report["links"])[0]["files"])[0]
            #expect((found["reason"]?["code"] ?? found["kind"])?.words == expected, "\(name)")
            // The other file is judged all the same.
            #expect(list(report["cards"]).last?["verdict"]?.words == "pass", "\(name)")
            let isKind = ["health-card", "fhir", "api-access", "other"].contains(expected)
            let isBadForm = !isKind || ["two-jws", "many"].contains(name)
            // The genuine certificate has expired since.
            let good: Int32 = ["certificate", "token", "certificate-among-text"].contains(name) ? 15 : 0
            #expect(code == (name.contains("forged") ? 11 : isBadForm ? 10 : good), "\(name)")
        }
    }

    private static let certificates = [
        "--directory", Paths.vector("hcert/trust/gdhcn-v2.did.json"), "--at", "2025-12-01T00:00:00Z",
    ]

    @Test(arguments: ["certificate", "token", "deeplink"])
    func everyCredentialIsOneInsideALink(_ name: String) async throws {
        let (code, report) = try await report(
            link(of: [embedded(name, ["contentType": ""])]),
            name == "deeplink" ? Self.certificates : Self.certificates.dropLast() + ["2022-06-01T00:00:00Z"])
        #expect(code == 0 && reasons(report) == [nil])
        let opened = list(report["links"])[0]
        #expect(list(opened["files"])[0]["verifiable"]?.boolean == true)
        // Of a deep link, text/plain says something else. EU certificates have no content type.
        #expect(warnings(opened) == (name == "deeplink" ? ["content-type-mismatch"] : []))
        #expect(list(report["cards"])[0]["inputKind"]?.words == "link")
        let text = try link(of: [embedded("\(name)-forged"), embedded("card"), embedded("fhir")])
        let forged = try await run(text, Self.certificates)
        #expect(forged.exitCode == 11, "\(forged.stderr)")
        #expect(forged.stdout.contains("2 health cards, 1 FHIR Bundle that nobody signed"))
        for command in [["inspect", "--follow", "-"], ["lint", "-"] + Self.keys, ["records", "-"] + Self.keys] {
            let result = try await Shcverify.run(
                command + network + (command[0] == "inspect" ? [] : Self.certificates), stdin: Array(text.utf8))
            expectNoSecret(in: result)
            let expected: Int32 = ["inspect": 0, "lint": 10][command[0]] ?? 11
            #expect(result.exitCode == expected, "\(command): \(result.stderr)")
        }
    }

    @Test(arguments: ["member-twice", "member-twice-escaped", "member-twice-deeplink", "parameters-twice"])
    func aCardFileThatIsRefusedFails(_ name: String) async throws {
        let text = try link(of: [embedded("card"), embedded(name, ["contentType": "text/plain"])])
        let (code, report) = try await report(text)
        #expect(code == 10 && reasons(report) == [nil, "malformed-input"])
        for command in [["inspect", "--follow", "-"], ["lint", "-"] + Self.keys, ["records", "-"] + Self.keys] {
            #expect(try await Shcverify.run(command + network, stdin: Array(text.utf8)).exitCode == 10, "\(command)")
        }
    }

    @Test func theFirstFailureGivesTheExitCode() async throws {
        let (code, report) = try await report(
            link(of: [embedded("card"), located("gone", path: "/nothing"), embedded("forged"), embedded("wrong-key")]))
        #expect(code == 23)
        #expect(reasons(report) == [nil, "link-unavailable", "signature-invalid", "decryption-failed"])
    }

    @Test func contentDecidesAndContentTypesAreCompared() async throws {
        let (code, report) = try await report(
            link(of: [embedded("card-wrong-cty", ["contentType": "application/fhir+json"])]))
        #expect(code == 0)
        #expect(warnings(list(report["cards"])[0]).contains("content-type-mismatch"))
    }

    @Test func allShapesOfManifestsAreRead() async throws {
        let file = try embedded(
            "card", ["status": "no-longer-valid", "lastUpdated": "2026-01-01", "fhirVersion": "4.0.1"])
        let (code, report) = try await report(link(manifest([file], adding: ["status": "can-change"])))
        #expect(code == 0)
        let opened = list(report["links"])[0]
        #expect(opened["status"]?.words == "can-change" && warnings(opened) == ["link-status"])
        #expect(list(opened["files"])[0]["lastUpdated"]?.words == "2026-01-01")
    }

    // MARK: Input

    @Test func linksAreReadWhereverInputIsTaken() async throws {
        let text = try link(of: [embedded("card")])
        let viewer = "https://viewer.example/#\(text)"
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("link.txt")
            try Data("\u{FEFF}\(viewer)\r\n".utf8).write(to: file)
            for arguments in [[file.path], ["--qr", text], ["verify", "--qr=\(viewer)"]] {
                let result = try await Shcverify.run(arguments + network + Self.keys + ["-q"])
                #expect(result.exitCode == 0, "\(result.stderr)")
            }
        }
        let payload = text.dropFirst("shlink:/".count)
        let unusual = [
            "SHLINK:/\(payload)", "shlink://\(payload)", "https://viewer.example/?shlink=\(payload)",
            "https://viewer.example/#shlink%3A%2F\(payload)", "https://viewer.example/#x=y&\(text)",
        ]
        for text in unusual {
            let (code, report) = try await report(text)
            #expect(code == 0)
            #expect(warnings(list(report["links"])[0]) == ["link-form"], "\(text.prefix(40))")
        }
        let (padded, paddedReport) = try await report("\(text)==")
        #expect(padded == 0 && warnings(list(paddedReport["links"])[0]) == ["link-encoding"])
        let pasted = try await Shcverify.run([text])
        #expect(pasted.exitCode != 66 && !pasted.stderr.contains("cannot be read"), "an argument that is a link is one")
        let batch = try await Shcverify.run(["batch"], stdin: Array(text.utf8))
        #expect(batch.exitCode == 10 && batch.stdout.contains("malformed-input"))
    }

    @Test func severalLinksAreOpenedInOrder() async throws {
        let text = try [link(of: [embedded("card")]), link(of: [embedded("forged")]), link(of: [])].joined(
            separator: "\n")
        let (code, report) = try await report(text)
        #expect(code == 11)
        #expect(reasons(report) == [nil, "signature-invalid", "no-signed-content"])
        #expect(list(report["cards"]).map { $0["link"]?["index"]?.number?.integer } == [0, 1, 2])
        #expect(list(report["links"]).count == 3)
    }

    // MARK: Requests

    @Test func makesEachRequestOnce() async throws {
        let url = try manifest([located("card"), located("card"), located("two-cards"), embedded("card")])
        let before = try server.requests(for: id).count
        #expect(try await run(link(url), ["-q", "--recipient", "Praxis Öl"]).exitCode == 0)
        let requests = try server.requests(for: id)[before...]
        #expect(requests.map(\.method).sorted() == ["GET", "GET", "POST"])
        let post = try #require(requests.first)
        #expect(post.method == "POST" && post.body == #"{"recipient":"Praxis Öl"}"#)
        #expect(post.headers["Content-Type"] == "application/json")
        for request in requests {
            #expect(request.headers["User-Agent"]?.hasPrefix("shcverify/") == true)
            for field in ["Cookie", "Authorization", "Referer", "Expect", "If-None-Match"] {
                #expect(request.headers[field] == nil)
            }
            #expect(!request.path.contains("recipient") && !(request.path + request.body).contains(key))
        }
    }

    @Test func fetchesADirectFileWithARecipient() async throws {
        let before = try server.requests(for: id).count
        let text = try link(server.url("/files/card.jwe?a=\(id)"), ["flag": "LU"])
        let (code, report) = try await report(text, ["--recipient", "A&B"])
        #expect(code == 0)
        #expect(list(list(report["links"])[0]["files"])[0]["delivery"]?.words == "direct")
        let requests = try server.requests(for: id)[before...]
        #expect(requests.map(\.method) == ["GET"])
        #expect(requests.first?.path == "/files/card.jwe?a=\(id)&recipient=A%26B")
    }

    /// What is fetched for a link serves another of the same address, but each expires at its own time.
    @Test func eachLinkExpiresAtItsOwnTime() async throws {
        let url = try manifest([embedded("card")])
        let (fresh, expired) = (try link(url), try link(url, ["exp": 1_600_000_000]))
        for (text, expected) in [
            ("\(fresh)\n\(expired)", [nil, "link-expired"]), ("\(expired)\n\(fresh)", ["link-expired", nil]),
            ("\(expired)\n\(expired)", ["link-expired", "link-expired"]),
            ("\(fresh)\n\(try link(url, ["exp": 4_102_444_800]))", [nil, nil]),
        ] as [(String, [String?])] {
            let before = try server.requests(for: id).count
            let (code, report) = try await report(text)
            #expect(reasons(report) == expected)
            #expect(code == (expected.contains("link-expired") ? 15 : 0))
            #expect(try server.requests(for: id).count == before + (expected.contains(nil) ? 1 : 0))
        }
    }

    @Test func makesNoRequestBeforeEverythingIsChecked() async throws {
        let url = try manifest([embedded("card")])
        let before = try server.requests(for: id).count
        let cases: [(members: [String: Any], arguments: [String], code: Int32, reason: String)] = [
            (["exp": 1], [], 15, "link-expired"), (["exp": 4_102_444_800], ["--at", "4102444800"], 15, "link-expired"),
            ([:], ["--offline"], 23, "link-unavailable"), ([:], ["--no-links"], 23, "link-unavailable"),
            ([:], ["--link-origin", "https://other.example"], 23, "link-unavailable"),
            (["flag": "P"], [], 22, "passcode-required"), (["v": 2], [], 10, "unsupported-link-version"),
            (["flag": "P", "exp": 1, "v": 2], ["--offline"], 10, "unsupported-link-version"),
            (["flag": "P", "exp": 1], ["--offline"], 15, "link-expired"),
            (["flag": "P"], ["--offline"], 23, "link-unavailable"), (["flag": "PU"], [], 10, "malformed-link"),
        ]
        for (members, arguments, code, reason) in cases {
            let (found, report) = try await report(link(url, members), arguments)
            #expect(found == code && reasons(report) == [reason], "\(members) \(arguments)")
        }
        #expect(try server.requests(for: id).count == before)
    }

    @Test func contactsOnlyAllowedOrigins() async throws {
        let text = try link(of: [embedded("card"), located("card", port: "tls13")])
        let refused = try await report(text, ["--link-origin", server.url("")])
        #expect(refused.0 == 23 && reasons(refused.1) == [nil, "link-unavailable"])
        let both = ["--link-origin", server.url(""), "--link-origin", server.url("", port: "tls13")]
        #expect(try await report(text, both).0 == 0)
        // A redirect is held to the list too.
        let moved = try link(server.url("/moved-link/tls13/files/card.jwe"), ["flag": "U"])
        #expect(try await run(moved, ["-q"]).exitCode == 0)
        #expect(try await run(moved, ["-q", "--link-origin", server.url("")]).exitCode == 23)
    }

    @Test func refusesPrivateAddresses() async throws {
        let text = try link(of: [embedded("card")])
        let result = try await Shcverify.run(["-", "-q"] + Self.keys, stdin: Array(text.utf8))
        #expect(result.exitCode == 23 && result.stderr.contains("loopback"))
    }

    @Test(arguments: [
        (404, 18), (410, 18), (201, 23), (204, 23), (307, 23), (400, 23), (403, 23), (429, 23), (500, 23), (503, 23),
    ]) func statusOfTheManifestDecides(_ status: Int, _ code: Int32) async throws {
        let url = try manifest([embedded("card")], settings: ["status": status, "headers": ["Retry-After": "17"]])
        let result = try await run(link(url), ["-q"])
        #expect(result.exitCode == code)
        if status == 429 { #expect(result.stderr.contains("Retry-After: \"17\"")) }
        #expect(!result.stderr.contains(url))
    }

    /// The words choose the exit code only if they can mean nothing else.
    @Test(
        arguments: [
            (400, "Invalid SMART Health Link passcode", 22, "passcode-rejected"),
            (403, "The passcode provided is incorrect.", 22, "passcode-rejected"),
            (400, "invalid_passcode", 22, "passcode-rejected"),
            (400, "SMART Health Link has expired", 18, "link-inactive"),
            (400, "This link has been revoked", 18, "link-inactive"), (422, "Link is not active", 18, "link-inactive"),
            (400, "The link is no longer available.", 18, "link-inactive"),
            (400, "Token expired", 23, "link-unavailable"),
            (400, "Passcode is not invalid", 23, "link-unavailable"), (400, "Link not", 23, "link-unavailable"),
            (400, "Link is no", 23, "link-unavailable"), (400, "Link is no longer", 23, "link-unavailable"),
            (400, "Invalid passcode or link expired", 23, "link-unavailable"),
            (400, "Invalid passcode, link expired", 23, "link-unavailable"),
            (400, "Passcode required", 22, "passcode-rejected"), (403, "passcode_missing", 22, "passcode-rejected"),
            (400, "Passcode required?", 23, "link-unavailable"), (500, "Link has expired", 23, "link-unavailable"),
            (429, "Invalid passcode", 23, "link-unavailable"), (400, "Link expired?", 23, "link-unavailable"),
            (400, "Link expired: 0", 23, "link-unavailable"), (401, "Link has expired", 22, "passcode-rejected"),
            (400, "no\u{1B}[31m such thing", 23, "link-unavailable"),
        ] as [(Int, String, Int32, String)])
    func serversWordsAreQuoted(_ status: Int, _ words: String, _ code: Int32, _ reason: String) async throws {
        for answer in [["error": words], ["issue": [["details": ["text": words]]]]] as [[String: Any]] {
            let url = try manifest([], settings: ["status": status, "answer": answer])
            let (found, report) = try await report(
                link(url, ["flag": "P"]), environment: ["SHCVERIFY_PASSCODE": "Secret-Passcode"])
            #expect(found == code && reasons(report) == [reason])
            let message = list(report["cards"])[0]["reason"]?["message"]?.words ?? ""
            let shown = words.replacing("\u{1B}", with: #"\u001b"#)
            // The answer of a server that has a problem is not read.
            #expect(message.contains("it says \"\(shown)\"") == (status < 500), "\(message)")
        }
    }

    /// Of several words, none takes back what another says.
    @Test func allWordsOfAServerCount() async throws {
        let expired = ["details": ["text": "Link expired"]]
        for (answer, code) in [
            (["issue": [expired, ["details": ["text": "no, it is not"]]]], 23), (["issue": [expired, expired]], 18),
            (["error": "temporarily_unavailable", "error_description": "link is inactive"], 23),
            (["title": "Bad Request", "detail": "Link expired"], 18),
        ] as [([String: Any], Int32)] {
            let url = try manifest([], settings: ["status": 400, "answer": answer])
            #expect(try await run(link(url), ["-q"]).exitCode == code, "\(answer)")
        }
    }

    @Test func aServerThatWantsAPasscodeMaySayItInWords() async throws {
        let url = try manifest(
            [], settings: ["status": 400, "answer": ["error": "Passcode required", "remainingAttempts": 4]])
        let (code, report) = try await report(link(url))
        #expect(code == 22 && reasons(report) == ["passcode-required"])
        #expect(list(report["links"])[0]["remainingAttempts"]?.number?.integer == 4)
    }

    /// A server may repeat what it was sent, or what opens the link.
    @Test func wordsWithASecretAreNotTold() async throws {
        let name = "\(id)-words.json"
        for secret in ["Secret-Passcode", key, name] {
            let content: [String: Any] = ["status": 400, "answer": ["error": "Invalid \(secret) xyz"]]
            try server.serve(try JSONSerialization.data(withJSONObject: content), at: "/\(name)")
            let result = try await run(
                link(server.url("/link/\(name)"), ["flag": "P"]), environment: ["SHCVERIFY_PASSCODE": "Secret-Passcode"]
            )
            #expect(result.exitCode == 23)
            #expect((result.stdout + result.stderr).contains("xyz") == false)
        }
        // A part of the address may be a word.
        for (word, isTold) in [("sunshine", false), ("sun", true)] {
            let content: [String: Any] = ["status": 400, "answer": ["error": "no \(word) xyz"]]
            try server.serve(try JSONSerialization.data(withJSONObject: content), at: "/\(word)/\(name)")
            let result = try await run(link(server.url("/link/\(word)/\(name)")))
            #expect(result.exitCode == 23 && (result.stdout + result.stderr).contains("xyz") == isTold)
        }
        // So may the server of a file.
        let file = "\(id)-file.json"
        for secret in ["secret-passcode", key, name, file] {
            let answer = Data(#"{"error":"no \#(secret) xyz"}"#.utf8)
            try server.serve(answer, at: "/\(file)", headers: [":status": "403"])
            let entry = ["contentType": "application/smart-health-card", "location": server.url("/\(file)")]
            try server.serve(
                try JSONSerialization.data(withJSONObject: ["answer": ["files": [entry]]]), at: "/\(name)")
            let (code, report) = try await report(
                link(server.url("/link/\(name)"), ["flag": "P"]), environment: ["SHCVERIFY_PASSCODE": "Secret-Passcode"]
            )
            #expect(code == 23 && reasons(report) == ["link-unavailable"])
            #expect(!String(decoding: report.rawBytes, as: UTF8.self).contains("xyz"))
        }
    }

    /// What senders put there by mistake is named.
    @Test func whatIsNoFileOfALinkIsNamed() async throws {
        let bundle = #"{"resourceType":"Bundle","type":"collection"}"#
        let cases: [(String, String)] = [
            (bundle, "a FHIR \"Bundle\" resource that is not encrypted"), ("{\"a\":1}", "JSON that is not encrypted"),
            ("<!doctype html><html>", "a page for a browser"), (#"{"files":[]}"#, "flag U"),
        ]
        for (text, words) in cases {
            let (code, report) = try await report(link(of: [["embedded": text], embedded("card")]))
            #expect(code == 10 && reasons(report) == ["malformed-jwe", nil])
            #expect(list(report["cards"])[0]["reason"]?["message"]?.words?.contains(words) == true, "\(words)")
            try server.serve(Data(text.utf8), at: "/files/\(id)")
            let direct = try await run(link(server.url("/files/\(id)"), ["flag": "U"]), ["-q"])
            #expect(direct.exitCode == 10 && direct.stderr.contains(words), "\(direct.stderr)")
        }
        let page = try await run(link(server.url("/html/x")), ["-q"])
        #expect(page.exitCode == 10 && page.stderr.contains("the owner manages the link"), "\(page.stderr)")
    }

    /// It is on the first line, since the cards may pass all the same.
    @Test func whatIsNoLongerValidHasANote() async throws {
        let note = "PASS (the link says: no longer valid)"
        let old = try embedded("card", ["status": "no-longer-valid"])
        let all = try await run(link(manifest([embedded("card")], adding: ["status": "no-longer-valid"])))
        #expect(all.exitCode == 0 && all.stdout.hasPrefix("\(note)\n"))
        let one = try await run(link(of: [embedded("card"), old]))
        let first = one.stdout.split(separator: "\n").filter { $0.hasPrefix("PASS") }
        #expect(one.exitCode == 0 && first == ["PASS", "\(note)"])
        #expect(one.stdout.contains("2 cards: 2 verified, 0 not; 1 no longer valid, as the link says"))
        let (_, report) = try await report(link(manifest([old], adding: ["status": "no-longer-valid"])))
        let opened = list(report["links"])[0]
        #expect(opened["status"]?.words == "no-longer-valid" && warnings(opened).contains("link-status"))
        let page = try await run(link(of: [old]), ["--format", "html"])
        #expect(page.stdout.contains(note) && page.stdout.contains("the link says"))
    }

    @Test(
        arguments: [
            ("/html/x", 10, "malformed-manifest"), ("/empty/x", 10, "malformed-manifest"),
            ("/endless/x", 10, "malformed-manifest"), ("/closed/x", 23, "link-unavailable"),
            ("/redirect-private/x", 23, "link-unavailable"), ("/moved-link/tls13/link/x", 23, "link-unavailable"),
            ("/crash/x", 23, "link-unavailable"),
        ] as [(String, Int32, String)])
    func hostileManifestsAreRefused(_ path: String, _ code: Int32, _ reason: String) async throws {
        let (found, report) = try await report(link(server.url(path)))
        #expect(found == code)
        #expect(reasons(report) == [reason])
    }

    @Test func aPOSTIsRedirectedOnlyOnItsOrigin() async throws {
        let url = try manifest([embedded("card")], settings: ["passcode": "Secret-Passcode"])
        let path = String(url.drop { $0 != "l" }.dropFirst("localhost:".count).drop { $0 != "/" })
        let passcode = ["SHCVERIFY_PASSCODE": "Secret-Passcode" as String?]
        let same = try link(server.url("/moved-link/good\(path)"), ["flag": "P"])
        #expect(try await run(same, ["-q"], environment: passcode).exitCode == 0)
        let before = try server.requests(for: id).count
        let other = try link(server.url("/moved-link/tls13\(path)"), ["flag": "P"])
        #expect(try await run(other, ["-q"], environment: passcode).exitCode == 23)
        #expect(try server.requests(for: id)[before...].map(\.port) == ["good"])
    }

    /// All at the same time, since each takes the whole time that it has.
    @Test func oneTimeHoldsForTheWholeLink() async throws {
        let paths = ["/endless/x", "/drip/files/card.jwe", "/silent/x", "/redirect-loop/x"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for path in paths {
                group.addTask {
                    let files = [
                        located("x", path: path), located("y", path: path + "2"), try embedded("card"),
                    ]
                    let (code, report) = try await report(link(of: files), ["--timeout", "2"])
                    #expect([10, 23].contains(code), "\(path)")
                    #expect(reasons(report).last == .some(nil), "\(path)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func moreThanAHundredFilesAreNotFetched() async throws {
        let before = try server.requests(for: id).count
        let (code, report) = try await report(link(of: Array(repeating: located("card"), count: 101)))
        #expect(code == 10 && reasons(report) == ["malformed-manifest"])
        #expect(try server.requests(for: id).count == before + 1)
    }

    /// Counted are the cards, not the files that hold them. The rest is never dropped silently.
    @Test func linksOfAnInputShareItsCards() async throws {
        let many = try link(of: Array(repeating: embedded("many"), count: 3))
        let text = [many, try link(of: [embedded("card")]), many].joined(separator: "\n")
        let (code, report) = try await report(text)
        let cards = list(report["cards"])
        #expect(code == 10 && cards.count == 5003)
        let left = cards.filter { $0["reason"]?["message"]?.words?.contains("at most 5000 cards") == true }
        #expect(left.map { $0["link"]?["index"]?.number?.integer } == [0, 1, 2])
        #expect(left.map { $0["reason"]?["code"]?.words } == ["malformed-input", "malformed-input", "malformed-input"])
        #expect(!cards.contains { $0["verdict"]?.words == "pass" })
        for command in [["inspect", "--follow", "-"], ["lint", "-"]] {
            let result = try await Shcverify.run(command + network, stdin: Array(text.utf8))
            #expect(result.exitCode == 10)
            #expect((result.stdout + result.stderr).contains("5000 cards"), "\(command)")
        }
    }

    // MARK: Links in certificates

    /// The octets of a certificate around a link, and a key set that vouches for it.
    private func wrapped(
        _ link: String, expires: Int64 = 4_102_444_800, isForged: Bool = false
    ) throws -> (octets: [UInt8], keys: String) {
        let signer = try TestSupport.Signer()
        let payload = MadeCBOR.map([
            (.integer(4), .integer(expires)), (.integer(6), .integer(1_600_000_000)),
            (.integer(-260), .map([(.integer(5), .text(link))])),
        ]).encoded()
        let protected = MadeCBOR.map([(.integer(1), .integer(-7)), (.integer(4), .bytes([1, 2, 3, 4, 5, 6, 7, 8]))])
            .encoded()
        let signed = MadeCBOR.array([.text("Signature1"), .bytes(protected), .bytes([]), .bytes(payload)]).encoded()
        let signature = try signer.sign(isForged ? signed + [0] : signed).bytes
        let octets = MadeCBOR.tag(18, .array([.bytes(protected), .map([]), .bytes(payload), .bytes(signature)]))
            .encoded()
        let base64url = { (bytes: [UInt8]) in
            Data(bytes).base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing(
                "/", with: "_")
        }
        let set = [
            "keys": [
                [
                    "kty": "EC", "crv": "P-256", "kid": "AQIDBAUGBwg=", "x": base64url(signer.key.x),
                    "y": base64url(signer.key.y),
                ]
            ]
        ]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: set), as: UTF8.self)
        return (octets, try directory.write(text, to: "\(UUID().uuidString).jwks.json"))
    }

    private func reportOnCertificate(
        _ certificate: (octets: [UInt8], keys: String), _ arguments: [String] = []
    ) async throws -> (code: Int32, report: JSONValue) {
        let result = try await Shcverify.run(
            ["-", "--format", "json", "--jwks", certificate.keys, "--timeout", "600"] + arguments + network + Self.keys,
            stdin: certificate.octets)
        expectNoSecret(in: result)
        return (result.exitCode, try JSONDocument.parse(Array(result.stdout.utf8)))
    }

    @Test func opensTheLinkOfACertificateThatPassed() async throws {
        let (code, report) = try await reportOnCertificate(wrapped(link(of: [embedded("card"), located("card")])))
        #expect(code == 0 && reasons(report) == [nil, nil, nil])
        #expect(list(report["cards"]).map { $0["sourceType"]?.words }.first == "who-health-link")
        #expect(list(report["links"]).map { $0["form"]?.words } == ["hcert"])
        #expect(list(report["links"]).map { $0["scheme"]?.words } == ["shlink"])
    }

    @Test func makesNoRequestIfTheCertificateFails() async throws {
        let text = try link(manifest([embedded("card")]))
        let before = try server.requests(for: id).count
        let forged = try await reportOnCertificate(wrapped(text, isForged: true))
        #expect(forged.code == 11 && reasons(forged.report) == ["signature-invalid"])
        let expired = try await reportOnCertificate(wrapped(text, expires: 1_600_000_001))
        #expect(expired.code == 15 && reasons(expired.report) == ["expired"])
        let (octets, _) = try wrapped(text)
        let unknown = try await reportOnCertificate((octets, wrapped(text).keys))
        #expect(unknown.code == 11)
        // Nothing is verified by these.
        for arguments in [["inspect", "-", "--follow"] + network, ["lint", "-"] + network] {
            let result = try await Shcverify.run(arguments, stdin: octets)
            expectNoSecret(in: result)
        }
        #expect(try server.requests(for: id).count == before)
    }

    @Test func verifiableLinksAreNeverRequested() async throws {
        let text = try link(manifest([embedded("card")])).replacing("shlink:", with: "vhlink:")
        let before = try server.requests(for: id).count
        let (code, report) = try await reportOnCertificate(wrapped(text))
        #expect(code == 23 && reasons(report) == [nil, "receiver-required"])
        #expect(try server.requests(for: id).count == before)
    }

    @Test func certificateAloneNeverPasses() async throws {
        let text = try link(manifest([embedded("card")]))
        let certificate = try wrapped(text)
        let before = try server.requests(for: id).count
        let unopened = try await reportOnCertificate(certificate, ["--no-links"])
        #expect(unopened.code == 23 && reasons(unopened.report) == [nil, "link-unavailable"])
        #expect(try server.requests(for: id).count == before)
    }

    @Test func passcodeGoesToOneOfTheLinksOfCertificatesAndInputs() async throws {
        let text = try link(manifest([embedded("card")]), ["flag": "P"])
        let other = try link(manifest([embedded("card")]), ["flag": "P"])
        let certificate = try wrapped(text)
        let result = try await Shcverify.run(
            ["-", "--qr", other, "--jwks", certificate.keys] + network, stdin: certificate.octets)
        #expect(result.exitCode == 64)
    }

    @Test func entriesOfAManifestFailAlone() async throws {
        let files = [
            ["contentType": "application/smart-health-card"], ["location": "http://a.example/x"], ["location": "/x"],
            try embedded("card"),
        ]
        let (code, report) = try await report(link(of: files))
        #expect(code == 10)
        #expect(reasons(report) == ["malformed-manifest", "malformed-manifest", "malformed-manifest", nil])
    }

    // MARK: Passcodes

    @Test func passcodeComesFromAFileOrTheEnvironment() async throws {
        let passcode = #"Secret-Passcode "\ é"#
        let url = try manifest([embedded("card")], settings: ["passcode": passcode])
        let text = try link(url, ["flag": "P"])
        #expect(try await run(text, ["-q"], environment: ["SHCVERIFY_PASSCODE": passcode]).exitCode == 0)
        try await Paths.withTemporaryDirectory { folder in
            let file = folder.appendingPathComponent("passcode")
            try Data("\(passcode)\r\nanother line".utf8).write(to: file)
            // The file goes before the environment.
            let result = try await run(
                text, ["-q", "--passcode-file", file.path], environment: ["SHCVERIFY_PASSCODE": "wrong"])
            #expect(result.exitCode == 0)
        }
        #expect(try await run(text, ["--passcode-file", "/nonexistent"]).exitCode == 66)
    }

    @Test func aWrongPasscodeIsSentOnce() async throws {
        let url = try manifest([embedded("card")], settings: ["passcode": "1234", "attempts": 2])
        let text = try link(url, ["flag": "P"])
        let before = try server.requests(for: id).count
        let (code, report) = try await report(text, environment: ["SHCVERIFY_PASSCODE": "Secret-Passcode"])
        #expect(code == 22 && reasons(report) == ["passcode-rejected"])
        #expect(list(report["links"])[0]["remainingAttempts"]?.number?.integer == 1)
        #expect(list(report["cards"])[0]["reason"]?["message"]?.words?.contains("1 attempt remains") == true)
        #expect(try server.requests(for: id).count == before + 1)
        #expect(try await run(text, environment: ["SHCVERIFY_PASSCODE": "4321"]).exitCode == 22)
        #expect(try await run(text, environment: ["SHCVERIFY_PASSCODE": "1234"]).exitCode == 18)
    }

    @Test(arguments: [
        ["WWW-Authenticate": "Basic realm=\"x\""], ["WWW-Authenticate": "Nonsense"], ["Content-Type": "text/html"],
    ]) func refusalsAreReadWhateverTheirFields(_ fields: [String: String]) async throws {
        let url = try manifest([embedded("card")], settings: ["passcode": "1", "refusal": fields, "attempts": 9])
        let (code, report) = try await report(link(url, ["flag": "P"]), environment: ["SHCVERIFY_PASSCODE": "2"])
        #expect(code == 22)
        #expect(list(report["links"])[0]["remainingAttempts"]?.number?.integer == 8)
    }

    @Test func aServerMayAskForAPasscodeThatTheLinkDoesNotMention() async throws {
        let url = try manifest([embedded("card")], settings: ["passcode": "1", "attempts": 7])
        let (code, report) = try await report(link(url), environment: ["SHCVERIFY_PASSCODE": "Secret-Passcode"])
        #expect(code == 22 && reasons(report) == ["passcode-required"])
        #expect(list(report["links"])[0]["remainingAttempts"]?.number?.integer == 6)
        // A link without the flag gets no passcode.
        #expect(try server.requests(for: id).allSatisfy { !$0.body.contains("Secret-Passcode") })
    }

    @Test func twoLinksWithAPasscodeAreAUsageError() async throws {
        let texts = try [link(of: [embedded("card")], ["flag": "P"]), link(of: [embedded("card")], ["flag": "P"])]
        let before = try server.requests(for: id).count
        let result = try await run(
            texts.joined(separator: "\n"), environment: ["SHCVERIFY_PASSCODE": "Secret-Passcode"])
        #expect(result.exitCode == 64)
        #expect(try server.requests(for: id).count == before)
    }

    /// The prompt shows nothing of what is typed, and an interrupted prompt leaves the terminal as it was.
    @Test(arguments: [("Secret-Passcode\n", 0), ("\n", 22), ("\u{4}", 22), ("\u{3}", 130)])
    func asksForThePasscodeOnATerminal(_ typed: String, _ code: Int32) async throws {
        let url = try manifest([embedded("card")], settings: ["passcode": "Secret-Passcode"])
        let script = Paths.root.appendingPathComponent("Tests/TestSupport/terminal.py").path
        let arguments =
            [script, typed, Shcverify.path, "--qr", try link(url, ["flag": "P"]), "-q"] + network + Self.keys
        let result = try await Shcverify.run(["-B"] + arguments, executable: "/usr/bin/python3")
        #expect(result.exitCode == code, "\(result.stdout)")
        #expect(result.stdout.contains("Passcode for the link at https://localhost:"))
        #expect(!result.stdout.contains("Secret-Passcode"))
        #expect(result.stdout.hasSuffix("echo is on\n"))
    }

    /// Whoever types or scans a link is asked at the same terminal.
    @Test func asksForThePasscodeOfALinkThatWasTyped() async throws {
        let url = try manifest([embedded("card")], settings: ["passcode": "Secret-Passcode"])
        let script = Paths.root.appendingPathComponent("Tests/TestSupport/terminal.py").path
        let typed = "\(try link(url, ["flag": "P"]))\n\u{4}\u{1E}Secret-Passcode\n"
        let arguments = [script, typed, Shcverify.path, "-", "-q"] + network + Self.keys
        let result = try await Shcverify.run(["-B"] + arguments, executable: "/usr/bin/python3")
        #expect(result.exitCode == 0, "\(result.stdout)")
        #expect(!result.stdout.contains("Secret-Passcode"))
    }

    // MARK: Other commands

    @Test func inspectMakesNoRequest() async throws {
        let text = try link(of: [embedded("card")])
        let result = try await Shcverify.run(["inspect", "-"] + network, stdin: Array(text.utf8))
        expectNoSecret(in: result)
        #expect(result.exitCode == 0 && result.stdout.contains(server.url("/link/")))
        #expect(try server.requests(for: id).isEmpty)
    }

    @Test func inspectFollowsOnRequest() async throws {
        let text = try link(of: [embedded("fhir"), embedded("access"), embedded("nested"), embedded("card")])
        for format in ["text", "json"] {
            let result = try await Shcverify.run(
                ["inspect", "--follow", "-", "--format", format] + network, stdin: Array(text.utf8))
            expectNoSecret(in: result)
            #expect(result.exitCode == 0, "\(result.stderr)")
            for words in ["NOT VERIFIED", "Unsigned", "2025-10-06", "patient/*.read", "Anyperson"] {
                #expect(result.stdout.contains(words), "\(format): \(words)")
            }
            #expect(!result.stdout.contains("inner.example"))
        }
        let gone = try await Shcverify.run(
            ["inspect", "--follow", "-"] + network, stdin: Array(try link(server.url("/status-404/x")).utf8))
        #expect(gone.exitCode == 18)
    }

    @Test func lintReportsViolations() async throws {
        let findings = { (text: String, arguments: [String]) async throws -> (Int32, [String]) in
            let result = try await Shcverify.run(
                ["lint", "-", "--format", "json"] + arguments + network + Self.keys, stdin: Array(text.utf8))
            expectNoSecret(in: result)
            let document = try JSONDocument.parse(Array(result.stdout.utf8))
            let codes = list(document["findings"]).filter { $0["severity"]?.words != "unchecked" }
                .compactMap { $0["code"]?.words }
            return (result.exitCode, codes)
        }
        let good = try link(of: [embedded("card")])
        #expect(try await findings(good, []).0 == 0)
        #expect(try await findings(good, ["--offline"]) == (0, []))
        #expect(try await findings(link(of: [embedded("card")], ["exp": 1]), []) == (0, ["expiration-error"]))
        #expect(try await findings(link(server.url("/html/x")), []) == (10, ["shlink-manifest-error"]))
        #expect(try await findings(link(of: [embedded("spoilt-tag")]), []) == (10, ["shlink-jwe-error"]))
        let forged = try await findings(link(of: [embedded("forged")]), [])
        #expect(forged.0 == 10 && forged.1.contains("jws-verification-error"))
    }
}
