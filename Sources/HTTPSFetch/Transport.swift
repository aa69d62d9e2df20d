/// Makes one HTTPS request. Programs can replace it to send requests in another way.
///
/// `FetchProcess` is the transport of the command line. A program on another platform, or with another HTTP client, can
/// provide its own. It must respect the limits in `HTTPRequest`, and ask `HTTPRequest.refusal(of:)` before it follows a redirect, and
/// `AddressPolicy.refusal(of:)` before it connects to an address that a name resolves to. The clients of this package ask about the
/// request and its redirects themselves; what a name resolves to, only the transport can see.
public protocol Transport: Sendable {
    /// Whether the transport makes these checks itself, for every connection. False if a type does not say so.
    var checksAddresses: Bool { get }

    /// Makes one request.
    ///
    /// - Parameter request: the request and its limits.
    /// - Returns: the final response, with any status.
    /// - Throws: `TransportFailure` if there is no response.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}

extension Transport {
    public var checksAddresses: Bool { false }

    /// Makes one request, and refuses it, or its answer, if an address must not be contacted or the answer is too large. Every client
    /// sends through it, so that a transport of another program does not lose these limits without a word.
    package func sendChecked(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard !checksAddresses else { return try await send(request) }
        if let refusal = request.refusal(of: request.url) { throw refusal }
        let response = try await send(request)
        guard response.redirects.count <= request.maximumRedirects else {
            throw .tooManyRedirects(limit: request.maximumRedirects)
        }
        for url in response.redirects {
            if let refusal = request.refusal(of: url) { throw refusal }
        }
        let isClientError = (400...499).contains(response.status)
        let limit = isClientError ? max(request.maximumBodySize, request.errorBodySize) : request.maximumBodySize
        guard response.body.count <= limit else { throw .tooLarge(limit: limit) }
        return response
    }
}

/// The response of a server.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code (RFC 9110 §15).
    public var status: Int
    /// The header fields that describe the content and its freshness, with names in lower case.
    public var headers: [String: String]
    /// The content, decompressed. A response with status 200 has a body, and a client error if the request asks for that.
    public var body: [UInt8]
    /// The URLs of the redirects, in order. The response comes from the last one.
    public var redirects: [String]

    /// - Parameters:
    ///   - status: the status code.
    ///   - headers: the header fields, with names in lower case.
    ///   - body: the content, decompressed.
    ///   - redirects: the URLs of the redirects, in order.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], redirects: [String] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        self.redirects = redirects
    }
}
