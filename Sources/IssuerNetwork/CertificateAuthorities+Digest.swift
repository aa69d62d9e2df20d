import Bytes
import Cryptography
public import HTTPSFetch

extension CertificateAuthorities {
    /// Makes the value with the SHA-256 of the file's content, in hexadecimal, as the digest.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - content: the file's content.
    public init(file: String, content: [UInt8]) {
        self.init(file: file, digest: SHA256.digest(content).hexadecimal)
    }
}
