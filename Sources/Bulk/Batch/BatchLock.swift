package import Encodings
import Processes
import SystemPackage

/// A lock on a state file. Without it, two runs could use the same state, and both would write the verdicts of the same
/// lines. The lock is a locked file beside the state.
package struct BatchLock: Sendable {
    private let file: LockFile

    /// Locks the state.
    ///
    /// - Parameter state: the path of the state file.
    /// - Throws: if another run holds the lock, or the lock file cannot be made.
    package init(_ state: String) throws(Malformed) {
        // No other program locks or writes a file of this name.
        let state = FilePath(state)
        let name = state.lastComponent?.string ?? ""
        let path = state.removingLastComponent().appending(".\(name).batch-lock")
        do throws(LockFile.Failure) {
            file = try LockFile(path)
        } catch {
            switch error {
            case .held: throw Malformed("another run is using it; try again when it has ended")
            case .unusable(let problem, _):
                throw Malformed("cannot be written: the lock \(path.string.quoted()) cannot be used: \(problem)")
            }
        }
    }

    /// Releases the lock.
    package func release() { file.release() }
}
