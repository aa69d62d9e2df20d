/// Where a key was had from.
public enum KeyOrigin: String, Sendable {
    /// A key set that the verifier was given.
    case jwksFile = "jwks-file"
    /// A directory of issuers.
    case directory
    /// An earlier answer of the issuer's server.
    case cache
    /// The issuer's server.
    case network
}
