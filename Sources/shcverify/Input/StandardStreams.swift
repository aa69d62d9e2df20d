import Glibc
import SystemPackage

/// The streams that the process was started with.
enum StandardStreams {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes to standard output.
    ///
    /// A reader that has gone away is no error: it has seen what it wanted, and the exit code still says the rest.
    ///
    /// - Throws: `ExitCode` 1, after a line on standard error, where the output cannot be written.
    static func write(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            return
        } catch {
            warn("cannot write to standard output: \(error)")
            throw CommandExit.internalError
        }
    }

    /// Writes one line to standard error. That it cannot be written there is nobody left to tell.
    static func warn(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll(Array("\(TerminalText.printable(line))\n".utf8))
    }
}
