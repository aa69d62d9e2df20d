import Glibc
import SystemPackage

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
