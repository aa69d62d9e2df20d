import Glibc
import JSON
import SMARTHealthCards
import SystemPackage

/// What keeps two runs from using one state at a time, of which each would write the verdicts of the same lines: a locked file
/// beside the state.
struct BatchLock: Sendable {
    /// Why there is no lock.
    struct Failure: Error {
        let message: String
    }

    private let path: FilePath
    /// Open as long as it is locked; nil on a file system without locks.
    private let file: FileDescriptor?

    /// Locks the state.
    ///
    /// - Parameter state: the state's path.
    /// - Throws: where another run holds the lock, or there can be no such file.
    init(_ state: String) throws(Failure) {
        // A name that nobody locks or writes for other reasons.
        let state = FilePath(state)
        let name = state.lastComponent?.string ?? ""
        path = state.removingLastComponent().appending(".\(name).batch-lock")
        // Whoever holds it removes it at the end, so that it may be gone once it is locked: then it is made anew.
        for _ in 0..<100 {
            let file = try Self.open(path)
            if flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
                let problem = Errno(rawValue: errno)
                try? file.close()
                guard problem != .wouldBlock else {
                    throw Failure(message: "another run is using it; try again when it has ended")
                }
                self.file = nil
                return
            }
            if Self.isStillThere(file, path) {
                self.file = file
                return
            }
            try? file.close()
        }
        throw Failure(message: "cannot be written: its lock, \(path.string.quoted()), comes and goes")
    }

    private static func open(_ path: FilePath) throws(Failure) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec, .noFollow, .nonBlocking],
                permissions: .ownerReadWrite)
        } catch {
            throw Failure(message: "cannot be written: it has no lock, \(path.string.quoted()): \(error)")
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
        if Self.isStillThere(file, path) { _ = unsafe unlink(path.string) }
        try? file.close()
    }
}
