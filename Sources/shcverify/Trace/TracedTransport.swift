import HTTPSFetch

/// Makes requests by another transport, and says how each of them ended.
struct TracedTransport: Transport {
    let transport: any Transport
    let trace: Trace
    /// Whether only the server of a URL may be named.
    let isSecret: Bool

    var checksAddresses: Bool { transport.checksAddresses }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = ContinuousClock.now
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            trace.note(request, isSecret: isSecret, since: start, .success(response))
            return response
        } catch {
            trace.note(request, isSecret: isSecret, since: start, .failure(error))
            throw error
        }
    }
}
