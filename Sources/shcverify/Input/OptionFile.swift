import ArgumentParser
import JOSE
import SMARTHealthCards

/// Files that options name: what cannot be read or parsed ends the command before any card is looked at.
enum OptionFile {
    /// What takes the bytes of each file that was read, with its path, and the issuer that it is for alone.
    typealias Reader = (_ path: String, _ bytes: [UInt8], _ issuer: Issuer?) -> Void

    /// Reads the key sets of `--jwks`.
    static func keys(_ values: [String], reader: Reader = { _, _, _ in }) throws -> GivenKeys {
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
            reader(String(path), bytes, issuer)
        }
        return keys
    }

    /// Reads the revocation lists of `--crl`.
    static func revocationLists(
        _ paths: [String], reader: Reader = { _, _, _ in }
    ) throws -> [RevocationList] {
        try paths.map { path in
            let bytes = try read(path, option: "--crl", limit: Bounds.revocationListSize)
            do throws(RevocationListError) {
                let list = try RevocationList(bytes)
                reader(path, bytes, nil)
                return list
            } catch {
                throw unusable(path, option: "--crl", "\(error)")
            }
        }
    }

    /// Reads a directory of `--directory`: a file, or the two that `directory update` installed.
    ///
    /// - Parameter reader: takes the files that were given, not those that are installed.
    static func directories(_ name: String, reader: Reader = { _, _, _ in }) throws -> [IssuerDirectory] {
        guard name == DirectoryStore.name else { return [try directory(name, reader: reader)] }
        guard let installed = DirectoryStore.path else {
            throw ValidationError("--directory vci: there is no data directory, since HOME is not set.")
        }
        let hint = "; install it with \"shcverify directory update\""
        let snapshot = try directory("\(installed)/\(DirectoryStore.snapshotFile)", hint: hint)
        let issuers = try directory("\(installed)/\(DirectoryStore.issuersFile)", hint: hint)
        return [issuers.limited(to: snapshot), snapshot]
    }

    private static func directory(
        _ path: String, hint: String = "", reader: Reader = { _, _, _ in }
    ) throws -> IssuerDirectory {
        let bytes = try read(path, option: "--directory", limit: Bounds.directorySize, hint: hint)
        do throws(IssuerDirectoryError) {
            let directory = try IssuerDirectory(bytes)
            reader(path, bytes, nil)
            return directory
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

    /// Makes sure that the file of `--ca-file` can be read and holds a certificate.
    static func checkCertificates(_ path: String) throws {
        let bytes = try read(path, option: "--ca-file", limit: Bounds.inputSize)
        do throws(CertificateFileError) {
            _ = try CertificateAnchors(pem: bytes)
        } catch {
            throw unusable(path, option: "--ca-file", "\(error)")
        }
    }

    /// Reads a file that an option names.
    static func read(_ path: String, option: String, limit: Int, hint: String = "") throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try InputReader.read(path, limit: limit)
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
