import Credentials
import Encodings
import FHIR
import Glibc
package import HealthCertificates
import Processes
package import SMARTHealthCards
package import SystemPackage

/// A folder with the files of a directory or of another list. Either an update has installed it (`ListStore`), or it is a clone of the
/// directory's repository, which has the snapshot and its signature in `logs`.
///
/// The folder stays open, and its files are opened through it. So all files come from the folder that was checked.
package final class DirectoryFolder {
    /// The files of a directory.
    package enum Part: String, Sendable {
        /// The list of issuers.
        case issuers = "vci-issuers.json"
        /// The snapshot of their keys and revocation lists.
        case snapshot = "vci_snapshot.json"
        /// The snapshot's signature.
        case signature = "vci_snapshot.sig"
        /// WHO's list of signers.
        case signers = "did.json"
        /// The keys that sign WHO's list; absent if its proof was not checked when it was installed.
        case listKeys = "list-keys.json"
        /// The lists of codes (`CodeArchive`).
        case codes = "code-lists"

        /// Where the file is in the directory's repository, and below the address at which VCI publishes it.
        package var publishedPath: String {
            switch self {
            case .snapshot, .signature: "\(DirectoryFolder.logs)/\(rawValue)"
            case .issuers, .signers, .listKeys, .codes: rawValue
            }
        }
    }

    /// Why a folder or file cannot be used.
    package struct Failure: Error {
        /// The kinds of reasons.
        package enum Cause: Equatable, Sendable {
            /// It cannot be read.
            case unreadable
            /// It has other contents.
            case malformed
            /// The rules for lists of signers do not take it.
            case refused(TrustListRule)
        }

        package let cause: Cause
        /// The path of the folder or file.
        package let path: String
        /// Why it cannot be used, in plain words which may call it "it".
        package let reason: String
        /// Whether the path was refused because somebody else may have written the file.
        package let isUnsafe: Bool
        /// The error of the system, if it gave one.
        package let error: Errno?

        package init(
            _ cause: Cause = .unreadable, path: String, reason: String, isUnsafe: Bool = false, error: Errno? = nil
        ) {
            self.cause = cause
            self.path = path
            self.reason = reason
            self.isUnsafe = isUnsafe
            self.error = error
        }

        /// Whether the content is certainly lost, or cannot be relied on. Else, the reason may be one that passes, such as too many open
        /// files, or that only this user may not read it.
        package var isLasting: Bool {
            guard let error else { return true }
            return [.noSuchFileOrDirectory, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels, .ioError]
                .contains(error)
        }
    }

    fileprivate static let logs = "logs"

    private let descriptor: FileDescriptor
    /// The path by which the folder was opened.
    package let path: String
    /// Whether to refuse files that anybody but this user and root may have written.
    private let isGuarded: Bool
    /// Whether the snapshot and its signature are in `logs`.
    private let hasLogs: Bool

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - isGuarded: whether to refuse files that anybody but this user and root may have written.
    package init(_ path: String, isGuarded: Bool = false) throws(Failure) {
        self.path = path
        self.isGuarded = isGuarded
        do {
            descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw Failure(path: path, reason: "\(error)", error: error as? Errno)
        }
        let opened = descriptor
        let has = { (name: String) in
            // Unsafe: the C library reads the name during the call and does not keep it.
            unsafe faccessat(opened.rawValue, name, F_OK, 0) == 0
        }
        hasLogs = !has(Part.snapshot.rawValue) && has(Part.snapshot.publishedPath)
        guard isGuarded else { return }
        try check(opened, path)
        if hasLogs { _ = try open(Self.logs, O_DIRECTORY) { (_: FileDescriptor) throws(Failure) in } }
    }

    deinit { try? descriptor.close() }

    /// Whether a path leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a folder has a list of issuers.
    package static func hasList(_ path: String) -> Bool {
        // Unsafe: the C library reads the path during the call and does not keep it.
        unsafe access("\(path)/\(Part.issuers.rawValue)", F_OK) == 0
    }

    /// The path of a file.
    package func path(of part: Part) -> String { "\(path)/\(name(of: part))" }

    private func name(of part: Part) -> String { hasLogs ? part.publishedPath : part.rawValue }

    /// Reads a file.
    ///
    /// - Parameter limit: how many bytes are read; nil for the most that the file may have.
    /// - Returns: its bytes; if the file is too large, one byte more than the limit.
    package func read(_ part: Part, limit: Int? = nil) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        try open(name(of: part), isGuarded ? O_NONBLOCK : 0) { file throws(Failure) in
            do throws(InputReader.Failure) {
                return try InputReader.read(
                    file, limit: limit ?? (part == .codes ? CodeArchive.maximumSize : Bounds.directorySize))
            } catch {
                throw Failure(path: path(of: part), reason: error.message, error: error.error)
            }
        }
    }

    /// The part of a folder's name which says that the proof of the list in it was verified.
    static let verifiedMark = "verified"

    /// Whether the name of a folder says that the proof of the list in it was verified.
    package static func isMarkedVerified(_ path: String) -> Bool {
        (path.split(separator: "/").last?.split(separator: "-") ?? []).dropFirst().first == verifiedMark[...]
    }

    /// The keys that were installed with WHO's list; nil if there are none, because its proof was not checked.
    package func listKeys() throws(Failure) -> (bytes: [UInt8], keys: ListKeys)? {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try read(.listKeys, limit: Bounds.keySetSize)
        } catch {
            guard error.error == .noSuchFileOrDirectory else { throw error }
            guard !Self.isMarkedVerified(path) else {
                throw Failure(
                    path: self.path(of: .listKeys),
                    reason: "it is missing, although the proof of the list was verified when the list was installed")
            }
            return nil
        }
        return (bytes, try use(.listKeys) { () throws(Malformed) in try ListKeys(bytes) })
    }

    /// Makes what a file holds.
    ///
    /// - Parameter cause: what a failure counts as.
    package func use<T, Problem: Error & CustomStringConvertible>(
        _ part: Part, failingAs cause: Failure.Cause = .unreadable, _ body: () throws(Problem) -> T
    ) throws(Failure) -> T {
        do throws(Problem) {
            return try body()
        } catch {
            throw Failure(cause, path: path(of: part), reason: error.description)
        }
    }

    /// The size of a file in bytes.
    package func size(of part: Part) throws(Failure) -> Int {
        try open(name(of: part), O_NONBLOCK) { file throws(Failure) in
            var status = stat()
            // Unsafe: the call writes into the variable, and keeps no pointer to it.
            guard unsafe fstat(file.rawValue, &status) == 0 else {
                let error = Errno(rawValue: errno)
                throw Failure(path: path(of: part), reason: "\(error)", error: error)
            }
            return Int(status.st_size)
        }
    }

    /// Checks files that may be read later.
    ///
    /// - Throws: if somebody else may have written one of them. A missing file is no failure here.
    package func check(_ parts: [Part]) throws(Failure) {
        for part in parts {
            do throws(Failure) {
                try open(name(of: part), O_NONBLOCK) { (_: FileDescriptor) throws(Failure) in }
            } catch {
                if error.isUnsafe { throw error }
            }
        }
    }

    private func open<T>(
        _ name: String, _ flags: Int32, _ body: (FileDescriptor) throws(Failure) -> T
    ) throws(Failure) -> T {
        // Unsafe: the C library reads the name during the call and does not keep it.
        let number = unsafe openat(descriptor.rawValue, name, O_RDONLY | O_CLOEXEC | flags)
        guard number >= 0 else {
            let error = Errno(rawValue: errno)
            throw Failure(path: "\(path)/\(name)", reason: "\(error)", error: error)
        }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        if isGuarded { try check(file, "\(path)/\(name)") }
        return try body(file)
    }

    private func check(_ file: FileDescriptor, _ path: String) throws(Failure) {
        guard let objection = WriteAccess.objection(to: file.rawValue) else { return }
        throw Failure(path: path, reason: objection, isUnsafe: true)
    }
}

/// The issuers of a folder: a snapshot that a list restricts.
package struct FolderIssuers: Sendable {
    package let source: DirectorySource
    /// The snapshot alone, which also has issuers that were removed from the list.
    package let snapshot: IssuerDirectory
    /// The files that were read.
    package let files: [(part: DirectoryFolder.Part, bytes: [UInt8])]
}

/// The signers of a folder, which are not taken yet.
package struct FolderSigners: Sendable {
    /// The list.
    package let list: SignerList
    /// The list as it was read.
    package let bytes: [UInt8]
    /// The keys that were installed with the list, by which its proof is checked, as they were read; nil if there are none, or if other
    /// keys were given.
    package let keys: (bytes: [UInt8], keys: ListKeys)?
    /// The path of the list.
    fileprivate let path: String

    /// Takes the list, if the rules permit it. Its proof is checked by the keys of the rules, or else by those that were installed with it.
    package func admitted(by rules: TrustListRules) throws(DirectoryFolder.Failure) -> AdmittedList {
        var rules = rules
        rules.keys = rules.keys ?? keys?.keys
        do throws(TrustListRefusal) {
            return try rules.admit(list)
        } catch {
            throw DirectoryFolder.Failure(.refused(error.reason), path: path, reason: error.message)
        }
    }
}

extension DirectoryFolder {
    /// The issuers of the folder. A list and a snapshot in one folder mean something else than the two files alone.
    package func issuers() throws(DirectoryFolder.Failure) -> FolderIssuers {
        let list = try issuers(.issuers)
        let snapshot = try issuers(.snapshot)
        do throws(Malformed) {
            return FolderIssuers(
                source: try DirectorySource(list: list.directory, snapshot: snapshot.directory),
                snapshot: snapshot.directory, files: [(.issuers, list.bytes), (.snapshot, snapshot.bytes)])
        } catch {
            throw Failure(.malformed, path: path, reason: "\(error)")
        }
    }

    private func issuers(_ part: Part) throws(DirectoryFolder.Failure) -> (directory: IssuerDirectory, bytes: [UInt8]) {
        let bytes = try read(part)
        return (try use(part, failingAs: .malformed) { () throws(Malformed) in try IssuerDirectory(bytes) }, bytes)
    }

    /// The signers of WHO's list. It is as old as its proof says, if that is verified, or else as its installation.
    ///
    /// - Parameter hasKeys: whether its proof is checked by other keys than those that were installed with it.
    package func signers(hasKeys: Bool) throws(DirectoryFolder.Failure) -> FolderSigners {
        let bytes = try read(.signers)
        let path = path(of: .signers)
        var list = try use(.signers, failingAs: .malformed) { () throws(Malformed) in
            try SignerList(ListFile(bytes, maximumSize: Bounds.directorySize))
        }
        // A list of unknown age is older than any limit.
        list.retrieved = ListStore.timeOfInstallation(self) ?? NumericDate(sinceEpoch: .zero)
        return FolderSigners(list: list, bytes: bytes, keys: hasKeys ? nil : try listKeys(), path: path)
    }

}
