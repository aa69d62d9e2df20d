import Glibc
import SystemPackage

/// What a run wrote that nobody took note of before it was killed: verdicts on lines that follow one another, the last
/// perhaps in part. It is cut off before the run is continued, so it must be nothing else.
struct BatchTail {
    private var line: Int
    /// How the line of output begins that is looked at.
    private var head: [UInt8] = []

    /// - Parameter firstLine: the number of the first line that a verdict may be on.
    init(firstLine: Int) {
        line = firstLine
    }

    /// So much of a line of output is looked at: more than any number takes.
    private static let maximumHead = 40

    /// Whether an output is of this form from an offset to its end; throws where it may not be read.
    consuming func isAll(of descriptor: Int32, from offset: Int) throws(Errno) -> Bool {
        // Standard output is open for writing only.
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

    /// Whether a line of output begins as the next verdict does, or is a line of the summary, where both streams are one.
    private mutating func isAsExpected(isWhole: Bool) -> Bool {
        let verdict = Array("{\"line\":\(line),".utf8)
        if head.starts(with: verdict) {
            line += 1
            return true
        }
        if head.starts(with: "shcverify: ".utf8) { return true }
        return !isWhole && (verdict.starts(with: head) || "shcverify: ".utf8.starts(with: head))
    }
}
