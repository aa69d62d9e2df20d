import Testing

@testable import HTTPSFetch

struct EnvironmentProxyTests {
    private func proxy(_ environment: [String: String], for host: String = "keys.issuer.example") throws -> String? {
        try EnvironmentProxy(environment).proxy(for: try HTTPSURL("https://\(host)/"))
    }

    @Test func asksInTheOrderOfLibcurl() throws {
        #expect(try proxy([:]) == nil)
        #expect(try proxy(["http_proxy": "a", "HTTP_PROXY": "b"]) == nil)
        #expect(try proxy(["ALL_PROXY": "d"]) == "d")
        #expect(try proxy(["all_proxy": "c", "ALL_PROXY": "d"]) == "c")
        #expect(try proxy(["HTTPS_PROXY": "b", "all_proxy": "c"]) == "b")
        #expect(try proxy(["https_proxy": "a", "HTTPS_PROXY": "b"]) == "a")
        #expect(try proxy(["https_proxy": "", "HTTPS_PROXY": "b"]) == nil)
    }

    @Test(arguments: [
        ("http://proxy.example:3128", "proxy.example:3128"), ("proxy.example:3128/", "proxy.example:3128"),
        ("http://user:secret@proxy.example:3128/x", "proxy.example:3128"),
        ("user:secret@proxy.example", "proxy.example"),
        ("http://user:se/cr@et@proxy.example:1", "proxy.example:1"),
        ("socks5h://[2001:db8::7]:1080", "[2001:db8::7]:1080"),
        ("http://proxy.example?secret", "proxy.example"),
    ])
    func addressOfAProxyHasNoPassword(proxy: String, address: String) {
        #expect(EnvironmentProxy.address(ofProxy: proxy) == address)
    }

    @Test(
        arguments: [
            ("*", "keys.issuer.example"), ("issuer.example", "keys.issuer.example"),
            (".issuer.example", "keys.issuer.example"),
            ("issuer.example", "issuer.example"), (".issuer.example", "issuer.example"),
            ("a, ISSUER.example ,b", "keys.issuer.example"),
            ("issuer.example.", "keys.issuer.example"), ("issuer.example", "KEYS.issuer.example."),
            ("a b example", "issuer.example"),
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.0/24", "192.0.2.200"), ("192.0.0.0/14", "192.3.1.1"),
            ("2001:db8::/32", "[2001:db8::7]"), ("2001:db8::7", "[2001:db8:0::7]"), ("0.0.0.0/0", "1.2.3.4"),
        ])
    func exempts(list: String, host: String) throws {
        #expect(try proxy(["https_proxy": "p", "no_proxy": list], for: host) == nil)
        #expect(try proxy(["https_proxy": "p", "NO_PROXY": list], for: host) == nil)
    }

    @Test(
        arguments: [
            ("", "keys.issuer.example"), ("issuer", "keys.issuer.example"), ("suer.example", "issuer.example"),
            ("keys.issuer.example", "issuer.example"), ("a,*", "issuer.example"), (".", "issuer.example"),
            (",,", "issuer.example"),
            ("192.0.2.0/24", "192.0.3.1"), ("192.0.2.0/33", "192.0.2.0"), ("192.0.2.0/x", "192.0.2.0"),
            ("2001:db8::/32", "32.1.13.184"),
            ("192.0.2.1", "192.0.2.10"),
        ])
    func doesNotExempt(list: String, host: String) throws {
        #expect(try proxy(["https_proxy": "p", "no_proxy": list], for: host) == "p")
    }
}
