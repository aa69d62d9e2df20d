internal import COpenSSL

/// SHA-256 of any number of messages, one after another.
///
/// `SHA256.digest` has OpenSSL look for the algorithm and allocate its state each time, which costs nearly as much as
/// hashing a card. Here both are done once.
@safe
final class SHA256Context {
    // Safe: not null, owned by this object alone, and passed to OpenSSL only while the object lives.
    private let context: OpaquePointer

    /// Makes a context; nil if OpenSSL offers no SHA-256, or there is no memory.
    init?() {
        // Unsafe: null pointers, or objects whose ownership is now ours. The context takes its own reference to the algorithm.
        guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
            // An OpenSSL without SHA-256, as which no test can pose.
            ERR_clear_error()
            return nil
        }
        defer { unsafe EVP_MD_free(algorithm) }
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        guard unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1 else {
            // Memory has run out: that cannot be provoked in a test.
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        unsafe self.context = context
    }

    deinit {
        // Unsafe: the only free, of the context that `init` made.
        unsafe EVP_MD_CTX_free(context)
    }

    /// Computes the digest of a message.
    ///
    /// - Parameter digest: room for the digest, 32 bytes. What is in it after a failure is no digest.
    /// - Returns: whether OpenSSL computed it.
    func digest(_ message: ArraySlice<UInt8>, into digest: inout [UInt8]) -> Bool {
        guard digest.count == SHA256.digestLength else { return false }
        // Unsafe: OpenSSL reads `count` bytes of the message and writes the 32 that SHA-256 has; both arrays live for the
        // call. Without an algorithm it starts anew with the one that the context has.
        let isDone = unsafe message.withUnsafeBufferPointer { message in
            unsafe EVP_DigestInit_ex2(context, nil, nil) == 1
                && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
                && EVP_DigestFinal_ex(context, &digest, nil) == 1
        }
        if !isDone { ERR_clear_error() }
        return isDone
    }
}
