import Foundation
import HTTPSFetch

/// The TLS roots if a file of extra ones is given.
///
/// libcurl takes only one bundle, which replaces its own. So the system's bundle is put in front of the file.
struct RootCertificates: Sendable {
    /// The system's roots and those of the file, as PEM.
    let pem: Data

    /// The paths of the system's bundle: Debian and Ubuntu, Fedora and RHEL, openSUSE, older RHEL, Alpine and the BSDs.
    private static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// - Parameter request: the request; nil if it names no file of extra ones.
    /// - Throws: `TransportFailure` of kind `certificateAuthorities` if the file cannot be read or contains no
    ///   certificate.
    init?(for request: HTTPRequest) throws(TransportFailure) {
        guard let file = request.certificateAuthorityFile else { return nil }
        guard let extra = FileManager.default.contents(atPath: file) else {
            throw TransportFailure(.certificateAuthorities, "the file of certificate authorities cannot be read")
        }
        guard extra.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
            throw TransportFailure(.certificateAuthorities, "the file of certificate authorities holds no certificate")
        }
        let system = Self.systemBundles.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first ?? Data()
        pem = system + Data("\n".utf8) + extra + Data("\n".utf8)
    }
}
