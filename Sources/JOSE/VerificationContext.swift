/// What verifying one signature leaves for the next: OpenSSL's state, by key, and the memory that each one needs.
///
/// One thread uses a context at a time, since it is not Sendable.
package final class VerificationContext {
    private let hash: SHA256Context
    private var verifications: [ObjectIdentifier: P256Verification] = [:]
    private var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
    private var der: [UInt8] = []

    /// How many keys are remembered, at some 600 bytes and the key itself; past it the memory starts anew.
    static let maximumKeys = 1024

    /// Makes a context; nil if there is no memory, or OpenSSL offers no SHA-256.
    package init?() {
        guard let hash = SHA256Context() else { return nil }
        self.hash = hash
    }

    /// Whether the key made the signature over the message: true only where EVP says so.
    func isValid(_ signature: ES256Signature, for message: ArraySlice<UInt8>, by key: P256PublicKey) -> Bool {
        guard let verification = verification(by: key), hash.digest(message, into: &digest) else { return false }
        der.removeAll(keepingCapacity: true)
        signature.appendDER(to: &der)
        return verification.isValid(der, digest: digest)
    }

    /// Answers claims by EVP, one right after the other: OpenSSL's instructions are then still in the processor's cache.
    package func answer(_ claims: inout [SignatureClaim?]) {
        for place in claims.indices {
            guard let claim = claims[place] else { continue }
            let isTrue = isValid(claim.signature, for: claim.message, by: claim.key)
            claims[place]?.answer = isTrue ? .confirmed : .refused
        }
    }

    /// How many keys are remembered.
    var keyCount: Int { verifications.count }

    private func verification(by key: P256PublicKey) -> P256Verification? {
        // The key is held with its verification, so no other key can have come to its identity.
        if let known = verifications[ObjectIdentifier(key)] { return known }
        guard let made = P256Verification(by: key) else { return nil }
        if verifications.count >= Self.maximumKeys { verifications = [:] }
        verifications[ObjectIdentifier(key)] = made
        return made
    }
}
