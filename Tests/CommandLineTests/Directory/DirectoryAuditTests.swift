import Encodings
import Foundation
import TestSupport
import Testing

/// `directory audit` and `collect`, with issuers on loopback. Tests/Sessions/directory-history.md has what needs none.
@Suite(.timeLimit(.minutes(30))) struct DirectoryAuditTests {
    /// An issuer of a test directory.
    private struct Entry {
        let name: String
        let url: String
    }

    private static func list(_ entries: [Entry]) -> String {
        let elements = entries.map { #"{"iss":"\#($0.url)","name":"\#($0.name)"}"# }
        return #"{"participating_issuers":[\#(elements.joined(separator: ","))]}"#
    }

    private static func network(_ server: TestIssuer, timeout: Int = 600) -> [String] {
        ["--ca-file", server.authorityFile, "--allow-private-network", "--timeout", "\(timeout)"]
    }

    private static func run(_ arguments: [String]) async throws -> Shcverify.Result {
        try await Shcverify.run(["directory"] + arguments)
    }

    private static func json(_ arguments: [String]) async throws -> (document: JSONValue, exitCode: Int32) {
        let result = try await run(arguments + ["--format", "json"])
        return (try JSONDocument.parse(Array(result.stdout.utf8)), result.exitCode)
    }

    private static let headers = ["Cache-Control": "max-age=3600"]

    /// Good issuers, and every way in which the test server can be broken or hostile.
    @Test func auditFindsEveryKindOfBrokenIssuer() async throws {
        let server = try TestIssuer()
        let keys = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        try server.serve(keys, at: "/x/.well-known/jwks.json", headers: Self.headers)
        try server.serve(#"{"keys":[]}"#, at: "/no-keys/.well-known/jwks.json", headers: Self.headers)
        try server.serve("[]", at: "/no-set/.well-known/jwks.json", headers: Self.headers)
        try server.serve(
            keys, at: "/no-cors/.well-known/jwks.json",
            headers: ["Access-Control-Allow-Origin": nil, "Cache-Control": "max-age=3600"])
        let sources = try String(
            contentsOf: Paths.root.appendingPathComponent("Tests/TestSupport/issuer.py"), encoding: .utf8)
        let behaviours = sources.matches(of: /@behaviour\ndef (\w+)\(/).map { String($0.1.replacing("_", with: "-")) }
            .filter { !["link", "moved-link", "early-hints", "held", "held-drip", "late"].contains($0) }
        let ports = [
            "expired", "notYetValid", "wrongHost", "selfSigned", "incomplete", "tls11", "tls11and12", "plain", "hang",
            "closed",
        ]
        var broken = ["no-keys", "no-set", "no-cors", "missing"].map { Entry(name: $0, url: server.url("/\($0)")) }
        broken += behaviours.map { Entry(name: $0, url: server.url("/\($0)/x")) }
        broken += [403, 404, 410, 429, 500, 503].map { Entry(name: "status \($0)", url: server.url("/status-\($0)/x")) }
        broken += ports.map { Entry(name: "port \($0)", url: server.url("/x", port: $0)) }
        var good = [
            Entry(name: "early hints", url: server.url("/early-hints/x")),
            Entry(name: "TLS 1.3 alone", url: server.url("/x", port: "tls13")),
        ]
        while good.count < 30 {
            let path = "/good-\(good.count)"
            try server.serve(keys, at: "\(path)/.well-known/jwks.json", headers: Self.headers)
            good.append(Entry(name: path, url: server.url(path)))
        }
        #expect(behaviours.count > 30)
        // Those that never end their answer take all the time that there is. The others, good and broken ones, may need much if this
        // machine is busy. They take turns, so that they are asked at the same time.
        let names = ["drip", "slow-headers", "silent", "redirect-endless", "redirect-bomb", "port hang"]
        let slow = broken.filter { names.contains($0.name) }
        #expect(slow.count == names.count)
        let others = broken.filter { entry in !slow.contains { $0.url == entry.url } }
        try await expectAudit(of: slow, isGood: { _ in false }, server, timeout: 1)
        let all = (0..<max(good.count, others.count)).flatMap { place in
            [good, others].compactMap { $0.indices.contains(place) ? $0[place] : nil }
        }
        try await expectAudit(of: all, isGood: { name in good.contains { $0.name == name } }, server, timeout: 600)
    }

    private func expectAudit(
        of all: [Entry], isGood: (String) -> Bool, _ server: TestIssuer, timeout: Int
    ) async throws {
        let folder = try TemporaryDirectory()
        let list = try folder.write(Self.list(all), to: "list.json")
        let (audit, exitCode) = try await Self.json(
            ["audit", "--directory", list, "--jobs", "8"] + Self.network(server, timeout: timeout))
        #expect(exitCode == 10)
        let issuers = try #require(audit["issuers"]?.elements)
        #expect(issuers.map { $0["iss"]?.words } == all.map(\.url), "all issuers, in the order of the directory")
        for issuer in issuers {
            let name = issuer["name"]?.words ?? ""
            #expect((issuer["errors"]?.number?.digits == "0") == isGood(name), "\(name)")
        }
        #expect(audit["notJudged"]?.number?.digits == "0")
        #expect(audit["findings"]?.elements?.count == 0)
    }

    @Test func auditReportsWhatChanged() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([
            .init(issuer: "https://localhost"), .init(issuer: "https://localhost", key: "issuer-b"),
        ])
        let serve = { (name: String, content: String) in
            try server.serve(content, at: "/\(name)/.well-known/jwks.json", headers: Self.headers)
        }
        for name in ["rotated", "gone", "same"] { try serve(name, signed.keySet()) }
        let folder = try TemporaryDirectory()
        let names = ["rotated", "gone", "back", "same"]
        let list = try folder.write(
            Self.list(names.map { Entry(name: $0, url: server.url("/\($0)")) }), to: "list.json")
        let options = ["audit", "--directory", list] + Self.network(server)
        let first = try await Self.run(options + ["--format", "json"])
        #expect(first.exitCode == 10)
        let earlier = try folder.write(first.stdout, to: "earlier.json")

        try serve("rotated", signed.keySet(of: [1]))
        try serve("back", signed.keySet())
        try FileManager.default.removeItem(at: server.directory.appendingPathComponent("gone"))
        let (audit, exitCode) = try await Self.json(options + ["--compare", earlier])
        #expect(exitCode == 10)
        let changes = try #require(audit["changes"]?.elements).map { change in
            [change["iss"]?.words?.split(separator: "/").last.map(String.init), change["kind"]?.words]
        }
        #expect(
            changes == [["rotated", "key-removed"], ["rotated", "key-added"], ["gone", "gone"], ["back", "back"]])
        let text = try await Self.run(options + ["--compare", earlier])
        #expect(text.stdout.contains("! no longer publishes keys") && text.stdout.contains("! publishes keys again"))
        #expect(text.stdout.contains("4 issuers: 3 judged, 1 without a key set; 1 with errors"))
        let sarif = try await Self.run(options + ["--format", "sarif"])
        #expect(SARIFLog(try JSONDocument.parse(Array(sarif.stdout.utf8))).problems.isEmpty)
    }

    /// A server that hangs for each issuer cannot make an audit run longer than its limit.
    @Test func auditEndsByItsOwnLimit() async throws {
        let server = try TestIssuer()
        let entries = (0..<60).map { Entry(name: "issuer \($0)", url: server.url("/\($0)", port: "hang")) }
        let folder = try TemporaryDirectory()
        let list = try folder.write(Self.list(entries), to: "list.json")
        let options = ["audit", "--directory", list, "--time-limit", "1"] + Self.network(server)
        let (audit, exitCode) = try await Self.json(options)
        #expect(exitCode == 20)
        #expect(audit["notJudged"]?.number?.digits == "60", "none had the time that an issuer has")
        #expect(audit["issuers"]?.elements?.allSatisfy { $0["outcome"]?.words == "not-judged" } == true)
        let text = try await Self.run(options)
        #expect(text.exitCode == 20)
        #expect(text.stdout.contains("60 issuers: 0 judged, 60 not judged; 0 with errors"))
        #expect(text.stdout.contains("and 40 more"))
    }

    /// A collected snapshot verifies offline what the live issuers verify: also that a card is revoked.
    @Test func collectedSnapshotVerifiesOffline() async throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer")
        let signed = try SignedCards.sign([
            .init(issuer: issuer, rid: "good"), .init(issuer: issuer, rid: "revoked"),
        ])
        let keyID = signed.keyID()
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "/issuer/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let snapshot = folder.url.appendingPathComponent("snapshot.json").path
        let collect = ["collect", issuer, "--output", snapshot] + Self.network(server)
        let cards = try signed.cards.enumerated().map { try folder.write($1, to: "\($0).jws") }
        let codes = {
            var codes: [Int32] = []
            for card in cards {
                codes.append(try await Shcverify.run([card, "-q", "--offline", "--directory", snapshot]).exitCode)
            }
            return codes
        }

        let without = try await Self.run(collect)
        #expect(without.exitCode == 21, "the list is missing")
        #expect(without.stderr.contains("the revocation list of the key"))
        #expect(try await codes() == [21, 21], "without the list, it is not known which cards are revoked")

        try server.serve(
            #"{"kid":"\#(keyID)","method":"rid","ctr":1,"rids":["revoked"]}"#,
            at: "/issuer/.well-known/crl/\(keyID).json")
        let with = try await Self.run(collect)
        #expect(with.exitCode == 0, "\(with.stderr)")
        #expect(with.stdout == "collected: 1 issuer, 1 key\n")
        #expect(try await codes() == [0, 16])

        let diff = try await Self.run(["diff", snapshot, snapshot, "--fail-on", "change"])
        #expect(diff.exitCode == 0 && diff.stdout == "no differences\n")
    }

    @Test func collectSaysWhatIsMissing() async throws {
        let server = try TestIssuer()
        let keys = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        try server.serve(keys, at: "/a/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            Self.list([Entry(name: "A", url: server.url("/a")), Entry(name: "B", url: server.url("/b"))]),
            to: "list.json")
        let options = ["--directory", list, "--output", "-"] + Self.network(server)
        let all = try await Self.run(["collect"] + options)
        #expect(all.exitCode == 20)
        #expect(all.stderr.contains("/b: not collected: its server answered with status 404"))
        let snapshot = try JSONDocument.parse(Array(all.stdout.utf8))
        #expect(snapshot["issuerInfo"]?.elements?.count == 2)
        #expect(snapshot.at("/issuerInfo/0/issuer/name")?.words == "A")
        #expect(snapshot.at("/issuerInfo/1/issuer/name")?.words == "B")
        #expect(snapshot.at("/issuerInfo/1/keys")?.elements?.count == 0)
        #expect(snapshot.at("/issuerInfo/1/error")?.words == "its server answered with status 404")
        let one = try await Self.run(["collect", server.url("/a"), "https://stranger.example"] + options)
        #expect(one.exitCode == 13)
        #expect(one.stderr.contains("https://stranger.example: not collected: it is not in the given directories"))
        #expect(try await Self.run(["collect", "--output", "-"]).exitCode == 64)
        #expect(try await Self.run(["collect", "http://a.example", "--output", "-"]).exitCode == 64)
    }

    /// An issuer that could not be reached is neither removed nor trusted.
    @Test func unreachedIssuerIsKeptWithoutTrust() async throws {
        let server = try TestIssuer()
        let (a, b) = (server.url("/a"), server.url("/b"))
        let signed = try SignedCards.sign([.init(issuer: a), .init(issuer: b)])
        for name in ["a", "b"] { try server.serve(signed.keySet(), at: "/\(name)/.well-known/jwks.json") }
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            Self.list([Entry(name: "A", url: a), Entry(name: "B", url: b)]), to: "list.json")
        let collect = { (name: String) in
            let path = folder.url.appendingPathComponent(name).path
            let result = try await Self.run(["collect", "--directory", list, "--output", path] + Self.network(server))
            return (path, result)
        }
        let (whole, first) = try await collect("whole.json")
        #expect(first.exitCode == 0)
        try FileManager.default.removeItem(at: server.directory.appendingPathComponent("b"))
        let (partial, second) = try await collect("partial.json")
        #expect(second.exitCode == 20 && second.stdout == "collected: 1 issuer, 1 key; 1 could not be collected\n")
        let (again, _) = try await collect("again.json")

        let gone = try await Self.run(["diff", whole, partial])
        #expect(
            gone.stdout == "B (\(b))\n  ! no longer publishes keys (its server answered with status 404)\n",
            "\(gone.stdout)")
        #expect(try await Self.run(["diff", partial, again]).stdout == "no differences\n")
        #expect(try await Self.run(["diff", partial, whole]).stdout == "B (\(b))\n  ! publishes keys again\n")
        let audit = try await Self.json(["audit", "--directory", list, "--compare", partial] + Self.network(server))
        #expect(audit.document["changes"]?.elements?.count == 0)

        let card = try folder.write(signed.cards[1], to: "b.jws")
        let code = { (options: [String]) in
            try await Shcverify.run([card, "-q"] + options + Self.network(server) + ["--no-cache"])
        }
        #expect(try await code(["--offline", "--directory", whole]).exitCode == 0)
        let count = try server.requests().count
        // Even if it publishes its keys again, the snapshot does not vouch for it, and it is not asked.
        try server.serve(signed.keySet(), at: "/b/.well-known/jwks.json")
        let refused = try await code(["--directory", partial])
        #expect(refused.exitCode == 13 && refused.stderr.contains("does not vouch for it"), "\(refused.stderr)")
        #expect(try server.requests().count == count)
        let both = folder.url.appendingPathComponent("both")
        try FileManager.default.createDirectory(at: both, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: list, toPath: both.path + "/vci-issuers.json")
        try FileManager.default.copyItem(atPath: partial, toPath: both.path + "/vci_snapshot.json")
        #expect(try await code(["--directory", both.path]).exitCode == 13)
        #expect(try await code(["--directory", partial, "--directory", list]).exitCode == 0, "the list vouches for it")
        #expect(try await code(["--directory", partial, "--trust", b]).exitCode == 0)
        let lint = try await Shcverify.run(["lint", partial, "--offline"])
        #expect(lint.exitCode == 0 && lint.stdout.contains("its server answered with status 404"), "\(lint.stdout)")
    }

    /// A server that was slow, or had a fault, says nothing about keys. One that answers with 404, or with a page, does.
    @Test func auditTellsASlowServerFromOneWithoutKeys() async throws {
        let server = try TestIssuer()
        try server.serve("<html></html>", at: "/page/.well-known/jwks.json")
        try await expectChanges(
            of: [server.url("/slow", port: "hang")], kinds: ["unreached"], lacking: ["false"], server, timeout: 1)
        let audit = try await expectChanges(
            of: [server.url("/page"), server.url("/status-503/x"), server.url("/status-404/x")],
            kinds: ["gone", "unreached", "gone"], lacking: ["true", "false", "true"], server, timeout: 600)
        #expect(audit.at("/issuers/1/problem")?.words == "its server answered with status 503")
    }

    /// Audits issuers of which there is a snapshot with keys.
    @discardableResult
    private func expectChanges(
        of urls: [String], kinds: [String], lacking: [String], _ server: TestIssuer, timeout: Int
    ) async throws -> JSONValue {
        let folder = try TemporaryDirectory()
        let list = try folder.write(Self.list(urls.map { Entry(name: "A", url: $0) }), to: "list.json")
        let keys = try JSONDocument.parse(Paths.bytes(Paths.vector("keys/issuer-a.jwks.json")))["keys"]?.compact ?? ""
        let infos = urls.map { #"{"issuer":{"iss":"\#($0)"},"keys":\#(keys),"crls":[]}"# }.joined(separator: ",")
        let earlier = try folder.write(
            #"{"directory":"shcverify directory collect","time":"2026-05-01T00:00:00Z","issuerInfo":[\#(infos)]}"#,
            to: "earlier.json")
        let (audit, _) = try await Self.json(
            ["audit", "--directory", list, "--compare", earlier] + Self.network(server, timeout: timeout))
        #expect(audit["changes"]?.elements?.map { $0["kind"]?.words } == kinds)
        #expect(audit["issuers"]?.elements?.map { $0["lacksKeySet"]?.compact } == lacking)
        return audit
    }

    /// `audit --compare` says it too, against a snapshot and against an audit.
    @Test func auditNamesAPublishedPrivateKeyFirst() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        let names = ["first", "second"]
        for name in names {
            try server.serve(signed.keySet(), at: "/\(name)/.well-known/jwks.json", headers: Self.headers)
        }
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            Self.list(names.map { Entry(name: "Pharmacy \($0)", url: server.url("/\($0)")) }), to: "list.json")
        let audit = ["audit", "--directory", list] + Self.network(server)
        let earlier = try folder.write(try await Self.run(audit + ["--format", "json"]).stdout, to: "earlier.json")
        let snapshot = folder.url.appendingPathComponent("snapshot.json").path
        let collected = try await Self.run(
            ["collect", "--directory", list, "--output", snapshot] + Self.network(server))
        #expect(collected.exitCode == 0)
        try server.serve(
            signed.keySet().replacing(#""kty""#, with: #""d":"AQ","kty""#), at: "/second/.well-known/jwks.json",
            headers: Self.headers)
        for before in [earlier, snapshot] {
            let text = try await Self.run(audit + ["--compare", before]).stdout
            let lines = text.split(separator: "\n").map(String.init)
            let place = try #require(lines.firstIndex { $0.hasPrefix("Changes since ") })
            #expect(lines[place + 1] == "  Pharmacy second (\(server.url("/second")))", "\(text)")
            #expect(lines[place + 2].hasPrefix("    ! PRIVATE KEY PUBLISHED: "))
            let page = PageMarkup.text(
                of: try await Self.run(audit + ["--compare", before, "--format", "html"]).stdout)
            // The table, the changes and the findings begin with it.
            for part in ["Issuer Result ", "Changes since "] {
                let range = try #require(page.range(of: part))
                #expect(page[range.upperBound...].prefix(200).contains("Pharmacy second"), "\(page)")
            }
            let code = try #require(page.range(of: "invalid-key-private"))
            #expect(!page[..<code.lowerBound].contains("To do: "))
        }
    }

    /// What is new since the last audit, and what was cured. The worst comes first, under the issuer's name.
    @Test func auditComparesFindings() async throws {
        let server = try TestIssuer()
        let signed = try SignedCards.sign([.init(issuer: "https://localhost")])
        let noCORS: [String: String?] = ["Access-Control-Allow-Origin": nil, "Cache-Control": "max-age=3600"]
        let serve = { (name: String, content: String, headers: [String: String?]) in
            try server.serve(content, at: "/\(name)/.well-known/jwks.json", headers: headers)
        }
        try serve("first", signed.keySet(), noCORS)
        try serve("second", signed.keySet(), Self.headers)
        try serve("third", signed.keySet(), noCORS)
        let folder = try TemporaryDirectory()
        let names = ["first", "second", "third"]
        let list = try folder.write(
            Self.list(names.map { Entry(name: "Pharmacy \($0)", url: server.url("/\($0)")) }), to: "list.json")
        let options = ["audit", "--directory", list] + Self.network(server)
        let earlier = try folder.write(try await Self.run(options + ["--format", "json"]).stdout, to: "earlier.json")
        let same = try await Self.json(options + ["--compare", earlier])
        #expect(
            same.document["newFindings"]?.elements?.count == 0 && same.document["curedFindings"]?.elements?.count == 0)
        #expect(same.document.at("/issuers/0/answered") != nil)

        try serve("first", signed.keySet(), Self.headers)
        try serve("second", signed.keySet().replacing(#""kty""#, with: #""d":"AQ","kty""#), Self.headers)
        // What cannot be judged now is not cured.
        try FileManager.default.removeItem(at: server.directory.appendingPathComponent("third"))
        let (audit, _) = try await Self.json(options + ["--compare", earlier])
        let found = { (member: String) in
            audit[member]?.elements?.map {
                "\($0["iss"]?.words?.split(separator: "/").last ?? "") \($0["rule"]?.words ?? "")"
            } ?? []
        }
        #expect(found("curedFindings") == ["first issuer-key-wellknown-endpoint-cors/key-set"])
        #expect(found("newFindings").contains { $0.hasPrefix("second invalid-key-private/") })
        #expect(found("newFindings").contains("third issuer-key-download-error/status"))
        #expect(!found("newFindings").contains { $0.hasPrefix("first") })
        let text = try await Self.run(options + ["--compare", earlier])
        let lines = text.stdout.split(separator: "\n").map(String.init)
        let heading = lines.first { $0.hasPrefix("Issuer ") }
        #expect(heading == "Issuer Pharmacy second (\(server.url("/second")))", "\(heading ?? "")")
        #expect(lines.contains { $0.hasPrefix("  findings: ") && $0.hasSuffix(" new, 1 cured") })
        #expect(
            lines.contains {
                $0.contains("- cured error issuer-key-wellknown-endpoint-cors/key-set at Pharmacy first (")
            })
        let excluded = try await Self.json(
            options + ["--compare", earlier, "--exclude", "issuer-key-wellknown-endpoint-cors"])
        #expect(excluded.document["curedFindings"]?.elements?.count == 0, "what is not looked at is not cured")

        let daily = try folder.write(
            #"{"directory":"https://a.example","buildTime":"x","issuers":{}}"#, to: "daily.json")
        let wrong = try await Self.run(options + ["--compare", daily])
        #expect(wrong.exitCode == 64 && wrong.stderr.contains("--compare \(daily): "), "\(wrong.stderr)")
        let offline = try await Self.run(["audit", "--offline"])
        #expect(offline.exitCode == 64 && offline.stderr.contains("shcverify lint FILE"))
    }

    /// A key that is published with its private part must not verify anything, and the snapshot must say so.
    @Test func collectKeepsWhatSpeaksAgainstAKey() async throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer")
        let signed = try SignedCards.sign([.init(issuer: issuer)])
        let keys = try signed.keySet().replacing(#""kty""#, with: #""d":"AQ","kty""#)
        try server.serve(keys, at: "/issuer/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let snapshot = folder.url.appendingPathComponent("snapshot.json").path
        #expect(try await Self.run(["collect", issuer, "--output", snapshot] + Self.network(server)).exitCode == 0)
        let card = try folder.write(signed.cards[0], to: "card.jws")
        #expect(try await Shcverify.run([card, "-q", "--offline", "--directory", snapshot]).exitCode == 12)
    }

    /// Somebody who writes a made-up `d` beside another issuer's point must not make that issuer's cards fail.
    @Test func madeUpPrivateKeyOfAnotherIssuerBurnsNothing() async throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer")
        let signed = try SignedCards.sign([.init(issuer: issuer)])
        try server.serve(signed.keySet(), at: "/issuer/.well-known/jwks.json")
        try server.serve(
            signed.keySet().replacing(#""kty""#, with: #""d":"AAAB","kty""#), at: "/other/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let snapshot = folder.url.appendingPathComponent("snapshot.json").path
        let collect = ["collect", issuer, server.url("/other"), "--output", snapshot] + Self.network(server)
        #expect(try await Self.run(collect).exitCode == 0)
        let card = try folder.write(signed.cards[0], to: "card.jws")
        #expect(try await Shcverify.run([card, "-q", "--offline", "--directory", snapshot]).exitCode == 0)
    }

    /// The IDs of an issuer's keys are its own choice. None of them may make the snapshot something else for all.
    @Test(arguments: ["certificates", "verificationMethod", "participating_issuers", "kty"])
    func keyIDsDoNotDecideWhatASnapshotIs(_ name: String) async throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer")
        let signed = try SignedCards.sign([.init(issuer: issuer, rid: "revoked"), .init(issuer: issuer)])
        let keyID = signed.keyID()
        try server.serve(signed.keySet(adding: ["crlVersion": 1]), at: "/issuer/.well-known/jwks.json")
        // An identifier on a list is the issuer's choice too.
        let list = #"{"kid":"\#(keyID)","method":"rid","ctr":1,"rids":["hashType","entries","revoked"]}"#
        try server.serve(list, at: "/issuer/.well-known/crl/\(keyID).json")
        let keys = #"{"keys":[{"kty":"EC","kid":"\#(name)","\#(name)":[],"x":"AA"}]}"#
        try server.serve(
            name == "kty" ? keys.replacing(#""kty":[],"#, with: "") : keys, at: "/other/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let snapshot = folder.url.appendingPathComponent("snapshot.json").path
        let result = try await Self.run(
            ["collect", server.url("/other"), issuer, "--output", snapshot] + Self.network(server))
        #expect(result.exitCode == 0 && result.stdout == "collected: 2 issuers, 2 keys\n", "\(result.stderr)")
        for (place, code) in [Int32(16), 0].enumerated() {
            let card = try folder.write(signed.cards[place], to: "\(place).jws")
            #expect(try await Shcverify.run([card, "-q", "--offline", "--directory", snapshot]).exitCode == code)
            let file = try folder.write(list, to: "list.json")
            let given = [card, "-q", "--offline", "--directory", snapshot, "--crl", file]
            #expect(try await Shcverify.run(given).exitCode == code)
        }
        let shown = try await Self.run(["show", "--directory", snapshot])
        #expect(shown.exitCode == 0 && shown.stdout.contains(issuer) && shown.stdout.contains(server.url("/other")))
        #expect(try await Self.run(["diff", snapshot, snapshot]).stdout == "no differences\n")
        let at = try await Self.run(["show", "--directory", folder.url.path, "--at", "2999-01-01T00:00:00Z"])
        #expect(at.stdout == shown.stdout)
    }

    /// What one issuer publishes must not make the snapshot unreadable for all.
    @Test func collectLeavesOutWhatASnapshotCannotHold() async throws {
        let server = try TestIssuer()
        let issuer = server.url("/issuer")
        let signed = try SignedCards.sign([.init(issuer: issuer)])
        try server.serve(signed.keySet(), at: "/issuer/.well-known/jwks.json")
        let deep = String(repeating: "[", count: 124) + String(repeating: "]", count: 124)
        try server.serve(
            signed.keySet().replacing(#""kty""#, with: #""x-deep":\#(deep),"kty""#), at: "/deep/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let snapshot = folder.url.appendingPathComponent("snapshot.json").path
        let collect = ["collect", issuer, server.url("/deep"), "--output", snapshot] + Self.network(server)
        let result = try await Self.run(collect)
        #expect(result.exitCode == 20)
        #expect(result.stderr.contains("/deep: not collected: a snapshot with what its server sent could not be read"))
        let card = try folder.write(signed.cards[0], to: "card.jws")
        #expect(try await Shcverify.run([card, "-q", "--offline", "--directory", snapshot]).exitCode == 0)
    }

    /// Only regular files are replaced, and nothing that belongs to others is removed.
    @Test func outputIsWrittenWithoutHarm() async throws {
        let server = try TestIssuer()
        let keys = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        try server.serve(keys, at: "/a/.well-known/jwks.json")
        let folder = try TemporaryDirectory()
        let collect = { (output: String) in
            try await Self.run(["collect", server.url("/a"), "--output", output] + Self.network(server))
        }
        let target = try folder.write(String(repeating: "old", count: 9000), to: "target.json")
        let link = folder.url.appendingPathComponent("link.json").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(try await collect(link).exitCode == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try JSONDocument.parse(Paths.bytes(target))["issuerInfo"]?.elements?.count == 1)
        let dangling = folder.url.appendingPathComponent("dangling.json").path
        try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "new.json")
        #expect(try await collect(dangling).exitCode == 0)
        let new = folder.url.appendingPathComponent("new.json").path
        #expect(try JSONDocument.parse(Paths.bytes(new))["issuerInfo"]?.elements?.count == 1)
        let loop = folder.url.appendingPathComponent("loop.json").path
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop.json")
        #expect(try await collect(loop).exitCode == 1)
        #expect(try await collect("/dev/stdout").stdout.contains("issuerInfo"))
        let part = try folder.write("mine", to: "out.json.part")
        #expect(try await collect(folder.url.appendingPathComponent("out.json").path).exitCode == 0)
        #expect(try String(contentsOfFile: part, encoding: .utf8) == "mine")
        let requests = try server.requests().count
        #expect(try await collect("/nowhere/out.json").exitCode == 1)
        #expect(try server.requests().count == requests, "nothing is fetched if the result cannot be written")
    }

    /// A container gets single files by mounting them. They cannot be replaced, so they are written in place. Users who may not mount
    /// file systems cannot run this test.
    @Test func writesAMountedFileInPlace() async throws {
        let mounting = { (script: String, arguments: [String]) in
            try await Shcverify.run(
                ["-rm", "/bin/sh", "-c", script, "sh"] + arguments, executable: "/usr/bin/unshare")
        }
        let folder = try TemporaryDirectory()
        let real = try folder.write(String(repeating: "old", count: 9000), to: "real.json")
        let output = try folder.write("", to: "out.json")
        let bind = #"mount --bind "$1" "$2" && shift 2 && "#
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"),
            try await mounting(bind + "true", [real, output]).exitCode == 0
        else { return }
        let server = try TestIssuer()
        let keys = try SignedCards.sign([.init(issuer: "https://localhost")]).keySet()
        try server.serve(keys, at: "/a/.well-known/jwks.json")
        let filler = String(repeating: "x", count: 40_000)
        try server.serve(
            keys.replacing(#""kty""#, with: #""x-filler":"\#(filler)","kty""#), at: "/big/.well-known/jwks.json")
        let collect = { (path: String) in
            [Shcverify.path, "directory", "collect", server.url(path), "--output"] + [output] + Self.network(server)
        }
        let run = try await mounting(bind + #"exec "$@""#, [real, output] + collect("/a"))
        #expect(run.exitCode == 0 && run.stderr.isEmpty, "\(run.stderr)")
        #expect(try JSONDocument.parse(Paths.bytes(real))["issuerInfo"]?.elements?.count == 1)
        #expect(try Paths.bytes(output).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
        // A disk of four pages that are full.
        let full =
            #"d=$1; f=$2; shift 2; mount -t tmpfs -o size=16k none "$d" && head -c 16384 /dev/zero > "$d/x"; "#
            + #"mount --bind "$d/x" "$f" && { "$@"; code=$?; test $(wc -c < "$f") = 16384 || exit 99; exit $code; }"#
        let disk = folder.url.appendingPathComponent("disk").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        let refused = try await mounting(full, [disk, output] + collect("/big"))
        #expect(refused.exitCode == 1 && refused.stderr.contains("cannot be written"), "\(refused.stderr)")
        // A file that is mounted for reading only is found at the beginning.
        let count = try server.requests().count
        let readOnly = #"mount --bind "$1" "$2" && mount -o remount,ro,bind "$2" && shift 2 && exec "$@""#
        #expect(try await mounting(readOnly, [real, output] + collect("/a")).exitCode == 1)
        #expect(try server.requests().count == count)
    }
}
