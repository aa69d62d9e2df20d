/// Makes one HTTPS request. Programs can replace it to send requests in another way.
///
/// `FetchProcess` is the transport of the command line. A program on another platform, or with another HTTP client, can
/// provide its own. It must respect the limits in `HTTPRequest`.
public protocol Transport: Sendable {
    /// Makes one request.
    ///
    /// - Parameter request: the request and its limits.
    /// - Returns: the final response, with any status.
    /// - Throws: `TransportFailure` if there is no response.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
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
