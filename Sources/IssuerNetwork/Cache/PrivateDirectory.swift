internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A directory of this user's, for files that nobody else may read or write.
///
/// It is held open and its files are reached through it, so what was made sure of when it was opened holds for each of
/// them. Swift System has no calls for that; the C library's take pointers, to strings and to structures that live for
/// the call, and are marked unsafe for that.
struct PrivateDirectory: ~Copyable {
    private let descriptor: FileDescriptor

    /// Which of the directories above it are made together with a directory.
    enum Parents {
        case parent
        case allParents
    }

    /// Opens a directory.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - creating: what is made, with mode 0700, if it is not there: the directory, and so many above it. Nil for nothing.
    /// - Returns: nil if there is none, or where it is another user's or others may write to it.
    init?(_ path: String, creating: Parents? = nil) {
        let path = FilePath(path)
        if let creating {
            let parents = Array(sequence(first: path) { $0.components.count > 1 ? $0.removingLastComponent() : nil })
            for directory in parents.prefix(creating == .parent ? 2 : parents.count).reversed() {
                // Unsafe: the C library reads the path during the call and does not keep it.
                _ = unsafe mkdir(directory.string, S_IRWXU)
            }
        }
        guard
            let opened = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        else { return nil }
        var status = stat()
        // Unsafe: the call writes into the structure, and keeps no pointer to it.
        guard unsafe fstat(opened.rawValue, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & (S_IWGRP | S_IWOTH) == 0
        else {
            try? opened.close()
            return nil
        }
        descriptor = opened
    }

    deinit { try? descriptor.close() }

    /// Reads a file.
    ///
    /// - Returns: nil if there is none, where it is a link, no file or another user's, or has more than `limit`
    ///   bytes.
    func read(_ name: String, limit: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe would wait for its other end.
        guard let file = open(name, O_RDONLY | O_NONBLOCK) else { return nil }
        defer { try? file.close() }
        var status = stat()
        // Unsafe: as above.
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_size <= limit
        else { return nil }
        let size = Int(status.st_size)
        // Unsafe: each read writes within the `size` bytes that are there, after the `count` that have been written. What is
        // not written is not part of the array, also where the file has become shorter meanwhile.
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

    /// Writes a file of mode 0600 in place of what is there. A reader gets the old one or the new.
    ///
    /// Nothing is flushed to the disk: a file that a crash has cut short is for its reader to recognise.
    ///
    /// - Returns: whether it is there.
    func write(_ bytes: [UInt8], to name: String) -> Bool {
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

    /// Something in the directory.
    struct File: Sendable {
        let name: String
        let size: Int
        /// When it was written, in seconds since 1970.
        let modified: Int64
    }

    /// The files in it, in no order.
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
        // Unsafe: the stream is this call's alone. An entry is the stream's, and lives until the next is read.
        while let entry = unsafe readdir(stream) {
            // Unsafe: the name begins there, ends with a zero byte, and is copied before the next entry is read. Its array
            // is longer than what the C library has of the last entry, so it is not read as a whole.
            let name = unsafe String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
            var status = stat()
            // Unsafe: the C library reads the name and writes the structure, both of which live for the call.
            guard unsafe fstatat(descriptor.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT != S_IFDIR
            else { continue }
            files.append(File(name: name, size: Int(status.st_size), modified: Int64(status.st_mtim.tv_sec)))
        }
        return files
    }
}
