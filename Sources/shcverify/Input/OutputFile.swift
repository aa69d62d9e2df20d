import CProcess
import CredentialReports
import Credentials
import Encodings
import Glibc
import Processes
import Synchronization
import SystemPackage

/// A file that an option names, and that the program writes.
///
/// It is opened before the work begins, so that a wrong path does not cost the result. A regular file is replaced as a whole: it is
/// complete, or not changed at all. If the path is a link, the file at its end is replaced. Anything else, such as a pipe or `/dev/stdout`,
/// is written to and never replaced. A file that is a mount point is not replaced either: its content is overwritten, and it keeps its
/// permissions.
final class OutputFile {
    /// Where the content is written to.
    private enum Destination {
        /// A new file, which replaces the one at the path, if there is one.
        case draft(Draft, path: String)
        /// A regular file that cannot be replaced. Its content is overwritten, as late as possible.
        case mounted(FileDescriptor)
        case open(FileDescriptor)
    }

    private let path: String
    private let option: String
    private let destination: Destination
    private var isClosed = false

    /// - Parameters:
    ///   - path: the path. A regular file of this name is replaced.
    ///   - option: the option that names it.
    ///   - permissions: the permissions of a regular file.
    /// - Throws: `CommandFailure` if the file cannot be written.
    init(
        _ path: String, option: String, permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    ) throws {
        self.path = path
        self.option = option
        do throws(Errno) {
            destination = try Self.destination(path, permissions)
        } catch {
            throw Self.failure(path, option: option, "\(error)")
        }
    }

    /// The path at which a new file is put; nil if no new file is made.
    var newPath: String? {
        guard case .draft(_, let path) = destination else { return nil }
        return path
    }

    /// Leaves no content: an old file is removed, or emptied if it is a mount point.
    func discard() throws {
        switch destination {
        case .draft(_, let path):
            guard unsafe unlink(path) != 0, errno != ENOENT else { return }
            let error = Errno(rawValue: errno)
            throw CommandFailure(.internalError, "\(option) \(self.path): cannot be removed: \(error)")
        case .mounted: try write([])
        case .open: break
        }
    }

    /// Writes the content, and closes the file.
    func write(_ bytes: [UInt8]) throws {
        do {
            switch destination {
            case .draft(let draft, _):
                try draft.file.writeAllWaiting(bytes)
                try draft.finish()
            case .mounted(let file):
                try Self.replaceContent(of: file, with: bytes)
                isClosed = true
                try file.close()
            case .open(let file):
                try file.writeAllWaiting(bytes)
                isClosed = true
                try file.close()
            }
        } catch {
            throw Self.failure(path, option: option, "\(error)")
        }
    }

    deinit {
        switch destination {
        case .draft: break
        case .mounted(let file), .open(let file): if !isClosed { try? file.close() }
        }
    }

    /// Replaces the whole content. If there is no room for the new content, the old content stays.
    private static func replaceContent(of file: FileDescriptor, with bytes: [UInt8]) throws(Errno) {
        let problem = files_reserve(file.rawValue, Int64(bytes.count))
        guard problem == 0 else { throw Errno(rawValue: problem) }
        // Signals are held back, so that none leaves a half-written file.
        try UnfinishedFiles.change { () throws(Errno) in
            // Truncated first, so that the end of the old content never follows the new content.
            guard ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
            try file.writeAllWaiting(bytes)
        }
    }

    private static func failure(_ path: String, option: String, _ problem: String) -> CommandFailure {
        CommandFailure(.internalError, "\(option) \(path): cannot be written: \(problem)")
    }

    // MARK: Links

    /// As many links as Linux follows.
    private static let longestChain = 40

    /// Follows the links at a path, and opens what is at their end. The end may not exist yet.
    private static func destination(
        _ path: String, _ permissions: FilePermissions
    ) throws(Errno) -> Destination {
        var path = path
        for _ in 0...longestChain {
            var status = stat()
            // Unsafe, here and below: the C library reads the path and writes the structure, both of which live for the call.
            let isThere = unsafe lstat(path, &status) == 0
            // A missing file is created. An impossible name is refused now, and not after the work.
            guard isThere || errno == ENOENT && !path.isEmpty else {
                throw path.isEmpty ? .noSuchFileOrDirectory : Errno(rawValue: errno)
            }
            let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
            if kind == S_IFREG {
                guard isThere, unsafe files_is_mounted(path, Draft.folder(of: path)) else {
                    return .draft(try Draft(replacing: path, permissions: permissions), path: path)
                }
                return .mounted(try opened(path, options: []))
            }
            guard kind == S_IFLNK, unsafe !files_are_of_processes(Draft.folder(of: path)) else {
                return .open(try opened(path))
            }
            guard mayFollow(status, in: Draft.folder(of: path)) else { throw .permissionDenied }
            let target = try target(of: path)
            path = target.utf8.first == UInt8(ascii: "/") ? target : "\(Draft.folder(of: path))/\(target)"
        }
        throw Errno(rawValue: ELOOP)
    }

    /// Opens what is not replaced.
    ///
    /// If the path is an open file of this process, such as `/dev/stdout`, that file is used and keeps its position. Opened again, it would
    /// be overwritten from its beginning.
    ///
    /// - Parameter options: truncation concerns only regular files, which other processes may have open.
    private static func opened(
        _ path: String, options: FileDescriptor.OpenOptions = .truncate
    ) throws(Errno) -> FileDescriptor {
        var (named, own) = (stat(), stat())
        if unsafe files_are_of_processes(Draft.folder(of: path)),
            let number = FilePath(path).lastComponent.flatMap({ Int32($0.string) }),
            unsafe stat(path, &named) == 0, unsafe fstat(number, &own) == 0, named.st_dev == own.st_dev,
            named.st_ino == own.st_ino
        {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            guard copy >= 0 else { throw Errno(rawValue: errno) }
            return FileDescriptor(rawValue: copy)
        }
        do {
            return try FileDescriptor.open(FilePath(path), .writeOnly, options: options.union(.closeOnExec))
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Whether a link may be followed. In a folder in which everybody can create files, such as `/tmp`, somebody else could have put the
    /// link there to have another file overwritten. Linux does not follow such links either (proc(5), protected_symlinks).
    private static func mayFollow(_ link: stat, in folder: String) -> Bool {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return false }
        let isShared = status.st_mode & S_ISVTX != 0 && status.st_mode & S_IWOTH != 0
        return !isShared || link.st_uid == geteuid() || link.st_uid == status.st_uid
    }

    private static func target(of link: String) throws(Errno) -> String {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Unsafe: the call writes at most as many bytes as the array has, and returns how many it wrote.
        let length = unsafe readlink(link, &target, target.count)
        guard length >= 0 else { throw Errno(rawValue: errno) }
        return String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
