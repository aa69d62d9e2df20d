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

    private let file: LockFile

    /// Locks the state.
    ///
    /// - Parameter state: the state's path.
    /// - Throws: if another run holds the lock, or there can be no such file.
    init(_ state: String) throws(Failure) {
        // A name that nobody locks or writes for other reasons.
        let state = FilePath(state)
        let name = state.lastComponent?.string ?? ""
        let path = state.removingLastComponent().appending(".\(name).batch-lock")
        do throws(LockFile.Failure) {
            file = try LockFile(path)
        } catch {
            switch error {
            case .held: throw Failure(message: "another run is using it; try again when it has ended")
            case .unusable(let problem):
                throw Failure(message: "cannot be written: it has no lock, \(path.string.quoted()): \(problem)")
            }
        }
    }

    /// Gives the state free for other runs.
    func release() { file.release() }
}
