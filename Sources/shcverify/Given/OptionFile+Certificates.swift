import ArgumentParser
import Credentials
import Cryptography
import Encodings
import Evidence
import Glibc
import HTTPSFetch
import Processes

extension OptionFile {
    /// Reads the certificates of `--anchor`; nil if there are none.
    ///
    /// - Parameter compromised: gets the keys whose private half stands in one of the files.
    static func anchors(
        _ paths: [String], compromised: inout CompromisedKeys, observedBy observer: ValueObserver = .nobody
    ) throws -> CertificateAnchors? {
        guard !paths.isEmpty else { return nil }
        let anchors = try paths.map { path in
            let bytes = try read(path, option: "--anchor", limit: Bounds.inputSize)
            observer("--anchor", bytes, path: path)
            compromised.formUnion(CompromisedKeys(privateKeysIn: bytes))
            return try use(path, option: "--anchor") { () throws(Malformed) in try CertificateAnchors(pem: bytes) }
        }
        return try CertificateAnchors(merging: anchors)
    }

    /// Reads the file of `--ca-file`, which must contain a certificate.
    ///
    /// The process that fetches opens the file again. A path like `/dev/stdin` would mean another file there, so the
    /// result has the resolved path.
    static func certificateAuthorities(_ path: String, observedBy observer: ValueObserver = .nobody) throws
        -> CertificateAuthorities
    {
        let option = "--ca-file"
        let path = path == "-" ? "/dev/stdin" : path
        let bytes = try read(
            path, option: option, limit: Bounds.inputSize,
            by: { path, limit throws(InputReader.Failure) in try InputReader.readReopenable(path, limit: limit) })
        observer(option, bytes, path: path)
        _ = try use(path, option: option) { () throws(Malformed) in try CertificateAnchors(pem: bytes) }
        // Unsafe: the C library reads the path during the call. The result is copied, and then freed here.
        guard let resolved = unsafe realpath(path, nil) else {
            throw CommandFailure(
                .unreadable, "\(option) \(path): cannot be read: it has no path that a later run could compare")
        }
        defer { unsafe free(resolved) }
        return CertificateAuthorities(file: unsafe String(cString: resolved), content: bytes)
    }
}
