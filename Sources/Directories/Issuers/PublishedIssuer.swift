package import Credentials
package import Cryptography
package import Encodings

/// The answers of a live issuer's server, for lint: its key set, its revocation lists and the TLS versions that it accepts
/// (SHC-K4, SHC-R2).
///
/// It only contains what was found. Lint's rules judge it.
package struct PublishedIssuer: Sendable {
    /// Whether a server accepts a version of TLS.
    package enum Acceptance: Sendable, Equatable {
        /// The handshake succeeded.
        case accepted
        /// The handshake failed.
        case refused
        /// The version was not tried, or it failed for another reason than the handshake.
        case unknown
    }

    /// The versions of TLS that were tried, one at a time, and weak kinds of key exchange in TLS 1.2.
    package struct TLS: Sendable, Equatable {
        /// TLS 1.3.
        package var version13: Acceptance
        /// TLS 1.2.
        package var version12: Acceptance
        /// TLS 1.0 or 1.1.
        package var legacy: Acceptance
        /// Static RSA key exchange.
        package var staticRSA: Acceptance
        /// Finite-field Diffie-Hellman key exchange (DHE).
        package var ffdhe: Acceptance
        /// The same, if the client accepts only groups of at least 2048 bits.
        package var strongFFDHE: Acceptance

        /// Creates the results. Without arguments, nothing was tried.
        package init(
            version13: Acceptance = .unknown, version12: Acceptance = .unknown, legacy: Acceptance = .unknown,
            staticRSA: Acceptance = .unknown, ffdhe: Acceptance = .unknown, strongFFDHE: Acceptance = .unknown
        ) {
            self.staticRSA = staticRSA
            self.ffdhe = ffdhe
            self.strongFFDHE = strongFFDHE
            self.version13 = version13
            self.version12 = version12
            self.legacy = legacy
        }
    }

    /// The answer to the request for the revocation list of a key.
    package struct List: Sendable {
        /// The key's ID.
        package let keyID: KeyID
        /// The answer.
        package let answer: PublishedAnswer

        /// Creates the answer for a key.
        package init(keyID: KeyID, answer: PublishedAnswer) {
            self.keyID = keyID
            self.answer = answer
        }
    }

    /// The issuer.
    package let issuer: Issuer
    /// The `Origin` header field of the requests.
    package let origin: String
    /// The answer to the request for the key set.
    package var keySet: PublishedAnswer
    /// The versions of TLS that the server accepts.
    package var tls: TLS
    /// The answers to the requests for revocation lists, for keys that have a `crlVersion`.
    package var lists: [List]
    /// The number of further keys that have a `crlVersion`. Their lists were not requested.
    package var furtherLists: Int

    /// Creates the answers of an issuer's server.
    package init(
        issuer: Issuer, origin: String, keySet: PublishedAnswer, tls: TLS = TLS(), lists: [List] = [],
        furtherLists: Int = 0
    ) {
        self.issuer = issuer
        self.origin = origin
        self.keySet = keySet
        self.tls = tls
        self.lists = lists
        self.furtherLists = furtherLists
    }

    /// An issuer to which no request was made.
    ///
    /// - Parameters:
    ///   - issuer: the issuer.
    ///   - reason: why no request was made, in plain words.
    ///   - kind: whether a request was not wanted, or not possible.
    package init(unasked issuer: Issuer, because reason: String, kind: PublishedAnswer.Failure.Kind = .unasked) {
        self.init(
            issuer: issuer, origin: "",
            keySet: PublishedAnswer(url: issuer.keySetURL, result: .failure(.init(kind, reason))))
    }
}

/// The answer of a live server to the request for a document that an issuer publishes.
package struct PublishedAnswer: Sendable {
    /// An HTTP response with any status code.
    package struct Response: Sendable {
        /// The status code (RFC 9110 §15).
        package var status: Int
        /// The header fields that lint checks, with names in lower case. The values are printable ASCII, but not trustworthy.
        package var headers: [String: String]
        /// The content; empty unless the status code is 200.
        package var body: [UInt8]
        /// The URLs to which the server redirected, in order.
        package var redirects: [String]
        /// The freshness lifetime that the server states, in seconds; nil if it states none, 0 if it forbids reuse.
        package var statedFreshness: Int64?

        /// Creates a response.
        package init(
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
    package struct Failure: Error, Sendable {
        /// The cause of a failure.
        package enum Kind: String, Sendable {
            /// The URL is invalid.
            case invalidURL
            /// The server cannot be reached: its name cannot be resolved, its address is refused, the connection fails, or it
            /// takes too long.
            case unreachable
            /// The TLS handshake failed.
            case tls
            /// The server's certificate is not accepted.
            case certificate
            /// The answer is too large, redirects too often or is broken.
            case answer
            /// This machine could not make the request.
            case machine
            /// No request was wanted.
            case unasked
        }

        /// What exactly went wrong, if it is known. Each needs another remedy.
        package enum Detail: String, Sendable, CaseIterable {
            /// The server's certificate has expired.
            case expiredCertificate
            /// The server's certificate is not valid yet.
            case futureCertificate
            /// The server's certificate is for another host.
            case otherHost
            /// The server's certificate does not lead to an authority that is trusted, or intermediate certificates are missing.
            case unknownAuthority
            /// A certificate has a key that is too short.
            case shortKey
            /// The server refuses connections.
            case refusedConnection
            /// The host's name cannot be resolved.
            case unresolvedName
            /// The address is private, loopback or of another special use, and is not contacted.
            case refusedAddress
            /// There was no complete answer in time.
            case timeout
        }

        /// The cause of the failure.
        package let kind: Kind
        /// The failure in plain words.
        package let message: String
        /// What exactly went wrong; nil if it is not known.
        package let detail: Detail?

        /// Creates a failure.
        package init(_ kind: Kind, _ message: String, detail: Detail? = nil) {
            self.kind = kind
            self.message = message
            self.detail = detail
        }
    }

    /// The URL that was requested.
    package let url: String
    /// The response, or why there is none.
    package let result: Result<Response, Failure>

    /// Creates an answer.
    package init(url: String, result: Result<Response, Failure>) {
        self.url = url
        self.result = result
    }
}

extension PublishedAnswer.Response {
    /// The JSON object that the server sent, or what it sent instead, in words.
    ///
    /// - Parameter skippingMark: whether to skip a byte-order mark.
    package func object(skippingMark: Bool = false) -> (value: JSONValue?, problem: String?) {
        let body = skippingMark ? Array(body[...].trimmingByteOrderMarks()) : body
        switch body.first(where: { $0 > 0x20 }) {
        case nil: return (nil, "nothing")
        case UInt8(ascii: "<"): return (nil, "HTML or XML")
        default: break
        }
        guard !body.holdsMoreJSONValues(than: Bounds.listValues) else {
            return (nil, "JSON of more than \(Bounds.listValues) values")
        }
        do throws(JSONError) {
            let value = try JSONDocument.parse(body, maximumDepth: Bounds.nesting)
            return value.kind == .object ? (value, nil) : (nil, "JSON that is not an object but \(value.excerpt)")
        } catch {
            return (nil, "something that is not acceptable JSON (\(error))")
        }
    }
}

extension PublishedAnswer {
    /// The answer; nil if its status is not 200.
    package var published: Response? {
        guard case .success(let response) = result, response.status == 200 else { return nil }
        return response
    }
}
