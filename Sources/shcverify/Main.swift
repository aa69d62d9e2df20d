import ArgumentParser
import Glibc
import IssuerNetwork
import JOSE

/// The program's beginning and end: what every command has in common.
@main
enum Main {
    @MainActor
    static func main() async {
        ProcessSetup.run()
        OpenSSLProcess.begin()
        var isRequest = false
        do {
            let arguments = try Arguments.ofProcess()
            isRequest = arguments.isRequest
            try CommandSuggestion.check(arguments)
            var command = try command(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, isRequest: isRequest)
        }
    }

    /// The command that the arguments ask for.
    ///
    /// ArgumentParser looks at every option of every command before it parses, which takes longer than to verify a card.
    /// So only the command that is named and its options are looked at. Whatever comes of that but a command that can run
    /// (an error, help, the version) is for the root to say: it parses anew, and knows all of it.
    private static func command(_ arguments: Arguments) throws -> any ParsableCommand {
        if !arguments.isRequest, !arguments.all.isEmpty,
            let command = try? arguments.commandType.parseAsRoot(arguments.rest)
        {
            return command
        }
        return try ShcverifyCommand.parseAsRoot(arguments.all)
    }

    /// Says what is wrong, fit for a terminal, or prints what was asked for, and ends the program.
    ///
    /// - Parameter isRequest: whether help, the version or a completion script was asked for. Whatever the parser thinks, there
    ///   is no exit code 0 without that.
    private static func end(with error: any Error, isRequest: Bool) -> Never {
        if let fault = error as? InstallationFault {
            StandardStreams.warn("shcverify: \(fault.message)")
            exit(CommandExit.internalError.rawValue)
        }
        let code = ShcverifyCommand.exitCode(for: error)
        guard isRequest || !code.isSuccess else {
            StandardStreams.warn(
                "Error: Help, the version and completion scripts are only given if nothing else is asked for: "
                    + "\"shcverify --help\", \"shcverify help COMMAND\", \"shcverify --version\".")
            exit(CommandExit.usage.rawValue)
        }
        let message = ShcverifyCommand.fullMessage(for: error)
        if code.isSuccess, !message.isEmpty {
            guard (try? StandardStreams.write(Array((message + "\n").utf8))) != nil else { exit(1) }
        } else {
            for line in withoutCards(message).split(separator: "\n") { StandardStreams.warn(String(line)) }
        }
        exit(code.rawValue)
    }

    /// What the parser says of a word, which it quotes, without the word if it is a card: messages are logged.
    private static func withoutCards(_ message: String) -> String {
        let quote = UInt8(ascii: "'")
        let parts = message.utf8.split(separator: quote, omittingEmptySubsequences: false).map { String(Substring($0)) }
        return parts.map { PastedInput($0) == nil ? $0 : "…" }.joined(separator: "'")
    }
}
