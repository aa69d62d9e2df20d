/// What a live server answered when it was asked for a document that an issuer publishes.
public struct PublishedAnswer: Sendable {
    /// An answer, whatever its status.
    public struct Response: Sendable {
        /// The status code (RFC 9110 §15).
        public var status: Int
        /// The header fields that lint looks at, names in lower case. Printable ASCII, but the server's own words.
        public var headers: [String: String]
        /// The content; empty unless the status is 200.
        public var body: [UInt8]
        /// Where the server redirected to, one after the other.
        public var redirects: [String]
        /// For how many seconds the answer may be used without asking again, by its own words; nil if it says
        /// nothing of it, 0 where it is to be asked for each time.
        public var statedFreshness: Int64?

        public init(
            status: Int, headers: [String: String] = [:], body: [UInt8] = [], redirects: [String] = [],
            statedFreshness: Int64? = nil
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.redirects = redirects
            self.statedFreshness = statedFreshness
        }
    }

    /// Why there is no answer.
    public struct Failure: Error, Sendable {
        /// Where it lies.
        public enum Kind: String, Sendable {
            /// The address: nothing can be asked there.
            case invalidURL
            /// The way to the server: its name, the address it has, the connection, the time it takes.
            case unreachable
            /// The TLS handshake.
            case tls
            /// The server's certificate.
            case certificate
            /// What the server answers: too large, redirected too often, or broken.
            case answer
            /// This machine: nothing was asked.
            case machine
            /// Nowhere: nothing was to be asked.
            case unasked
        }

        public let kind: Kind
        /// The failure in plain words.
        public let message: String

        public init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }
    }

    /// What was asked for.
    public let url: String
    /// The answer.
    public let result: Result<Response, Failure>

    public init(url: String, result: Result<Response, Failure>) {
        self.url = url
        self.result = result
    }
}
