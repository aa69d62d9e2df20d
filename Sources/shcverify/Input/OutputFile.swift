import ArgumentParser
import Glibc
import SystemPackage

/// A file that an option names, and that the program writes.
enum OutputFile {
    /// Writes a file as a whole: it is complete, or not changed at all.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: the path. A file of this name is replaced.
    ///   - option: the option that names it.
    ///   - permissions: the permissions of the file.
    /// - Throws: `ExitCode` 1, after a line on standard error, if the file cannot be written.
    static func write(
        _ bytes: [UInt8], to path: String, option: String,
        permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    ) throws {
        let part = FilePath(path + ".part")
        do {
            let file = try FileDescriptor.open(
                part, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
            do {
                defer { try? file.close() }
                try file.writeAll(bytes)
            }
            // Unsafe: the C library reads both paths during the call and keeps neither.
            guard unsafe rename(part.string, path) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            // Unsafe: the C library reads the path during the call and does not keep it.
            _ = unsafe unlink(part.string)
            StandardStreams.warn("shcverify: \(option) \(path): cannot be written: \(error)")
            throw CommandExit.internalError
        }
    }
}
