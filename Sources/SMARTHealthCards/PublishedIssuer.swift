public import JOSE

/// What a live issuer's server answered, for lint: the key set, the revocation lists, and which versions of TLS it
/// accepts (SHC-K4, SHC-R2).
///
/// It says what was found and judges nothing.
public struct PublishedIssuer: Sendable {
    /// Whether a server accepts a version of TLS.
    public enum Acceptance: Sendable, Equatable {
        case accepted
        /// The handshake failed.
        case refused
        /// It was not tried, or something else went wrong.
        case unknown
    }

    /// The versions of TLS that were tried, each alone.
    public struct TLS: Sendable, Equatable {
        public var version13: Acceptance
        public var version12: Acceptance
        /// 1.0 or 1.1.
        public var legacy: Acceptance

        public init(
            version13: Acceptance = .unknown, version12: Acceptance = .unknown, legacy: Acceptance = .unknown
        ) {
            self.version13 = version13
            self.version12 = version12
            self.legacy = legacy
        }
    }

    /// The answer to the question for the revocation list of a key.
    public struct List: Sendable {
        public let keyID: KeyID
        public let answer: PublishedAnswer

        public init(keyID: KeyID, answer: PublishedAnswer) {
            self.keyID = keyID
            self.answer = answer
        }
    }

    /// Who was asked.
    public let issuer: Issuer
    /// The origin that the requests named.
    public let origin: String
    /// The answer to the question for the key set.
    public var keySet: PublishedAnswer
    public var tls: TLS
    /// The lists of the keys that have a `crlVersion`.
    public var lists: [List]
    /// How many more keys have a `crlVersion`, whose lists were not asked for.
    public var furtherLists: Int

    public init(
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

    /// An issuer that was not asked anything.
    ///
    /// - Parameters:
    ///   - issuer: the issuer.
    ///   - reason: why, in plain words.
    ///   - kind: whether it was not to be asked, or could not be.
    public init(unasked issuer: Issuer, because reason: String, kind: PublishedAnswer.Failure.Kind = .unasked) {
        self.init(
            issuer: issuer, origin: "",
            keySet: PublishedAnswer(url: issuer.keySetURL, result: .failure(.init(kind, reason))))
    }
}
