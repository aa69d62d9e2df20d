import ArgumentParser
import Synchronization

@testable import shcverify

/// Commands that were parsed, by their options: in a debug build, parsing takes much longer than what the command does.
final class ParsedCommands: Sendable {
    private struct Parsed: @unchecked Sendable {
        let command: any ParsableCommand
    }

    private let commands = Mutex<[[String]: Parsed]>([:])

    /// The command that the program makes of the arguments. If only the names of inputs differ from those of an earlier run, they are
    /// exchanged.
    func command(_ arguments: Arguments) throws -> any ParsableCommand {
        guard arguments.rest.count > 1, arguments.rest[arguments.rest.count - 2] == "--", !arguments.isRequest,
            let inputs = arguments.rest.last.map({ GivenValues(argument: $0) })
        else { return try Main.command(arguments) }
        let key = arguments.command + arguments.rest.dropLast() + ["\(inputs.values.count)"]
        if let earlier = commands.withLock({ $0[key] }), let command = exchanged(inputs, in: earlier.command) {
            return command
        }
        let command = try Main.command(arguments)
        commands.withLock { $0[key] = Parsed(command: command) }
        return command
    }

    private func exchanged(_ inputs: GivenValues, in command: any ParsableCommand) -> (any ParsableCommand)? {
        switch command {
        case var command as VerifyCommand:
            command.inputs.input = [inputs]
            return command
        case var command as LintCommand:
            command.inputs.input = [inputs]
            return command
        default: return nil
        }
    }
}
