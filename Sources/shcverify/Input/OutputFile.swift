import ArgumentParser
import Glibc
import SystemPackage

/// A file that an option names, and that the program writes.
///
/// It is opened before the work begins, so that a wrong path does not cost the result. A regular file is written as a whole: it is
/// complete, or not changed at all. Anything else, such as a pipe or `/dev/stdout`, is written to and never replaced.
struct OutputFile {
    private let path: String
    private let option: String
    /// Where the content is written to.
    private let file: FileDescriptor
    /// The file that is renamed to `path` in the end; nil if `path` itself is written.
    private let part: String?

    /// - Parameters:
    ///   - path: the path. A regular file of this name is replaced.
    ///   - option: the option that names it.
    ///   - permissions: the permissions of the file.
    /// - Throws: `ExitCode` 1, after a line on standard error, if the file cannot be written.
    init(
        _ path: String, option: String, permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    ) throws {
        self.path = path
        self.option = option
        do {
            var status = stat()
            // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
            let isThere = unsafe lstat(path, &status) == 0
            if isThere, status.st_mode & S_IFMT != S_IFREG {
                part = nil
                file = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.closeOnExec])
            } else {
                // Runs at the same time must not write to one file.
                let name = "\(path).\(getpid()).part"
                file = try FileDescriptor.open(
                    FilePath(name), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: permissions)
                part = name
            }
        } catch {
            throw Self.failure(path, option: option, "\(error)")
        }
    }

    /// Writes the content, and closes the file.
    func write(_ bytes: [UInt8]) throws {
        do {
            try file.closeAfter { try file.writeAllWaiting(bytes) }
            // Unsafe: the C library reads both paths during the call and keeps neither.
            if let part, unsafe rename(part, path) != 0 { throw Errno(rawValue: errno) }
        } catch {
            removePart()
            throw Self.failure(path, option: option, "\(error)")
        }
    }

    /// Closes the file without writing it.
    func abandon() {
        try? file.close()
        removePart()
    }

    private func removePart() {
        // Unsafe: the C library reads the path during the call and does not keep it.
        if let part { _ = unsafe unlink(part) }
    }

    private static func failure(_ path: String, option: String, _ problem: String) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(path): cannot be written: \(problem)")
        return CommandExit.internalError
    }
}
