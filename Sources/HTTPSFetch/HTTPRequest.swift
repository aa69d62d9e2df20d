public import Encodings

/// One HTTPS request and its limits.
///
/// A request carries only the values below, and fields that are the same for all users: `Accept-Encoding` and `User-Agent`. It
/// carries no cookies, nothing from an earlier answer, and no credentials but a bearer token that the caller gives.
public struct HTTPRequest: Sendable, Equatable {
    /// The method (RFC 9110 §9.3).
    public enum Method: Sendable, Equatable {
        /// Asks for the resource at the URL.
        case get
        /// Sends a body. It is not sent again after a failure. A redirect sends it again only to the same origin.
        case post(Body)
    }

    /// The body of a POST.
    public struct Body: Sendable, Equatable {
        /// The content, at most `HTTPRequest.largestSentBody` bytes.
        public var content: [UInt8]
        /// Its media type (RFC 9110 §8.3).
        public var mediaType: String

        /// - Parameters:
        ///   - content: the content, at most `HTTPRequest.largestSentBody` bytes.
        ///   - mediaType: its media type.
        public init(_ content: [UInt8], mediaType: String = "application/json") {
            self.content = content
            self.mediaType = mediaType
        }
    }

    /// The https URL.
    public var url: String
    /// The method.
    public var method: Method
    /// The entity tag for `If-None-Match`, if a copy of the resource is already cached (RFC 9110 §13.1.2).
    public var entityTag: String?
    /// The date for `If-Modified-Since`, as the server wrote it (RFC 9110 §13.1.3).
    public var lastModified: String?
    /// The time for the whole request: resolving, connecting, redirects and the body. More than a day counts as a day.
    public var timeout: Duration
    /// The largest body of the answer after decompression, in bytes. More than 1 GiB counts as 1 GiB.
    public var maximumBodySize: Int
    /// Whether loopback, link-local, private and other special-use addresses may be contacted.
    public var allowsPrivateNetwork: Bool
    /// A file of PEM certificates that are accepted as TLS roots in addition to the system's.
    public var certificateAuthorityFile: String?
    /// The value of the `Origin` field (RFC 6454 §7), for asking as a browser would. Nil for no such field.
    public var origin: String?
    /// The media types that are asked for (RFC 9110 §12.5.1).
    public var accept: String
    /// An access token for this server (RFC 6750 §2.1). A redirect to another origin is not followed then.
    public var bearerToken: SecretBytes?
    /// The origins that may be contacted, as `HTTPSURL` writes them; nil for any. It holds for redirects too.
    public var allowedOrigins: [String]?
    /// How much of the body of an answer with a status of 400 to 499 is read, in bytes, up to 64 KiB. The rest is left out.
    public var errorBodySize: Int
    /// The versions of TLS that are offered to the server.
    public var tls: TLSVersions
    /// The number of redirects that are followed, from 0 to 3.
    public var maximumRedirects: Int

    /// The largest value of `maximumRedirects`.
    public static let mostRedirects = 3
    /// The largest body that is sent, in bytes.
    public static let largestSentBody = 16 * 1024
    /// The largest value of `errorBodySize`.
    public static let largestErrorBody = 64 * 1024

    /// - Parameters:
    ///   - url: the https URL. It is checked when the request is sent.
    ///   - method: the method.
    ///   - timeout: the time for the whole request.
    ///   - maximumBodySize: the largest body of the answer, in bytes.
    ///   - allowsPrivateNetwork: whether special-use addresses may be contacted.
    ///   - certificateAuthorityFile: a PEM file with more TLS roots.
    ///   - entityTag: the entity tag of a cached copy.
    ///   - lastModified: the modification date of a cached copy, as the server wrote it.
    ///   - origin: the value of the `Origin` field.
    ///   - accept: the media types that are asked for.
    ///   - bearerToken: an access token for this server.
    ///   - allowedOrigins: the origins that may be contacted; nil for any.
    ///   - errorBodySize: how much of the body of a client error is read, in bytes.
    ///   - tls: the versions of TLS that are offered.
    ///   - maximumRedirects: the number of redirects that are followed, from 0 to 3.
    public init(
        url: String, method: Method = .get, timeout: Duration, maximumBodySize: Int, allowsPrivateNetwork: Bool = false,
        certificateAuthorityFile: String? = nil, entityTag: String? = nil, lastModified: String? = nil,
        origin: String? = nil, accept: String = "application/json", bearerToken: SecretBytes? = nil,
        allowedOrigins: [String]? = nil, errorBodySize: Int = 0, tls: TLSVersions = .standard,
        maximumRedirects: Int = mostRedirects
    ) {
        self.url = url
        self.method = method
        self.timeout = timeout
        self.maximumBodySize = maximumBodySize
        self.allowsPrivateNetwork = allowsPrivateNetwork
        self.certificateAuthorityFile = certificateAuthorityFile
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.origin = origin
        self.accept = accept
        self.bearerToken = bearerToken
        self.allowedOrigins = allowedOrigins
        self.errorBodySize = errorBodySize
        self.tls = tls
        self.maximumRedirects = maximumRedirects
    }
}

extension HTTPRequest {
    /// Checks that a URL's origin is one of those that may be contacted.
    ///
    /// - Throws: `TransportFailure` of kind `refusedAddress`.
    package func checkOrigin(of url: HTTPSURL) throws(TransportFailure) {
        guard let allowedOrigins, !allowedOrigins.contains(where: { $0.utf8.elementsEqual(url.origin.utf8) }) else {
            return
        }
        throw TransportFailure(.refusedAddress, "the server is not one of those that may be contacted")
    }
}

/// The versions of TLS that a request may use, and for some their key exchange.
///
/// All but `standard` serve only to find out what a server accepts. Do not rely on an answer to such a
/// request.
public enum TLSVersions: String, Sendable, CaseIterable {
    /// 1.2 or later (SHC-K4).
    case standard
    /// Only 1.3.
    case only13
    /// Only 1.2.
    case only12
    /// 1.0 or 1.1, with the ciphers of that time.
    case legacy
    /// Only 1.2, with static RSA key exchange.
    case staticRSA
    /// Only 1.2, with finite-field Diffie-Hellman key exchange (DHE) in groups of any size.
    case ffdhe
    /// Only 1.2, with such key exchange in groups of at least 2048 bits.
    case strongFFDHE
}

/// A file of PEM certificates that are accepted as TLS roots in addition to the system's.
///
/// The fetch helper reads the file itself. Cached answers are told apart by the file's content, not by its path.
public struct CertificateAuthorities: Sendable, Equatable {
    /// The path of the file.
    public let file: String
    /// A digest of the file's content.
    public let digest: String

    /// - Parameters:
    ///   - file: the path of the file.
    ///   - digest: a digest of its content, as text. It is written to the files of the cache.
    public init(file: String, digest: String) {
        self.file = file
        self.digest = digest
    }
}

extension HTTPRequest {
    /// Why a URL must not be contacted for this request: it is no https URL, its origin is not allowed, or its host is an address in a
    /// private network. nil if it may be contacted, as far as the URL alone says: a name has to be resolved, and its addresses judged
    /// by `AddressPolicy`.
    ///
    /// - Parameter url: the URL of the request, or that of a redirect.
    public func refusal(of url: String) -> TransportFailure? {
        do throws(TransportFailure) {
            let target = try HTTPSURL(url)
            try checkOrigin(of: target)
            return AddressPolicy(allowsPrivateNetwork: allowsPrivateNetwork).refusal(ofHost: target.host)
                .map { TransportFailure($0) }
        } catch {
            return error
        }
    }
}

extension HTTPResponse {
    /// What a status means that is no success.
    package static func words(forStatus status: Int) -> String {
        let meaning =
            switch status {
            case 304: "not modified, although the request did not refer to a copy"
            case 300..<400: "a redirect that is not followed"
            case 401, 403: "access is refused"
            case 404, 410: "there is nothing at this address"
            case 429: "too many requests; try again later"
            case 500...: "the server has a problem; try again later"
            default: "not what was asked for"
            }
        return "the server answered with status \(status): \(meaning)"
    }
}
