internal import CProcess

/// Rights that this process gives up, as far as the kernel can take them away. It does not give them back.
///
/// To be used before there are other threads.
package enum Sandbox {
    /// Gives up what a process does not need that verifies: the network, starting programs (but by `ForkServer`), and making and
    /// changing files, but in the given folders.
    ///
    /// - Parameters:
    ///   - folders: where files can be made, changed and removed. One that does not exist does not count.
    ///   - tidied: below which folders empty ones can be removed.
    /// - Returns: what could not be given up, although the kernel should be able to take it away; nil if nothing.
    package static func enterWorker(writingIn folders: [String], tidying tidied: [String]) -> String? {
        for path in folders {
            // Unsafe, here and below: the call reads the path, which lives during the call, and keeps a copy.
            guard unsafe sandbox_add_folder(path) == 0 else { return noMemory }
        }
        for path in tidied {
            guard unsafe sandbox_add_tidied(path) == 0 else { return noMemory }
        }
        return unsafe problem(sandbox_enter_worker())
    }

    /// Gives up what a process does not need that makes one request: opening files, but those by which the system finds addresses, libraries
    /// and authorities; making and changing files; starting programs; and waiting for connections.
    package static func enterFetcher() -> String? { unsafe problem(sandbox_enter_fetcher()) }

    private static let noMemory = "there is no memory to limit this process"

    private static func problem(_ problem: UnsafePointer<CChar>?) -> String? {
        // Unsafe: the text is a constant, and ends with a zero byte.
        unsafe problem.map { "the system did not limit this process (\(unsafe String(cString: $0)))" }
    }

    /// The version of Landlock, by which the kernel limits what files can be used; nil if it has none.
    package static var landlockVersion: Int? {
        let version = Int(sandbox_landlock())
        return version == 0 ? nil : version
    }

    /// Whether the kernel can filter system calls (seccomp).
    package static var hasFilters: Bool { sandbox_filters() }
}
