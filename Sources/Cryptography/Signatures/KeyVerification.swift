internal import CLibraries

/// EVP's state for verifying signatures with one key. It is set up once and reused.
///
/// Setting it up takes about 2 µs. `EVP_DigestVerifyInit`, which sets it up for each message, takes about 7 µs, a tenth
/// of the verification itself. OpenSSL also keeps what it derives from the modulus of an RSA key with the key.
@safe
final class KeyVerification {
    // Safe: not null, belongs to this object alone, and passed to OpenSSL only while the object lives. It holds a
    // reference to OpenSSL's key.
    private let context: OpaquePointer
    /// Kept alive, so that no other key can have the same identity.
    private let key: AnyObject

    /// Prepares to verify ES256 signatures with the key. Nil if OpenSSL fails.
    convenience init?(by key: P256PublicKey) {
        // Unsafe: a null pointer or a new context, to which OpenSSL adds a reference to the key. Hash functions of OpenSSL are constants
        // that are never freed. Since the hash function is set, OpenSSL accepts no digest of another length.
        unsafe self.init(owning: key.withKey { unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }, of: key) { context in
            unsafe EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
        }
    }

    /// Prepares to verify PS256 signatures with the key (RFC 8230 §2). Nil if OpenSSL fails.
    ///
    /// A salt length that is a number is required exactly: OpenSSL would accept other lengths only with `RSA_PSS_SALTLEN_AUTO`.
    convenience init?(by key: PS256PublicKey) {
        // Unsafe: as for ES256.
        unsafe self.init(owning: key.withKey { unsafe EVP_PKEY_CTX_new_from_pkey(nil, $0, nil) }, of: key) { context in
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(SHA256.digestLength)) == 1
        }
    }

    /// - Parameters:
    ///   - context: a null pointer, if there is no memory, or a context that this object now owns.
    ///   - configure: sets up the context, which is ready to verify. It fails if this OpenSSL has no such algorithm. No test can provoke
    ///     either.
    ///
    /// Unsafe: takes an owned pointer.
    @unsafe
    private init?(owning context: OpaquePointer?, of key: AnyObject, _ configure: (OpaquePointer) -> Bool) {
        guard let context = unsafe context, unsafe EVP_PKEY_verify_init(context) == 1, unsafe configure(context) else {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        unsafe self.context = context
        self.key = key
    }

    deinit {
        // Unsafe: the only free, of the context that `init` was given.
        unsafe EVP_PKEY_CTX_free(context)
    }

    /// Whether the key made the signature over the message with this digest.
    ///
    /// - Parameters:
    ///   - signature: an ES256 signature in DER, the only form that EVP takes, or the bytes of a PS256 signature.
    ///   - digest: the SHA-256 of the message.
    func isValid(_ signature: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
        // Unsafe: the arrays live for the call that reads them.
        let status = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest, digest.count)
        }
        // Only 1 means that the signature verifies. 0 means that it does not, and a negative number is a failure.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
