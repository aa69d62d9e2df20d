internal import COpenSSL

extension Certificate {
    /// Whether the certificate names `other` as its issuer and its signature verifies under that one's key.
    ///
    /// Nothing else is judged, neither dates nor whether `other` may sign certificates.
    package func isSigned(by other: Certificate) -> Bool {
        guard namesAsIssuer(other) else { return false }
        defer { ERR_clear_error() }
        // Unsafe: the pointers are those of live objects; the key is the certificate's own and used only while that
        // lives.
        return unsafe withX509 { certificate in
            unsafe other.withX509 { other in
                guard let key = unsafe X509_get0_pubkey(other) else { return false }
                return unsafe X509_verify(certificate, key) == 1
            }
        }
    }
}
