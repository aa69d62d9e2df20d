internal import COpenSSL

/// State that is kept from one verification to the next: OpenSSL's state for each key, and buffers.
///
/// Only one thread uses a context at a time, since it is not Sendable.
package final class VerificationContext {
    private let hash: SHA256Context
    private var verifications: [ObjectIdentifier: P256Verification] = [:]
    private var ps256Verifications: [ObjectIdentifier: PS256Verification] = [:]
    private var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
    private var der: [UInt8] = []

    /// The most keys of each kind that are kept. Each takes about 600 bytes, plus the key itself. When there are more,
    /// all of that kind are dropped.
    static let maximumKeys = 1024

    /// Makes a context. Nil if there is no memory, or if OpenSSL has no SHA-256.
    package init?() {
        guard let hash = SHA256Context() else { return nil }
        self.hash = hash
    }

    /// Whether the key made the signature over the message. True only if EVP says so.
    func isValid(_ signature: ES256Signature, for message: ArraySlice<UInt8>, by key: P256PublicKey) -> Bool {
        guard let verification = verification(by: key), hash.digest(message, into: &digest) else { return false }
        der.removeAll(keepingCapacity: true)
        signature.appendDER(to: &der)
        return verification.isValid(der, digest: digest)
    }

    /// Whether the key made the PS256 signature over the message. True only if EVP says so.
    func isValid(_ signature: ArraySlice<UInt8>, for message: ArraySlice<UInt8>, by key: PS256PublicKey) -> Bool {
        guard let verification = verification(by: key), hash.digest(message, into: &digest) else { return false }
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
    var keyCount: Int { verifications.count + ps256Verifications.count }

    private func verification(by key: P256PublicKey) -> P256Verification? {
        // The verification keeps its key alive, so no other key can have the same identity.
        if let known = verifications[ObjectIdentifier(key)] { return known }
        guard let made = P256Verification(by: key) else { return nil }
        if verifications.count >= Self.maximumKeys { verifications = [:] }
        verifications[ObjectIdentifier(key)] = made
        return made
    }

    private func verification(by key: PS256PublicKey) -> PS256Verification? {
        if let known = ps256Verifications[ObjectIdentifier(key)] { return known }
        guard let made = PS256Verification(by: key) else { return nil }
        if ps256Verifications.count >= Self.maximumKeys { ps256Verifications = [:] }
        ps256Verifications[ObjectIdentifier(key)] = made
        return made
    }
}

/// EVP's state for verifying signatures with one key. It is set up once and reused.
///
/// Setting it up takes about 2 µs. `EVP_DigestVerifyInit`, which sets it up for each message, takes about 7 µs, a tenth
/// of the verification itself.
@safe
final class P256Verification {
    // Safe: not null, belongs to this object alone, and passed to OpenSSL only while the object lives. It holds a
    // reference to OpenSSL's key.
    private let context: OpaquePointer
    /// Kept alive, so that no other key can have the same identity.
    let key: P256PublicKey

    /// Prepares to verify signatures over SHA-256 digests with the key. Nil if OpenSSL fails.
    init?(by key: P256PublicKey) {
        // Unsafe: a null pointer or a context that this object now owns. OpenSSL adds a reference to the key.
        guard let context = unsafe key.withKey({ unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }) else {
            // There is no memory. No test can provoke that.
            ERR_clear_error()
            return nil
        }
        // Unsafe: the context was just made. Since the hash function is set, OpenSSL accepts no digest of another
        // length.
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
        else {
            // This OpenSSL has no ECDSA or no SHA-256. No test can provoke that.
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        unsafe self.context = context
        self.key = key
    }

    deinit {
        // Unsafe: the only free, of the context that `init` made.
        unsafe EVP_PKEY_CTX_free(context)
    }

    /// Whether the key made the signature over the message with this digest.
    ///
    /// - Parameters:
    ///   - signature: the signature in DER, the only form that EVP takes.
    ///   - digest: the SHA-256 of the message.
    func isValid(_ signature: [UInt8], digest: [UInt8]) -> Bool {
        // Unsafe: the arrays live for the call that reads them.
        let status = unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count)
        // Only 1 means that the signature verifies. 0 means that it does not, and a negative number is a failure.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
