import Credentials
import Directories
import FHIR

// What the commands say about installed lists. `Directories` has the rules.

extension ListStore.Name {
    /// The directory that the value of an option means; nil if it means a file.
    init?(option value: String) {
        guard let name = ListStore.Name(rawValue: value.lowercased()), Self.directories.contains(name) else {
            return nil
        }
        self = name
    }
}

extension ListPlaces {
    /// The place of an update.
    ///
    /// - Throws: if the user has none.
    func forUpdate(isSystem: Bool) throws -> ListStore {
        if isSystem { return system }
        guard let user else {
            throw CommandFailure(.internalError, "there is no data directory to install into, since HOME is not set")
        }
        return user
    }
}

extension ListStore {
    /// The end of a command that could change nothing.
    ///
    /// - Parameter done: what could not be done with the lists.
    func end(for failure: InstallationFailure, done: String = "installed") -> CommandFailure {
        let undone = "the lists could not be \(done) in \(parent): "
        let words =
            switch failure {
            case .busy:
                "another process is updating the lists in \(parent); try again later"
            case .needsRoot: undone + "only root may write there: run it with sudo, or leave --system out"
            case .unwritable(let problem): undone + problem
            }
        return CommandFailure(.internalError, words)
    }
}

extension DirectoryFolder.Failure {
    /// Says that an installed list is not used.
    func warnOfLeavingOut() {
        let words = isUnsafe ? "cannot be relied on" : "cannot be used"
        StandardStreams.warn("shcverify: \(path) \(words), and is left out: \(reason)")
    }
}

/// The installed lists of codes.
enum InstalledCodes {
    /// The lists that are installed for this user and for all users. Those that are left out are named on standard error.
    static func newest() -> CodeArchive {
        let (archive, leftOut) = CodeListFile.newest(in: .standard)
        for failure in leftOut { failure.warnOfLeavingOut() }
        return archive
    }
}
