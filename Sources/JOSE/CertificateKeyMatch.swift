/// Whether a certificate is for a key (SHC-K7).
public enum CertificateKeyMatch: Sendable {
    /// The certificate's public key is the key.
    case same
    /// The certificate's public key is another.
    case different
    /// The bytes are not one X.509 certificate in DER, or its public key cannot be read.
    case unreadable
}
