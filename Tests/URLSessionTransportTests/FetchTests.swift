import Foundation
import HTTPSFetch
import TestSupport
import Testing

/// The requests of `shcverify-fetch`, the certificates it trusts and the addresses it contacts.
@Suite(.timeLimit(.minutes(30)))
struct FetchTests {
    private let issuer: TestIssuer

    init() throws {
        issuer = try TestIssuers.shared()
    }

    private func get(
        _ url: String, environment: [String: String] = [:], allowsPrivateNetwork: Bool = true,
        authorities: String? = nil,
        entityTag: String? = nil, lastModified: String? = nil, origin: String? = nil, tls: TLSVersions = .standard,
        maximumRedirects: Int = 3
    ) async throws(TransportFailure) -> HTTPResponse {
        let fetcher = FetchProcess(executable: BuiltProduct.path(of: "shcverify-fetch"), environment: environment)
        return try await fetcher.send(
            HTTPRequest(
                url: url, timeout: .seconds(600), maximumBodySize: 1 << 20, allowsPrivateNetwork: allowsPrivateNetwork,
                certificateAuthorityFile: authorities ?? issuer.authorityFile, entityTag: entityTag,
                lastModified: lastModified, origin: origin, tls: tls, maximumRedirects: maximumRedirects))
    }

    @Test func sendsOnlyTheFixedHeaderFields() async throws {
        let path = TestIssuers.keys + "?sendsNothing"
        _ = try await get(issuer.url(path, host: "127.0.0.1"))
        let request = try #require(try issuer.requests(for: path).first)
        #expect(request.method == "GET")
        #expect(
            request.headers == [
                "Host": "127.0.0.1:\(issuer.port())", "User-Agent": UserAgent.value, "Accept": "application/json",
                "Accept-Encoding": "gzip",
            ])
    }

    // MARK: POST

    private func post(_ url: String, _ body: String) async throws(TransportFailure) -> HTTPResponse {
        let fetcher = FetchProcess(executable: BuiltProduct.path(of: "shcverify-fetch"), environment: [:])
        return try await fetcher.send(
            HTTPRequest(
                url: url, method: .post(.init(Array(body.utf8), mediaType: "application/json")), timeout: .seconds(600),
                maximumBodySize: 1 << 20, allowsPrivateNetwork: true, certificateAuthorityFile: issuer.authorityFile))
    }

    @Test(arguments: [
        "", "{\"recipient\":\"a\\nb – ü\"}\n\n", String(repeating: "a", count: HTTPRequest.largestSentBody),
    ])
    func postsABodyOnce(_ body: String) async throws {
        let path = TestIssuers.keys + "?posts\(body.utf8.count)"
        #expect(try await post(issuer.url(path, host: "127.0.0.1"), body).status == 200)
        let requests = try issuer.requests(for: path)
        #expect(requests.map(\.method) == ["POST"])
        #expect(requests.map(\.body) == [body])
        #expect(
            requests.first?.headers == [
                "Host": "127.0.0.1:\(issuer.port())", "User-Agent": UserAgent.value, "Accept": "application/json",
                "Accept-Encoding": "gzip", "Content-Type": "application/json", "Content-Length": "\(body.utf8.count)",
            ])
    }

    @Test func sendsNoBodyThatIsTooLarge() async throws {
        let path = TestIssuers.keys + "?tooLarge"
        await #expect(throws: TransportFailure.self) {
            try await post(issuer.url(path), String(repeating: "a", count: HTTPRequest.largestSentBody + 1))
        }
        #expect(try issuer.requests(for: path).isEmpty)
    }

    /// The body is meant for one server. A redirect that keeps the body may lead only to another place on that server.
    @Test(arguments: [301, 302, 303, 307, 308])
    func postsAgainOnlyOnTheSameServer(_ status: Int) async throws {
        let place = TestIssuers.keys + "?moved\(status)"
        let url = issuer.url("/moved-\(status)\(place)")
        if status >= 307 {
            let response = try await post(url, "{}")
            #expect(response.status == 200 && response.redirects == [issuer.url(place)])
            #expect(try issuer.requests(for: place).filter { $0.path == place }.map(\.body) == ["{}"])
        } else {
            await #expect { _ = try await post(url, "{}") } throws: { ($0 as? TransportFailure)?.kind == .redirect }
            #expect(try issuer.requests(for: place).allSatisfy { $0.path != place })
        }
        let away = TestIssuers.keys + "?away\(status)"
        await #expect {
            _ = try await post(issuer.url("/moved-away-\(status)\(away)"), "{}")
        } throws: {
            ($0 as? TransportFailure)?.kind == .redirect
        }
        #expect(try issuer.requests(for: away).allSatisfy { $0.path != away })
    }

    @Test func sendsTheGivenValidators() async throws {
        let path = "/cached\(TestIssuers.keys)?revalidates"
        let first = try await get(issuer.url(path))
        let tag = try #require(first.headers["etag"])
        #expect(first.headers["cache-control"] == "max-age=60")
        #expect(first.headers["access-control-allow-origin"] == "*")
        #expect(first.headers["x-other"] == nil)
        let second = try await get(
            issuer.url(path), entityTag: tag, lastModified: first.headers["last-modified"])
        #expect(second.status == 304)
        #expect(second.body.isEmpty)
        let sent = try issuer.requests(for: path)
        #expect(sent.count == 2)
        #expect(sent.last?.headers["If-None-Match"] == tag)
        #expect(sent.last?.headers["If-Modified-Since"] == "Sat, 21 Nov 2026 06:00:00 GMT")
    }

    @Test func sendsNoHeaderThatAServerMadeUp() async throws {
        let path = TestIssuers.keys + "?injected"
        _ = try await get(
            issuer.url(path), entityTag: "\"a\"\r\nX-Injected: yes", lastModified: "ü",
            origin: "https://a.example\r\nX-Injected: yes")
        let request = try #require(try issuer.requests(for: path).first)
        #expect(request.headers["If-None-Match"] == nil && request.headers["If-Modified-Since"] == nil)
        #expect(request.headers["X-Injected"] == nil && request.headers["Origin"] == nil)
    }

    @Test func sendsNoCookieAfterARedirect() async throws {
        _ = try await get(issuer.url("/redirect-1/cookie\(TestIssuers.keys)?cookie"))
        #expect(try issuer.requests(for: "?cookie").allSatisfy { $0.headers["Cookie"] == nil })
    }

    @Test func sendsTheGivenOrigin() async throws {
        let path = TestIssuers.keys + "?origin"
        _ = try await get(issuer.url("/redirect-1\(path)"), origin: "https://verifier.example")
        #expect(
            try issuer.requests(for: "?origin").map { $0.headers["Origin"] }
                == ["https://verifier.example", "https://verifier.example"])
    }

    // MARK: Redirects

    @Test func reportsTheRedirects() async throws {
        #expect(try await get(issuer.url(TestIssuers.keys)).redirects.isEmpty)
        let response = try await get(issuer.url("/redirect-3\(TestIssuers.keys)"))
        #expect(
            response.redirects
                == ["/redirect-2", "/redirect-1", ""].map { issuer.url("\($0)\(TestIssuers.keys)") })
    }

    @Test(arguments: [(0, 0), (0, 1), (1, 1), (1, 2), (2, 3)])
    func followsNoMoreRedirectsThanAllowed(allowed: Int, redirects: Int) async throws {
        let path = (redirects == 0 ? "" : "/redirect-\(redirects)") + TestIssuers.keys
        do throws(TransportFailure) {
            let response = try await get(issuer.url(path), maximumRedirects: allowed)
            #expect(redirects <= allowed && response.redirects.count == redirects)
        } catch {
            #expect(redirects > allowed && error.kind == .redirect)
        }
    }

    // MARK: TLS

    /// The versions that each port accepts.
    private static let accepted: [TLSVersions: Set<String>] = [
        .standard: ["good", "tls11and12", "tls13"], .only13: ["good", "tls13"], .only12: ["good", "tls11and12"],
        .legacy: ["tls11", "tls11and12"],
    ]

    @Test(arguments: TLSVersions.allCases, ["good", "tls11", "tls11and12", "tls13"])
    func offersOnlyTheGivenVersionsOfTLS(versions: TLSVersions, port: String) async throws {
        let isAccepted = Self.accepted[versions]?.contains(port) == true
        do throws(TransportFailure) {
            let response = try await get(issuer.url(TestIssuers.keys, port: port), tls: versions)
            #expect(isAccepted && response.status == 200)
        } catch {
            #expect(!isAccepted && error.kind == .tls, "\(error.message)")
        }
    }

    @Test(arguments: [TLSVersions.standard, .only13, .only12, .legacy])
    func checksCertificatesWithEachVersionOfTLS(versions: TLSVersions) async throws {
        let port = versions == .legacy ? "tls11" : "good"
        let fetcher = FetchProcess(executable: BuiltProduct.path(of: "shcverify-fetch"), environment: [:])
        let failure = await #expect(throws: TransportFailure.self) {
            try await fetcher.send(
                HTTPRequest(
                    url: issuer.url(TestIssuers.keys, port: port), timeout: .seconds(600), maximumBodySize: 1000,
                    allowsPrivateNetwork: true, tls: versions))
        }
        #expect(failure?.kind == .certificate)
    }

    // MARK: Certificates

    @Test func trustsNoUnknownAuthority() async throws {
        let fetcher = FetchProcess(executable: BuiltProduct.path(of: "shcverify-fetch"), environment: [:])
        let failure = await #expect(throws: TransportFailure.self) {
            try await fetcher.send(
                HTTPRequest(
                    url: issuer.url(TestIssuers.keys), timeout: .seconds(600), maximumBodySize: 1000,
                    allowsPrivateNetwork: true))
        }
        #expect(failure?.kind == .certificate)
        #expect(failure?.message.contains("not trusted here") == true)
    }

    @Test(arguments: ["/nowhere.pem", "/dev/null", "/etc/passwd", "/"])
    func saysThatTheAuthoritiesCannotBeUsed(file: String) async throws {
        let failure = await #expect(throws: TransportFailure.self) {
            try await get(issuer.url(TestIssuers.keys), authorities: file)
        }
        #expect(failure?.kind == .certificateAuthorities)
    }

    // MARK: Addresses

    @Test func refusesAnAddressThatANameResolvesTo() async throws {
        // The name of this machine resolves to a loopback or a private address.
        let host = ProcessInfo.processInfo.hostName
        let url = issuer.url(TestIssuers.keys + "?resolved", host: host)
        let failure = await #expect(throws: TransportFailure.self) { try await get(url, allowsPrivateNetwork: false) }
        #expect(failure?.kind == .refusedAddress, "\(host): \(failure?.message ?? "")")
        #expect(failure?.message.contains("private") == true && failure?.message.contains("loopback") == true)
        #expect(try issuer.requests(for: "?resolved").isEmpty)
    }

    @Test func saysThatANameDoesNotExist() async throws {
        let failure = await #expect(throws: TransportFailure.self) { try await get("https://nowhere.invalid/") }
        #expect(failure?.kind == .unresolvedName)
    }

    @Test(arguments: ["[::1]", "[2606:4700::1111]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433"])
    func saysWhyAnAddressInAnUnusualNotationIsNotFetched(host: String) async throws {
        let failure = await #expect(throws: TransportFailure.self) {
            try await get(issuer.url(TestIssuers.keys, host: host))
        }
        #expect(failure?.kind == .connection)
        #expect(failure?.message.contains(host.hasPrefix("[") ? "IPv6 address" : "IPv4 address 127.0.0.1") == true)
        let refused = await #expect(throws: TransportFailure.self) {
            try await get(issuer.url(TestIssuers.keys, host: "[::1]"), allowsPrivateNetwork: false)
        }
        #expect(refused?.kind == .refusedAddress)
    }

    // MARK: Proxies

    private var proxy: [String: String] { ["https_proxy": "http://127.0.0.1:\(issuer.port("proxy"))"] }

    @Test func usesAProxyOnThePrivateNetwork() async throws {
        let url = issuer.url(TestIssuers.keys + "?proxied", host: "issuer.test")
        #expect(try await get(url, environment: proxy, allowsPrivateNetwork: false).status == 200)
        #expect(try issuer.requests(for: "issuer.test:\(issuer.port())").contains { $0.method == "CONNECT" })
        let request = try #require(try issuer.requests(for: "?proxied").first)
        #expect(request.headers["Proxy-Connection"] == nil)
    }

    @Test(
        arguments: [
            ("redirect-private", "10.0.0.1 is a private address"), ("redirect-loopback", "0x7f.1 stands for 127.0.0.1"),
        ])
    func refusesARedirectToAPrivateAddress(behaviour: String, words: String) async throws {
        let url = issuer.url("/\(behaviour)\(TestIssuers.keys)", host: "issuer.test")
        let failure = await #expect(throws: TransportFailure.self) {
            try await get(url, environment: proxy, allowsPrivateNetwork: false)
        }
        #expect(failure?.kind == .refusedAddress)
        #expect(failure?.message.contains(words) == true)
        #expect(try issuer.requests(for: "10.0.0.1").isEmpty && issuer.requests(for: "0x7f.1").isEmpty)
    }

    @Test(arguments: ["http://u:a%0Ab@127.0.0.1:1", "http://%1f@127.0.0.1:1", "%00@127.0.0.1:1"])
    func contactsNobodyIfLibcurlWouldIgnoreTheProxy(proxy: String) async throws {
        let url = issuer.url(TestIssuers.keys + "?disregarded", host: ProcessInfo.processInfo.hostName)
        let failure = await #expect(throws: TransportFailure.self) {
            try await get(url, environment: ["https_proxy": proxy], allowsPrivateNetwork: false)
        }
        #expect(failure?.kind == .connection)
        #expect(failure?.message.contains("proxy") == true)
        #expect(try issuer.requests(for: "?disregarded").isEmpty)
    }

    @Test func theNoProxyVariableExemptsTheHost() async throws {
        let url = issuer.url(TestIssuers.keys, host: "issuer.test")
        let environment = proxy.merging(["no_proxy": "test"]) { $1 }
        let failure = await #expect(throws: TransportFailure.self) { try await get(url, environment: environment) }
        #expect(failure?.kind == .unresolvedName)
    }

    @Test func blamesTheProxyForItsFailures() async throws {
        for (environment, url) in [
            (proxy, "https://forbidden.test/"),
            (["https_proxy": "http://127.0.0.1:\(issuer.port("closed"))"], "https://issuer.test/"),
            (["https_proxy": "http://nowhere.invalid:1"], "https://issuer.test/"),
        ] {
            let failure = await #expect(throws: TransportFailure.self) { try await get(url, environment: environment) }
            #expect(failure?.kind == .connection)
        }
    }

    @Test func keepsTheProxysPasswordSecret() async throws {
        let (open, closed) = (issuer.port("proxy"), issuer.port("closed"))
        for proxy in [
            "foo://u:Secret@127.0.0.1:\(open)", "http://u:Secret@[::1:\(open)", "http://u:Secret@127.0.0.1:99999",
            "http://u:Secret@127.0.0.1:\(open)/a b", "http://u:Secret@", "http://u:Secret@ho st:1",
            "http://u:Secret@127.0.0.1:\(closed)", "http://u:Secret@nowhere.invalid:1",
            "http://Secret:1%00@127.0.0.1:1",
            "socks5://u:Secret@127.0.0.1:\(closed)", "https://u:Secret@127.0.0.1:\(open)",
        ] {
            let failure = await #expect(throws: TransportFailure.self) {
                try await get("https://issuer.test/", environment: ["https_proxy": proxy])
            }
            #expect(failure?.message.contains("Secret") == false, "\(failure?.message ?? "")")
            #expect(
                failure.map { [.connection, .tls].contains($0.kind) } == true, "\(proxy): \(failure?.message ?? "")")
        }
    }

    // MARK: The process

    @Test func diesWithItsParent() async throws {
        let directory = try TemporaryDirectory()
        let request = HTTPRequest(
            url: issuer.url("/silent/parent"), timeout: .seconds(600), maximumBodySize: 1000,
            allowsPrivateNetwork: true,
            certificateAuthorityFile: issuer.authorityFile)
        let file = try directory.write(String(decoding: request.wireForm, as: UTF8.self), to: "request")
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", #""$0" < "$1" > /dev/null & echo $!; read go; kill -KILL $$"#,
            BuiltProduct.path(of: "shcverify-fetch"), file,
        ]
        let output = Pipe()
        shell.standardOutput = output
        let input = Pipe()
        shell.standardInput = input
        try shell.run()
        let number = try #require(
            Int(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).dropLast()))
        // A process that has sent its request has already asked to be told when its parent ends.
        #expect(try await eventually { try issuer.requests(for: "/silent/parent").count == 1 })
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        shell.waitUntilExit()
        // If nobody waits for the process, it stays in the table of processes without a command line.
        let commandLine = URL(fileURLWithPath: "/proc/\(number)/cmdline")
        #expect(try await eventually { (try? Data(contentsOf: commandLine))?.isEmpty ?? true })
    }

    @Test(arguments: [[], ["--help"]])
    func saysWhatItIsFor(arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "shcverify-fetch"))
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let words = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        #expect(words.split(separator: UInt8(ascii: "\n")).count == 1)
        #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
    }
}
