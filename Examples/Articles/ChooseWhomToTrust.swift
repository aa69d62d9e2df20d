import Credentials
import JOSE
import SMARTHealthCards

/// A policy that trusts one issuer, and those of a directory.
func policy(trusting issuer: String, and directory: [UInt8], now: NumericDate) throws -> CardPolicy {
    var policy = CardPolicy(now: now)
    policy.requiresTrust = true
    policy.trustedIssuers.allow(try Issuer(issuer))
    policy.trustedIssuers.add(try IssuerDirectory(directory))
    policy.maximumDirectoryAge = .seconds(30 * 86_400)
    return policy
}
