internal import Processes
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A directory of this user, for files that nobody else may read or write.
///
/// The directory is kept open and its files are opened through it. So the checks that were made when it was opened hold
/// for each file. Swift System has no calls for that. The calls of the C library are marked unsafe because they take
/// pointers to strings and structures, which live during the call.
struct PrivateDirectory: ~Copyable {
    private let descriptor: FileDescriptor

    /// The directories above it that are created as well.
    enum Parents {
        case parent
        case allParents
    }

    /// Opens a directory.
    ///
    /// - Parameters:
    ///   - path: the path of the directory.
    ///   - creating: if the directory is missing, it is created with mode 0700, together with these directories above
    ///     it. Nil to create nothing.
    /// - Returns: nil if there is no such directory, if it belongs to another user, or if others can write to it.
    init?(_ path: String, creating: Parents? = nil) {
        let path = FilePath(path)
        if let creating { _ = Self.create(path, creating) }
        guard
            let opened = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        else { return nil }
        guard WriteAccess.objection(toPrivateFolder: opened.rawValue) == nil else {
            try? opened.close()
            return nil
        }
        descriptor = opened
    }

    deinit { try? descriptor.close() }

    /// Creates a directory with mode 0700, together with these directories above it, as far as they are missing and can be created.
    ///
    /// - Returns: those that were created, the deepest last.
    static func create(_ path: FilePath, _ parents: Parents) -> [FilePath] {
        let all = Array(sequence(first: path) { $0.components.count > 1 ? $0.removingLastComponent() : nil })
        return all.prefix(parents == .parent ? 2 : all.count).reversed().filter { directory in
            // Unsafe: the C library reads the path during the call and does not keep it.
            unsafe mkdir(directory.string, S_IRWXU) == 0
        }
    }

    /// Reads a file.
    ///
    /// - Returns: nil if there is no such file, or if it is a link, is not a regular file, belongs to another user, or
    ///   has more than `limit` bytes.
    func read(_ name: String, limit: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe would wait for its other end.
        guard let file = open(name, O_RDONLY | O_NONBLOCK) else { return nil }
        defer { try? file.close() }
        var status = stat()
        // Unsafe: the call writes into the structure and keeps no pointer to it.
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_size <= limit
        else { return nil }
        let size = Int(status.st_size)
        // Unsafe: each read writes into the rest of the `size` bytes, after the `count` that have been written. The
        // array ends after the bytes that were written, even if the file has become shorter in the meantime.
        return try? unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = unsafe try file.read(into: rest)
                guard read > 0 else { break }
                count += read
            }
        }
    }

    /// Writes a file with mode 0600, which replaces an existing one. A reader gets either the old file or the new one.
    ///
    /// Nothing is flushed to the disk, so a reader must recognise a file that was cut short by a crash.
    ///
    /// - Returns: whether it was written.
    func write(_ bytes: [UInt8], to name: String) -> Bool {
        // A signal that ends the program must not leave the draft behind.
        UnfinishedFiles.change { writeDraft(bytes, for: name) }
    }

    private func writeDraft(_ bytes: [UInt8], for name: String) -> Bool {
        let draft = ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        guard let file = open(draft, O_WRONLY | O_CREAT | O_EXCL) else { return false }
        var isWritten = (try? file.writeAll(bytes)) == bytes.count
        isWritten = (try? file.close()) != nil && isWritten
        // Unsafe: the C library reads both names during the call and keeps neither.
        guard isWritten, unsafe renameat(descriptor.rawValue, draft, descriptor.rawValue, name) == 0 else {
            remove(draft)
            return false
        }
        return true
    }

    /// Removes a file.
    func remove(_ name: String) {
        // Unsafe: the C library reads the name during the call and does not keep it.
        _ = unsafe unlinkat(descriptor.rawValue, name, 0)
    }

    private func open(_ name: String, _ flags: Int32) -> FileDescriptor? {
        // Unsafe: the C library reads the name during the call and does not keep it.
        let opened = unsafe openat(
            descriptor.rawValue, name, flags | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)
        return opened < 0 ? nil : FileDescriptor(rawValue: opened)
    }

    /// A file in the directory.
    struct File: Sendable {
        let name: String
        let size: Int
        /// When it was written, in seconds since 1970.
        let modified: Int64
    }

    /// The files in the directory, in no particular order.
    var files: [File] {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name), let list = open(".", O_RDONLY | O_DIRECTORY)
        else { return [] }
        // Unsafe: a null pointer, or a stream that owns the descriptor from here on and is closed on every path.
        guard let stream = unsafe fdopendir(list.rawValue) else {
            try? list.close()
            return []
        }
        defer { unsafe closedir(stream) }
        var files: [File] = []
        // Unsafe: only this call uses the stream. An entry belongs to the stream and lives until the next one is read.
        while let entry = unsafe readdir(stream) {
            // Unsafe: the name begins there, ends with a zero byte, and is copied before the next entry is read. The
            // declared array can reach past the end of the last entry's memory, so it is not read as a whole.
            let name = unsafe String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
            var status = stat()
            // Unsafe: the C library reads the name and writes the structure, which both live during the call.
            guard unsafe fstatat(descriptor.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT != S_IFDIR
            else { continue }
            files.append(File(name: name, size: Int(status.st_size), modified: Int64(status.st_mtim.tv_sec)))
        }
        return files
    }
}
