package import Encodings
import Glibc
import Processes
package import SystemPackage

/// Where the results go: standard output.
package struct LineOutput: Sendable {
    /// The output file, and the number of bytes that were certainly written. A run that continues another one begins
    /// there.
    package struct Mark: Equatable, Sendable {
        package var device: Int
        package var file: Int
        package var size: Int
    }

    private let file: FileDescriptor

    /// - Parameter file: standard output, but in tests.
    package init(_ file: FileDescriptor = .standardOutput) { self.file = file }

    package func write(_ bytes: [UInt8]) throws(Errno) { try file.writeAllWaiting(bytes) }

    /// Waits until the written bytes are on the disk, if the output is a file.
    package func sync() throws(Errno) {
        guard status != nil, fdatasync(file.rawValue) != 0, errno != EINVAL else { return }
        throw Errno(rawValue: errno)
    }

    /// The current end of the output; nil if it is not a file.
    package var mark: Mark? {
        guard let status, let position = try? file.seek(offset: 0, from: .current) else { return nil }
        return Mark(
            device: Int(truncatingIfNeeded: status.st_dev), file: Int(truncatingIfNeeded: status.st_ino),
            size: Int(position))
    }

    /// Cuts the output back to where it was when the mark was set. The rest was written without being recorded in the
    /// state.
    ///
    /// - Parameters:
    ///   - line: the number of the first line whose verdict may come after the mark.
    ///   - mayRepeat: whether a line may have several verdicts.
    package func `continue`(at mark: Mark, line: Int, mayRepeat: Bool = false) throws(Malformed) {
        guard let status, Int(truncatingIfNeeded: status.st_dev) == mark.device,
            Int(truncatingIfNeeded: status.st_ino) == mark.file
        else { return }
        guard status.st_size >= mark.size else {
            throw Malformed(
                "standard output is shorter than it was when the run stopped; append to it (>>) instead of overwriting it"
            )
        }
        try checkTail(from: mark.size, upTo: Int(status.st_size), WrittenTail(firstLine: line, mayRepeat: mayRepeat))
        guard ftruncate(file.rawValue, off_t(mark.size)) == 0, (try? file.seek(offset: 0, from: .end)) != nil else {
            throw Malformed(
                "standard output cannot be cut back to its earlier length: \(Errno(rawValue: errno))")
        }
    }

    /// Checks that the bytes to cut off were all written by the run that is to be continued.
    private func checkTail(from size: Int, upTo end: Int, _ tail: WrittenTail) throws(Malformed) {
        guard end > size else { return }
        do throws(Errno) {
            guard try !tail.isAll(of: file.rawValue, from: size) else { return }
        } catch {
            throw Malformed(
                "standard output is longer than the state says; the added text must be checked, but it cannot be "
                    + "read: \(error)")
        }
        throw Malformed(
            "standard output contains text that the interrupted run did not write, and continuing would cut it "
                + "off; append to another file")
    }

    /// Goes to the end of a file that is opened for appending. The system does that only at the first write.
    package func goToEnd() {
        if fcntl(file.rawValue, F_GETFL) & O_APPEND != 0 { _ = try? file.seek(offset: 0, from: .end) }
    }

    /// The status of the output file; nil if the output is not a file.
    private var status: stat? {
        var status = stat()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status
    }
}
