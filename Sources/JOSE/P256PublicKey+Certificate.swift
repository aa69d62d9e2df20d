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
        // Unsafe: a null pointer or a certificate that is ours.
        guard let leaf = unsafe Certificate.parsed(certificate) else { return .unreadable }
        // Unsafe: the certificate is freed on every path.
        defer { unsafe X509_free(leaf) }
        return unsafe matches(leaf)
    }

    /// The same for a certificate that has been parsed.
    func matches(_ certificate: Certificate) -> CertificateKeyMatch {
        defer { ERR_clear_error() }
        // Unsafe: the pointer is that of a live object.
        return unsafe certificate.withX509 { unsafe matches($0) }
    }

    /// Unsafe: takes a pointer to an X509, which it does not hold on to.
    @unsafe
    private func matches(_ leaf: OpaquePointer) -> CertificateKeyMatch {
        // Unsafe: the certificate's key is its own, and used only while that lives.
        guard let leafKey = unsafe X509_get0_pubkey(leaf) else { return .unreadable }
        switch unsafe withKey({ unsafe EVP_PKEY_eq($0, leafKey) }) {
        case 1: return .same
        // -1: a key of another type.
        case 0, -1: return .different
        default: return .unreadable
        }
    }
}
