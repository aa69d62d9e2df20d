internal import CProcess

/// Rights that this process gives up, as far as the kernel can take them away. It does not give them back.
///
/// To be used before there are other threads.
package enum Confinement {
    /// What could not be given up, although the kernel should be able to take it away.
    package struct Failure: Error {
        package let message: String

        fileprivate static let noMemory = Failure(message: "there is no memory to limit this process")
    }

    /// Gives up what a process does not need that verifies: the network, starting programs (but by `HelperStarter`), and making and
    /// changing files, but in the given folders.
    ///
    /// - Parameters:
    ///   - folders: where files can be made, changed and removed. One that does not exist does not count.
    ///   - tidied: below which folders empty ones can be removed.
    package static func confineWorker(writingIn folders: [String], tidying tidied: [String]) throws(Failure) {
        for path in folders {
            // Unsafe, here and below: the call reads the path, which lives during the call, and keeps a copy.
            guard unsafe confinement_add_folder(path) == 0 else { throw .noMemory }
        }
        for path in tidied {
            guard unsafe confinement_add_tidied(path) == 0 else { throw .noMemory }
        }
        try unsafe check(confine_worker())
    }

    /// Gives up what a process does not need that makes one request: opening files, but those by which the system finds addresses, libraries
    /// and authorities; making and changing files; starting programs; and waiting for connections.
    package static func confineFetcher() throws(Failure) { try unsafe check(confine_fetcher()) }

    private static func check(_ problem: UnsafePointer<CChar>?) throws(Failure) {
        // Unsafe: the text is a constant, and ends with a zero byte.
        guard let problem = unsafe problem else { return }
        let words = unsafe String(cString: problem)
        throw Failure(message: "the system did not limit this process (\(words))")
    }

    /// The version of Landlock, by which the kernel limits what files can be used; nil if it has none.
    package static var landlockVersion: Int? {
        let version = Int(confinement_landlock())
        return version == 0 ? nil : version
    }

    /// Whether the kernel can filter system calls (seccomp).
    package static var hasFilters: Bool { confinement_filters() }
}
