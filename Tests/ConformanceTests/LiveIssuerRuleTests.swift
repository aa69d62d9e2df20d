import Credentials
import Cryptography
import Directories
import Encodings
import SMARTHealthCards
import Testing

@testable import Conformance

/// The rules for a live issuer, each with answers that break it and answers that just follow it.
@Suite struct LiveIssuerRuleTests {
    private static let issuer = Issuer(unchecked: "https://issuer.example/shc")
    private static let origin = "https://verifier.example"
    private static let goodHeaders = [
        "access-control-allow-origin": "*", "content-type": "application/json", "cache-control": "max-age=3600",
    ]

    private static func answer(
        _ body: String, status: Int = 200, headers: [String: String?] = [:], redirects: [String] = [],
        freshness: Int64? = 3600, url: String = issuer.keySetURL
    ) -> PublishedAnswer {
        let headers = goodHeaders.merging(headers.compactMapValues(\.self)) { $1 }.filter { name, _ in
            headers[name].map { $0 != nil } ?? true
        }
        return PublishedAnswer(
            url: url,
            result: .success(
                .init(
                    status: status, headers: headers, body: Array(body.utf8), redirects: redirects,
                    statedFreshness: freshness)))
    }

    private static func issuer(
        _ keySet: PublishedAnswer = answer(#"{"keys":[]}"#),
        tls: PublishedIssuer.TLS = .init(
            version13: .accepted, version12: .accepted, legacy: .refused, staticRSA: .refused, ffdhe: .refused),
        lists: [PublishedIssuer.List] = [], furtherLists: Int = 0
    ) -> PublishedIssuer {
        PublishedIssuer(
            issuer: issuer, origin: origin, keySet: keySet, tls: tls, lists: lists, furtherLists: furtherLists)
    }

    /// The findings of the rules for a live issuer.
    private static func findings(_ answers: PublishedIssuer, directories: [String] = []) throws -> [Finding] {
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .seconds(1_800_000_000)))
        for directory in directories { policy.trustedIssuers.add(try IssuerDirectory(Array(directory.utf8))) }
        var linter = try Linter(policy: policy)
        linter.add(answers)
        let findings = linter.findings.filter { $0.layer == .issuer }
        for finding in findings {
            #expect(finding.source == answers.issuer.url && finding.path == nil && finding.offset == nil)
            #expect(finding.message.utf8.count < 1000)
            #expect(finding.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
        return findings
    }

    private static func ids(_ answers: PublishedIssuer, directories: [String] = []) throws -> [String] {
        try findings(answers, directories: directories).map(\.rule.id)
    }

    @Test func ruleIDsAreUnique() {
        let ids = Rule.issuerRules.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func findsNothingWrongWithAGoodServer() throws {
        #expect(try Self.ids(Self.issuer()).isEmpty)
    }

    // MARK: The key set

    @Test(
        arguments: [
            (PublishedAnswer.Failure.Kind.invalidURL, "invalid-issuer-url/live-issuer"),
            (.unreachable, "issuer-key-download-error/no-answer"), (.tls, "issuer-key-download-error/no-answer"),
            (.answer, "issuer-key-download-error/no-answer"),
            (.machine, "issuer-key-download-error/no-answer"),
        ])
    func saysWhyThereIsNoAnswer(kind: PublishedAnswer.Failure.Kind, id: String) throws {
        let answer = PublishedAnswer(url: Self.issuer.keySetURL, result: .failure(.init(kind, "the reason")))
        let findings = try Self.findings(Self.issuer(answer))
        #expect(findings.map(\.rule.id) == [id])
        #expect(findings.first?.severity == .error && findings.first?.message.contains("the reason") == true)
    }

    /// The server's owner has to do something else for each cause.
    @Test func eachCauseHasItsOwnRemedy() throws {
        typealias Detail = PublishedAnswer.Failure.Detail
        let words: [Detail: String] = [
            .expiredCertificate: "Renew", .futureCertificate: "clock", .otherHost: "SAN",
            .unknownAuthority: "intermediate",
            .shortKey: "2048", .refusedConnection: "port", .unresolvedName: "DNS", .refusedAddress: "public address",
            .timeout: "--timeout",
        ]
        var remedies: Set<String> = []
        for detail in Detail.allCases {
            let answer = PublishedAnswer(
                url: Self.issuer.keySetURL, result: .failure(.init(.certificate, "the reason", detail: detail)))
            let findings = try Self.findings(Self.issuer(answer))
            #expect(findings.count == 2 && Set(findings.map(\.remedy)).count == 1)
            let remedy = try #require(findings.first?.remedy)
            #expect(remedy.contains(try #require(words[detail])), "\(detail): \(remedy)")
            remedies.insert(remedy)
        }
        #expect(remedies.count == Detail.allCases.count)
        for (status, word) in [
            (404, "hide folders that begin with a dot"), (403, "bot check"), (500, "log of the server"),
        ] {
            let answer = PublishedAnswer(url: Self.issuer.keySetURL, result: .success(.init(status: status)))
            #expect(try Self.findings(Self.issuer(answer)).contains { $0.remedy.contains(word) }, "\(status)")
        }
        let unknown = PublishedAnswer(url: Self.issuer.keySetURL, result: .failure(.init(.tls, "the reason")))
        #expect(try Self.findings(Self.issuer(unknown)).allSatisfy { $0.remedy == $0.rule.remedy })
    }

    @Test(arguments: [
        ("https://Issuer.example/a", 1), ("https://issuer.example:443/a", 1), ("https://Issuer.example:443", 2),
        ("https://issuer.example/.well-known/jwks.json", 1), ("https://issuer.example/A", 0),
        ("https://issuer.example:8443", 0), ("https://issuer.example/.well-known", 0),
    ])
    func warnsOfAnUnusualURL(url: String, count: Int) throws {
        let issuer = Issuer(unchecked: url)
        let answer = PublishedAnswer(url: issuer.keySetURL, result: .failure(.init(.unasked, "offline")))
        let findings = try Self.findings(PublishedIssuer(issuer: issuer, origin: "", keySet: answer))
            .filter { $0.rule.id == "invalid-issuer-url/live-issuer-form" }
        #expect(findings.count == count && findings.allSatisfy { $0.severity == .warning })
    }

    @Test func refusedCertificateIsATLSFindingToo() throws {
        let answer = PublishedAnswer(
            url: Self.issuer.keySetURL, result: .failure(.init(.certificate, "the reason")))
        #expect(
            Set(try Self.ids(Self.issuer(answer))) == [
                "issuer-key-download-error/no-answer", "issuer-tls-error/certificate",
            ])
    }

    /// If no request was wanted, the issuer is unchecked. If the request was not possible, that is an error.
    @Test(arguments: [(PublishedAnswer.Failure.Kind.unasked, Severity.unchecked), (.machine, .error)])
    func reportsAnIssuerThatWasNotContacted(_ kind: PublishedAnswer.Failure.Kind, _ severity: Severity) throws {
        let answers = PublishedIssuer(unasked: Self.issuer, because: "offline nothing is fetched", kind: kind)
        let findings = try Self.findings(answers)
        #expect(findings.map(\.rule.id) == ["issuer-key-download-error/no-answer"])
        #expect(findings.map(\.severity) == [severity])
    }

    @Test(arguments: [204, 302, 304, 401, 404, 429, 503])
    func requiresStatus200(status: Int) throws {
        let answer = Self.answer("", status: status, headers: Self.goodHeaders.mapValues { _ in nil }, freshness: nil)
        #expect(try Self.ids(Self.issuer(answer)) == ["issuer-key-download-error/status"])
    }

    @Test(
        arguments: [
            ("", "nothing"), (" \n", "nothing"), ("<!DOCTYPE html>", "HTML"), ("\n <html>", "HTML"), ("[]", "an array"),
            ("\"keys\"", "keys"), ("{\"keys\":[", "not acceptable JSON"), ("{\"keys\":[]}x", "not acceptable JSON"),
            ("{\"keys\":[\u{FEFF}]}", "not acceptable JSON"), ("{\"keys\":[],\"keys\":[]}", "not acceptable JSON"),
            ("not found", "not acceptable JSON"),
        ])
    func requiresAKeySet(body: String, words: String) throws {
        let findings = try Self.findings(Self.issuer(Self.answer(body)))
        #expect(findings.map(\.rule.id) == ["issuer-key-download-error/content"])
        #expect(findings.first?.message.contains(words) == true, "\(findings.first?.message ?? "")")
    }

    @Test func warnsOfARedirect() throws {
        let answer = Self.answer(#"{"keys":[]}"#, redirects: ["https://a.example/", "https://b.example/keys"])
        let findings = try Self.findings(Self.issuer(answer))
        #expect(findings.map(\.rule.id) == ["issuer-key-download-error/redirect"])
        #expect(findings.first?.severity == .warning)
        #expect(findings.first?.message.contains("https://b.example/keys") == true)
    }

    // MARK: Header fields

    @Test(arguments: [nil, "", "null", "https://other.example", "*, *", "https://verifier.example/"] as [String?])
    func requiresThatEveryOriginIsPermitted(allowed: String?) throws {
        let answer = Self.answer(#"{"keys":[]}"#, headers: ["access-control-allow-origin": allowed])
        let findings = try Self.findings(Self.issuer(answer))
        #expect(findings.map(\.rule.id) == ["issuer-key-wellknown-endpoint-cors/key-set"])
        #expect(findings.first?.severity == .error)
    }

    @Test(
        arguments: [
            (nil, false), ("Accept-Encoding", false), ("Origin", true), ("accept-encoding, origin", true), ("*", true),
        ])
    func requiresVaryIfTheOriginIsEchoed(vary: String?, isGood: Bool) throws {
        let answer = Self.answer(
            #"{"keys":[]}"#, headers: ["access-control-allow-origin": Self.origin, "vary": vary])
        #expect(try Self.ids(Self.issuer(answer)) == (isGood ? [] : ["issuer-key-wellknown-endpoint-cors/vary"]))
    }

    @Test(
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/jwk-set+json", true),
            (nil, false), ("text/html", false), ("application/octet-stream", false), ("application/jsonp", false),
            ("", false),
        ])
    func requiresTheContentTypeOfJSON(type: String?, isGood: Bool) throws {
        let findings = try Self.findings(
            Self.issuer(Self.answer(#"{"keys":[]}"#, headers: ["content-type": type])))
        #expect(findings.map(\.rule.id) == (isGood ? [] : ["issuer-response-error/content-type"]))
        #expect(findings.allSatisfy { $0.severity == .warning })
    }

    @Test(arguments: [nil, "cache-control", "expires", "etag", "last-modified"] as [String?])
    func requiresCachingHeaders(name: String?) throws {
        var headers: [String: String?] = ["cache-control": nil]
        if let name { headers[name] = "x" }
        let answer = Self.answer(#"{"keys":[]}"#, headers: headers, freshness: nil)
        #expect(try Self.ids(Self.issuer(answer)) == (name == nil ? ["issuer-response-error/caching"] : []))
    }

    @Test(
        arguments: [(nil, true), (-5, true), (0, true), (86_400, true), (86_401, false), (.max, false)]
            as [(Int64?, Bool)])
    func requiresFreshnessOfADayAtMost(seconds: Int64?, isGood: Bool) throws {
        let findings = try Self.findings(Self.issuer(Self.answer(#"{"keys":[]}"#, freshness: seconds)))
        #expect(findings.map(\.rule.id) == (isGood ? [] : ["issuer-response-error/freshness"]))
        #expect(findings.allSatisfy { $0.severity == .warning })
    }

    // MARK: TLS

    @Test(
        arguments: [
            (.init(version13: .refused, version12: .refused, legacy: .refused), ["version"]),
            (.init(version13: .refused, version12: .refused, legacy: .accepted), ["version", "legacy"]),
            (
                .init(
                    version13: .accepted, version12: .accepted, legacy: .accepted, staticRSA: .refused, ffdhe: .refused),
                ["legacy"]
            ),
            (.init(version13: .refused, version12: .accepted, staticRSA: .refused, ffdhe: .refused), []),
            (.init(version13: .refused, version12: .accepted, legacy: .refused), ["static-rsa", "weak-dhe"]),
            (.init(version13: .accepted, version12: .refused, legacy: .refused), []),
            (.init(version13: .refused, version12: .unknown, legacy: .unknown), []),
            (.init(version12: .accepted, staticRSA: .accepted, ffdhe: .refused), ["static-rsa"]),
            (.init(version12: .accepted, staticRSA: .refused, ffdhe: .refused), []),
            (.init(version12: .accepted, staticRSA: .refused, ffdhe: .accepted, strongFFDHE: .refused), ["weak-dhe"]),
            (.init(version12: .accepted, staticRSA: .refused, ffdhe: .accepted, strongFFDHE: .accepted), []),
            (.init(version12: .accepted, staticRSA: .refused, ffdhe: .accepted, strongFFDHE: .unknown), ["weak-dhe"]),
            (.init(version12: .accepted, staticRSA: .unknown, ffdhe: .refused), ["static-rsa"]),
            (.init(version13: .refused, version12: .refused, ffdhe: .accepted, strongFFDHE: .refused), ["weak-dhe"]),
            (.init(), []),
        ] as [(PublishedIssuer.TLS, [String])])
    func requiresCurrentTLSVersions(tls: PublishedIssuer.TLS, names: [String]) throws {
        #expect(try Self.ids(Self.issuer(tls: tls)) == names.map { "issuer-tls-error/\($0)" })
    }

    // MARK: Revocation lists

    private static func listing(
        _ list: PublishedAnswer, versions: [String] = ["1"], furtherLists: Int = 0
    ) -> PublishedIssuer {
        let keys = versions.map { #"{"kid":"a","crlVersion":\#($0)}"# }.joined(separator: ",")
        return issuer(
            answer("{\"keys\":[\(keys)]}"), lists: [.init(keyID: KeyID("a"), answer: list)], furtherLists: furtherLists)
    }

    private static func list(_ body: String, status: Int = 200, headers: [String: String?] = [:]) -> PublishedAnswer {
        answer(body, status: status, headers: headers, url: issuer.url + "/.well-known/crl/a.json")
    }

    private static let goodList = #"{"kid":"a","method":"rid","ctr":1,"rids":[]}"#

    @Test func findsNothingWrongWithAGoodList() throws {
        #expect(try Self.ids(Self.listing(Self.list(Self.goodList))).isEmpty)
        #expect(try Self.ids(Self.listing(Self.list(Self.goodList), versions: ["\"1\"", "1"])).isEmpty)
    }

    @Test func requiresAListIfTheKeyHasACrlVersion() throws {
        let failed = PublishedAnswer(url: Self.issuer.url, result: .failure(.init(.answer, "too large")))
        for list in [
            Self.list("", status: 404), Self.list("", status: 500), Self.list("<html>"), Self.list(""), Self.list("[]"),
            Self.list("{"), failed,
        ] {
            let findings = try Self.findings(Self.listing(list))
            #expect(findings.map(\.rule.id) == ["revocation-error/list-download"])
            #expect(findings.first?.severity == .error)
        }
    }

    @Test func warnsOfListsThatWereNotRequested() throws {
        let findings = try Self.findings(Self.listing(Self.list(Self.goodList), furtherLists: 3))
        #expect(findings.map(\.rule.id) == ["revocation-error/list-download"])
        #expect(findings.first?.severity == .warning)
    }

    @Test(
        arguments: [
            (["1"], "0", false), (["1"], "2", false), (["1"], "\"01\"", true), (["1", "2"], "1", false),
            (["\"x\""], "1", true), (["1"], "\"x\"", true),
        ])
    func requiresTheSameCounterInKeyAndList(versions: [String], counter: String, isGood: Bool) throws {
        let list = Self.list(#"{"kid":"a","method":"rid","ctr":\#(counter),"rids":[]}"#)
        let ids = try Self.ids(Self.listing(list, versions: versions))
        #expect(ids == (isGood ? [] : ["revocation-error/list-counter"]))
    }

    @Test func requiresTheListOfTheKey() throws {
        let list = Self.list(#"{"kid":"b","method":"rid","ctr":1,"rids":[]}"#)
        #expect(try Self.ids(Self.listing(list)) == ["revocation-error/list-key"])
    }

    @Test func requiresThatListsPermitEveryOrigin() throws {
        let list = Self.list(Self.goodList, headers: ["access-control-allow-origin": nil])
        #expect(try Self.ids(Self.listing(list)) == ["issuer-key-wellknown-endpoint-cors/revocation-list"])
    }

    // MARK: Directories

    private static func directory(_ entries: String) -> String { "{\"participating_issuers\":[\(entries)]}" }

    private static func snapshot(_ keys: String) -> String {
        #"{"issuerInfo":[{"issuer":{"iss":"https://issuer.example/shc","name":"A"},"keys":[\#(keys)]}]}"#
    }

    @Test(
        arguments: [
            (#"{"iss":"https://issuer.example/shc","name":"A"}"#, []),
            (#"{"iss":"https://other.example","name":"B"}"#, ["issuer-not-trusted/live-issuer"]),
            (#"{"iss":"https://issuer.example/shc/","name":"A"}"#, ["issuer-not-trusted/live-issuer"]),
            (#"{"iss":"https://issuer.example/shc"}"#, ["issuer-directory-mismatch/name"]),
            (#"{"iss":"https://issuer.example/shc","name":" "}"#, ["issuer-directory-mismatch/name"]),
            (
                #"{"iss":"https://issuer.example/shc","name":"A","canonical_iss":"https://other.example"}"#,
                ["issuer-directory-mismatch/canonical-issuer"]
            ),
            (
                #"{"iss":"https://issuer.example/shc","name":"A","canonical_iss":"https://issuer.example/shc"}"#,
                ["issuer-directory-mismatch/canonical-issuer"]
            ),
            (
                #"{"iss":"https://issuer.example/shc","name":"A","canonical_iss":"other"},{"iss":"other"}"#,
                ["issuer-directory-mismatch/canonical-issuer"]
            ),
            (
                #"{"iss":"https://issuer.example/shc","name":"A","canonical_iss":"https://other.example"},"#
                    + #"{"iss":"https://other.example","name":"B"}"#, []
            ),
        ] as [(String, [String])])
    func comparesWithTheDirectory(entries: String, ids: [String]) throws {
        #expect(try Self.ids(Self.issuer(), directories: [Self.directory(entries)]) == ids)
    }

    @Test(
        arguments: [
            (#"{"kid":"a","x":"1","y":"2","date":"3"}"#, []), ("", ["lacks"]),
            (#"{"kid":"b","x":"1","y":"2"}"#, ["lacks", "no longer"]),
            (#"{"kid":"a","x":"1","y":"3"}"#, ["another key"]),
            (#"{"kid":"a","x":"1","y":"2"},{"kid":"b","x":"1","y":"2"}"#, ["no longer"]),
        ])
    func comparesWithTheSnapshot(keys: String, words: [String]) throws {
        let answers = Self.issuer(Self.answer(#"{"keys":[{"kid":"a","x":"1","y":"2"}]}"#))
        let findings = try Self.findings(answers, directories: [Self.snapshot(keys)])
        #expect(findings.map(\.rule.id) == words.map { _ in "issuer-directory-mismatch/keys" })
        for (finding, word) in zip(findings, words) {
            #expect(finding.severity == .warning && finding.message.contains(word), "\(finding.message)")
        }
    }

    // MARK: What was published

    @Test func lintsPublishedKeySetsAndLists() throws {
        // Findings in a document have its URL as their source, and the linter's policy keeps its own issuer.
        var policy = LintPolicy(now: NumericDate(sinceEpoch: .zero))
        policy.issuer = Issuer(unchecked: "https://other.example")
        var linter = try Linter(policy: policy)
        let answers = Self.listing(Self.list(Self.goodList))
        linter.add(answers)
        #expect(linter.policy.issuer == policy.issuer)
        let sources = Set([answers.issuer.url, answers.keySet.url, answers.lists[0].answer.url])
        #expect(linter.findings.allSatisfy { sources.contains($0.source) })
    }

    @Test func messagesAboutHostileServersArePrintable() throws {
        let texts = ["\u{1B}[31m", String(repeating: "x", count: 100_000), "\"\\", "é\u{301}"]
        for text in texts {
            let headers = Dictionary(
                uniqueKeysWithValues: ["access-control-allow-origin", "content-type", "cache-control", "vary"].map {
                    ($0, Optional(text))
                })
            let answers = Self.issuer(
                Self.answer(#"{"keys":[{"kid":1},[],null,{"kid":"\u0007","crlVersion":{}}]}"#, headers: headers),
                lists: [
                    .init(keyID: KeyID(text), answer: Self.list(#"{"kid":"\u001b[0m","ctr":[]}"#, headers: headers))
                ])
            #expect(!(try Self.findings(answers).isEmpty))
        }
    }
}
