import CURLHook
import Foundation
import HTTPSFetch

/// Makes HTTPS requests with URLSession.
///
/// A server can crash, flood and stall URLSession on Linux. This transport prevents as much of that as it can within
/// the process. The rest needs a separate process around it: `shcverify-fetch`.
///
/// Only one request at a time may run in a process, because libcurl's configuration applies to all of it (see
/// `CURLHook`).
struct URLSessionTransport: Transport {
    private let environment: [String: String]

    /// - Parameter environment: the environment variables in which the proxy is looked up, as libcurl does.
    init(environment: [String: String]) {
        self.environment = environment
    }

    /// Makes one request and follows its redirects, within the request's limits.
    ///
    /// - Returns: the final response, with any status.
    /// - Throws: `TransportFailure` if there is no response.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await send(request, authorities: RootCertificates(for: request))
    }

    /// Makes one request and follows its redirects, within the request's limits. The request's file of authorities is not read.
    ///
    /// - Parameter authorities: the TLS roots; nil for those of the system.
    /// - Returns: the final response, with any status.
    /// - Throws: `TransportFailure` if there is no response.
    func send(
        _ request: HTTPRequest, authorities: RootCertificates?
    ) async throws(TransportFailure) -> HTTPResponse {
        guard curl_hook_is_in_place() else {
            throw TransportFailure(.installation, "it was linked without its hook into libcurl")
        }
        let deadline = ContinuousClock.now + request.timeout
        let policy = AddressPolicy(allowsPrivateNetwork: request.allowsPrivateNetwork)

        var url = try HTTPSURL(request.url)
        var redirects: [String] = []
        while true {
            if let refusal = policy.refusal(ofHost: url.host) { throw TransportFailure(refusal) }
            try request.checkOrigin(of: url)
            try Self.checkNotation(of: url)
            let timeLeft = ContinuousClock.now.duration(to: deadline)
            guard timeLeft > .zero else { throw .timeout(after: request.timeout) }
            let transfer = TransferSettings(
                timeout: timeLeft, maximumBodySize: request.maximumBodySize,
                proxy: try EnvironmentProxy(environment).proxy(for: url), roots: authorities?.pem, policy: policy,
                tls: request.tls
            )
            try transfer.apply()

            let exchange = Exchange(request, url: url, isProxied: transfer.proxy != nil)
            switch await exchange.run(within: timeLeft) {
            case .success(.response(var response)):
                response.redirects = redirects
                return response
            case .success(.redirect(let status, let location)):
                let target = try Self.target(of: location, from: url)
                if case .post = request.method {
                    // The body is meant for this server only. And redirects with another status turn a POST into a GET.
                    guard [307, 308].contains(status), target.origin == url.origin else {
                        throw TransportFailure(
                            .redirect, "the server redirects the POST request, which is not followed")
                    }
                }
                guard request.bearerToken == nil || target.origin == url.origin else {
                    throw TransportFailure(
                        .redirect, "the server redirects to another one, which must not get the access token")
                }
                url = target
                guard redirects.count < request.bounded.maximumRedirects else {
                    throw .tooManyRedirects(limit: request.bounded.maximumRedirects)
                }
                redirects.append(url.text)
            case .failure(let failure): throw failure
            }
        }
    }

    /// Refuses hosts that URLSession cannot fetch from. URLSession compares the host as written with the host as
    /// libcurl reads it. The two differ for an IPv6 address, since only libcurl's form has brackets.
    private static func checkNotation(of url: HTTPSURL) throws(TransportFailure) {
        guard let address = IPAddress(host: url.host) else { return }
        guard address.isIPv4 else {
            throw TransportFailure(
                .connection,
                "the host is an IPv6 address, \(address); this program fetches only from names and IPv4 addresses")
        }
        guard url.host == address.description else {
            throw TransportFailure(
                .connection, "the host is the IPv4 address \(address) in an unusual notation, which is not fetched")
        }
    }

    /// The URL of a redirect's target (RFC 9110 §10.2.2, RFC 3986 §5).
    private static func target(of location: String, from url: HTTPSURL) throws(TransportFailure) -> HTTPSURL {
        guard let target = URL(string: location, relativeTo: URL(string: url.text))?.absoluteURL else {
            throw TransportFailure(.redirect, "the server redirects to something that is not a URL")
        }
        guard target.scheme?.lowercased() == "https" else {
            let isPlain = target.scheme?.lowercased() == "http"
            throw TransportFailure(
                .redirect, "the server redirects away from https\(isPlain ? ", to http" : ""), which is not followed")
        }
        return try Result { () throws(TransportFailure) in try HTTPSURL(target.absoluteString) }.mapError {
            TransportFailure(.redirect, "the server redirects to a URL that is not followed: \($0.message)")
        }.get()
    }
}
