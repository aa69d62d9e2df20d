/// One GET request and the bounds within which it has to be answered.
public struct HTTPRequest: Sendable, Equatable {
    /// The address, an https URL.
    public var url: String
    /// The entity tag for `If-None-Match`, where a copy is held already (RFC 9110 §13.1.2).
    public var entityTag: String?
    /// The date for `If-Modified-Since`, as the server wrote it (RFC 9110 §13.1.3).
    public var lastModified: String?
    /// How long all of it may take: resolving, connecting, redirects and the body. More than a day is taken for a day.
    public var timeout: Duration
    /// How many bytes the body may have after decompression. More than 1 GiB is taken for that.
    public var maximumBodySize: Int
    /// Whether loopback, link-local, private and other special-use addresses may be contacted.
    public var allowsPrivateNetwork: Bool
    /// A file of PEM certificates that are accepted as TLS roots beside the system's.
    public var certificateAuthorityFile: String?
    /// The origin of the page that a browser would make the request for, sent as `Origin` (RFC 6454 §7); nil for none.
    public var origin: String?
    /// The versions of TLS that are offered.
    public var tls: TLSVersions
    /// How many redirects are followed, from 0 to 3.
    public var maximumRedirects: Int

    /// How many redirects are followed at most.
    public static let mostRedirects = 3

    public init(
        url: String, timeout: Duration, maximumBodySize: Int, allowsPrivateNetwork: Bool = false,
        certificateAuthorityFile: String? = nil, entityTag: String? = nil, lastModified: String? = nil,
        origin: String? = nil, tls: TLSVersions = .standard, maximumRedirects: Int = mostRedirects
    ) {
        self.url = url
        self.timeout = timeout
        self.maximumBodySize = maximumBodySize
        self.allowsPrivateNetwork = allowsPrivateNetwork
        self.certificateAuthorityFile = certificateAuthorityFile
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.origin = origin
        self.tls = tls
        self.maximumRedirects = maximumRedirects
    }
}
