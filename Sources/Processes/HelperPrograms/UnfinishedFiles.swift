internal import CProcess

/// Files that must not be left behind if SIGHUP, SIGINT, SIGQUIT or SIGTERM ends the program.
package enum UnfinishedFiles {
    /// Makes these signals remove the unfinished files before they end the program. To be called once, before there are
    /// other threads. Without this, they end it as usual.
    package static func watch() { unfinished_watch() }

    /// Changes files as a whole, or not at all: signals wait until the change is made. It must be short and must not wait for others.
    package static func change<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unfinished_begin()
        defer { unfinished_end() }
        return try body()
    }

    /// Remembers a file that is to be removed if a signal ends the program. To be called during a change.
    ///
    /// - Returns: whether there was memory for it.
    package static func add(_ path: String) -> Bool {
        // Unsafe, here and below: the call copies or reads the path, and does not keep it.
        unsafe unfinished_add(path) == 0
    }

    /// Remembers a folder that is to be removed at the end of the program, however it ends, if it is empty then. Those that are added later
    /// are removed earlier. To be called before there are other threads.
    ///
    /// - Returns: whether there was memory for it.
    package static func addFolder(_ path: String) -> Bool { unsafe unfinished_add_folder(path) == 0 }

    /// Forgets a file: it is finished, or was removed. To be called during a change.
    package static func forget(_ path: String) { unsafe unfinished_forget(path) }

    /// Removes the unfinished files. The program must end after that, since no further change can begin.
    package static func remove() { unfinished_remove() }
}
