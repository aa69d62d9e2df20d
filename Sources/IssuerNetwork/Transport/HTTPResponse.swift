/// What a server answered.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code (RFC 9110 §15).
    public var status: Int
    /// The header fields that say something of the content and its freshness, names in lower case.
    public var headers: [String: String]
    /// The content, decompressed. Only a response of status 200 has any; that of an error is not read.
    public var body: [UInt8]
    /// Where the server redirected to, one after the other; the last is where the response is from.
    public var redirects: [String]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], redirects: [String] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        self.redirects = redirects
    }
}
