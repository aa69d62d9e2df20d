internal import COpenSSL

/// EVP's state for verifying PS256 signatures with one key. It is set up once and reused.
///
/// Setting it up takes a few microseconds. OpenSSL also keeps what it derives from the modulus with the key.
@safe
final class PS256Verification {
    // Safe: not null, belongs to this object alone, and passed to OpenSSL only while the object lives. It holds a
    // reference to OpenSSL's key.
    private let context: OpaquePointer
    /// Kept alive, so that no other key can have the same identity.
    let key: PS256PublicKey

    /// Prepares to verify signatures over SHA-256 digests with the key. Nil if OpenSSL fails.
    init?(by key: PS256PublicKey) {
        // Unsafe: a null pointer or a context that this object now owns. OpenSSL adds a reference to the key.
        guard let context = unsafe key.withKey({ unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }) else {
            // There is no memory. No test can provoke that.
            ERR_clear_error()
            return nil
        }
        // Unsafe: the context was just made.
        guard unsafe EVP_PKEY_verify_init(context) == 1, unsafe PS256Verification.configure(context) else {
            // This OpenSSL has no RSASSA-PSS or no SHA-256. No test can provoke that.
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        unsafe self.context = context
        self.key = key
    }

    /// Sets RFC 8230 §2. A salt length that is a number is required exactly: OpenSSL would accept other lengths only
    /// with `RSA_PSS_SALTLEN_AUTO`.
    ///
    /// Unsafe: takes a pointer to a context that is ready to verify.
    @unsafe
    private static func configure(_ context: OpaquePointer) -> Bool {
        // Unsafe: the context is used only here. Hash functions of OpenSSL are constants that are never freed.
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(SHA256.digestLength)) == 1
    }

    deinit {
        // Unsafe: the only free, of the context that `init` made.
        unsafe EVP_PKEY_CTX_free(context)
    }

    /// Whether the key made the signature over the message with this digest.
    ///
    /// - Parameters:
    ///   - signature: the bytes of the signature.
    ///   - digest: the SHA-256 of the message.
    func isValid(_ signature: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
        // OpenSSL takes a shorter one for a number with leading zeros. So one signature would have several forms
        // (RFC 8017 §8.1.2).
        guard signature.count == key.modulus.count else { return false }
        // Unsafe: the arrays live for the call that reads them.
        let status = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest, digest.count)
        }
        // Only 1 means that the signature verifies. 0 means that it does not, and a negative number is a failure.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
