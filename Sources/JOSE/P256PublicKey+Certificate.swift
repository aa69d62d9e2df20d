internal import COpenSSL

extension P256PublicKey {
    /// Compares the public key of a certificate with this key (RFC 7517 §4.7, SHC-K7).
    ///
    /// The certificate itself is not judged: neither its dates nor its names nor who signed it.
    ///
    /// - Parameter certificate: one X.509 certificate in DER.
    public func matches(certificate: [UInt8]) -> CertificateKeyMatch {
        // Failures leave errors in OpenSSL's queue, which the next to look there must not find.
        defer { ERR_clear_error() }
        // Unsafe: the array lives while OpenSSL reads its `count` bytes and moves its own copy of the pointer on.
        let leaf: OpaquePointer? = unsafe certificate.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let leaf = unsafe d2i_X509(nil, &next, bytes.count)
            // Bytes after the certificate are nobody's signed words: what holds them is not one certificate.
            guard let start = bytes.baseAddress, unsafe next == start + bytes.count else {
                unsafe X509_free(leaf)
                return nil
            }
            return unsafe leaf
        }
        guard let leaf = unsafe leaf else { return .unreadable }
        // Unsafe: the certificate is freed on every path; its key is the certificate's own and used only before that.
        defer { unsafe X509_free(leaf) }
        guard let leafKey = unsafe X509_get0_pubkey(leaf) else { return .unreadable }
        switch unsafe withKey({ unsafe EVP_PKEY_eq($0, leafKey) }) {
        case 1: return .same
        // -1: a key of another type.
        case 0, -1: return .different
        default: return .unreadable
        }
    }
}
