import Encodings
import Foundation
import TestSupport
import Testing

/// The cache of keys and revocation lists, through the executable and against a real HTTPS issuer on loopback.
@Suite(.timeLimit(.minutes(30))) struct CacheTests {
    private static let confirmedEachTime = ["Cache-Control": "no-cache"]

    private let server: TestIssuer
    /// The HOME directory for the runs of a test.
    private let home: TemporaryDirectory
    /// The path of an issuer that only this test uses.
    private let path = "/\(UUID().uuidString)"

    init() throws {
        server = try TestIssuer.shared.get()
        home = try TemporaryDirectory()
    }

    private var cache: URL { home.url.appendingPathComponent("given/cache") }
    private var files: [URL] { files(in: cache) }

    private func files(in directory: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    /// One card for each of these keys. The names are those in TestVectors.
    private static func sign(
        _ keys: [String], issuer: String = "https://issuer.example", rid: String? = nil
    ) throws -> SignedCards {
        try SignedCards.sign(keys.map { .init(issuer: issuer, key: $0, rid: rid) })
    }

    /// Serves the issuer's keys.
    private func serveKeys(
        _ keys: [String] = ["issuer-a"], crlVersion: Int? = nil, at path: String? = nil,
        headers: [String: String?] = [:]
    ) throws {
        let set = try Self.sign(keys).keySet(
            of: Array(keys.indices), adding: crlVersion.map { ["crlVersion": $0] } ?? [:])
        try server.serve(set, at: "\(path ?? self.path)/.well-known/jwks.json", headers: headers)
    }

    private func card(key: String = "issuer-a", path: String? = nil, rid: String? = nil) throws -> [UInt8] {
        Array(try Self.sign([key], issuer: server.url(path ?? self.path), rid: rid).cards[0].utf8)
    }

    private struct Run {
        let exitCode: Int32
        let stderr: String
        let keySource: String?
        /// The codes of the warnings, and below their messages.
        let warnings: [String]
        let messages: [String]
    }

    /// Verifies a card. Without `options`, the cache has a directory of its own.
    private func verify(
        _ card: [UInt8], _ options: [String]? = nil, environment: [String: String?] = [:]
    ) async throws -> Run {
        var variables: [String: String?] = ["HOME": home.url.path, "XDG_CACHE_HOME": nil]
        variables.merge(environment) { $1 }
        let result = try await Shcverify.run(
            [
                "-", "--format", "json", "--allow-private-network", "--ca-file", server.authorityFile, "--timeout",
                "600",
            ] + (options ?? ["--cache", cache.path]),
            stdin: card, environment: variables)
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        return Run(
            exitCode: result.exitCode, stderr: result.stderr,
            keySource: document.at("/cards/0/key/source")?.words,
            warnings: document.at("/cards/0/warnings")?.elements?.compactMap { $0["code"]?.words } ?? [],
            messages: document.at("/cards/0/warnings")?.elements?.compactMap { $0["message"]?.words } ?? [])
    }

    private func requestCount(_ part: String? = nil) throws -> Int { try server.requests(for: part ?? path).count }

    // MARK: Freshness

    @Test func keysAreFetchedOnceForSeveralRuns() async throws {
        try serveKeys()
        let card = try card()
        for source in ["network", "cache", "cache"] {
            let run = try await verify(card)
            #expect(run.exitCode == 0 && run.keySource == source, "\(run.stderr)")
            #expect(run.warnings.isEmpty)
        }
        #expect(try requestCount() == 1)
    }

    @Test func freshnessDoesNotDependOnAt() async throws {
        try serveKeys(headers: ["Cache-Control": "max-age=3600"])
        for moment in ["2030-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2040-01-01T00:00:00Z"] {
            #expect(try await verify(card(), ["--cache", cache.path, "--at", moment]).exitCode == 0)
        }
        #expect(try requestCount() == 1)
    }

    @Test func copyIsConfirmedByItsEntityTag() async throws {
        try serveKeys(headers: Self.confirmedEachTime)
        #expect(try await verify(card()).keySource == "network")
        let second = try await verify(card())
        #expect(second.exitCode == 0 && second.keySource == "cache", "\(second.stderr)")
        let requests = try server.requests(for: path)
        #expect(requests.count == 2)
        #expect(requests.map { $0.headers["If-None-Match"] == nil } == [true, false])
    }

    @Test func seesRemovedAndNewKeys() async throws {
        try serveKeys(headers: Self.confirmedEachTime)
        #expect(try await verify(card()).exitCode == 0)
        try serveKeys(["issuer-b"], headers: Self.confirmedEachTime)
        #expect(try await verify(card()).exitCode == 12)
        #expect(try await verify(card(key: "issuer-b")).exitCode == 0)
    }

    @Test func fetchesOnceMoreForAnUnknownKey() async throws {
        try serveKeys()
        #expect(try await verify(card()).exitCode == 0)
        #expect(try await verify(card(key: "issuer-b")).exitCode == 12)
        #expect(try requestCount() == 2)
        try serveKeys(["issuer-a", "issuer-b"])
        let run = try await verify(card(key: "issuer-b"))
        #expect(run.exitCode == 0 && run.keySource == "network")
        #expect(try await verify(card(key: "issuer-b")).keySource == "cache")
        #expect(try requestCount() == 3)
    }

    @Test func unrequested304IsAnError() async throws {
        let run = try await verify(card(path: "/status-304\(path)"))
        #expect(run.exitCode == 20)
        #expect(run.stderr.contains("304"))
    }

    @Test func usesStaleKeysOnlyIfAllowed() async throws {
        try serveKeys(headers: Self.confirmedEachTime)
        #expect(try await verify(card()).exitCode == 0)
        try serveKeys(headers: [":status": "503"])
        let refused = try await verify(card())
        #expect(refused.exitCode == 20)
        #expect(refused.stderr.contains("past their freshness"))
        let allowed = try await verify(card(), ["--cache", cache.path, "--max-stale", "0.5"])
        #expect(allowed.exitCode == 0 && allowed.keySource == "cache", "\(allowed.stderr)")
        #expect(allowed.warnings == ["stale-keys"])
        // Stale keys do not help a card with another key.
        #expect(try await verify(card(key: "issuer-b"), ["--cache", cache.path, "--max-stale", "0.5"]).exitCode == 20)
    }

    @Test(arguments: [":status 404", ":status 410", ":status 403", ":status 401", "html", "redirect to http"])
    func staleCopiesDoNotOverrideAnAnswer(answer: String) async throws {
        let signed = try Self.sign(["issuer-a"], issuer: server.url(path), rid: "TestRid-1")
        let (keySet, list) = ("\(path)/.well-known/jwks.json", "\(path)/.well-known/crl/\(signed.keyID()).json")
        let options = ["--cache", cache.path, "--max-stale", "30"]
        let words = answer.split(separator: " ")
        let headers: [String: String?] =
            switch words[0] {
            case "redirect": [":status": "302", "Location": "http://localhost:\(server.port("plain"))\(path)"]
            case "html": [:]
            default: [String(words[0]): String(words[1])]
            }
        func serveList() throws {
            try server.serve(
                #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":[]}"#, at: list,
                headers: Self.confirmedEachTime)
        }
        try serveKeys(crlVersion: 1, headers: Self.confirmedEachTime)
        try serveList()
        let card = Array(signed.cards[0].utf8)
        #expect(try await verify(card, options).exitCode == 0)
        for (path, code) in [(list, 21), (keySet, 20)] as [(String, Int32)] {
            try server.serve("<html>", at: path, headers: headers)
            let run = try await verify(card, options)
            #expect(run.exitCode == code, "\(run.stderr)")
            #expect(run.warnings.isEmpty)
            // Even without an answer, the old copy is not used again.
            try server.serve("", at: path, headers: [":status": "503"])
            #expect(try await verify(card, options).exitCode == code)
        }
    }

    @Test func usesStaleCopiesWhileTheServerIsGone() async throws {
        let gone = try TestIssuer()
        let authorities = try home.write(String(contentsOfFile: gone.authorityFile, encoding: .utf8), to: "ca.pem")
        let signed = try SignedCards.sign([.init(issuer: gone.url("/issuer"), rid: "TestRid-1")])
        for (path, text) in [
            ("jwks.json", try signed.keySet(adding: ["crlVersion": 1])),
            ("crl/\(signed.keyID()).json", #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":[]}"#),
        ] { try gone.serve(text, at: "/issuer/.well-known/\(path)", headers: Self.confirmedEachTime) }
        let options = ["--cache", cache.path, "--ca-file", authorities]
        let card = Array(signed.cards[0].utf8)
        #expect(try await verify(card, options).exitCode == 0)
        gone.stop()
        #expect(try await verify(card, options).exitCode == 20)
        for stale in [["--max-stale", "1"], ["--max-stale", "1", "--offline"]] {
            let run = try await verify(card, options + stale)
            #expect(run.exitCode == 0, "\(run.stderr)")
            #expect(run.warnings == ["stale-keys", "stale-revocation-list"])
            #expect(
                run.messages.allSatisfy {
                    $0.contains("in the cache") && $0.contains(" past its freshness")
                        || $0.contains(" past their freshness")
                })
            #expect(run.messages.last?.contains("retrieved 20") == true, "\(run.messages)")
        }
    }

    @Test func copyIsOnlyForTheSameAuthoritiesAndNetwork() async throws {
        try serveKeys(headers: ["Cache-Control": "max-age=3600"])
        let text = try String(contentsOfFile: server.authorityFile, encoding: .utf8)
        let same = try home.write(text, to: "same.pem")
        let other = try home.write("# another file\n" + text, to: "other.pem")
        let cached = ["--cache", cache.path]
        #expect(try await verify(card(), cached).keySource == "network")
        #expect(try await verify(card(), cached + ["--ca-file", same]).keySource == "cache")
        #expect(try await verify(card(), cached + ["--ca-file", other, "--offline"]).exitCode == 20)
        #expect(try await verify(card(), cached + ["--ca-file", other]).keySource == "network")
        #expect(try await verify(card(), cached + ["--ca-file", other]).keySource == "cache")
        #expect(try await verify(card(), cached).keySource == "cache")
        #expect(try requestCount() == 2)
        let variables: [String: String?] = ["HOME": home.url.path, "XDG_CACHE_HOME": nil]
        for (options, code) in [
            (["--allow-private-network", "--ca-file", same], 0), (["--ca-file", same], 20),
            (["--allow-private-network"], 20), ([], 20),
        ] as [([String], Int32)] {
            let run = try await Shcverify.run(
                ["-", "-q", "--offline"] + cached + options, stdin: card(), environment: variables)
            #expect(run.exitCode == code, "\(options): \(run.stderr)")
        }
    }

    @Test func usesTheCacheOfflineWhileItIsFresh() async throws {
        try serveKeys()
        let offline = ["--cache", cache.path, "--offline"]
        #expect(try await verify(card(), offline).exitCode == 20)
        #expect(files.isEmpty)
        #expect(try await verify(card()).exitCode == 0)
        let run = try await verify(card(), offline)
        #expect(run.exitCode == 0 && run.keySource == "cache", "\(run.stderr)")
        #expect(try await verify(card(key: "issuer-b"), offline).exitCode == 20)
        #expect(try requestCount() == 1)

        try serveKeys(at: path + "/stale", headers: Self.confirmedEachTime)
        let stale = try card(path: path + "/stale")
        #expect(try await verify(stale).exitCode == 0)
        #expect(try await verify(stale, offline).exitCode == 20)
        #expect(try await verify(stale, offline + ["--max-stale", "1"]).warnings == ["stale-keys"])
    }

    // MARK: Revocation lists

    @Test func keepsARevocationListForItsVersion() async throws {
        func serveList(_ counter: Int, _ rids: String) throws {
            let keyID = try Self.sign(["issuer-a"]).keyID()
            try serveKeys(crlVersion: counter, headers: Self.confirmedEachTime)
            try server.serve(
                #"{"kid":"\#(keyID)","method":"rid","ctr":\#(counter),"rids":\#(rids)}"#,
                at: "\(path)/.well-known/crl/\(keyID).json")
        }
        try serveList(1, "[]")
        for _ in 0..<2 { #expect(try await verify(card(rid: "TestRid-1")).exitCode == 0) }
        #expect(try requestCount("\(path)/.well-known/crl/") == 1)
        #expect(try requestCount() == 3)
        try serveList(2, #"["TestRid-1"]"#)
        for _ in 0..<2 { #expect(try await verify(card(rid: "TestRid-1")).exitCode == 16) }
        #expect(try requestCount("\(path)/.well-known/crl/") == 2)
        #expect(files.count == 2)
    }

    @Test func cardWithoutRidLeavesTheCopyUsable() async throws {
        let signed = try Self.sign(["issuer-a"], issuer: server.url(path), rid: "TestRid-1")
        let list = "\(path)/.well-known/crl/\(signed.keyID()).json"
        try serveKeys(crlVersion: 1)
        try server.serve(#"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":[]}"#, at: list)
        let card = Array(signed.cards[0].utf8)
        #expect(try await verify(card).exitCode == 0)
        try server.serve("", at: list, headers: [":status": "503"])
        for cards in [[card, try self.card()], [try self.card(), card]] {
            let file =
                #"{"verifiableCredential":["\#(cards.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"",""#))"]}"#
            #expect(try await verify(Array(file.utf8)).exitCode == 0)
        }
        #expect(try requestCount(list) == 1)
    }

    // MARK: The directory

    @Test func filesArePrivateAndContainNothingOfTheCard() async throws {
        try serveKeys()
        let card = try card()
        #expect(try await verify(card).exitCode == 0)
        #expect(files.count == 1)
        #expect(try mode(files[0]) == 0o600)
        #expect(try mode(cache) == 0o700)
        let parts = String(decoding: card, as: UTF8.self).split(separator: ".")
        let content = String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
        #expect(content.contains(server.url(path)))
        #expect(!parts.contains { content.contains($0) })
        #expect(!content.contains("Anyperson"))
        // There are no files elsewhere.
        #expect(files(in: home.url).map(\.lastPathComponent) == ["given"])
        #expect(files(in: home.url.appendingPathComponent("given")).map(\.lastPathComponent) == ["cache"])
    }

    @Test func createsTheParentsOfTheGivenDirectory() async throws {
        try serveKeys()
        let deep = home.url.appendingPathComponent("a/b/c/d").path
        for source in ["network", "cache"] { #expect(try await verify(card(), ["--cache", deep]).keySource == source) }
        #expect(try mode(home.url.appendingPathComponent("a")) == 0o700)
        #expect(files(in: home.url).map(\.lastPathComponent) == ["a"])
    }

    @Test func cachesAnIssuerOfTwoThousandCharacters() async throws {
        var long = path
        while server.url(long).utf8.count < 2000 {
            long += "/" + String(repeating: "x", count: min(100, 2000 - server.url(long).utf8.count - 1))
        }
        let signed = try SignedCards.sign([.init(issuer: server.url(long), rid: "TestRid-1")])
        try serveKeys(crlVersion: 1, at: long)
        try server.serve(
            #"{"kid":"\#(signed.keyID())","method":"rid","ctr":1,"rids":[]}"#,
            at: "\(long)/.well-known/crl/\(signed.keyID()).json")
        for source in ["network", "cache"] {
            let run = try await verify(Array(signed.cards[0].utf8))
            #expect(run.exitCode == 0 && run.keySource == source, "\(run.stderr)")
        }
        #expect(try requestCount() == 2)
        #expect(files.count == 2)
    }

    @Test func usesTheXDGDirectoryByDefault() async throws {
        try serveKeys()
        let xdg = home.url.appendingPathComponent("xdg").path
        for (variable, path) in [(nil, ".cache"), ("", ".cache"), ("relative", ".cache"), (xdg, "xdg")] {
            let directory = home.url.appendingPathComponent("\(path)/shcverify")
            #expect(try await verify(card(), [], environment: ["XDG_CACHE_HOME": variable]).exitCode == 0)
            #expect(files(in: directory).count == 1)
            #expect(try mode(directory) == 0o700)
        }
        #expect(try requestCount() == 2)
        #expect(!FileManager.default.fileExists(atPath: "relative"))
    }

    @Test(
        arguments: ["", "relative", "/nowhere/at/all", "/dev/null"].map { ([], $0) } + [
            ([], nil), (["--cache", "/dev/null/cache"], "/"), (["--cache", "/proc"], "/"),
            (["--cache", "/proc/x/y"], "/"),
        ] as [([String], String?)])
    func missingDirectoryOnlyDisablesTheCache(options: [String], home: String?) async throws {
        try serveKeys()
        for _ in 0..<2 {
            let run = try await verify(card(), options, environment: ["HOME": home])
            #expect(run.keySource == "network" && run.exitCode == 0)
            // Who names a folder is told that it is not used.
            let words: String? =
                switch options.last {
                case "/dev/null/cache": "/dev/null/cache cannot be made: /dev/null is not a folder"
                // Users who own no file of the system are told that.
                case "/proc" where geteuid() == 0:
                    "no file can be written to /proc: the system keeps its own files there"
                case "/proc": "/proc belongs to another user (uid 0)"
                case "/proc/x/y" where geteuid() == 0:
                    "/proc/x/y cannot be made in /proc: the system keeps its own files there"
                case "/proc/x/y": "/proc/x/y cannot be made in /proc: Permission denied"
                default: nil
                }
            #expect(run.stderr == (words.map { "shcverify: cache not used: \($0)\n" } ?? ""))
        }
    }

    /// A disk that is full is noticed if it says so. Users who may not mount file systems cannot run this.
    @Test func fullDiskIsSaid() async throws {
        let folder = try TemporaryDirectory()
        let script =
            #"mount -t tmpfs -o size=16k none "$T" && mkdir -m 700 "$T/c" && head -c 16384 /dev/zero > "$T/x"; exec "$S" "$CARD" "#
            + #"-q --offline --jwks "$KEYS" --cache "$T/$C""#
        for (cache, words) in [("c", "no file can be written to"), ("new", "cannot be made in")] {
            let result = try await Shcverify.run(
                ["-rm", "/bin/sh", "-c", script],
                environment: [
                    "S": Shcverify.path, "T": folder.url.path, "C": cache, "CARD": OutputTests.card,
                    "KEYS": Paths.vector("keys/issuer-a.jwks.json"),
                ], executable: "/usr/bin/unshare")
            guard !result.stderr.contains("unshare") else { return }
            #expect(
                result.stderr.contains(words) && result.stderr.contains("\(folder.url.path)/\(cache)")
                    && result.stderr.hasSuffix(": the disk is full\n"), "\(result.stderr)")
        }
    }

    @Test func noCacheWritesAndUsesNothing() async throws {
        try serveKeys()
        #expect(try await verify(card(), []).exitCode == 0)
        #expect(try await verify(card(), ["--no-cache"]).keySource == "network")
        try FileManager.default.removeItem(at: home.url.appendingPathComponent(".cache"))
        #expect(try await verify(card(), ["--no-cache"]).keySource == "network")
        #expect(files(in: home.url).isEmpty)
        #expect(try requestCount() == 3)
    }

    @Test func givenKeysNeedNoCache() async throws {
        let keys = try Self.sign(["issuer-a"]).keySet()
        let file = try TemporaryDirectory()
        for options in [[], ["--offline"]] {
            let run = try await verify(card(), options + ["--jwks", file.write(keys, to: "keys.json")])
            #expect(run.exitCode == 0)
        }
        #expect(files(in: home.url).isEmpty)
    }

    @Test func ignoresACorruptFile() async throws {
        try serveKeys()
        #expect(try await verify(card()).exitCode == 0)
        let whole = try Data(contentsOf: files[0])
        for bytes in [Data(), whole.dropLast(), whole + Data([0]), Data("nonsense".utf8)] {
            try bytes.write(to: files[0])
            let run = try await verify(card())
            #expect(run.exitCode == 0 && run.keySource == "network")
            #expect(try Data(contentsOf: files[0]).count == whole.count)
        }
        #expect(try await verify(card()).keySource == "cache")
    }

    @Test func twentyProcessesShareACache() async throws {
        try serveKeys()
        let card = try card()
        try await withThrowingTaskGroup(of: Run.self) { group in
            for _ in 0..<20 { group.addTask { try await verify(card) } }
            for try await run in group {
                #expect(run.exitCode == 0, "\(run.stderr)")
                #expect(run.stderr.isEmpty)
            }
        }
        #expect(files.count == 1)
        #expect(try mode(files[0]) == 0o600)
        let before = try requestCount()
        #expect(try await verify(card).keySource == "cache")
        #expect(try requestCount() == before)
    }
}
