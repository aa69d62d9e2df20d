/// Makes one HTTPS GET. The seam between what is fetched and how.
///
/// `FetchProcess` is the transport of the command line. A program on another platform, or with another HTTP client,
/// brings its own; it must hold what `HTTPRequest` promises of its bounds.
public protocol Transport: Sendable {
    /// Fetches one resource.
    ///
    /// - Parameter request: what to fetch, and the bounds of doing so.
    /// - Returns: the final response, whatever its status.
    /// - Throws: `TransportFailure` if there is no response.
    func get(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}
