import Bytes
import CProcess
import CredentialReports
import Glibc
import LocalFiles
import SystemPackage

/// The standard streams of the process.
enum StandardStreams {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether the user sees standard error next to standard output, because both are terminals.
    static var isSeenWithErrors: Bool { isTerminal && isatty(STDERR_FILENO) == 1 }

    /// The number of columns of the terminal at standard output, or 80 if the terminal does not say; nil if it is not a
    /// terminal.
    static var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        // Unsafe: the call writes the size into the variable, and keeps no pointer to it.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether a question can be asked: standard input and standard error are terminals.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks for a line that is not shown while it is typed.
    ///
    /// - Returns: the line; nil if it is longer than `limit` bytes, or if the input has ended.
    static func readSecretLine(prompt: String, limit: Int) -> [UInt8]? {
        var line = [UInt8](repeating: 0, count: limit)
        // Unsafe: the call writes within the array, and reads the text, which ends with a null byte. It keeps neither.
        let count = unsafe read_secret_line(TerminalText.printable(prompt), &line, line.count)
        let typed = count >= 0 ? Array(line.prefix(count)) : nil
        _ = SecretBytes(&line)
        return typed
    }

    /// Standard output, described for a report.
    static func destination(isColoured: Bool = false) -> Destination {
        Destination(
            isTerminal: isTerminal, width: width, isColoured: isColoured, showsMessages: isSeenWithErrors)
    }

    /// Writes to standard output.
    ///
    /// If standard output was closed, this is no error: it has read enough, and the exit code still tells the result.
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

    /// Writes text to standard error that is fit for a terminal already.
    static func warn(raw text: String) {
        _ = try? FileDescriptor.standardError.writeAllWaiting(Array(text.utf8))
    }

    /// Writes one line to standard error. Errors are ignored, since there is nowhere to report them.
    static func warn(_ line: String) {
        // A build server could take the name of a file for a command.
        let bytes = TerminalText.log(TerminalText.printable(line) + "\n")
        _ = try? FileDescriptor.standardError.writeAllWaiting(bytes)
    }
}
