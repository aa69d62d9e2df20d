import ArgumentParser
import Glibc
import SMARTHealthCards

/// The program's beginning and end: what every command has in common.
@main
enum Main {
    static func main() async {
        // A reader that goes away must not end us before the exit code says what was found.
        _ = signal(SIGPIPE, SIG_IGN)
        do {
            try checkArguments()
            var command = try ShcverifyCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Refuses arguments that are not UTF-8. Swift would put replacement characters into them, and they would name other
    /// files than they do.
    private static func checkArguments() throws {
        guard let raw = try? InputReader.read("/proc/self/cmdline", limit: Bounds.inputSize) else { return }
        for (number, argument) in raw.split(separator: 0, omittingEmptySubsequences: false).enumerated()
        where String(validating: argument, as: UTF8.self) == nil {
            throw ValidationError(
                "Argument \(number) is not UTF-8; files of such names can be given on standard input.")
        }
    }

    /// Says what is wrong, fit for a terminal, or prints the help that was asked for, and ends the program.
    private static func end(with error: any Error) -> Never {
        let code = ShcverifyCommand.exitCode(for: error)
        let message = ShcverifyCommand.fullMessage(for: error)
        if code.isSuccess, !message.isEmpty {
            guard (try? StandardStreams.write(Array((message + "\n").utf8))) != nil else { exit(1) }
        } else {
            for line in message.split(separator: "\n") { StandardStreams.warn(String(line)) }
        }
        exit(code.rawValue)
    }
}
