import CProcess
import CredentialReports
import Credentials
import Encodings
import Glibc
import Processes
import Synchronization
import SystemPackage

/// The standard streams of a run: those of the process or, in a test, buffers that the test reads.
enum StandardStreams {
    #if DEBUG
        /// What a test reads instead of the streams, in this task; nil to use the streams of the process.
        @TaskLocal static var replacement: KeptOutput?
    #else
        /// A release always uses the streams of the process.
        static var replacement: KeptOutput? { nil }
    #endif

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { replacement == nil && isatty(STDOUT_FILENO) == 1 }

    /// Whether the user sees standard error together with standard output, because both are the same terminal.
    static var isSeenWithErrors: Bool {
        var (output, errors) = (stat(), stat())
        // Unsafe: the calls write into the variables, and keep no pointer to them.
        return unsafe isTerminal && isatty(STDERR_FILENO) == 1 && fstat(STDOUT_FILENO, &output) == 0
            && fstat(STDERR_FILENO, &errors) == 0 && output.st_rdev == errors.st_rdev
    }

    /// The number of columns of the terminal at standard output, or 80 if the terminal does not say; nil if there is no terminal.
    static var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        // Unsafe: the call writes the size into the variable, and keeps no pointer to it.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether a question can be asked: standard input and standard error are terminals.
    static var canAsk: Bool { replacement == nil && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

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

    /// Describes standard output for a report.
    static func destination(isColoured: Bool = false) -> Destination {
        Destination(isTerminal: isTerminal, width: width, isColoured: isColoured)
    }

    /// Writes to standard output.
    ///
    /// It is no error if standard output was closed: the reader has read enough, and the exit code still tells the result.
    ///
    /// - Throws: `CommandFailure` if the output cannot be written.
    static func write(_ bytes: [UInt8]) throws {
        if let replacement { return replacement.write(bytes) }
        do {
            try FileDescriptor.standardOutput.writeAllWaiting(bytes)
        } catch Errno.brokenPipe {
            return
        } catch {
            throw CommandFailure(.internalError, "cannot write to standard output: \(error)")
        }
    }

    /// Writes a line for people to standard output.
    static func write(line: String) throws { try write(TextRenderer.bytes([.line(Words(line))])) }

    /// Writes text to standard error that is already safe for a terminal.
    static func warn(raw text: String) { warn(Array(text.utf8)) }

    /// Writes one line to standard error. Errors are ignored, because there is nowhere to report them.
    static func warn(_ line: String) {
        // A build server could mistake the name of a file for a command.
        warn(TerminalText.log(TerminalText.printable(line) + "\n"))
    }

    private static func warn(_ bytes: [UInt8]) {
        if let replacement { return replacement.warn(bytes) }
        _ = try? FileDescriptor.standardError.writeAllWaiting(bytes)
    }
}

/// What a run prints, kept for its caller. The process of such a run also does other things, such as running tests.
final class KeptOutput: Sendable {
    private let content = Mutex((output: [UInt8](), errors: [UInt8]()))

    /// The bytes on standard output.
    var output: [UInt8] { content.withLock { $0.output } }
    /// The bytes on standard error.
    var errors: [UInt8] { content.withLock { $0.errors } }

    fileprivate func write(_ bytes: [UInt8]) { content.withLock { $0.output += bytes } }
    fileprivate func warn(_ bytes: [UInt8]) { content.withLock { $0.errors += bytes } }
}
