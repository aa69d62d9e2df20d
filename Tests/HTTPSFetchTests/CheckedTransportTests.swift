import Testing

@testable import HTTPSFetch

/// The limits that hold for the transport of any program, which may make no check of its own.
struct CheckedTransportTests {
    /// Gives one answer to every request.
    private struct GivenAnswer: Transport {
        var checksAddresses = false
        let response: HTTPResponse

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { response }
    }

    private func send(
        _ response: HTTPResponse, from url: String = "https://issuer.example/keys", checksAddresses: Bool = false,
        maximumRedirects: Int = 2, allowedOrigins: [String]? = nil, allowsPrivateNetwork: Bool = false
    ) async throws(TransportFailure) -> HTTPResponse {
        try await GivenAnswer(checksAddresses: checksAddresses, response: response).sendChecked(
            HTTPRequest(
                url: url, timeout: .seconds(1), maximumBodySize: 4, allowsPrivateNetwork: allowsPrivateNetwork,
                allowedOrigins: allowedOrigins, errorBodySize: 8, maximumRedirects: maximumRedirects))
    }

    private func expectFailure(
        _ kind: TransportFailure.Kind, _ body: () async throws -> HTTPResponse
    ) async {
        let failure = await #expect(throws: TransportFailure.self) { _ = try await body() }
        #expect(failure?.kind == kind, "\(failure?.message ?? "")")
    }

    private let good = HTTPResponse(status: 200, body: [1, 2, 3, 4])

    @Test func refusesAnAddressBeforeTheRequest() async throws {
        #expect(try await send(good) == good)
        await expectFailure(.refusedAddress) { try await send(good, from: "https://127.0.0.1/") }
        await expectFailure(.refusedAddress) { try await send(good, from: "https://localhost/") }
        await expectFailure(.invalidURL) { try await send(good, from: "http://issuer.example/") }
        #expect(try await send(good, from: "https://127.0.0.1/", allowsPrivateNetwork: true) == good)
    }

    @Test func contactsOnlyAllowedOrigins() async throws {
        let own = ["https://issuer.example:443"]
        #expect(try await send(good, allowedOrigins: own) == good)
        await expectFailure(.refusedAddress) { try await send(good, allowedOrigins: ["https://issuer.example:8443"]) }
        await expectFailure(.refusedAddress) { try await send(good, allowedOrigins: []) }
        var redirected = good
        redirected.redirects = ["https://other.example/keys"]
        await expectFailure(.refusedAddress) { try await send(redirected, allowedOrigins: own) }
    }

    @Test func refusesAnAnswerFromAnAddressThatMustNotBeContacted() async throws {
        for url in ["https://10.0.0.1/", "https://[::1]/", "https://localhost./", "http://other.example/"] {
            var response = good
            response.redirects = ["https://other.example/", url]
            await #expect(throws: TransportFailure.self, "\(url)") { _ = try await send(response) }
        }
    }

    @Test func countsRedirects() async throws {
        var response = good
        response.redirects = Array(repeating: "https://other.example/", count: 2)
        #expect(try await send(response) == response)
        #expect(try await send(response, maximumRedirects: 2) == response)
        await expectFailure(.redirect) { try await send(response, maximumRedirects: 1) }
    }

    @Test func refusesALargeBody() async throws {
        await expectFailure(.tooLarge) { try await send(HTTPResponse(status: 200, body: [1, 2, 3, 4, 5])) }
        let error = HTTPResponse(status: 404, body: Array(repeating: 1, count: 8))
        #expect(try await send(error) == error)
        await expectFailure(.tooLarge) {
            try await send(HTTPResponse(status: 404, body: Array(repeating: 1, count: 9)))
        }
    }

    /// A transport that says so makes the checks itself, at a time when it knows more.
    @Test func trustsATransportThatChecks() async throws {
        #expect(try await send(good, from: "https://127.0.0.1/", checksAddresses: true) == good)
    }
}
