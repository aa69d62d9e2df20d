/// State that is kept from one verification to the next: OpenSSL's state for each key, and buffers.
///
/// Only one thread uses a context at a time, since it is not Sendable.
package final class VerificationContext {
    private let hash: SHA256Context
    private var verifications: [ObjectIdentifier: KeyVerification] = [:]
    private var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
    private var der: [UInt8] = []

    /// The most keys that are kept. Each takes about 600 bytes, plus the key itself. When there are more, all are dropped.
    static let maximumKeys = 1024

    /// Makes a context. Nil if there is no memory, or if OpenSSL has no SHA-256.
    package init?() {
        guard let hash = SHA256Context() else { return nil }
        self.hash = hash
    }

    /// Whether the key made the signature over the message. True only if EVP says so.
    func isValid(_ signature: ES256Signature, for message: ArraySlice<UInt8>, by key: P256PublicKey) -> Bool {
        guard let verification = verification(of: key, { KeyVerification(by: key) }),
            hash.digest(message, into: &digest)
        else { return false }
        der.removeAll(keepingCapacity: true)
        signature.appendDER(to: &der)
        return verification.isValid(der[...], digest: digest)
    }

    /// Whether the key made the PS256 signature over the message. True only if EVP says so.
    func isValid(_ signature: ArraySlice<UInt8>, for message: ArraySlice<UInt8>, by key: PS256PublicKey) -> Bool {
        // OpenSSL takes a shorter signature for a number with leading zeros. So one signature would have several forms
        // (RFC 8017 §8.1.2).
        guard signature.count == key.modulus.count,
            let verification = verification(of: key, { KeyVerification(by: key) }),
            hash.digest(message, into: &digest)
        else { return false }
        return verification.isValid(signature, digest: digest)
    }

    /// How many claims are best answered together: glibc keeps seven freed blocks of each size ready for the thread's next `malloc`.
    package static let bestCount = 7

    /// Answers claims with EVP, one right after the other, so that OpenSSL's code stays in the processor's cache.
    package func answer(_ claims: inout [SignatureClaim?]) {
        for place in claims.indices {
            guard let claim = claims[place] else { continue }
            let isTrue = isValid(claim.signature, for: claim.message, by: claim.key)
            claims[place]?.answer = isTrue ? .confirmed : .refused
        }
    }

    /// The number of keys that are kept.
    var keyCount: Int { verifications.count }

    private func verification(of key: AnyObject, _ make: () -> KeyVerification?) -> KeyVerification? {
        // The verification keeps its key alive, so no other key can have the same identity.
        if let known = verifications[ObjectIdentifier(key)] { return known }
        guard let made = make() else { return nil }
        if verifications.count >= Self.maximumKeys { verifications = [:] }
        verifications[ObjectIdentifier(key)] = made
        return made
    }
}
