/// Why a file does not give the certificates, or the key, that it was given for, in words.
public struct CertificateFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable {
        /// There is no certificate in PEM.
        case noCertificate
        /// There is one, and it cannot be read.
        case malformed
        /// There are several where one is wanted.
        case severalCertificates
        /// The key is of another kind than the one that is wanted.
        case otherKindOfKey
        /// There is no memory for it.
        case failed
    }

    /// What is wrong.
    public let reason: Reason
    /// What was expected and what was found. Safe to print.
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    public var description: String { message }
}
