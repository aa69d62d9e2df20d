import Verification

/// A policy that trusts one issuer, those of a directory, and the signers of EU certificates on a trust list.
func policy(trusting issuer: String, and directory: [UInt8], trustList: [UInt8]) throws -> VerificationPolicy {
    var policy = VerificationPolicy()
    policy.cards.trustedIssuers.allow(try Issuer(issuer))
    policy.cards.trustedIssuers.add(try IssuerDirectory(directory))
    policy.cards.maximumDirectoryAge = .seconds(30 * 86_400)
    try policy.hcerts.signers.add(list: trustList)
    return policy
}
