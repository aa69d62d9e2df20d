import ArgumentParser
import Bytes
import Cryptography
import Glibc
import SystemPackage

/// The open input of a run: a file or standard input.
struct BatchInput: Sendable {
    /// The name of the input: its path, or `stdin`.
    let source: String
    private let file: FileDescriptor
    /// The offset at which it was opened; nil if it is not a file.
    private let begin: Int64?

    /// - Throws: `ExitCode` 66, after a line on standard error, if it cannot be opened.
    init(_ path: String) throws {
        source = InputReader.name(of: path)
        do throws(InputReader.Failure) {
            file = try InputReader.open(path)
        } catch {
            let (source, message) = InputReader.explain(path, number: 1, failure: error, qrOption: "verify --qr")
            StandardStreams.warn("\(source): unreadable-input: \(message)")
            throw CommandExit.unreadable
        }
        begin = Self.size(of: file) == nil ? nil : try? file.seek(offset: 0, from: .current)
    }

    /// The size in bytes; nil if it is not a file.
    private static func size(of file: FileDescriptor) -> Int64? {
        var status = stat()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// A reader that begins at a place. In a file it goes there at once; otherwise it reads and skips the lines before.
    ///
    /// - Parameter state: how far the earlier run came. Its sum of the input is brought up to the place.
    /// - Throws: `ExitCode` 64, after a line on standard error, if the input before the place has changed.
    func reader(continuing state: inout BatchState) throws -> BatchReader {
        let place = state.place
        guard place != .beginning, let begin, let size = Self.size(of: file) else { return BatchReader(file) }
        let target = begin + Int64(place.offset)
        guard size >= target, size == target || endsLine(before: target),
            state.inputDigest == nil || state.inputDigest == digest(before: place.offset, continuing: &state.inputSum),
            (try? file.seek(offset: target, from: .start)) != nil
        else {
            StandardStreams.warn(
                "shcverify: --resume: \(source) has changed since the state was written: the lines before line "
                    + "\(place.line) are no longer those that were judged"
            )
            throw CommandExit.usage
        }
        return BatchReader(file, at: place)
    }

    /// The digest of all bytes before a place, by which a later run recognises the input; nil if it is not a file.
    ///
    /// - Parameters:
    ///   - offset: the place, in bytes from the beginning of the input.
    ///   - sum: a sum of the input up to an earlier place. It is brought up to this one.
    func digest(before offset: Int, continuing sum: inout BatchInputSum) -> String? {
        guard let begin else { return nil }
        while offset - sum.offset >= BatchInputSum.chunkSize {
            guard let chunk = bytes(at: begin + Int64(sum.offset), count: BatchInputSum.chunkSize) else {
                return Self.unreadable
            }
            sum.add(chunk)
        }
        guard let rest = bytes(at: begin + Int64(sum.offset), count: offset - sum.offset) else {
            return Self.unreadable
        }
        return sum.digest(with: rest).hexadecimal
    }

    /// Stands for the digest of a file that was cut during the run. No file has it.
    private static let unreadable = "unreadable"

    /// Bytes of the file; nil if it does not have so many.
    private func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        guard count > 0 else { return count == 0 ? [] : nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // Unsafe: the storage is valid and exclusively ours for the call, which writes within it.
            let more = unsafe try? bytes.withUnsafeMutableBytes {
                unsafe try file.read(
                    fromAbsoluteOffset: offset + Int64(filled),
                    into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
            }
            guard let more, more > 0 else { return nil }
            filled += more
        }
        return bytes
    }

    private func endsLine(before offset: Int64) -> Bool {
        guard offset > 0 else { return true }
        var byte: [UInt8] = [0]
        // Unsafe: the storage is valid and exclusively ours for the call, which writes within it.
        let count = unsafe try? byte.withUnsafeMutableBytes {
            unsafe try file.read(fromAbsoluteOffset: offset - 1, into: $0)
        }
        return count == 1 && byte[0] == 0x0A
    }
}

/// The sum of the beginning of an input, in whole chunks. It grows with the input, so nothing is hashed twice in a run but the
/// bytes after the last whole chunk.
struct BatchInputSum: Equatable {
    static let chunkSize = 1 << 20

    /// The number of bytes that the sum is of.
    private(set) var offset = 0
    private var digest: [UInt8] = []

    /// Adds the next chunk.
    mutating func add(_ chunk: [UInt8]) {
        digest = SHA256.digest(digest + chunk)
        offset += chunk.count
    }

    /// The digest of the input up to this sum, and of fewer bytes than a chunk after it.
    func digest(with rest: [UInt8]) -> [UInt8] { SHA256.digest(digest + rest) }
}
