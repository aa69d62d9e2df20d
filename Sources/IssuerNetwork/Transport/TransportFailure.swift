/// Why there is no response.
public struct TransportFailure: Error, Sendable, Equatable {
    /// The kinds of failure that are told apart.
    public enum Kind: String, Sendable, CaseIterable {
        /// The address is no https URL.
        case invalidURL
        /// The name cannot be resolved.
        case unresolvedName
        /// An address that must not be contacted: loopback, private, link-local or of other special use.
        case refusedAddress
        /// No connection could be made.
        case connection
        /// The TLS handshake failed.
        case tls
        /// The server's certificate is not acceptable; a version of TLS had been agreed on by then.
        case certificate
        /// The time is up.
        case timeout
        /// The body is larger than its bound.
        case tooLarge
        /// A redirect to something other than https, or more redirects than are followed.
        case redirect
        /// The connection broke, or what came is not HTTP.
        case protocolError
        /// The program that fetches ended without an answer.
        case fetcher
        /// The program that fetches is missing, cannot start, or lacks what it needs of this machine. It is a fault of the
        /// installation, and the same for every issuer.
        case installation
        /// The certificate authority file cannot be used.
        case certificateAuthorities
        /// The task that asked was cancelled.
        case cancelled
    }

    /// What kind of failure.
    public let kind: Kind
    /// The failure in plain words, without the address.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// A host or an address is not contacted.
    package init(_ refusal: AddressRefusal) {
        self.init(
            .refusedAddress,
            "\(refusal); loopback, private and other special-use addresses are not contacted unless that is allowed")
    }

    /// The time is up.
    package static func timeout(after duration: Duration) -> TransportFailure {
        TransportFailure(.timeout, "no complete answer within \(duration.inSeconds)")
    }

    /// The server redirects again.
    package static func tooManyRedirects(limit: Int) -> TransportFailure {
        let words = limit == 0 ? "the server redirects" : "the server redirects more than \(limit) times"
        return TransportFailure(.redirect, words)
    }

    /// The body is larger than its bound.
    package static func tooLarge(limit: Int) -> TransportFailure {
        TransportFailure(.tooLarge, "the answer is larger than \(limit) bytes")
    }
}
