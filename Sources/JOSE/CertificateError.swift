/// Why a certificate, or the path from it to an anchor, is not acceptable, in words (SHC-K7, SHC-K8, RFC 5280 §6).
public struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, CaseIterable {
        /// The key has no certificate.
        case noCertificate
        /// `x5c` is not an array of certificates in base64 DER, or one has a field that cannot be read.
        case malformed
        /// There are more certificates, or longer ones, than any real key has.
        case tooLarge
        /// The JWK is not usable as a key, so no certificate can be of it.
        case unusableKey
        /// The leaf's key is not the JWK's.
        case otherKey
        /// The leaf's Subject Alternative Name has no URI equal to the issuer.
        case otherName
        /// The validity of a certificate is over.
        case expired
        /// The validity of a certificate has not begun.
        case notYetValid
        /// The path ends at a certificate that signed itself and is not an anchor.
        case unknownRoot
        /// The path ends at a certificate whose issuer is neither in `x5c` nor an anchor: an intermediate certificate
        /// is missing, or the root is unknown.
        case issuerMissing
        /// A certificate issued another and is no certificate authority.
        case notAuthority
        /// A keyUsage extension forbids what the key was used for.
        case keyUsage
        /// There are more certificates below an authority than its path length allows.
        case pathLength
        /// A name is outside an authority's name constraints, or of a kind for which they cannot be judged.
        case nameConstraint
        /// A signature does not verify under the issuer's key.
        case badSignature
        /// A key or a digest is too weak to be relied on.
        case tooWeak
        /// A certificate has a critical extension, or a kind of key, that is not supported.
        case unsupported
        /// An authority requires a certificate policy, and the path has none that is valid.
        case policy
        /// OpenSSL gave up, for another reason or for lack of memory.
        case failed
    }

    /// What is wrong.
    public let reason: Reason
    /// Which certificate it is about, as it was met: 0 is the leaf, 1 that of its issuer; nil if it is none.
    public let depth: Int?
    /// That certificate's subject in quotation marks, cut short and safe to print; nil if it has none that could
    /// be read.
    public let subject: String?
    /// What was expected and what was found, certificate and depth included. Safe to print.
    public let message: String

    init(_ reason: Reason, depth: Int? = nil, _ message: String) {
        self.reason = reason
        self.depth = depth
        subject = nil
        self.message = message
    }

    /// An error about a certificate.
    ///
    /// - Parameter words: what comes after the certificate's name.
    init(_ reason: Reason, _ certificate: Certificate, depth: Int, _ words: String) {
        self.reason = reason
        self.depth = depth
        subject = certificate.subject
        message = "the certificate \(certificate.subject) (depth \(depth)) \(words)"
    }

    init(unreadableExtensionOf certificate: Certificate, depth: Int) {
        self.init(.malformed, certificate, depth: depth, "has an extension that cannot be read, or the same one twice")
    }

    public var description: String { message }
}
