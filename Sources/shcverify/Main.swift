import ArgumentParser
import Glibc
import IssuerNetwork
import JOSE
import SMARTHealthCards
import SystemPackage

/// The program's beginning and end: what every command has in common.
@main
enum Main {
    @MainActor
    static func main() async {
        ProcessSetup.run()
        OpenSSLProcess.begin()
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

    /// The command that the arguments ask for.
    ///
    /// ArgumentParser looks at every option of every command before it parses, which takes longer than to verify a card.
    /// So where no other command is named, only `verify` and its options are looked at, and for `batch` only its own. Whatever
    /// comes of that but a command that can run (an error, help, the version) is for the root to say: it parses anew, and
    /// knows all of it.
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
        for number in 0..<Int(CommandLine.argc) {
            // Unsafe: there are as many arguments as are counted, each ends with a zero, and nothing in this program changes them.
            guard let argument = unsafe CommandLine.unsafeArgv[number],
                unsafe String(validatingCString: argument) == nil
            else { continue }
            throw ValidationError(
                "Argument \(number) is not UTF-8; files of such names can be given on standard input.")
        }
    }

    /// Says what is wrong, fit for a terminal, or prints the help that was asked for, and ends the program.
    private static func end(with error: any Error) -> Never {
        if let fault = error as? InstallationFault {
            StandardStreams.warn("shcverify: \(fault.message)")
            exit(CommandExit.internalError.rawValue)
        }
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
