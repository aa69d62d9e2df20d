import ArgumentParser
import Credentials
import FoundationEssentials
import Glibc
import HelperPrograms
import IssuerNetwork
import Reports
import SMARTHealthCards
import SystemPackage

/// The place where `directory update` installs lists of trusted issuers: `shcverify/vci` and `shcverify/gdhcn` in the XDG
/// data directory.
///
/// The files of a list are installed together: they are written into a new folder, and then the symbolic link `vci` is
/// pointed at it in one step. So a reader sees either all old files or all new files. The folder's name contains the
/// time of the snapshot. So even an installation with a damaged snapshot cannot be replaced by an older one.
enum DirectoryStore {
    /// The lists that can be installed.
    enum Name: String, CaseIterable {
        /// VCI's directory: its list, its snapshot and the snapshot's signature.
        case vci
        /// WHO's trust list of signers.
        case gdhcn

        /// The list that the value of an option means; nil if it means a file.
        init?(option value: String) { self.init(rawValue: value.lowercased()) }
    }

    /// The data directory; nil if neither `XDG_DATA_HOME` nor `HOME` is set to an absolute path.
    private static var parent: String? {
        if let data = EnvironmentVariable.value(of: "XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/shcverify" }
        guard let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/share/shcverify"
    }

    /// The installed directory; nil if there is no data directory. It decides whom to trust, so files that somebody
    /// else may have written are refused. The link is read once, so that all files come from the same installation.
    static func installed(_ name: Name = .vci) throws(DirectoryFolder.Failure) -> DirectoryFolder? {
        guard let parent else { return nil }
        try checkPlace(parent)
        let target = installation(of: name, in: parent) ?? name.rawValue
        return try DirectoryFolder(target.hasPrefix("/") ? target : "\(parent)/\(target)", isGuarded: true)
    }

    /// Checks that nobody else can replace this folder, or the link in it.
    private static func checkPlace(_ parent: String) throws(DirectoryFolder.Failure) {
        if let objection = WriteAccess.objection(toPlaceOf: parent) {
            throw DirectoryFolder.Failure(path: parent, reason: objection, isUnsafe: true)
        }
        _ = try DirectoryFolder(parent, isGuarded: true)
    }

    /// The target of the link; nil if nothing is installed.
    private static func installation(of name: Name, in parent: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/\(name.rawValue)")
    }

    /// Whether a list is installed. Whether it can be used is another question (`installed`).
    static func isInstalled(_ name: Name) -> Bool {
        parent.map { DirectoryFolder.isFolder("\($0)/\(name.rawValue)") } ?? false
    }

    /// The time that the name of an installation's folder states.
    private static func time(ofFolder folder: String) -> NumericDate? {
        // The parts: the list's name, the seconds, and the five parts of a UUID.
        let parts = folder.split(separator: "/").last?.split(separator: "-") ?? []
        return parts.count == 7 ? Int64(parts[1]).map { NumericDate(sinceEpoch: .seconds($0)) } : nil
    }

    /// When WHO's list was installed; nil if it is not installed, or if that is not known.
    static func timeOfSigners(in folder: DirectoryFolder) -> NumericDate? { time(ofFolder: folder.path) }

    /// The time of the installed snapshot; nil if none is installed.
    static var installedTime: NumericDate? {
        guard let parent, let folder = installation(of: .vci, in: parent) else { return nil }
        let named = time(ofFolder: folder)
        // The snapshot's own time has fractions of a second. If the files were installed by hand, it is the only one.
        let bytes = try? installed()?.read(.snapshot)
        let stated = bytes.flatMap { (try? IssuerDirectory($0))?.time }
        return [named, stated].compactMap(\.self).max()
    }

    /// Runs `body` while no other process changes the installation. Waits up to ten seconds for the lock.
    ///
    /// On a file system without locks, `body` runs without one. Even then, each installation is complete.
    static func withLock<T>(_ body: () throws -> T) throws -> T {
        guard let parent else {
            StandardStreams.warn("shcverify: there is no data directory to install into, since HOME is not set")
            throw CommandExit.internalError
        }
        // An error here shows up when the folder is opened.
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        do throws(DirectoryFolder.Failure) {
            // The installed directory is only accepted from such a place.
            try checkPlace(parent)
        } catch {
            throw failure(in: parent, error.reason)
        }
        let lock = try lock(in: parent)
        defer { lock.release() }
        return try body()
    }

    private static func lock(in parent: String) throws -> LockFile {
        let start = ContinuousClock.now
        while true {
            let path = "\(parent)/.update-lock"
            do throws(LockFile.Failure) {
                return try LockFile(FilePath(path))
            } catch {
                if case .unusable(let problem) = error {
                    throw failure(in: parent, "its lock \(path) cannot be used: \(problem)")
                }
            }
            guard ContinuousClock.now - start < .seconds(10) else {
                StandardStreams.warn(
                    "shcverify: another process is updating the directory in \(TerminalText.printable(parent)); try again later"
                )
                throw CommandExit.internalError
            }
            usleep(50_000)
        }
    }

    /// Installs the files in place of the installed ones.
    ///
    /// - Parameters:
    ///   - parts: the files.
    ///   - list: the list that they belong to.
    ///   - time: the time of the snapshot, or when the list was fetched.
    static func install(_ parts: [(DirectoryFolder.Part, [UInt8])], as list: Name, time: NumericDate) throws {
        guard let parent else { return }
        try UnfinishedFiles.change { try install(parts, as: list, time: time, in: parent) }
    }

    private static func install(
        _ parts: [(DirectoryFolder.Part, [UInt8])], as list: Name, time: NumericDate, in parent: String
    ) throws {
        let name = list.rawValue
        let previous = installation(of: list, in: parent)
        let folder = "\(name)-\(time.sinceEpoch.components.seconds)-\(UUID().uuidString)"
        do {
            // Unsafe, here and below: the C library reads the paths during the call and keeps none.
            guard unsafe mkdir("\(parent)/\(folder)", 0o755) == 0 else { throw Errno(rawValue: errno) }
            for (part, bytes) in parts { try write(bytes, to: "\(parent)/\(folder)/\(part.rawValue)") }
            let link = "\(parent)/\(folder).link"
            guard unsafe symlink(folder, link) == 0 else { throw Errno(rawValue: errno) }
            guard unsafe rename(link, "\(parent)/\(name)") == 0 else {
                let problem = Errno(rawValue: errno)
                _ = unsafe unlink(link)
                throw problem
            }
            // The previous installation stays until the next one, because another process may be reading it.
            let manager = FileManager.default
            for old in (try? manager.contentsOfDirectory(atPath: parent)) ?? []
            where old.hasPrefix("\(name)-") && old != folder && old != previous {
                try? manager.removeItem(atPath: "\(parent)/\(old)")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: "\(parent)/\(folder)")
            throw failure(in: parent, "\(error)")
        }
    }

    /// Writes a file and syncs it to the disk. Otherwise, after a power failure, the link could lead to an empty file.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        try file.closeAfter {
            try file.writeAllWaiting(bytes)
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    private static func failure(in parent: String, _ problem: String) -> any Error {
        StandardStreams.warn("shcverify: the directory could not be installed in \(parent): \(problem)")
        return CommandExit.internalError
    }
}
