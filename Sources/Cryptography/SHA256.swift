internal import CLibraries

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The length of a digest in bytes.
    package static let digestLength = 32

    /// The digest of the bytes, 32 bytes.
    package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        digest(Array(bytes))
    }

    /// The digest of the bytes, 32 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes[...]) }

    /// The digest of the bytes, 32 bytes.
    package static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestLength)
        // Unsafe: OpenSSL reads `count` bytes and writes 32. Both arrays live during the call.
        let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe CLibraries.SHA256(bytes.baseAddress, bytes.count, &digest) != nil
        }
        // A digest that was not computed must never be compared with anything. This fails only if OpenSSL itself is
        // broken.
        precondition(isDone, "OpenSSL offers no SHA-256")
        return digest
    }
}

/// Computes SHA-256 of many messages, one after another.
///
/// `SHA256.digest` looks up the algorithm and allocates OpenSSL's state each time, which costs nearly as much as
/// hashing a card. Here both are done once.
@safe
package final class SHA256Context {
    // Safe: not null, belongs to this object alone, and passed to OpenSSL only while the object lives.
    private let context: OpaquePointer

    /// Makes a context. Nil if OpenSSL has no SHA-256, or if there is no memory.
    package init?() {
        // Unsafe: null pointers, or objects that this object now owns. The context adds its own reference to the
        // algorithm.
        guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
            // This OpenSSL has no SHA-256. No test can provoke that.
            ERR_clear_error()
            return nil
        }
        defer { unsafe EVP_MD_free(algorithm) }
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        guard unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1 else {
            // There is no memory. No test can provoke that.
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
    /// - Parameter digest: an array of 32 bytes for the digest. After a failure, its content means nothing.
    /// - Returns: whether OpenSSL computed it.
    package func digest(_ message: ArraySlice<UInt8>, into digest: inout [UInt8]) -> Bool {
        guard digest.count == SHA256.digestLength else { return false }
        // Unsafe: OpenSSL reads `count` bytes of the message and writes 32. Both arrays live during the call. A null
        // pointer for the algorithm means the one that the context already has.
        let isDone = unsafe message.withUnsafeBufferPointer { message in
            unsafe EVP_DigestInit_ex2(context, nil, nil) == 1
                && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
                && EVP_DigestFinal_ex(context, &digest, nil) == 1
        }
        if !isDone { ERR_clear_error() }
        return isDone
    }
}
