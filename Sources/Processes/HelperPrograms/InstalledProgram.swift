internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A program that is installed together with the running one.
package enum InstalledProgram {
    /// Why a program cannot be started.
    package enum Problem: Error, Equatable {
        /// The running program does not know its own path, so it cannot look next to it.
        case unknownPlace
        /// There is no such program. These are the paths at which it was looked for.
        case missing([String])
    }

    /// Finds a program next to the running one, in `../libexec/shcverify` or in `../libexec`. Neither PATH nor the current
    /// directory is searched.
    ///
    /// - Parameter name: the name of the program.
    /// - Returns: its path.
    package static func path(of name: String) throws(Problem) -> String {
        let places = places(of: name)
        guard !places.isEmpty else { throw .unknownPlace }
        guard let place = places.first(where: { isFile(FilePath($0)) }) else { throw .missing(places) }
        return place
    }

    /// The paths at which a program is looked for, in this order; empty if the running program does not know its own.
    package static func places(of name: String) -> [String] {
        guard let running = HostProcess.executablePath else { return [] }
        let directory = FilePath(running).removingLastComponent()
        let libexec = directory.removingLastComponent().appending("libexec")
        return [directory, libexec.appending("shcverify"), libexec].map { $0.appending(name).string }
    }

    /// Says why a program is not to be started: a user whose programs this user does not run anyway may have changed it. Nil if
    /// there is no such risk.
    ///
    /// - Parameter path: the path of the program.
    package static func objection(toStarting path: String) -> String? {
        WriteAccess.objection(toProgram: path, startedBy: HostProcess.executablePath)
    }

    /// Whether a path is that of a file that this user may run.
    package static func canStart(_ path: String) -> Bool {
        // Unsafe: the call reads the path and keeps no pointer to it.
        unsafe access(path, X_OK) == 0 && WriteAccess.isRegularFile(path)
    }

    private static func isFile(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return false
        }
        try? file.close()
        return true
    }
}
