import ArgumentParser
import Glibc
import SystemPackage

/// The input of a run: a file or standard input, opened.
struct BatchInput {
    /// What it is called: its path, or `stdin`.
    let source: String
    private let file: FileDescriptor

    /// - Throws: `ExitCode` 66, after a line on standard error, where it cannot be opened.
    init(_ path: String) throws {
        source = path == "-" ? "stdin" : path
        do {
            file =
                path == "-"
                ? .standardInput : try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        } catch {
            StandardStreams.warn("\(source): unreadable-input: cannot be read: \(error)")
            throw CommandExit.unreadable
        }
    }

    /// A reader from a place on: at once in a file, else by reading what comes before.
    ///
    /// - Throws: `ExitCode` 64 where no line can begin there.
    func reader(at place: BatchPlace) throws -> BatchReader {
        var status = stat()
        // Unsafe: the call writes into the variable, and keeps no pointer to it.
        guard place != .beginning, unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let begin = try? file.seek(offset: 0, from: .current)
        else { return BatchReader(file) }
        let target = begin + Int64(place.offset)
        guard status.st_size >= target, status.st_size == target || endsLine(before: target),
            (try? file.seek(offset: target, from: .start)) != nil
        else {
            StandardStreams.warn(
                "shcverify: --resume: \(source) has changed: no line of it begins where line \(place.line) did")
            throw CommandExit.usage
        }
        return BatchReader(file, at: place)
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
