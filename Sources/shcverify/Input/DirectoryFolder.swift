import ArgumentParser
import Credentials
import FHIR
import Glibc
import HealthCertificates
import HelperPrograms
import IssuerNetwork
import LocalFiles
import SMARTHealthCards
import SystemPackage

/// A folder with the files of a directory. Either `directory update` has installed it, or it is a clone of the
/// directory's repository, which has the snapshot and its signature in `logs`.
///
/// The folder stays open, and its files are opened through it. So all files come from the folder that was checked.
final class DirectoryFolder {
    /// The files of a directory.
    enum Part: String {
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
    }

    /// Why a folder or file cannot be used.
    struct Failure: Error {
        let path: String
        let reason: String
        /// Whether the path was refused because somebody else may have written the file.
        var isUnsafe = false
        /// The error of the system, if it gave one.
        var error: Errno?

        /// Whether the content is certainly lost, or cannot be relied on. Else, the reason may be one that passes, such as too many open
        /// files, or that only this user may not read it.
        var isLasting: Bool {
            guard let error else { return true }
            return [.noSuchFileOrDirectory, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels, .ioError]
                .contains(error)
        }
    }

    private static let logs = "logs"

    private let descriptor: FileDescriptor
    let path: String
    /// Whether to refuse files that anybody but this user and root may have written.
    private let isGuarded: Bool
    /// Whether the snapshot and its signature are in `logs`.
    private let hasLogs: Bool

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - isGuarded: whether to refuse files that anybody but this user and root may have written.
    init(_ path: String, isGuarded: Bool = false) throws(Failure) {
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
        hasLogs = !has(Part.snapshot.rawValue) && has("\(Self.logs)/\(Part.snapshot.rawValue)")
        guard isGuarded else { return }
        try check(opened, path)
        if hasLogs { _ = try open(Self.logs, O_DIRECTORY) { (_: FileDescriptor) throws(Failure) in } }
    }

    deinit { try? descriptor.close() }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a folder has a list of issuers.
    static func hasList(_ path: String) -> Bool {
        // Unsafe: the C library reads the path during the call and does not keep it.
        unsafe access("\(path)/\(Part.issuers.rawValue)", F_OK) == 0
    }

    /// The path of a file.
    func path(of part: Part) -> String { "\(path)/\(name(of: part))" }

    private func name(of part: Part) -> String {
        hasLogs && [.snapshot, .signature].contains(part) ? "\(Self.logs)/\(part.rawValue)" : part.rawValue
    }

    /// Reads a file.
    ///
    /// - Parameter limit: how many bytes are read; nil for the most that the file may have.
    /// - Returns: its bytes; if the file is too large, one byte more than the limit.
    func read(_ part: Part, limit: Int? = nil) throws(Failure) -> [UInt8] {
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
    static func isMarkedVerified(_ path: String) -> Bool {
        (path.split(separator: "/").last?.split(separator: "-") ?? []).dropFirst().first == verifiedMark[...]
    }

    /// The keys that were installed with WHO's list; nil if there are none, because its proof was not checked.
    func listKeys() throws(Failure) -> (bytes: [UInt8], keys: ListKeys)? {
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
        do throws(ListKeyError) {
            return (bytes, try ListKeys(bytes))
        } catch {
            throw Failure(path: path(of: .listKeys), reason: error.description)
        }
    }

    /// The size of a file in bytes.
    func size(of part: Part) throws(Failure) -> Int {
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
    func check(_ parts: [Part]) throws(Failure) {
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

/// The three files of a published directory: the list of issuers, the snapshot of their keys, and its signature.
struct DirectoryFiles {
    let issuers: [UInt8]
    let snapshot: [UInt8]
    let signature: [UInt8]

    /// Reads one of the files.
    static func parse(_ bytes: [UInt8], name: String) throws -> IssuerDirectory {
        do throws(IssuerDirectoryError) {
            return try IssuerDirectory(bytes)
        } catch {
            StandardStreams.warn("shcverify: \(name): \(error)")
            throw CommandExit.malformed
        }
    }

    /// A short description of a directory.
    static func describe(_ directory: IssuerDirectory) -> String {
        var text = "\(directory.entries.count) issuers"
        if directory.isSnapshot { text += ", \(directory.keyCount) keys" }
        if let time = directory.time { text += ", as of \(time.toTheSecond)" }
        return text
    }
}
