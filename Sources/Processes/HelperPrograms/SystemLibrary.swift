/// A shared library of the system that is loaded while the program runs, if it is installed.
package enum SystemLibrary {
    /// Why a library is not loaded.
    package enum Problem: Error, Equatable {
        /// It is not installed.
        case missing
        /// A user whose libraries this user does not load anyway may decide what is at its path.
        case unsafe(path: String, objection: String)
        /// The end of the file is missing.
        case cut(path: String)
    }

    /// The folders in which distributions install libraries for processors of the kind x86-64.
    private static let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"]

    /// Finds a library in the folders of the system. Neither LD_LIBRARY_PATH nor the folder of the program is searched.
    ///
    /// - Parameters:
    ///   - name: its full name with the version of its interface, such as `libz.so.1`.
    ///   - folders: only for tests.
    /// - Returns: its path.
    package static func path(of name: String, in folders: [String]? = nil) throws(Problem) -> String {
        let paths = (folders ?? Self.folders).map { "\($0)/\(name)" }
        guard let path = paths.first(where: WriteAccess.isRegularFile) else { throw .missing }
        if let objection = WriteAccess.objection(toWayTo: path) { throw .unsafe(path: path, objection: objection) }
        guard ELFFile.isWhole(path) else { throw .cut(path: path) }
        return path
    }
}
