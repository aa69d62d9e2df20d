import Glibc
import SystemPackage

/// What keeps two runs from using one state at a time, of which each would write the verdicts of the same lines: a locked file
/// beside the state.
///
/// Where there can be no such file, or no locks, the run goes on without: what keeps the file away keeps the state away, too.
struct BatchLock: Sendable {
    /// Another run holds the lock.
    struct Held: Error {}

    private let path: FilePath
    /// Open as long as it is locked; nil where it is not.
    private let file: FileDescriptor?

    /// Locks the state, or finds it locked.
    ///
    /// - Parameter state: the state's path.
    init(_ state: String) throws(Held) {
        path = FilePath(state + ".lock")
        while true {
            guard
                let file = try? FileDescriptor.open(
                    path, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
            else {
                self.file = nil
                return
            }
            guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                try? file.close()
                throw Held()
            }
            if Self.isStillThere(file, path) {
                self.file = file
                return
            }
            // Whoever held it has just removed it.
            try? file.close()
        }
    }

    private static func isStillThere(_ file: FileDescriptor, _ path: FilePath) -> Bool {
        var (locked, found) = (stat(), stat())
        // Unsafe: the calls write into the variables, and keep no pointer to them or to the path.
        guard unsafe fstat(file.rawValue, &locked) == 0, unsafe lstat(path.string, &found) == 0 else { return false }
        return locked.st_dev == found.st_dev && locked.st_ino == found.st_ino
    }

    /// Gives the state free for other runs.
    func release() {
        guard let file else { return }
        // Unsafe: the C library reads the path during the call and does not keep it.
        _ = unsafe unlink(path.string)
        try? file.close()
    }
}
