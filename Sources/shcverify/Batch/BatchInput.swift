import ArgumentParser
import Glibc
import JOSE
import SystemPackage

/// The input of a run: a file or standard input, opened.
struct BatchInput: Sendable {
    /// What it is called: its path, or `stdin`.
    let source: String
    private let file: FileDescriptor
    /// Where it was when it was opened; nil if it is no file.
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

    /// How many bytes it has; nil if it is no file.
    private static func size(of file: FileDescriptor) -> Int64? {
        var status = stat()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// A reader from a place on: at once in a file, else by reading what comes before.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - digest: what `digest(before:)` said of it; nil if it said nothing.
    /// - Throws: `ExitCode` 64 if no line can begin there, or what comes before is not what came before.
    func reader(at place: BatchPlace, after digest: String?) throws -> BatchReader {
        guard place != .beginning, let begin, let size = Self.size(of: file) else { return BatchReader(file) }
        let target = begin + Int64(place.offset)
        guard size >= target, size == target || endsLine(before: target),
            digest == nil || digest == self.digest(before: place.offset),
            (try? file.seek(offset: target, from: .start)) != nil
        else {
            StandardStreams.warn(
                "shcverify: --resume: \(source) has changed: no line of it begins where line \(place.line) did")
            throw CommandExit.usage
        }
        return BatchReader(file, at: place)
    }

    /// How much before a place it is known by: several cards, which no other file has there.
    private static let knownLength = 1 << 14

    /// By what the input is known again: the SHA-256 of what comes right before a place. Nil if it is no file.
    ///
    /// - Parameter offset: the place, in bytes from where the input begins.
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
