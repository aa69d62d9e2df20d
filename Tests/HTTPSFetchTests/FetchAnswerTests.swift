import Encodings
import Processes
import Testing

@testable import HTTPSFetch

struct FetchAnswerTests {
    private func read(_ text: String, limit: Int = 100) throws(TransportFailure) -> HTTPResponse {
        try FetchAnswer.read(Array(text.utf8), maximumBodySize: limit)
    }

    @Test(arguments: [[], Array("{}\n{}".utf8), [0, 255, 10, 13], Array(repeating: UInt8(ascii: "\n"), count: 100)])
    func carriesAResponse(body: [UInt8]) throws {
        let response = HTTPResponse(
            status: 200, headers: ["etag": "\"a\\b\"", "cache-control": "max-age=1"], body: body)
        let bytes = FetchAnswer.line(for: .success(response)) + response.body
        #expect(try FetchAnswer.read(bytes, maximumBodySize: 100) == response)
    }

    @Test func carriesRedirects() throws {
        let response = HTTPResponse(
            status: 404, headers: ["vary": "Origin"], redirects: ["https://a.example/", "https://b.example:8443/x?y"])
        #expect(try FetchAnswer.read(FetchAnswer.line(for: .success(response)), maximumBodySize: 0) == response)
    }

    @Test(arguments: TransportFailure.Kind.allCases)
    func carriesAFailure(kind: TransportFailure.Kind) {
        let failure = TransportFailure(kind, "the words, in \"quotes\" – and ünicode")
        let bytes = FetchAnswer.line(for: .failure(failure))
        #expect(throws: failure) { try FetchAnswer.read(bytes, maximumBodySize: 100) }
    }

    @Test(
        arguments: [
            "", "\n", "{}\n", "[]\n", "nonsense\n", "{\"status\":200}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0}",  // no line feed
            "{\"status\":200,\"headers\":{},\"bodyLength\":1}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0}\nx",
            "{\"status\":200,\"headers\":{},\"bodyLength\":-1}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0.0}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":\"0\"}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":9223372036854775807}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":9223372036854775808}\n",
            "{\"status\":200,\"headers\":[],\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{\"set-cookie\":\"a\"},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{\"etag\":1},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{\"etag\":\"a\\u0000\"},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{\"etag\":\"a\\r\\nb\"},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{\"etag\":[\"a\"]},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{\"etag\":\"a\",\"etag\":\"b\"},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"more\":0}\n",
            "{\"status\":200,\"status\":200,\"headers\":{},\"bodyLength\":0}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"redirects\":[]}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"redirects\":\"https://a/\"}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"redirects\":[1]}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"redirects\":[\"http://a/\"]}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"redirects\":[\"https://a/\\u001b\"]}\n",
            "{\"status\":200,\"headers\":{},\"bodyLength\":0,\"redirects\":[\"https://a/\",\"https://a/\","
                + "\"https://a/\",\"https://a/\"]}\n",
            "{\"status\":199,\"headers\":{},\"bodyLength\":0}\n", "{\"status\":600,\"headers\":{},\"bodyLength\":0}\n",
            "{\"status\":\"200\",\"headers\":{},\"bodyLength\":0}\n",
            "{\"failure\":\"timeout\"}\n", "{\"failure\":\"nonsense\",\"message\":\"a\"}\n",
            "{\"failure\":\"timeout\",\"message\":\"a\\u001b[31m\"}\n",
            "{\"failure\":\"timeout\",\"message\":\"a\\nb\"}\n",
            "{\"failure\":\"timeout\",\"message\":1}\n", "{\"failure\":null,\"message\":\"a\"}\n",
        ])
    func refusesAnythingElse(text: String) {
        #expect(throws: FetchAnswer.malformed) { try read(text) }
    }

    @Test func limitsEachPart() {
        #expect(throws: FetchAnswer.malformed) {
            try read("{\"failure\":\"tls\",\"message\":\"\(String(repeating: "a", count: 1025))\"}\n")
        }
        #expect(throws: FetchAnswer.malformed) {
            let value = String(repeating: "a", count: 4097)
            _ = try read("{\"status\":200,\"headers\":{\"etag\":\"\(value)\"},\"bodyLength\":0}\n")
        }
        #expect(throws: FetchAnswer.malformed) {
            try read(
                String(repeating: " ", count: FetchAnswer.maximumLineLength)
                    + "{\"failure\":\"tls\",\"message\":\"\"}\n")
        }
        #expect(throws: FetchAnswer.malformed) { try read(String(repeating: "[", count: 60_000) + "\n") }
        #expect { try read("{\"status\":200,\"headers\":{},\"bodyLength\":5}\n12345", limit: 4) } throws: {
            ($0 as? TransportFailure)?.kind == .tooLarge
        }
    }

    @Test func keepsTheRequest() throws {
        let request = HTTPRequest(
            url: "https://issuer.example/\"ü\"", timeout: .milliseconds(1500), maximumBodySize: 1 << 20,
            allowsPrivateNetwork: true, certificateAuthorityFile: "/tmp/a b", entityTag: "\"x\"", lastModified: "now",
            origin: "https://a.example", tls: .legacy, maximumRedirects: 1)
        #expect(HTTPRequest(wireForm: request.wireForm) == request)
        let plain = HTTPRequest(url: "https://issuer.example/", timeout: .seconds(10), maximumBodySize: 0)
        #expect(HTTPRequest(wireForm: plain.wireForm) == plain)
        #expect(plain.tls == .standard && plain.origin == nil && plain.maximumRedirects == 3)
    }

    @Test(arguments: [[], Array("{}\n\u{0}".utf8), [UInt8](repeating: 0xFF, count: HTTPRequest.largestSentBody)])
    func keepsThePostedBody(content: [UInt8]) throws {
        let request = HTTPRequest(
            url: "https://issuer.example/", method: .post(.init(content, mediaType: "text/plain")),
            timeout: .seconds(1),
            maximumBodySize: 0)
        #expect(HTTPRequest(wireForm: request.wireForm) == request)
        #expect(HTTPRequest(wireForm: request.wireForm + [0]) == nil)
        #expect(content.isEmpty || HTTPRequest(wireForm: Array(request.wireForm.dropLast())) == nil)
    }

    /// The line of JSON could be quoted in a message, so the token is not in it.
    @Test func keepsTheAccessTokenBesideTheLine() throws {
        var token = Array("secret-token".utf8)
        let request = HTTPRequest(
            url: "https://issuer.example/", method: .post(.init([1, 2, 3])), timeout: .seconds(1), maximumBodySize: 0,
            bearerToken: SecretBytes(&token))
        #expect(token.isEmpty)
        let bytes = request.wireForm
        #expect(HTTPRequest(wireForm: bytes) == request)
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #expect(!"\(line) \(request) \(String(reflecting: request))".contains("secret-token"))
        for length in ["-1", "0", "11", "13", "16", "9223372036854775807", "1e99", "\"12\"", "null"] {
            let changed = line.replacing("\"tokenLength\":12", with: "\"tokenLength\":\(length)")
            #expect(changed != line)
            #expect(HTTPRequest(wireForm: Array(changed.utf8) + bytes.dropFirst(line.utf8.count)) == nil, "\(length)")
        }
    }

    @Test func requestsDifferIfTheirTokensDo() throws {
        let requests = ["secret-token", "secret-tokem", "secret", ""].map { text in
            var token = Array(text.utf8)
            return HTTPRequest(
                url: "https://issuer.example/", timeout: .seconds(1), maximumBodySize: 0,
                bearerToken: text.isEmpty ? nil : SecretBytes(&token))
        }
        for (place, request) in requests.enumerated() {
            #expect(requests.firstIndex(of: request) == place)
            #expect(HTTPRequest(wireForm: request.wireForm) == request)
        }
    }

    @Test func readsNoBodyThatIsTooLargeOrWithoutLength() {
        let plain = HTTPRequest(url: "https://issuer.example/", timeout: .seconds(1), maximumBodySize: 0)
        #expect(HTTPRequest(wireForm: plain.wireForm + [0x41]) == nil)
        var large = plain
        large.method = .post(.init([UInt8](repeating: 0, count: HTTPRequest.largestSentBody + 1)))
        #expect(HTTPRequest(wireForm: large.wireForm) == nil)
    }

    @Test(arguments: [(-1, 0), (4, 3), (Int.max, 3)])
    func boundsTheRedirects(wanted: Int, followed: Int) {
        let request = HTTPRequest(
            url: "https://issuer.example/", timeout: .seconds(1), maximumBodySize: 0, maximumRedirects: wanted)
        #expect(HTTPRequest(wireForm: request.wireForm)?.maximumRedirects == followed)
    }

    @Test func readsNoRequestWithAnUnknownVersionOfTLS() {
        let request = HTTPRequest(url: "https://issuer.example/", timeout: .seconds(1), maximumBodySize: 0)
        let text = String(decoding: request.wireForm, as: UTF8.self)
        for other in [#""tls":"none""#, #""tls":null"#, #""tls":1"#] {
            let changed = text.replacing(#""tls":"standard""#, with: other)
            #expect(changed != text && HTTPRequest(wireForm: Array(changed.utf8)) == nil)
        }
    }

    @Test(arguments: ["", "{}", "[]", "{\"url\":\"https://a/\"}", "null"])
    func rejectsBytesThatAreNotARequest(text: String) {
        #expect(HTTPRequest(wireForm: Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            (Duration.seconds(10), 10_000, "10 seconds"), (.seconds(1), 1000, "1 second"), (.zero, 0, "0 seconds"),
            (.milliseconds(1500), 1500, "1.5 seconds"), (.milliseconds(50), 50, "0.05 seconds"),
            (.nanoseconds(1), 1, "0.001 seconds"), (.milliseconds(1990), 1990, "1.99 seconds"),
            (.seconds(Int64.max), 86_400_000, "86400 seconds"),
        ])
    func saysDurations(duration: Duration, milliseconds: Int, words: String) {
        #expect(duration.milliseconds == milliseconds)
        #expect(duration.inSeconds == words)
    }
}
