internal import JOSE

/// TLS roots that are accepted beside the system's: a file of PEM certificates, and by what its content is known.
///
/// The program that fetches reads the file itself. What was fetched with it is told apart by the content, not by the path.
public struct CertificateAuthorities: Sendable, Equatable {
    /// The path of the file.
    public let file: String
    /// The SHA-256 of its content, in 64 hexadecimal digits.
    let digest: String

    /// - Parameters:
    ///   - file: the path of the file.
    ///   - content: what it holds.
    public init(file: String, content: [UInt8]) {
        self.file = file
        digest = SHA256.digest(content).hexadecimal
    }
}
