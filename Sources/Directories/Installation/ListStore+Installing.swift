package import Credentials
import FoundationEssentials
import Glibc
import Processes
import SystemPackage

/// Why nothing can be installed in a place.
package enum InstallationFailure: Error, Sendable, Equatable {
    /// Another process has been changing the lists for ten seconds.
    case busy
    /// Only root may write there.
    case needsRoot
    /// It cannot be written, or others could replace what is in it: why, in plain words.
    case unwritable(String)
}

extension ListStore {
    /// Installs files in place of the installed ones, while no other process does. Waits up to ten seconds for the others, and makes the
    /// folder if it is not there.
    ///
    /// On a file system without locks, other processes are not kept out. Even then, each installation is complete.
    ///
    /// - Parameters:
    ///   - list: the list that the files belong to.
    ///   - time: the time of the snapshot, or when the list was made or fetched.
    ///   - files: compares the list with the installed one, which does not change any more, and returns the files.
    /// - Throws: what `files` throws, or `InstallationFailure`.
    package func install(
        as list: Name, time: NumericDate, _ files: () throws -> [(DirectoryFolder.Part, [UInt8])]
    ) throws {
        let lock = try locked()
        defer { lock.release() }
        let parts = try files()
        try UnfinishedFiles.change { () throws(InstallationFailure) in try place(parts, as: list, time: time) }
    }

    /// Removes an installed list with all its files, also those of earlier installations. Waits up to ten seconds for other processes that
    /// change the lists. A reader finds the whole list, or none.
    ///
    /// - Returns: whether something was there.
    package func remove(_ list: Name) throws(InstallationFailure) -> Bool {
        guard mayHave(list) || !installations(of: list).isEmpty else { return false }
        do throws(DirectoryFolder.Failure) {
            // In a folder that others may write to, what is removed could be exchanged meanwhile.
            try checkPlace()
        } catch {
            throw failure(error.reason, error.error)
        }
        let lock = try lock()
        defer { lock.release() }
        let found = mayHave(list)
        do {
            // Unsafe: the C library reads the path during the call and does not keep it.
            if unsafe unlink("\(parent)/\(list.rawValue)") != 0, found {
                guard errno == EISDIR else { throw Errno(rawValue: errno) }
                // A real folder, such as one that was restored from a backup.
                try FileManager.default.removeItem(atPath: "\(parent)/\(list.rawValue)")
            }
            let rest = installations(of: list)
            for folder in rest { try FileManager.default.removeItem(atPath: "\(parent)/\(folder)") }
            return found || !rest.isEmpty
        } catch let error as Errno {
            throw failure("\(error)", error)
        } catch {
            throw failure("\(error)", nil)
        }
    }

    /// The names of the folders in which a list was installed, and of links that an update has left.
    private func installations(of list: Name) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).filter {
            $0.hasPrefix("\(list.rawValue)-") && Self.isMade($0, for: list)
        }
    }

    /// Whether an update gives such a name. What somebody else has put there stays.
    private static func isMade(_ name: String, for list: Name) -> Bool {
        let folder = name.hasSuffix(".link") ? String(name.dropLast(5)) : name
        return time(ofFolder: folder) != nil
            || UUID(uuidString: String(folder.dropFirst("\(list.rawValue)-replaced-".count))) != nil
    }

    // MARK: The lock

    private func locked() throws(InstallationFailure) -> LockFile {
        let problem = makeParent()
        do throws(DirectoryFolder.Failure) {
            // What is installed is only accepted from such a place.
            try checkPlace()
        } catch {
            // If the folder is not there, why it could not be made says more.
            guard error.error == .noSuchFileOrDirectory, let problem else { throw failure(error.reason, error.error) }
            throw failure("\(problem)", problem)
        }
        return try lock()
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

    private func lock() throws(InstallationFailure) -> LockFile {
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
            guard ContinuousClock.now - start < .seconds(10) else { throw .busy }
            usleep(50_000)
        }
    }

    /// The failure of an update that cannot write.
    ///
    /// - Parameters:
    ///   - problem: why, in words.
    ///   - error: the error of the system, if it gave one.
    private func failure(_ problem: String, _ error: Errno?) -> InstallationFailure {
        isSystem && geteuid() != 0 && [.permissionDenied, .notPermitted].contains(error)
            ? .needsRoot : .unwritable(problem)
    }

    // MARK: The files

    private func place(
        _ parts: [(DirectoryFolder.Part, [UInt8])], as list: Name, time: NumericDate
    ) throws(InstallationFailure) {
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
            for old in installations(of: list) where old != folder && old != previous {
                try? FileManager.default.removeItem(atPath: "\(parent)/\(old)")
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
}
