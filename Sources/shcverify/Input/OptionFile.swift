import ArgumentParser
import Glibc
import IssuerNetwork
import JOSE
import SMARTHealthCards

/// Files that options name: what cannot be read or parsed ends the command before any card is looked at.
enum OptionFile {
    /// Reads the key sets of `--jwks`.
    static func keys(_ values: [String]) throws -> GivenKeys {
        var keys = GivenKeys()
        for value in values {
            var path = value[...]
            var issuer: Issuer?
            if value.hasPrefix("https://") {
                guard let equals = value.lastIndex(of: "=") else {
                    throw ValidationError("--jwks takes FILE, or ISS=FILE; \(value) has no =FILE.")
                }
                issuer = Issuer(unchecked: String(value[..<equals]))
                path = value[value.index(after: equals)...]
            }
            let bytes = try read(String(path), option: "--jwks", limit: Bounds.keySetSize)
            do throws(JWKSetError) {
                keys.add(try JWKSet(bytes), for: issuer)
            } catch {
                throw unusable(String(path), option: "--jwks", "\(error.description)")
            }
        }
        return keys
    }

    /// Reads the revocation lists of `--crl`.
    static func revocationLists(_ paths: [String]) throws -> [RevocationList] {
        try paths.map { path in
            let bytes = try read(path, option: "--crl", limit: Bounds.revocationListSize)
            do throws(RevocationListError) {
                return try RevocationList(bytes)
            } catch {
                throw unusable(path, option: "--crl", "\(error)")
            }
        }
    }

    /// Reads a directory of `--directory`: a file, or the two that `directory update` installed.
    static func directories(_ name: String) throws -> [IssuerDirectory] {
        guard name == DirectoryStore.name else { return [try directory(name)] }
        guard let installed = DirectoryStore.path else {
            throw ValidationError("--directory vci: there is no data directory, since HOME is not set.")
        }
        let hint = "; install it with \"shcverify directory update\""
        let snapshot = try directory("\(installed)/\(DirectoryStore.snapshotFile)", hint: hint)
        let issuers = try directory("\(installed)/\(DirectoryStore.issuersFile)", hint: hint)
        return [issuers.limited(to: snapshot), snapshot]
    }

    private static func directory(_ path: String, hint: String = "") throws -> IssuerDirectory {
        let bytes = try read(path, option: "--directory", limit: Bounds.directorySize, hint: hint)
        do throws(IssuerDirectoryError) {
            return try IssuerDirectory(bytes)
        } catch {
            throw unusable(path, option: "--directory", "\(error)")
        }
    }

    /// Reads the certificates of `--anchor`; nil where there are none.
    static func anchors(_ paths: [String]) throws -> CertificateAnchors? {
        guard !paths.isEmpty else { return nil }
        let anchors = try paths.map { path in
            let bytes = try read(path, option: "--anchor", limit: Bounds.inputSize)
            do throws(CertificateFileError) {
                return try CertificateAnchors(pem: bytes)
            } catch {
                throw unusable(path, option: "--anchor", "\(error)")
            }
        }
        return try CertificateAnchors(merging: anchors)
    }

    /// Reads the file of `--ca-file`, which has to hold a certificate.
    ///
    /// The program that fetches opens it again. There a path like `/dev/stdin` would lead to something else, so it is handed
    /// the path that this one leads to.
    static func certificateAuthorities(_ path: String) throws -> CertificateAuthorities {
        let option = "--ca-file"
        let path = path == "-" ? "/dev/stdin" : path
        let bytes = try read(path, option: option, limit: Bounds.inputSize, by: InputReader.readReopenable)
        do throws(CertificateFileError) {
            _ = try CertificateAnchors(pem: bytes)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
        // Unsafe: the C library reads the path during the call; what it returns is ours to free, and is copied before.
        guard let resolved = unsafe realpath(path, nil) else {
            StandardStreams.warn("shcverify: \(option) \(path): cannot be read: it has no path of its own")
            throw CommandExit.unreadable
        }
        defer { unsafe free(resolved) }
        return CertificateAuthorities(file: unsafe String(cString: resolved), content: bytes)
    }

    /// Reads a file that an option names.
    static func read(
        _ path: String, option: String, limit: Int, hint: String = "",
        by read: (String, Int) throws(InputReader.Failure) -> [UInt8] = InputReader.read
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try read(path, limit)
        } catch {
            StandardStreams.warn("shcverify: \(option) \(path): cannot be read: \(error.message)\(hint)")
            throw CommandExit.unreadable
        }
        guard bytes.count <= limit else {
            throw unusable(path, option: option, "it is larger than \(words(for: limit))")
        }
        return bytes
    }

    private static func words(for size: Int) -> String {
        size < 1 << 20 ? "\(size) bytes" : "\(size >> 20) MiB"
    }

    /// The error of a file that cannot be parsed, after a line that names the option.
    static func unusable(_ path: String, option: String, _ problem: String) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(path): \(problem)")
        return CommandExit.usage
    }
}
