import Glibc
import SystemPackage

/// The streams that the process was started with.
enum StandardStreams {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is seen beside standard output: both are terminals.
    static var isSeenWithErrors: Bool { isTerminal && isatty(STDERR_FILENO) == 1 }

    /// How many columns the terminal has that standard output is; nil if it is none, or does not say.
    static var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        // Unsafe: the call writes the size into the variable, and keeps no pointer to it.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes to standard output.
    ///
    /// A reader that has gone away is no error: it has seen what it wanted, and the exit code still says the rest.
    ///
    /// - Throws: `ExitCode` 1, after a line on standard error, if the output cannot be written.
    static func write(_ bytes: [UInt8]) throws {
        do {
            try FileDescriptor.standardOutput.writeAllWaiting(bytes)
        } catch Errno.brokenPipe {
            return
        } catch {
            warn("shcverify: cannot write to standard output: \(error)")
            throw CommandExit.internalError
        }
    }

    /// Writes to standard error what is fit for it.
    static func warn(raw text: String) {
        _ = try? FileDescriptor.standardError.writeAllWaiting(Array(text.utf8))
    }

    /// Writes one line to standard error. That it cannot be written there is nobody left to tell.
    static func warn(_ line: String) {
        // What a file is called must not be taken for a command by a build server.
        let bytes = TerminalText.log(TerminalText.printable(line) + "\n")
        _ = try? FileDescriptor.standardError.writeAllWaiting(bytes)
    }
}
