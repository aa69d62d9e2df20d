public import JOSE

/// What has been learned of issuers so far, for the cards of one run.
///
/// `Verifier` does no input or output. It says what it lacks (`EvidenceRequest`); its caller gets that and
/// adds the answer here, good or bad.
public struct Evidence: Sendable {
    /// An issuer's key set and where it was had from.
    public struct Keys: Sendable {
        public let set: JWKSet
        public let origin: KeyOrigin
        /// Whether the issuer published just this during the run, so that asking again is of no use.
        public let isCurrent: Bool
        /// When the issuer published it; nil for now.
        public let retrieved: NumericDate?
        /// How long ago the keys ceased to be fresh, where they are used although the issuer cannot be reached.
        public let staleness: Duration?

        public init(
            _ set: JWKSet, origin: KeyOrigin, isCurrent: Bool = true, retrieved: NumericDate? = nil,
            staleness: Duration? = nil
        ) {
            self.set = set
            self.origin = origin
            self.isCurrent = isCurrent
            self.retrieved = retrieved
            self.staleness = staleness
        }
    }

    /// The key sets of issuers, or why they could not be fetched.
    public var keys: [Issuer: Result<Keys, VerificationFailure>] = [:] { didSet { revision = Revision() } }
    /// The revocation lists of issuers' keys, or why they could not be fetched.
    public var lists: [RevocationListName: Result<RevocationList, VerificationFailure>] = [:]
    /// The issuers whose keys were asked for again, in vain: what was known of them before still stands.
    public var refusedRefreshes: [Issuer: VerificationFailure] = [:] { didSet { revision = Revision() } }

    /// Another one after every change to what is known of keys: where it is the same, so is that.
    private(set) var revision = Revision()

    final class Revision: Sendable {}

    public init() {}
}

/// Which revocation list: that of one key of one issuer.
public struct RevocationListName: Hashable, Sendable {
    public let issuer: Issuer
    public let keyID: KeyID

    public init(issuer: Issuer, keyID: KeyID) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// Where the issuer publishes it (SHC-R2). A key id that is not base64url is percent-encoded, so that it cannot
    /// name another place.
    public var url: String {
        var name = ""
        for byte in keyID.description.utf8 {
            if RevocationID.isInAlphabet(CollectionOfOne(byte)) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "\(issuer.url)/.well-known/crl/\(name).json"
    }
}

/// What the verifier has to know before it can judge a card.
public enum EvidenceRequest: Hashable, Sendable {
    /// The keys of an issuer.
    case keys(Issuer)
    /// The keys of an issuer as it publishes them now, since the card's is not among those at hand.
    case currentKeys(Issuer)
    /// A revocation list, at least as new as the key's `crlVersion` says, where it says that.
    case revocationList(RevocationListName, atLeast: RevocationCounter?)
}
