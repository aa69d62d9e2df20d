internal import Encodings
internal import Processes

/// Why there is no response.
public struct TransportFailure: Error, Sendable, Equatable {
    /// The kind of a failure.
    public enum Kind: String, Sendable, CaseIterable {
        /// The address is not an https URL.
        case invalidURL
        /// The name cannot be resolved.
        case unresolvedName
        /// The address must not be contacted: it is loopback, private, link-local or of another special use.
        case refusedAddress
        /// No connection could be made.
        case connection
        /// The TLS handshake failed.
        case tls
        /// The server's certificate is not accepted. The version of TLS had been agreed on before.
        case certificate
        /// The time is up.
        case timeout
        /// The body is larger than the request allows.
        case tooLarge
        /// A redirect away from https, or more redirects than are followed.
        case redirect
        /// The connection broke, or the answer is not HTTP.
        case protocolError
        /// The program that fetches ended without an answer.
        case fetcher
        /// The program that fetches is missing, cannot start, or lacks something on this machine. This is a fault of
        /// the installation and concerns all servers.
        case installation
        /// The certificate authority file cannot be used.
        case certificateAuthorities
        /// The task that asked was cancelled.
        case cancelled
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The failure in plain words, without the address.
    public let message: String

    /// - Parameters:
    ///   - kind: the kind of the failure.
    ///   - message: the failure in plain words, without the address.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// A cause that is told apart from others of the same kind. Its value is the message.
    package enum Cause: String, CaseIterable, Sendable {
        case expiredCertificate = "the server's certificate has expired"
        case futureCertificate = "the server's certificate is not valid yet"
        case otherHost = "the server's certificate is for another host"
        case selfSigned = "the server's certificate is self-signed"
        case unknownAuthority = "the server's certificate comes from an authority that is not trusted here"
        case incompleteChain =
            """
            the server's certificate comes from an authority that is not trusted here, or the server does not send intermediate \
            certificates
            """
        case shortKey = "the server's certificate, or one above it, has a key that is too short"
        case refusedConnection = "the connection to the server is refused"
    }

    /// The cause, if it is one that is told apart.
    package var cause: Cause? { Cause(rawValue: message) }

    /// The failure of a request to a host or an address that must not be contacted.
    package init(_ refusal: AddressRefusal) {
        self.init(
            .refusedAddress,
            "\(refusal); loopback, private and other special-use addresses are not contacted unless that is allowed")
    }

    /// The failure of a request that took too long.
    package static func timeout(after duration: Duration) -> TransportFailure {
        TransportFailure(.timeout, "no complete answer within \(duration.inSeconds)")
    }

    /// The failure of a request with too many redirects.
    package static func tooManyRedirects(limit: Int) -> TransportFailure {
        let words = limit == 0 ? "the server redirects" : "the server redirects more than \(limit) times"
        return TransportFailure(.redirect, words)
    }

    /// The failure of a request whose answer is too large.
    package static func tooLarge(limit: Int) -> TransportFailure {
        TransportFailure(.tooLarge, "the answer is larger than \(limit.sizeInWords)")
    }
}

/// No request can be made at all: the program that fetches is missing or cannot start.
///
/// This says nothing about a server, so it leads to no verdict. The caller ends the run.
public struct InstallationFault: Error, Sendable, Equatable {
    /// The fault in plain words, with the path of the program.
    public let message: String

    /// - Parameter message: what is wrong, in plain words and with the path of the program.
    public init(_ message: String) {
        self.message = message
    }

    /// - Returns: nil if the failure is not of kind `installation`.
    package init?(_ failure: TransportFailure) {
        guard failure.kind == .installation else { return nil }
        message = failure.message
    }
}
