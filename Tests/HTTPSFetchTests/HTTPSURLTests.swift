import Credentials
import Cryptography
import SMARTHealthCards
import Testing

@testable import HTTPSFetch

struct HTTPSURLTests {
    @Test(
        arguments: [
            ("https://issuer.example/keys", "issuer.example", "https://issuer.example/keys"),
            ("HTTPS://Issuer.Example", "Issuer.Example", "https://Issuer.Example/"),
            ("https://issuer.example?a=b", "issuer.example", "https://issuer.example/?a=b"),
            ("https://issuer.example:8443/a%20b#c", "issuer.example", "https://issuer.example:8443/a%20b"),
            ("https://[2001:db8::1]:1/", "[2001:db8::1]", "https://[2001:db8::1]:1/"),
            ("https://127.1/", "127.1", "https://127.1/"),
            ("https://a_b.issuer.example./", "a_b.issuer.example.", "https://a_b.issuer.example./"),
            ("https://issuer.example/a@b:c", "issuer.example", "https://issuer.example/a@b:c"),
        ])
    func takesPlainURLs(url: String, host: String, text: String) throws {
        let url = try HTTPSURL(url)
        #expect(url.host == host)
        #expect(url.text == text)
    }

    @Test func acceptsTheURLsOfTheLongestIssuer() throws {
        let issuer = try Issuer("https://issuer.example/" + String(repeating: "a", count: 2048 - 23))
        let list = RevocationListName(issuer: issuer, keyID: KeyID(String(repeating: "/", count: 256)))
        for url in [issuer.keySetURL, list.url] {
            #expect(try HTTPSURL(url).text == url)
            let text = String(repeating: "\"", count: FetchAnswer.maximumHeaderLength)
            let request = HTTPRequest(
                url: url, timeout: .seconds(1), maximumBodySize: 1,
                certificateAuthorityFile: "/" + String(repeating: "a", count: 4095), entityTag: text, lastModified: text
            )
            #expect(request.wireForm.count <= HTTPRequest.maximumWireSize)
            let headers = Dictionary(uniqueKeysWithValues: FetchAnswer.keptHeaders.map { ($0, text) })
            let response = HTTPResponse(status: 200, headers: headers, redirects: [url, url, url])
            #expect(FetchAnswer.line(for: .success(response)).count <= FetchAnswer.maximumLineLength)
        }
    }

    @Test(
        arguments: [
            "", "issuer.example", "http://issuer.example/", "file:///etc/passwd", "https:issuer.example",
            "https:///keys", "https://issuer.example/a\\b", "https://issuer.example?a\\b",
            "https://", "https://#", "https://user@issuer.example/", "https://user:word@issuer.example/",
            "https://issuer.example@evil.example/", "https://issuer.example\\@evil.example/", "https://issuer example/",
            "https://issuer.example/a b", "https://issuer.example/\r\nX: y", "https://issuer.example/ü",
            "https://isſuer.example/", "https://１２７.0.0.1/", "https://%31%32%37.0.0.1/", "https://issuer..example/",
            "https://.example/", "https://issuer.example:0/", "https://issuer.example:65536/",
            "https://issuer.example:-1/", "https://issuer.example:8a/", "https://[::1", "https://[::1]x/",
            "https://[fe80::1%25eth0]/",
            "https://::1/", "https://issuer*.example/", "https://" + String(repeating: "a", count: 64) + ".example/",
            "https://issuer.example/" + String(repeating: "a", count: 5120),
        ])
    func rejectsURLsThatParsersCouldReadDifferently(url: String) {
        #expect { try HTTPSURL(url) } throws: { ($0 as? TransportFailure)?.kind == .invalidURL }
    }
}
