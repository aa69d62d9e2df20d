internal import Foundation
internal import HTTPSFetch

/// The TLS roots if a file of extra ones is given.
///
/// libcurl takes only one bundle, which replaces its own. So the system's bundle is put in front of the file.
enum RootCertificates {
    /// The paths of the system's bundle: Debian and Ubuntu, Fedora and RHEL, openSUSE, older RHEL, Alpine and the BSDs.
    private static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// - Returns: the system's roots and those of the file, as PEM.
    /// - Throws: `TransportFailure` of kind `certificateAuthorities` if the file cannot be read or contains no
    ///   certificate.
    static func systemRoots(and file: String) throws(TransportFailure) -> Data {
        guard let extra = FileManager.default.contents(atPath: file) else {
            throw TransportFailure(.certificateAuthorities, "the file of certificate authorities cannot be read")
        }
        guard extra.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
            throw TransportFailure(.certificateAuthorities, "the file of certificate authorities holds no certificate")
        }
        let system = systemBundles.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first ?? Data()
        return system + Data("\n".utf8) + extra + Data("\n".utf8)
    }
}
