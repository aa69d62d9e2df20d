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
    /// - Parameters:
    ///   - place: the place of the first line to read.
    ///   - digest: the result of `digest(before:)` in the earlier run; nil if there was none.
    /// - Throws: `ExitCode` 64, after a line on standard error, if the input before the place has changed.
    func reader(at place: BatchPlace, after digest: String?) throws -> BatchReader {
        guard place != .beginning, let begin, let size = Self.size(of: file) else { return BatchReader(file) }
        let target = begin + Int64(place.offset)
        guard size >= target, size == target || endsLine(before: target),
            digest == nil || digest == self.digest(before: place.offset),
            (try? file.seek(offset: target, from: .start)) != nil
        else {
            StandardStreams.warn(
                "shcverify: --resume: \(source) has changed since the state was written: line \(place.line) is no longer where it was"
            )
            throw CommandExit.usage
        }
        return BatchReader(file, at: place)
    }

    /// The number of bytes in the digest: enough for several cards, so that no other file has the same.
    private static let knownLength = 1 << 14

    /// The SHA-256 of the bytes right before a place, by which a later run recognises the input; nil if it is not a
    /// file.
    ///
    /// - Parameter offset: the place, in bytes from the beginning of the input.
    func digest(before offset: Int) -> String? {
        guard let begin else { return nil }
        let count = min(offset, Self.knownLength)
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let position = begin + Int64(offset - count + filled)
            // Unsafe: the storage is valid and exclusively ours for the call, which writes within it.
            let more = unsafe try? bytes.withUnsafeMutableBytes {
                unsafe try file.read(
                    fromAbsoluteOffset: position, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
            }
            guard let more, more > 0 else { return nil }
            filled += more
        }
        return SHA256.digest(bytes).hexadecimal
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
