import Glibc
package import SystemPackage

/// Reads files and standard input, up to a limit.
package enum InputReader {
    /// Why a file could not be read.
    package struct Failure: Error {
        package let message: String
        /// The error of the system, if it gave one.
        package var error: Errno?

        /// Whether the path is a directory, which a shell's wildcard may have added.
        package var isDirectory: Bool { error == .isDirectory }

        package init(message: String, error: Errno? = nil) {
            self.message = message
            self.error = error
        }
    }

    /// The maximum length of a file's name in bytes: PATH_MAX without the final zero.
    package static let longestName = 4095

    /// Reads a file, a pipe or a device.
    ///
    /// - Parameters:
    ///   - path: the path; `-` is standard input.
    ///   - limit: the maximum number of bytes.
    /// - Returns: the bytes; if there are more than `limit`, `limit` + 1 of them.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let file = try open(path)
        guard file != .standardInput else { return try read(file, limit: limit) }
        defer { try? file.close() }
        return try read(file, limit: limit)
    }

    /// Whether the name of an input means standard input. It compares bytes, because a hostile text could take long to
    /// normalise.
    package static func isStandardInput(_ path: String) -> Bool { path.utf8.elementsEqual("-".utf8) }

    /// Whether there is something with this path.
    package static func exists(_ path: String) -> Bool {
        guard path.utf8.count <= longestName else { return false }
        // Unsafe: the call reads the path, and keeps no pointer to it.
        return unsafe access(path, F_OK) == 0
    }

    /// Opens a file, a pipe or a device. For `-` it returns standard input, which is open already.
    package static func open(_ path: String) throws(Failure) -> FileDescriptor {
        if isStandardInput(path) { return .standardInput }
        // Longer text is not used at all: somebody may have made it expensive to process.
        guard path.utf8.count <= longestName else { throw Failure(message: "\(Errno.fileNameTooLong)") }
        do {
            // Unsafe: the C library reads the path during the call and does not keep it. `FilePath` would drop a slash
            // at the end, which only the path of a directory may have.
            return unsafe try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    /// Reads a file that another process will open again by its path.
    ///
    /// Pipes and sockets are refused. A pipe can be read only once, and opening a named pipe would wait for a writer. Nothing is waited for.
    ///
    /// - Parameter takesDevices: whether the file may be a device. A path that a stranger may have written is not opened if it leads to
    ///   one: to open it may do something, and it may never have anything to read.
    package static func readReopenable(
        _ path: String, limit: Int, takesDevices: Bool = true
    ) throws(Failure) -> [UInt8] {
        var status = stat()
        let isDevice = { (status: stat) in [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) }
        let device = Failure(message: "it is a device; a file is needed")
        // Unsafe, here and below: the call reads the path, writes into the variable, and keeps no pointer to either.
        if !takesDevices, unsafe stat(path, &status) == 0, isDevice(status) { throw device }
        let file: FileDescriptor
        do {
            // Unsafe: as in `open`. A terminal must not become that of the session.
            file = unsafe try FileDescriptor.open(
                path, .readOnly, options: [.closeOnExec, .nonBlocking, .init(rawValue: O_NOCTTY)])
        } catch {
            throw Failure(message: "\(error)")
        }
        defer { try? file.close() }
        guard unsafe fstat(file.rawValue, &status) == 0, ![S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            throw Failure(message: "it is a pipe, which can be read only once; a file is needed")
        }
        // The path may lead to another file by now.
        guard takesDevices || !isDevice(status) else { throw device }
        return try read(file, limit: limit, waits: false)
    }

    /// Reads an open file.
    ///
    /// - Parameters:
    ///   - waits: whether to wait if nothing can be read yet; else that is an error. Some files of /proc never have anything.
    ///   - isComplete: whether what was read so far is all that is wanted.
    package static func read(
        _ file: FileDescriptor, limit: Int, waits: Bool = true, until isComplete: ([UInt8]) -> Bool = { _ in false }
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let wanted = min(buffer.count, limit + 1 - bytes.count)
            let count: Int
            do {
                // Unsafe: the array's storage is valid and exclusively ours for the call, which writes within it.
                count = unsafe try buffer.withUnsafeMutableBytes { storage in
                    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[..<wanted])
                    return unsafe waits ? try file.readWaiting(into: room) : try file.read(into: room)
                }
            } catch {
                throw Failure(message: "\(error)", error: error as? Errno)
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
            if isComplete(bytes) { break }
        }
        return bytes
    }
}
