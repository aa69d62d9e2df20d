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
    /// - Returns: whether the output is the file in which the mark was set. Another one is left as it is.
    package func `continue`(at mark: Mark, line: Int, mayRepeat: Bool = false) throws(Malformed) -> Bool {
        guard let status, Int(truncatingIfNeeded: status.st_dev) == mark.device,
            Int(truncatingIfNeeded: status.st_ino) == mark.file
        else { return false }
        guard status.st_size >= mark.size else {
            throw Malformed(
                "standard output is shorter than it was when the run stopped, so verdicts are missing from it; start over with another "
                    + "state file, and append (>>) from then on"
            )
        }
        try checkTail(from: mark.size, upTo: Int(status.st_size), WrittenTail(firstLine: line, mayRepeat: mayRepeat))
        guard ftruncate(file.rawValue, off_t(mark.size)) == 0, (try? file.seek(offset: 0, from: .end)) != nil else {
            throw Malformed(
                "standard output cannot be cut back to its earlier length: \(Errno(rawValue: errno))")
        }
        return true
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

/// The output of a killed run that its state does not count: the verdicts of consecutive lines. The last one may be
/// incomplete.
///
/// These bytes are cut off before the run continues, so they must contain nothing else.
struct WrittenTail {
    private var line: Int
    /// The beginning of the current line of output.
    private var head: [UInt8] = []

    /// Whether the last verdict may be followed by another one on the same line.
    private let mayRepeat: Bool
    private let firstLine: Int

    /// - Parameters:
    ///   - firstLine: the number of the first input line whose verdict may be in it.
    ///   - mayRepeat: whether a line may have several verdicts.
    init(firstLine: Int, mayRepeat: Bool = false) {
        line = firstLine
        self.firstLine = firstLine
        self.mayRepeat = mayRepeat
    }

    /// The number of bytes to keep of each line: more than its line number can take.
    private static let maximumHead = 40

    /// Whether the output has this form from an offset to its end. Throws if the output may not be read.
    consuming func isAll(of descriptor: Int32, from offset: Int) throws(Errno) -> Bool {
        // Standard output is open for writing only, so it is opened again.
        let path = FilePath("/proc/self/fd/\(descriptor)")
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
        defer { try? file.close() }
        var position = Int64(offset)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // Unsafe: the storage is valid and exclusively ours for the call, which writes within it.
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe pread(file.rawValue, $0.baseAddress, $0.count, off_t(position))
            }
            guard count >= 0 else { throw Errno(rawValue: errno) }
            guard count > 0 else { return isAsExpected(isWhole: false) }
            position += Int64(count)
            for byte in chunk[..<count] {
                guard byte == 0x0A else {
                    if head.count < Self.maximumHead { head.append(byte) }
                    continue
                }
                guard isAsExpected(isWhole: true) else { return false }
                head = []
            }
        }
    }

    /// Whether a line of output is the next verdict. It may also be a line of the summary, if standard error goes to
    /// the same file.
    private mutating func isAsExpected(isWhole: Bool) -> Bool {
        if isVerdict(onLine: line) {
            line += 1
            return true
        }
        let mayBeAnother = mayRepeat && line > firstLine
        if mayBeAnother && isVerdict(onLine: line - 1) || head.starts(with: "shcverify: ".utf8) { return true }
        guard !isWhole else { return false }
        return Self.start(ofLine: line).starts(with: head) || "shcverify: ".utf8.starts(with: head)
            || mayBeAnother && Self.start(ofLine: line - 1).starts(with: head)
    }

    private static func start(ofLine line: Int) -> [UInt8] { Array("{\"line\":\(line)".utf8) }

    private func isVerdict(onLine line: Int) -> Bool {
        let start = Self.start(ofLine: line)
        // "line" is the last member too if --fields names no other one.
        return head.starts(with: start) && head.count > start.count && [0x2C, 0x7D].contains(head[start.count])
    }
}
