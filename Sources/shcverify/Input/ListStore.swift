import ArgumentParser
import CredentialReports
import Credentials
import FoundationEssentials
import Glibc
import HelperPrograms
import IssuerNetwork
import LocalFiles
import SMARTHealthCards
import SystemPackage

/// A place where lists are installed: directories of issuers, lists of signers, and lists of codes. There is one for each user
/// (`shcverify` in the XDG data directory), and one for the whole machine (`/var/lib/shcverify`).
///
/// The files of a list are installed together: they are written into a new folder, and then a symbolic link, such as `vci`, is
/// pointed at it in one step. So a reader sees either all old files or all new files. The folder's name contains the
/// time of the list. So even an installation with a damaged snapshot cannot be replaced by an older one.
struct ListStore: Sendable {
    /// The lists that can be installed.
    enum Name: String, CaseIterable {
        /// VCI's directory: its list, its snapshot and the snapshot's signature.
        case vci
        /// WHO's trust list of signers.
        case gdhcn
        /// The lists of codes, together in one file.
        case codes

        /// The lists that `--directory` can mean.
        static let directories: [Name] = [.vci, .gdhcn]

        /// The files that are read.
        var parts: [DirectoryFolder.Part] {
            switch self {
            case .vci: [.issuers, .snapshot]
            case .gdhcn: [.signers, .listKeys]
            case .codes: [.codes]
            }
        }

        /// The directory that the value of an option means; nil if it means a file.
        init?(option value: String) {
            guard let name = Name(rawValue: value.lowercased()), Self.directories.contains(name) else { return nil }
            self = name
        }
    }

    /// The folder with the installed lists.
    let parent: String
    /// Whether the lists are for all users of the machine.
    let isSystem: Bool

    /// The user's own place; nil if neither `XDG_DATA_HOME` nor `HOME` is set to an absolute path.
    static var user: ListStore? {
        if let data = EnvironmentVariable.value(of: "XDG_DATA_HOME"), data.hasPrefix("/") {
            return ListStore(parent: data + "/shcverify", isSystem: false)
        }
        guard let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") else { return nil }
        return ListStore(parent: home + "/.local/share/shcverify", isSystem: false)
    }

    /// The place for all users. `SHCVERIFY_SYSTEM_DIR` names another folder, if it is an absolute path.
    static var system: ListStore {
        let named = EnvironmentVariable.value(of: "SHCVERIFY_SYSTEM_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return ListStore(parent: named ?? "/var/lib/shcverify", isSystem: true)
    }

    /// Both places, the user's first.
    static var all: [ListStore] { [user, system].compactMap(\.self) }

    /// The place of an update.
    ///
    /// - Throws: if the user has none.
    static func forUpdate(isSystem: Bool) throws -> ListStore {
        if isSystem { return system }
        guard let user else {
            StandardStreams.warn("shcverify: there is no data directory to install into, since HOME is not set")
            throw CommandExit.internalError
        }
        return user
    }

    // MARK: Reading

    /// The installation of a list that is used: one whose proof was verified before one whose proof was not checked, and of two alike
    /// the newer one. One that cannot be relied on is left out with a warning, if there is another.
    ///
    /// - Throws: if the list is installed nowhere, or cannot be relied on.
    static func preferred(_ name: Name) throws(DirectoryFolder.Failure) -> DirectoryFolder? {
        var failures: [DirectoryFolder.Failure] = []
        var preferred: (folder: DirectoryFolder, rank: Rank)?
        // A list that was verified, and whose keys are gone, must not make room for one that nobody has checked.
        var damaged: DirectoryFolder.Failure?
        for store in all {
            do throws(DirectoryFolder.Failure) {
                let folder = try store.installed(name)
                let isVerified: Bool
                do throws(DirectoryFolder.Failure) {
                    isVerified = name == .gdhcn ? try folder.listKeys() != nil : false
                } catch {
                    damaged = damaged ?? error
                    throw error
                }
                let rank = Rank(isVerified: isVerified, time: store.time(of: name))
                guard let found = preferred else {
                    preferred = (folder, rank)
                    continue
                }
                if found.rank < rank { preferred = (folder, rank) }
            } catch {
                // The name tells it even if the folder cannot be opened.
                if store.isMarkedVerified(name) { damaged = damaged ?? error }
                failures.append(error)
            }
        }
        if let damaged, preferred?.rank.isVerified != true { throw damaged }
        guard let preferred else {
            // What was installed and cannot be relied on says more than what was not.
            if let failure = failures.first(where: \.isUnsafe) { throw failure }
            guard user != nil || system.mayHave(name), let failure = failures.first else { return nil }
            throw failure
        }
        for failure in failures where failure.isUnsafe || damaged != nil && failure.path == damaged?.path {
            warn(failure)
        }
        return preferred.folder
    }

    /// Which of two installations of a list is used.
    struct Rank: Comparable {
        /// Whether its proof was verified. The times of one that was and of one that was not mean different things, and are not compared.
        let isVerified: Bool
        /// When it was made, or else installed; nil if that is not known.
        let time: NumericDate?

        static func < (one: Rank, other: Rank) -> Bool {
            guard one.isVerified == other.isVerified else { return other.isVerified }
            guard let time = other.time else { return false }
            return one.time.map { $0 < time } ?? true
        }
    }

    static func warn(_ failure: DirectoryFolder.Failure) {
        let words = failure.isUnsafe ? "cannot be relied on" : "cannot be used"
        StandardStreams.warn("shcverify: \(failure.path) \(words), and is left out: \(failure.reason)")
    }

    /// An installed list. It decides whom to trust, so files that somebody else may have written are refused. The link is read
    /// once, so that all files come from the same installation.
    func installed(_ name: Name) throws(DirectoryFolder.Failure) -> DirectoryFolder {
        let folder = try opened(name)
        // Now, while the installation for another place can still be used instead.
        try folder.check(name.parts)
        return folder
    }

    /// The folder of an installed list. Its files are checked when they are read.
    func opened(_ name: Name) throws(DirectoryFolder.Failure) -> DirectoryFolder {
        try checkPlace()
        let target = installation(of: name) ?? name.rawValue
        return try DirectoryFolder(target.hasPrefix("/") ? target : "\(parent)/\(target)", isGuarded: true)
    }

    /// Checks that nobody else can replace this folder, or the link in it.
    private func checkPlace() throws(DirectoryFolder.Failure) {
        if let objection = WriteAccess.objection(toFolderOf: parent) {
            throw DirectoryFolder.Failure(path: parent, reason: objection, isUnsafe: true)
        }
        _ = try DirectoryFolder(parent, isGuarded: true)
    }

    /// The target of the link; nil if there is no link.
    private func installation(of name: Name) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/\(name.rawValue)")
    }

    /// Whether the name of the installation says that the proof of the list was verified.
    private func isMarkedVerified(_ name: Name) -> Bool {
        installation(of: name).map { DirectoryFolder.isMarkedVerified($0) } ?? false
    }

    /// Whether a list is installed. Whether it can be used is another question (`installed`).
    func isInstalled(_ name: Name) -> Bool { DirectoryFolder.isFolder("\(parent)/\(name.rawValue)") }

    /// Whether a list is installed here, even if it cannot be read. False only if there is certainly none.
    func mayHave(_ name: Name) -> Bool {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe lstat("\(parent)/\(name.rawValue)", &status) == 0 || ![ENOENT, ENOTDIR].contains(errno)
    }

    /// Whether a list is installed for this user or for all.
    static func isInstalled(_ name: Name) -> Bool { all.contains { $0.isInstalled(name) } }

    /// The time of an installed list: that of its snapshot, or else of its installation. Nil if none is installed, or if that is
    /// not known.
    func time(of name: Name) -> NumericDate? {
        let named = installation(of: name).flatMap(Self.time(ofFolder:))
        // A directory that was put there by hand has no link.
        guard name == .vci else { return named }
        let bytes = try? installed(.vci).read(.snapshot)
        return Self.later(named, bytes.flatMap { try? IssuerDirectory($0) })
    }

    /// The time that the name of an installed list states; nil if none is installed. No file is read.
    func statedTime(of name: Name) -> NumericDate? { installation(of: name).flatMap { Self.time(ofFolder: $0) } }

    /// The time of VCI's directory in a folder; nil if that is not known.
    static func time(of snapshot: IssuerDirectory, in folder: DirectoryFolder) -> NumericDate? {
        later(time(ofFolder: folder.path), snapshot)
    }

    /// The snapshot's own time has fractions of a second. If the files were installed by hand, it is the only one.
    private static func later(_ named: NumericDate?, _ snapshot: IssuerDirectory?) -> NumericDate? {
        [named, snapshot?.time].compactMap(\.self).max()
    }

    /// The time that an installation's name states: that of VCI's snapshot, or when another list was installed. Nil if it states none.
    static func timeOfInstallation(_ folder: DirectoryFolder) -> NumericDate? { time(ofFolder: folder.path) }

    /// The time that the name of an installation's folder states.
    private static func time(ofFolder folder: String) -> NumericDate? {
        // The parts: the list's name, whether its proof was verified, the seconds, and the five parts of a UUID.
        var parts = folder.split(separator: "/").last?.split(separator: "-") ?? []
        if DirectoryFolder.isMarkedVerified(folder) { parts.remove(at: 1) }
        return parts.count == 7 ? Int64(parts[1]).map { NumericDate(sinceEpoch: .seconds($0)) } : nil
    }

    // MARK: Installing

    /// Runs `body` while no other process changes the installation. Waits up to ten seconds for the lock.
    ///
    /// On a file system without locks, `body` runs without one. Even then, each installation is complete.
    func withLock<T>(_ body: () throws -> T) throws -> T {
        let problem = makeParent()
        do throws(DirectoryFolder.Failure) {
            // What is installed is only accepted from such a place.
            try checkPlace()
        } catch {
            // If the folder is not there, why it could not be made says more.
            guard error.error == .noSuchFileOrDirectory, let problem else { throw failure(error.reason, error.error) }
            throw failure("\(problem)", problem)
        }
        let lock = try lock()
        defer { lock.release() }
        return try body()
    }

    /// Makes the folder with the installed lists, and those above it.
    ///
    /// - Returns: why one of them could not be made; nil if they are all there.
    private func makeParent() -> Errno? {
        var problem: Errno?
        let paths = sequence(first: FilePath(parent)) { $0.components.count > 1 ? $0.removingLastComponent() : nil }
        for path in Array(paths).reversed() {
            // Unsafe: the C library reads the path during the call and does not keep it.
            if unsafe mkdir(path.string, 0o755) == 0 {
                share(path.string, 0o755)
            } else if errno != EEXIST, problem == nil {
                problem = Errno(rawValue: errno)
            }
        }
        return problem
    }

    /// Lets all users read what was made for all of them. Otherwise the umask of the process that made it decides.
    private func share(_ path: String, _ mode: mode_t) {
        // Unsafe: the C library reads the path during the call and does not keep it.
        if isSystem { _ = unsafe chmod(path, mode) }
    }

    private func lock() throws -> LockFile {
        let start = ContinuousClock.now
        while true {
            let path = "\(parent)/.update-lock"
            do throws(LockFile.Failure) {
                return try LockFile(FilePath(path))
            } catch {
                if case .unusable(let problem, let error) = error {
                    throw failure("its lock \(path) cannot be used: \(problem)", error)
                }
            }
            guard ContinuousClock.now - start < .seconds(10) else {
                StandardStreams.warn(
                    "shcverify: another process is updating the lists in \(TerminalText.printable(parent)); try again later"
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
    func install(_ parts: [(DirectoryFolder.Part, [UInt8])], as list: Name, time: NumericDate) throws {
        try UnfinishedFiles.change { try place(parts, as: list, time: time) }
    }

    private func place(_ parts: [(DirectoryFolder.Part, [UInt8])], as list: Name, time: NumericDate) throws {
        let name = list.rawValue
        var previous = installation(of: list)
        // The name says that the proof was verified. So an installation that has lost its keys is not taken for one without.
        let mark = parts.contains { $0.0 == .listKeys } ? "\(DirectoryFolder.verifiedMark)-" : ""
        let folder = "\(name)-\(mark)\(time.sinceEpoch.components.seconds)-\(UUID().uuidString)"
        do {
            // Unsafe, here and below: the C library reads the paths during the call and keeps none.
            guard unsafe mkdir("\(parent)/\(folder)", 0o755) == 0 else { throw Errno(rawValue: errno) }
            share("\(parent)/\(folder)", 0o755)
            for (part, bytes) in parts {
                let path = "\(parent)/\(folder)/\(part.rawValue)"
                try Self.write(bytes, to: path)
                share(path, 0o644)
            }
            let link = "\(parent)/\(folder).link"
            guard unsafe symlink(folder, link) == 0 else { throw Errno(rawValue: errno) }
            do throws(Errno) {
                if let replaced = try point(name, at: link) { previous = replaced }
            } catch {
                _ = unsafe unlink(link)
                throw error
            }
            // The previous installation stays until the next one, because another process may be reading it.
            let manager = FileManager.default
            for old in (try? manager.contentsOfDirectory(atPath: parent)) ?? []
            where old.hasPrefix("\(name)-") && old != folder && old != previous {
                try? manager.removeItem(atPath: "\(parent)/\(old)")
            }
        } catch {
            try? FileManager.default.removeItem(atPath: "\(parent)/\(folder)")
            throw failure("\(error)", error as? Errno)
        }
    }

    /// Puts a new link in the place of an installation.
    ///
    /// - Returns: the new name of a real folder that was in that place, such as one that was restored from a backup; else nil.
    private func point(_ name: String, at link: String) throws(Errno) -> String? {
        let place = "\(parent)/\(name)"
        // Unsafe, here and below: the C library reads the paths during the call and keeps none.
        if unsafe rename(link, place) == 0 { return nil }
        guard errno == EISDIR else { throw Errno(rawValue: errno) }
        // A link cannot replace a folder in one step. A reader finds nothing for a moment.
        let aside = "\(name)-replaced-\(UUID().uuidString)"
        guard unsafe rename(place, "\(parent)/\(aside)") == 0 else { throw Errno(rawValue: errno) }
        guard unsafe rename(link, place) == 0 else {
            let problem = Errno(rawValue: errno)
            _ = unsafe rename("\(parent)/\(aside)", place)
            throw problem
        }
        return aside
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

    /// The end of an update that cannot write.
    ///
    /// - Parameters:
    ///   - problem: why, in words.
    ///   - error: the error of the system, if it gave one.
    private func failure(_ problem: String, _ error: Errno?) -> any Error {
        let isForRoot = isSystem && geteuid() != 0 && [.permissionDenied, .notPermitted].contains(error)
        let words = isForRoot ? "only root may write there: run it with sudo, or leave --system out" : problem
        StandardStreams.warn("shcverify: the lists could not be installed in \(parent): \(words)")
        return CommandExit.internalError
    }
}
