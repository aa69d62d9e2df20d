import ArgumentParser
import Glibc
import SMARTHealthCards
import SystemPackage

/// The program's beginning and end: what every command has in common.
@main
enum Main {
    static func main() async {
        // A reader that goes away must not end us before the exit code says what was found.
        _ = signal(SIGPIPE, SIG_IGN)
        occupyStandardStreams()
        do {
            try checkArguments()
            var command = try command()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Sees to it that a standard stream that we were started without fails when it is used. Else the next file that is
    /// opened would take its number, and the verdicts would go there.
    private static func occupyStandardStreams() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            _ = try? FileDescriptor.open(FilePath("/dev/null"), number == STDIN_FILENO ? .writeOnly : .readOnly)
        }
    }

    /// The command that the arguments ask for.
    ///
    /// ArgumentParser looks at every option of every command before it parses, which takes longer than to verify a card.
    /// So where no other command is named, only `verify` and its options are looked at, and for `batch` only its own. Whatever comes of that but a
    /// command that can run (an error, help, the version) is for the root to say: it parses anew, and knows all of it.
    private static func command() throws -> any ParsableCommand {
        var arguments = CommandLine.arguments.dropFirst()
        // Options of the root's own, help above all, fail here and are left to it.
        if arguments.first == BatchCommand.configuration.commandName,
            let command = try? BatchCommand.parse(Array(arguments.dropFirst()))
        {
            return command
        }
        if arguments.first == VerifyCommand.configuration.commandName { arguments.removeFirst() }
        if let first = arguments.first, !names(first), let command = try? VerifyCommand.parse(Array(arguments)) {
            return command
        }
        return try ShcverifyCommand.parseAsRoot()
    }

    /// Whether an argument names a command, if it is the first.
    private static func names(_ argument: String) -> Bool {
        argument == "help"
            || ShcverifyCommand.configuration.subcommands.contains { $0.configuration.commandName == argument }
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
