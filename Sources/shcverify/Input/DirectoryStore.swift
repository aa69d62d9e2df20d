import ArgumentParser
import FoundationEssentials
import Glibc
import IssuerNetwork
import SMARTHealthCards
import SystemPackage

/// Where `directory update` installs the trusted-issuer directory: `shcverify/vci` in the XDG data directory.
///
/// The three files are installed as one: they are written into a folder of their own, and `vci`, a symbolic link, is made to
/// lead to it in one step. A reader sees all of the old files or all of the new ones. The folder's name says of when
/// the snapshot is, so that one that was damaged holds back older ones all the same.
enum DirectoryStore {
    static let name = "vci"

    /// Whether an option's value means the installed directory.
    static func isMeant(by value: String) -> Bool { value.lowercased() == name }

    /// The data directory; nil if neither `XDG_DATA_HOME` nor `HOME` says where it is.
    private static var parent: String? {
        if let data = EnvironmentVariable.value(of: "XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/shcverify" }
        guard let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/share/shcverify"
    }

    /// The installed directory; nil if there is no place for one. It says whom to trust, so what somebody else may have
    /// written is refused. The link is followed once, so that all files that are read are of one installation.
    static func installed() throws(DirectoryFolder.Failure) -> DirectoryFolder? {
        guard let parent else { return nil }
        try checkPlace(parent)
        let target = installation(in: parent) ?? name
        return try DirectoryFolder(target.hasPrefix("/") ? target : "\(parent)/\(target)", isGuarded: true)
    }

    /// Makes sure that nobody else can put another folder here, or another link into it.
    private static func checkPlace(_ parent: String) throws(DirectoryFolder.Failure) {
        if let objection = WriteAccess.objection(toPlaceOf: parent) {
            throw DirectoryFolder.Failure(path: parent, reason: objection, isUnsafe: true)
        }
        _ = try DirectoryFolder(parent, isGuarded: true)
    }

    /// The folder that the link leads to; nil if nothing is installed.
    private static func installation(in parent: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/\(name)")
    }

    /// When the installed snapshot was taken; nil if none is installed.
    static var installedTime: NumericDate? {
        guard let parent, let folder = installation(in: parent) else { return nil }
        // The name, the seconds, and a UUID's five parts.
        let parts = folder.split(separator: "-")
        let named = parts.count == 7 ? Int64(parts[1]).map { NumericDate(sinceEpoch: .seconds($0)) } : nil
        // The snapshot says it to a fraction of a second, and is all there is if it was installed by hand.
        let bytes = try? installed()?.read(.snapshot)
        let stated = bytes.flatMap { (try? IssuerDirectory($0))?.time }
        return [named, stated].compactMap(\.self).max()
    }

    /// Does something that no other process may do at the same time with what is installed. It waits for its turn, but not
    /// for ever.
    ///
    /// On a file system without locks it is done all the same: what is installed is of one piece even then.
    static func alone<T>(_ body: () throws -> T) throws -> T {
        guard let parent else {
            StandardStreams.warn("shcverify: there is no data directory to install into, since HOME is not set")
            throw CommandExit.internalError
        }
        // If it cannot be made, opening it says why.
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        do throws(DirectoryFolder.Failure) {
            // What is installed there is relied on only under the same conditions.
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
                if case .unusable(let problem) = error { throw failure(in: parent, "its lock, \(path): \(problem)") }
            }
            guard ContinuousClock.now - start < .seconds(10) else {
                StandardStreams.warn(
                    "shcverify: another process is updating what is in \(TerminalText.printable(parent)): try again later"
                )
                throw CommandExit.internalError
            }
            usleep(50_000)
        }
    }

    /// Installs the files in place of those that are installed.
    ///
    /// - Parameters:
    ///   - files: the files.
    ///   - time: when the snapshot among them was taken.
    static func install(_ files: DirectoryFiles, time: NumericDate) throws {
        guard let parent else { return }
        let previous = installation(in: parent)
        let folder = "\(name)-\(time.sinceEpoch.components.seconds)-\(UUID().uuidString)"
        do {
            // Unsafe, here and below: the C library reads the paths during the call and keeps none.
            guard unsafe mkdir("\(parent)/\(folder)", 0o755) == 0 else { throw Errno(rawValue: errno) }
            let parts: [(DirectoryFolder.Part, [UInt8])] = [
                (.issuers, files.issuers), (.snapshot, files.snapshot), (.signature, files.signature),
            ]
            for (part, bytes) in parts { try write(bytes, to: "\(parent)/\(folder)/\(part.rawValue)") }
            let link = "\(parent)/\(folder).link"
            guard unsafe symlink(folder, link) == 0 else { throw Errno(rawValue: errno) }
            guard unsafe rename(link, "\(parent)/\(name)") == 0 else {
                let problem = Errno(rawValue: errno)
                _ = unsafe unlink(link)
                throw problem
            }
            // The installation before this one stays until the next: somebody may be reading it.
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

    /// Writes a file through to the disk, since the link to it must not get there before it.
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
