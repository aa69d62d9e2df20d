internal import COpenSSL

/// EVP's state for signatures by one key, set up once and used for any number of them, one after another.
///
/// Setting it up costs some 2 µs, and `EVP_DigestVerifyInit`, which does it anew for each message, about 7: a tenth of the
/// verification itself.
@safe
final class P256Verification {
    // Safe: not null, owned by this object alone, and passed to OpenSSL only while the object lives. It holds a reference
    // to OpenSSL's key.
    private let context: OpaquePointer
    /// Held, so that nothing else has its identity.
    let key: P256PublicKey

    /// Prepares for signatures by the key, over digests of SHA-256; nil if OpenSSL cannot.
    init?(by key: P256PublicKey) {
        // Unsafe: a null pointer or a context whose ownership is now ours; OpenSSL takes a reference to the key.
        guard let context = unsafe key.withKey({ unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }) else {
            // Memory has run out: that cannot be provoked in a test.
            ERR_clear_error()
            return nil
        }
        // Unsafe: the context was just made. With the hash function named, OpenSSL takes no digest of another length.
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
        else {
            // An OpenSSL without ECDSA or SHA-256, as which no test can pose.
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

    /// Whether the key made the signature over the message of this digest.
    ///
    /// - Parameters:
    ///   - signature: in DER, since that is the only form that EVP takes.
    ///   - digest: SHA-256 of the message.
    func isValid(_ signature: [UInt8], digest: [UInt8]) -> Bool {
        // Unsafe: the arrays live for the call that reads them.
        let status = unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count)
        // 0 is a signature that does not verify, anything below is a failure: only 1 will do.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
