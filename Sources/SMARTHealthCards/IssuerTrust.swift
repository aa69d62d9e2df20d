/// Why an issuer is trusted, or that it is not.
public enum IssuerTrust: String, Sendable {
    /// A directory of issuers lists it.
    case directory
    /// The verifier's list of issuers names it.
    case allowList = "allow-list"
    /// A certificate vouches for it, up to an anchor of the verifier's.
    case certificate
    /// The verifier was given its keys.
    case jwks
    /// Nobody was asked: anyone can publish keys at an address of their own.
    case unchecked
    /// There are lists of trusted issuers, and it is on none.
    case untrusted
}
