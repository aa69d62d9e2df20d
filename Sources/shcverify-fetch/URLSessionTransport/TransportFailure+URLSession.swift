import CURLHook
import Foundation
import FoundationNetworking
import HTTPSFetch

extension TransportFailure {
    /// Describes an error of URLSession, or of libcurl behind it, in plain words.
    ///
    /// URLSession's error codes tell only a few kinds apart. For the others, libcurl's text is searched, which includes
    /// OpenSSL's reason. The text itself is not passed on, because it can contain the proxy's address from the
    /// environment, with its password.
    ///
    /// - Parameters:
    ///   - error: URLSession's error.
    ///   - request: the request that failed.
    ///   - isProxied: whether the connection is to a proxy.
    init(urlSession error: any Error, for request: HTTPRequest, isProxied: Bool) {
        let text = (error as NSError).localizedDescription
        let code = (error as? URLError)?.code
        if curl_hook_rejected_option() != 0 {
            self.init(.installation, "this libcurl lacks an option that is needed (\(curl_hook_rejected_option()))")
        } else if let known = Self.known.first(where: { text.contains($0.text) }) {
            let isOther = request.tls != .standard && known.words == Self.isTooOld
            self.init(known.kind, isOther ? "the server does not speak the version of TLS it was offered" : known.words)
        } else if let address = TransferSettings.refusedAddress,
            let refusal = AddressPolicy(allowsPrivateNetwork: false).refusal(of: address)
        {
            // If one address of a host was refused and another contacted, the error of the contacted one is reported
            // above.
            self.init(refusal)
        } else if code == .cannotConnectToHost || text.contains("connect to server") {
            let isRefused = code == .cannotConnectToHost
            self.init(
                .connection,
                isRefused && !isProxied
                    ? Cause.refusedConnection.rawValue
                    : "the connection to the \(isProxied ? "proxy" : "server") \(isRefused ? "is refused" : "cannot be made")"
            )
        } else if text.contains("Maximum file size exceeded") {
            self = .tooLarge(limit: request.maximumBodySize)
        } else {
            switch code {
            case .timedOut: self = .timeout(after: request.timeout)
            case .cannotFindHost: self.init(.unresolvedName, "the host name cannot be resolved")
            case .networkConnectionLost: self.init(.protocolError, "the connection broke")
            case .badServerResponse: self.init(.protocolError, "the server closed the connection without an answer")
            case .badURL: self.init(.invalidURL, "the address cannot be fetched")
            default:
                self.init(.protocolError, "the transfer failed (URLSession's error \((error as NSError).code))")
            }
        }
    }

    private typealias Known = (text: String, kind: Kind, words: String)

    private static let isTooOld = "the server does not speak TLS 1.2 or later"

    /// Parts of libcurl's and OpenSSL's texts, the more specific first, and the words for each.
    private static let known: [Known] = [
        ("certificate has expired", .certificate, Cause.expiredCertificate.rawValue),
        ("certificate is not yet valid", .certificate, Cause.futureCertificate.rawValue),
        ("certificate in certificate chain", .certificate, Cause.unknownAuthority.rawValue),
        ("self-signed certificate", .certificate, Cause.selfSigned.rawValue),
        ("self signed certificate", .certificate, Cause.selfSigned.rawValue),
        ("unable to get local issuer certificate", .certificate, Cause.incompleteChain.rawValue),
        ("certificate subject name", .certificate, Cause.otherHost.rawValue),
        ("key too weak", .certificate, Cause.shortKey.rawValue),
        ("SSL certificate problem", .certificate, "the server's certificate is not acceptable"),
        (
            "error setting certificate", .certificateAuthorities,
            "the TLS root certificates cannot be read (package ca-certificates)"
        ),
        ("alert protocol version", .tls, isTooOld),
        ("unsupported protocol", .tls, isTooOld),
        ("wrong version number", .tls, "the server does not speak TLS"),
        ("Unsupported proxy", .connection, "the proxy that the environment names has an address that cannot be used"),
        ("Could not resolve proxy", .connection, "the proxy's name cannot be resolved"),
        ("SOCKS", .connection, "the proxy does not connect to the server"),
        ("CONNECT", .connection, "the proxy does not connect to the server"),
        ("SSL_connect", .tls, "the TLS handshake failed"),
        ("transfer closed", .protocolError, "the connection broke in the middle of the answer"),
        ("SSL_read", .protocolError, "the connection broke in the middle of the answer"),
        // OpenSSL's words if it was built without the version that is offered.
        ("no protocols available", .fetcher, "this machine's OpenSSL does not speak that version of TLS"),
        ("no ciphers available", .fetcher, "this machine's OpenSSL does not speak that version of TLS"),
        ("SSL routines", .tls, "the TLS handshake failed"),
        ("Recv failure", .protocolError, "the connection broke"),
        ("Send failure", .protocolError, "the connection broke"),
        ("Invalid Content-Length", .protocolError, "the answer's Content-Length is not a number"),
        ("chunked-encoding", .protocolError, "the answer's parts (chunked encoding) cannot be read"),
        ("content unencoding", .protocolError, "the answer's compression is broken"),
        ("HTTP/0.9", .protocolError, "the server's answer is not HTTP"),
        ("Unsupported HTTP", .protocolError, "the server's answer is not HTTP/1"),
        ("Failed writing header", .protocolError, "the server's answer is not HTTP"),
        ("Too large response headers", .protocolError, "the answer's header is too large"),
        // libcurl's error for a header field of more than 100 kB.
        ("Out of memory", .protocolError, "the answer's header is too large"),
    ]
}
