import Glibc
package import SystemPackage

/// A file that a process locks while no other process may do the same work. The process removes the file at the end.
///
/// A signal that ends the process removes it too. Only this user may open the file. If others could read it, any of them could hold the lock for ever.
package struct LockFile: Sendable {
    /// Why there is no lock.
    package enum Failure: Error {
        /// Another process holds the lock.
        case held
        /// The file cannot be made; the reason in words, and the error of the system, if it gave one.
        case unusable(String, Errno?)
    }

    private let path: FilePath
    /// The locked file; nil on a file system without locks.
    private let file: FileDescriptor?

    /// Makes the file and locks it.
    package init(_ path: FilePath) throws(Failure) {
        self.path = path
        file = try UnfinishedFiles.change { () throws(Failure) in
            let file = try Self.locked(path)
            if let file, !UnfinishedFiles.add(path.string) {
                try? file.close()
                throw .unusable("there is not enough memory", nil)
            }
            return file
        }
    }

    /// Makes the file and locks it.
    ///
    /// - Returns: the file; nil on a file system without locks.
    private static func locked(_ path: FilePath) throws(Failure) -> FileDescriptor? {
        // Another process may remove the file before it is locked. Then a new file is needed.
        for _ in 0..<100 {
            let file = try Self.open(path)
            if flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
                let problem = Errno(rawValue: errno)
                try? file.close()
                guard problem != .wouldBlock else { throw .held }
                return nil
            }
            if Self.isStillThere(file, path) { return file }
            try? file.close()
        }
        throw .held
    }

    private static func open(_ path: FilePath) throws(Failure) -> FileDescriptor {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec, .noFollow, .nonBlocking],
                permissions: .ownerReadWrite)
        } catch {
            throw .unusable("\(error)", error as? Errno)
        }
        if let objection = WriteAccess.objection(to: file.rawValue) {
            try? file.close()
            throw .unusable(objection, nil)
        }
        return file
    }

    private static func isStillThere(_ file: FileDescriptor, _ path: FilePath) -> Bool {
        var (locked, found) = (stat(), stat())
        // Unsafe: the calls write into the variables, and keep no pointer to them or to the path.
        guard unsafe fstat(file.rawValue, &locked) == 0, unsafe lstat(path.string, &found) == 0 else { return false }
        return locked.st_dev == found.st_dev && locked.st_ino == found.st_ino
    }

    /// Removes the file and releases the lock.
    package func release() {
        guard let file else { return }
        UnfinishedFiles.change {
            // Unsafe: the C library reads the path during the call and does not keep it.
            if Self.isStillThere(file, path) { _ = unsafe unlink(path.string) }
            UnfinishedFiles.forget(path.string)
        }
        try? file.close()
    }
}
