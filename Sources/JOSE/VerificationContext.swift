internal import COpenSSL

/// OpenSSL's state of one signature verification, which may be used for any number of them, one after another.
@safe
package final class VerificationContext {
    // Safe: not null, owned by this object alone, and passed to OpenSSL only while the object lives.
    private let context: OpaquePointer

    /// Makes a context; nil where there is no memory.
    package init?() {
        // Unsafe: a null pointer or a context whose ownership is now ours.
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        unsafe self.context = context
    }

    deinit {
        // Unsafe: the only free, of the context that `init` made.
        unsafe EVP_MD_CTX_free(context)
    }

    /// Whether the key made the signature over the message, by ECDSA.
    ///
    /// - Parameters:
    ///   - signature: in DER, since that is the only form that EVP takes.
    ///   - digest: the hash function, such as `EVP_sha256()`.
    ///
    /// Unsafe: `key` has to be a live EVP_PKEY and `digest` an EVP_MD. They are not held on to.
    @unsafe
    func isValid(
        _ signature: [UInt8], for message: ArraySlice<UInt8>, by key: OpaquePointer, digest: OpaquePointer?
    ) -> Bool {
        // Unsafe: the pointers are those of live objects, and the buffers live for the call that reads them. Resetting
        // drops the reference to the key that the context took.
        defer { unsafe EVP_MD_CTX_reset(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else {
            ERR_clear_error()
            return false
        }
        let status = unsafe message.withUnsafeBufferPointer { message in
            unsafe signature.withUnsafeBufferPointer { signature in
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress, message.count)
            }
        }
        // 0 is a signature that does not verify, anything below is a failure: only 1 will do.
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
