import Glibc
import SystemPackage

/// Standard output, as the verdicts go to it.
struct BatchOutput {
    /// Which file it is, and how much of it has been written; so that a run that continues another knows what the other
    /// had written for certain.
    struct Mark: Equatable {
        var device: Int
        var file: Int
        var size: Int
    }

    /// What is wrong with the output of the run that is to be continued.
    struct Mismatch: Error {
        let message: String
    }

    private let file = FileDescriptor.standardOutput

    func write(_ bytes: [UInt8]) throws(Errno) {
        try file.writeAllWaiting(bytes)
    }

    /// Waits until what was written is on the disk, where it is a file.
    func sync() throws(BatchState.Failure) {
        guard status != nil, fdatasync(STDOUT_FILENO) != 0, errno != EINVAL else { return }
        throw BatchState.Failure(message: "the output is not on the disk: \(Errno(rawValue: errno))")
    }

    /// How far it has been written; nil if it is no file.
    var mark: Mark? {
        guard let status, let position = try? file.seek(offset: 0, from: .current) else { return nil }
        return Mark(
            device: Int(truncatingIfNeeded: status.st_dev), file: Int(truncatingIfNeeded: status.st_ino),
            size: Int(position))
    }

    /// Makes the output end where it did when the mark was set: what follows was written, but nobody took note.
    ///
    /// - Parameter line: the number of the first line whose verdict may follow it.
    func `continue`(at mark: Mark, line: Int) throws(Mismatch) {
        guard let status, Int(truncatingIfNeeded: status.st_dev) == mark.device,
            Int(truncatingIfNeeded: status.st_ino) == mark.file
        else { return }
        guard status.st_size >= mark.size else {
            throw Mismatch(
                message: "standard output is shorter than it was then; append to it (>>) instead of overwriting it")
        }
        try checkTail(from: mark.size, upTo: Int(status.st_size), line: line)
        guard ftruncate(STDOUT_FILENO, off_t(mark.size)) == 0, (try? file.seek(offset: 0, from: .end)) != nil else {
            throw Mismatch(message: "standard output cannot be cut back to where it was: \(Errno(rawValue: errno))")
        }
    }

    /// Makes sure that what would be cut off is only what the run wrote that is to be continued.
    private func checkTail(from size: Int, upTo end: Int, line: Int) throws(Mismatch) {
        guard end > size else { return }
        do throws(Errno) {
            guard try !BatchTail(firstLine: line).isAll(of: STDOUT_FILENO, from: size) else { return }
        } catch {
            throw Mismatch(
                message: "standard output holds more than was noted; whether the run wrote it that is to be continued "
                    + "cannot be told, since it cannot be read: \(error)")
        }
        throw Mismatch(
            message: "standard output holds more than the run wrote that is to be continued, and this one would "
                + "cut that off; append to another file")
    }

    /// Goes to the end of a file that is appended to, which until the first write it only promises to do.
    func goToEnd() {
        if fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND != 0 { _ = try? file.seek(offset: 0, from: .end) }
    }

    /// What the file system says of it; nil if it is no file.
    private var status: stat? {
        var status = stat()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        guard unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status
    }
}
