/// Where a key comes from.
public enum KeyOrigin: String, Sendable {
    /// A key set that the verifier was given.
    case jwksFile = "jwks-file"
    /// A snapshot in a directory of issuers.
    case directory
    /// A stored copy of what the issuer's server answered earlier.
    case cache
    /// The issuer's server.
    case network
}
