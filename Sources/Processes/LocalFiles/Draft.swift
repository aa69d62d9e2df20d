import Glibc
package import SystemPackage

/// A file that is written before it takes its name. So anyone who opens that name finds either the old content or the new, and always all
/// of it.
///
/// Until then it has no name if the file system allows that (O_TMPFILE), and a random one otherwise. If it is not finished, it is removed,
/// even if a signal ends the program.
package final class Draft {
    /// The file, to write to.
    package let file: FileDescriptor
    private let path: String
    /// Its name until it takes its own; nil if it has none.
    private var name: String?
    private var isOpen = true

    /// - Parameters:
    ///   - path: the name that it will take. A file of this name is replaced then, also if it is a link.
    ///   - permissions: its permissions, less those that the umask removes.
    ///   - mayBeUnnamed: whether it has no name until it takes its own, if the file system allows that.
    package init(replacing path: String, permissions: FilePermissions, mayBeUnnamed: Bool = true) throws(Errno) {
        self.path = path
        let folder = Self.folder(of: path)
        if mayBeUnnamed, let unnamed = Self.unnamed(in: folder, permissions) {
            file = unnamed
            return
        }
        let (file, name) = try UnfinishedFiles.change { () throws(Errno) in
            let name = Self.randomName(in: folder)
            guard UnfinishedFiles.add(name) else { throw Errno.noMemory }
            do {
                return try (
                    FileDescriptor.open(
                        FilePath(name), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                        permissions: permissions), name
                )
            } catch {
                UnfinishedFiles.forget(name)
                throw error as? Errno ?? .ioError
            }
        }
        (self.file, self.name) = (file, name)
    }

    /// Closes the file and gives it its name.
    package func finish() throws(Errno) {
        if name != nil { try close() }
        try UnfinishedFiles.change { () throws(Errno) in
            if name == nil { try takeRandomName() }
            // Some file systems say only now that the disk is full.
            if isOpen { try close() }
            guard let name else { return }
            // Unsafe: the C library reads both paths during the call and keeps neither.
            guard unsafe rename(name, path) == 0 else { throw Errno(rawValue: errno) }
            UnfinishedFiles.forget(name)
            self.name = nil
        }
    }

    deinit {
        if isOpen { try? file.close() }
        guard let name else { return }
        UnfinishedFiles.change {
            // Unsafe: the C library reads the path during the call and does not keep it.
            _ = unsafe unlink(name)
            UnfinishedFiles.forget(name)
        }
    }

    private func close() throws(Errno) {
        isOpen = false
        do { try file.close() } catch { throw error as? Errno ?? .ioError }
    }

    /// Opens a file without a name; nil if it could not get one later.
    private static func unnamed(in folder: String, _ permissions: FilePermissions) -> FileDescriptor? {
        // Unsafe, here and below: the C library reads the paths during the call and keeps none.
        let file = unsafe open(folder, temporaryFile | O_WRONLY | O_CLOEXEC, mode_t(permissions.rawValue))
        guard file >= 0 else { return nil }
        // Without /proc, there is no way to name it.
        guard unsafe access(place(of: file), F_OK) == 0 else {
            _ = Glibc.close(file)
            return nil
        }
        return FileDescriptor(rawValue: file)
    }

    /// Gives a file without a name a random one. A link(2) cannot replace a file, so it cannot take its own at once.
    private func takeRandomName() throws(Errno) {
        let random = Self.randomName(in: Self.folder(of: path))
        guard unsafe linkat(AT_FDCWD, Self.place(of: file.rawValue), AT_FDCWD, random, AT_SYMLINK_FOLLOW) == 0 else {
            throw Errno(rawValue: errno)
        }
        name = random
    }

    /// `O_TMPFILE`, which Swift does not import.
    private static let temporaryFile: Int32 = 0o20_000_000 | O_DIRECTORY

    private static func place(of file: Int32) -> String { "/proc/self/fd/\(file)" }

    private static func randomName(in folder: String) -> String {
        "\(folder)/.shcverify-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    }

    /// The folder in which a path is.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    }
}
