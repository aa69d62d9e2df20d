internal import CURLHook
internal import Foundation
public import IssuerNetwork

/// Makes HTTPS GETs with URLSession.
///
/// URLSession on Linux can be crashed, flooded and stalled by a server. This transport closes what can be closed from
/// within; what is left needs a process of its own around it, which is `shcverify-fetch`.
///
/// Only one request at a time may be under way in a process: libcurl is configured for all of it (see `CURLHook`).
public struct URLSessionTransport: Transport {
    private let environment: [String: String]

    /// - Parameter environment: where the proxy is looked up, as libcurl would.
    public init(environment: [String: String]) {
        self.environment = environment
    }

    public func get(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard curl_hook_is_in_place() else {
            throw TransportFailure(.installation, "it was linked without its hook into libcurl")
        }
        let deadline = ContinuousClock.now + request.timeout
        let policy = AddressPolicy(allowsPrivateNetwork: request.allowsPrivateNetwork)
        var roots: Data?
        if let file = request.certificateAuthorityFile { roots = try RootCertificates.systemRoots(and: file) }

        var url = try HTTPSURL(request.url)
        var redirects: [String] = []
        while true {
            if let refusal = policy.refusal(ofHost: url.host) { throw TransportFailure(refusal) }
            let timeLeft = ContinuousClock.now.duration(to: deadline)
            guard timeLeft > .zero else { throw .timeout(after: request.timeout) }
            let transfer = TransferSettings(
                timeout: timeLeft, maximumBodySize: request.maximumBodySize,
                proxy: EnvironmentProxy(environment).proxy(for: url), roots: roots, policy: policy, tls: request.tls)
            try transfer.apply()

            let exchange = Exchange(request, url: url, isProxied: transfer.proxy != nil)
            switch await exchange.run(within: timeLeft) {
            case .success(.response(var response)):
                response.redirects = redirects
                return response
            case .success(.redirect(let location)):
                url = try Self.target(of: location, from: url)
                guard redirects.count < request.bounded.maximumRedirects else {
                    throw .tooManyRedirects(limit: request.bounded.maximumRedirects)
                }
                redirects.append(url.text)
            case .failure(let failure): throw failure
            }
        }
    }

    /// The URL that a redirect leads to (RFC 9110 §10.2.2, RFC 3986 §5).
    private static func target(of location: String, from url: HTTPSURL) throws(TransportFailure) -> HTTPSURL {
        guard let target = URL(string: location, relativeTo: URL(string: url.text))?.absoluteURL else {
            throw TransportFailure(.redirect, "the server redirects to something that is not a URL")
        }
        guard target.scheme?.lowercased() == "https" else {
            let isPlain = target.scheme?.lowercased() == "http"
            throw TransportFailure(
                .redirect, "the server redirects away from https\(isPlain ? ", to http" : ""), which is not followed")
        }
        do throws(TransportFailure) {
            return try HTTPSURL(target.absoluteString)
        } catch {
            throw TransportFailure(.redirect, "the server redirects to a URL that is not followed: \(error.message)")
        }
    }
}
