import Glibc
import SMARTHealthCards
import SystemPackage

/// Reads files and standard input, within bounds.
enum InputReader {
    /// Why something could not be read.
    struct Failure: Error {
        let message: String
        /// Whether it is a directory, which a shell's wildcard reaches into.
        var isDirectory = false
    }

    /// How many bytes the name of a file may have (PATH_MAX, with the zero that ends it).
    static let longestName = 4095

    /// Reads a file, a pipe or a device.
    ///
    /// - Parameters:
    ///   - path: where it stands; `-` is standard input.
    ///   - limit: how many bytes to read at most.
    /// - Returns: its bytes; one more than `limit` where there are more.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let file = try open(path)
        guard file != .standardInput else { return try read(file, limit: limit) }
        defer { try? file.close() }
        return try read(file, limit: limit)
    }

    /// Whether the name of an input means standard input. Its bytes are compared: it may be a text that takes long to normalise.
    static func isStandardInput(_ path: String) -> Bool { path.utf8.elementsEqual("-".utf8) }

    /// Opens a file, a pipe or a device; `-` is standard input, which is open.
    static func open(_ path: String) throws(Failure) -> FileDescriptor {
        if isStandardInput(path) { return .standardInput }
        // Nothing that is longer is looked at: it may be a text that somebody made to be expensive.
        guard path.utf8.count <= longestName else { throw Failure(message: "\(Errno.fileNameTooLong)") }
        do {
            return try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    /// Reads a file that somebody will open again by its path.
    ///
    /// A pipe can be read only once, and to open a named one waits for who writes to it. So neither pipes nor sockets are
    /// read.
    static func readReopenable(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            throw Failure(message: "\(error)")
        }
        defer { try? file.close() }
        var status = stat()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        guard unsafe fstat(file.rawValue, &status) == 0, ![S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            throw Failure(message: "it is a pipe, which can be read only once; a file is needed")
        }
        return try read(file, limit: limit)
    }

    /// Reads what is open.
    static func read(_ file: FileDescriptor, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let wanted = min(buffer.count, limit + 1 - bytes.count)
            let count: Int
            do {
                // Unsafe: the array's storage is valid and exclusively ours for the call, which writes within it.
                count = unsafe try buffer.withUnsafeMutableBytes { storage in
                    unsafe try file.readWaiting(into: UnsafeMutableRawBufferPointer(rebasing: storage[..<wanted]))
                }
            } catch {
                throw Failure(message: "\(error)", isDirectory: (error as? Errno) == .isDirectory)
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return bytes
    }
}

extension ArtifactReader {
    /// Reads the inputs that a command line names: files and standard input first, then the texts of QR codes.
    init(reading options: InputOptions) {
        self.init()
        for (number, path) in options.input.enumerated() {
            do throws(InputReader.Failure) {
                add(try InputReader.read(path, limit: Bounds.inputSize), source: InputReader.name(of: path))
            } catch {
                let (source, message) = InputReader.explain(path, number: number + 1, failure: error)
                add(failure: VerificationFailure(.unreadableInput, message), source: source)
            }
        }
        for text in options.qr { add(Array(text.utf8), source: "qr") }
    }
}
