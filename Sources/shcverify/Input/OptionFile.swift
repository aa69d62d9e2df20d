import ArgumentParser
import Credentials
import Cryptography
import Glibc
import HTTPSFetch
import HealthCertificates
import IssuerNetwork
import JOSE
import JSON
import Reports
import SMARTHealthCards

/// Reads the files that options name. If one cannot be read or parsed, the command ends before any card is verified.
enum OptionFile {
    /// Is called with the values of options, byte for byte.
    struct Note {
        /// A value of an option.
        struct Given {
            let option: String
            let content: [UInt8]
            /// The path that the user named; nil if the value is not from a named file.
            var path: String?
            /// The only issuer that the value applies to; nil if it applies to all.
            var issuer: Issuer?
            /// Whether the content is that of a file.
            var isFile = true
        }

        private let take: (Given) -> Void

        init(_ take: @escaping (Given) -> Void) { self.take = take }

        static var nothing: Note { Note { _ in } }

        func callAsFunction(
            _ option: String, _ content: [UInt8], path: String? = nil, issuer: Issuer? = nil, isFile: Bool = true
        ) {
            take(Given(option: option, content: content, path: path, issuer: issuer, isFile: isFile))
        }
    }

    /// Reads the files of `--jwks`: key sets, which may be of signers too, and signer certificates.
    static func keys(
        _ values: [String], noting note: Note = .nothing
    ) throws -> (keys: GivenKeys, signers: [SignerList]) {
        var keys = GivenKeys()
        var signers: [SignerList] = []
        for value in values {
            var path = value[...]
            var issuer: Issuer?
            if value.hasPrefix("https://") {
                guard let equals = value.lastIndex(of: "=") else {
                    throw ValidationError("--jwks takes FILE, or ISS=FILE; \(value) has no =FILE.")
                }
                let url = String(value[..<equals])
                guard url.utf8.last != UInt8(ascii: "/") else {
                    throw ValidationError(
                        "--jwks \(value): the URL of an issuer does not end with a slash. Write --jwks "
                            + "\(url.dropLast())=\(value[equals...].dropFirst())")
                }
                issuer = try Issuer(url, option: "--jwks")
                path = value[value.index(after: equals)...]
            }
            let bytes = try read(String(path), option: "--jwks", limit: Bounds.keySetSize)
            note("--jwks", bytes, path: String(path), issuer: issuer)
            if SignerList.form(of: bytes) == .certificates, issuer == nil {
                signers.append(try signerList(bytes, String(path), option: "--jwks", from: .jwksFile))
                keys.addSigners()
                continue
            }
            do throws(JWKSetError) {
                keys.add(try JWKSet(bytes), for: issuer)
            } catch {
                throw unusable(String(path), option: "--jwks", "\(error.description)")
            }
            // Keys that are given for one issuer of cards are for nothing else.
            if issuer == nil, let list = try? SignerList(keySet: bytes), !list.isOfCardIssuer { signers.append(list) }
        }
        return (keys, signers)
    }

    private static func signerList(
        _ bytes: [UInt8], _ path: String, option: String, from origin: KeyOrigin = .directory
    ) throws -> SignerList {
        do throws(SignerListError) {
            return try SignerList(bytes, from: origin)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
    }

    /// Reads the files of `--crl`: revocation lists of cards, and batches of revoked EU certificates.
    static func revocations(
        _ paths: [String], noting note: Note = .nothing
    ) throws -> (lists: [RevocationList], batches: [RevocationBatch]) {
        var lists: [RevocationList] = []
        var batches: [RevocationBatch] = []
        for path in paths {
            let bytes = try read(path, option: "--crl", limit: Bounds.revocationListSize)
            note("--crl", bytes, path: path)
            do {
                if RevocationBatch.isBatch(bytes) {
                    batches.append(try RevocationBatch(bytes))
                } else {
                    lists.append(try RevocationList(bytes))
                }
            } catch {
                throw unusable(path, option: "--crl", "\(error)")
            }
        }
        return (lists, batches)
    }

    /// A trust list of `--directory`.
    enum TrustList {
        /// Issuers of SMART Health Cards.
        case issuers(DirectorySource)
        /// Signers of EU Digital COVID Certificates.
        case signers(SignerList)
    }

    /// Reads a directory of `--directory`: a file, a folder with a list and a snapshot, or an installed list.
    static func directory(_ name: String, noting note: Note = .nothing) throws -> TrustList {
        if let list = DirectoryStore.Name(option: name) {
            let address = list == .vci ? "" : " --url URL"
            let hint =
                "; install the list of --directory \(list.rawValue) for this user with \"shcverify directory update\(address)\""
            let found = try read(hint: hint) { () throws(DirectoryFolder.Failure) in try DirectoryStore.installed(list)
            }
            guard let installed = found else {
                throw ValidationError(
                    "--directory \(list.rawValue): there is no data directory, since HOME is not set.")
            }
            guard list == .vci else { return .signers(try signers(in: installed, hint: hint, noting: note)) }
            return .issuers(try directory(in: installed, hint: hint, isNamed: false, noting: note))
        }
        // "-" means standard input, even if a folder has that name.
        guard name == "-" || !DirectoryFolder.isFolder(name) else {
            return .issuers(
                try directory(
                    in: try read { () throws(DirectoryFolder.Failure) in try DirectoryFolder(name) }, noting: note))
        }
        let bytes = try read(name, option: "--directory", limit: Bounds.directorySize)
        return try directory(bytes, name, noting: note)
    }

    /// Reads the content of a file of `--directory`.
    private static func directory(_ bytes: [UInt8], _ name: String, noting note: Note = .nothing) throws -> TrustList {
        note("--directory", bytes, path: name)
        if let form = SignerList.form(of: bytes), form != .jwks {
            return .signers(try signerList(bytes, name, option: "--directory"))
        }
        return .issuers(DirectorySource(try parse(bytes, name)))
    }

    /// Reads a directory of `--directory` that has issuers.
    static func issuers(_ name: String, noting note: Note = .nothing) throws -> DirectorySource {
        guard case .issuers(let source) = try directory(name, noting: note) else {
            throw unusable(
                name, option: "--directory", "it is a list of signers of EU certificates, and has no issuers of cards")
        }
        return source
    }

    /// Reads the states of issuers from a directory, or from the JSON document of an audit.
    ///
    /// - Parameters:
    ///   - name: the file, the folder with a list and a snapshot, or the name of an installed list.
    ///   - option: what names it, for messages.
    static func states(_ name: String, option: String) throws -> [IssuerState] {
        let list: TrustList
        if DirectoryStore.Name(option: name) != nil || name != "-" && DirectoryFolder.isFolder(name) {
            list = try directory(name)
        } else {
            let bytes = try read(name, option: option, limit: Bounds.directorySize)
            if !bytes.holdsMoreJSONValues(than: Bounds.listValues),
                let document = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting),
                let states = AuditDocument.states(in: document)
            {
                return states
            }
            list = try directory(bytes, name)
        }
        switch list {
        case .signers: throw unusable(name, option: option, "it is a list of signers, and only issuers can be compared")
        case .issuers(let source):
            var directories = TrustedIssuers()
            directories.add(source)
            return directories.entries.map { IssuerState($0, in: directories) }
        }
    }

    /// The installed list of signers, with the time of its installation.
    private static func signers(in folder: DirectoryFolder, hint: String, noting note: Note) throws -> SignerList {
        let bytes = try read(hint: hint) { () throws(DirectoryFolder.Failure) in try folder.read(.signers) }
        note("--directory", bytes)
        var list = try signerList(bytes, folder.path(of: .signers), option: "--directory")
        // A list of unknown age is older than any limit.
        list.retrieved = DirectoryStore.timeOfSigners(in: folder) ?? NumericDate(sinceEpoch: .zero)
        return list
    }

    private static func directory(
        in folder: DirectoryFolder, hint: String = "", isNamed: Bool = true, noting note: Note
    ) throws -> DirectorySource {
        // A list and a snapshot in one folder mean something else than the two files alone.
        note("--directory", Array("a folder".utf8), isFile: false)
        let parts = try [DirectoryFolder.Part.issuers, .snapshot].map { part in
            let bytes = try read(hint: hint) { () throws(DirectoryFolder.Failure) in try folder.read(part) }
            note("--directory", bytes, path: isNamed ? folder.path(of: part) : nil)
            return try parse(bytes, folder.path(of: part))
        }
        do throws(IssuerDirectoryError) {
            return try DirectorySource(list: parts[0], snapshot: parts[1])
        } catch {
            throw unusable(folder.path, option: "--directory", "\(error)")
        }
    }

    private static func parse(_ bytes: [UInt8], _ path: String) throws -> IssuerDirectory {
        do throws(IssuerDirectoryError) {
            return try IssuerDirectory(bytes)
        } catch {
            throw unusable(path, option: "--directory", "\(error)")
        }
    }

    /// Reads from a directory's folder, and names the option if that fails.
    static func read<T>(
        option: String = "--directory", hint: String = "", _ body: () throws(DirectoryFolder.Failure) -> T
    ) throws -> T {
        do throws(DirectoryFolder.Failure) {
            return try body()
        } catch {
            StandardStreams.warn(
                "shcverify: \(option) \(error.path): "
                    + (error.isUnsafe
                        ? "cannot be relied on: \(error.reason)" : "cannot be read: \(error.reason)\(hint)"))
            throw CommandExit.unreadable
        }
    }

    /// Reads the certificates of `--anchor`; nil if there are none.
    static func anchors(_ paths: [String], noting note: Note = .nothing) throws -> CertificateAnchors? {
        guard !paths.isEmpty else { return nil }
        let anchors = try paths.map { path in
            let bytes = try read(path, option: "--anchor", limit: Bounds.inputSize)
            note("--anchor", bytes)
            do throws(CertificateFileError) {
                return try CertificateAnchors(pem: bytes)
            } catch {
                throw unusable(path, option: "--anchor", "\(error)")
            }
        }
        return try CertificateAnchors(merging: anchors)
    }

    /// Reads the file of `--ca-file`, which must contain a certificate.
    ///
    /// The process that fetches opens the file again. A path like `/dev/stdin` would mean another file there, so the
    /// result has the resolved path.
    static func certificateAuthorities(_ path: String, noting note: Note = .nothing) throws -> CertificateAuthorities {
        let option = "--ca-file"
        let path = path == "-" ? "/dev/stdin" : path
        let bytes = try read(path, option: option, limit: Bounds.inputSize, by: InputReader.readReopenable)
        note(option, bytes)
        do throws(CertificateFileError) {
            _ = try CertificateAnchors(pem: bytes)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
        // Unsafe: the C library reads the path during the call. The result is copied, and then freed here.
        guard let resolved = unsafe realpath(path, nil) else {
            StandardStreams.warn("shcverify: \(option) \(path): cannot be read: it has no path of its own")
            throw CommandExit.unreadable
        }
        defer { unsafe free(resolved) }
        return CertificateAuthorities(file: unsafe String(cString: resolved), content: bytes)
    }

    /// Reads a file that an option names.
    static func read(
        _ path: String, option: String, limit: Int,
        by read: (String, Int) throws(InputReader.Failure) -> [UInt8] = InputReader.read
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try read(path, limit)
        } catch {
            StandardStreams.warn("shcverify: \(option) \(InputReader.shown(path)): cannot be read: \(error.message)")
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

    /// The error for a file that cannot be used, after a line on standard error that names the option.
    static func unusable(_ path: String, option: String, _ problem: String) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(InputReader.shown(path)): \(problem)")
        return CommandExit.usage
    }
}
