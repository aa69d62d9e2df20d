import ArgumentParser
import Credentials
import Cryptography
import Glibc
import HTTPSFetch

/// The beginning and the end of the program, which all commands share.
@main
enum Main {
    @MainActor
    static func main() async {
        ProcessSetup.run()
        OpenSSLProcess.begin()
        if let words = Completion.words(requestedBy: CommandLine.arguments.dropFirst()) {
            if let completion = try? Completion(of: words) {
                try? StandardStreams.write(Array(completion.lines.map { $0 + "\n" }.joined().utf8))
            }
            // This must neither succeed nor be silent, because a stranger may have written the arguments of a gate.
            StandardStreams.warn(
                "shcverify: ---completion is a request of the completion scripts, and verifies nothing")
            exit(RunReason.usage.exitCode)
        }
        exit(await run { () throws(ValidationError) in try Arguments.ofProcess() }.rawValue)
    }

    /// Runs the command that the arguments ask for.
    ///
    /// - Parameter parse: finds the command.
    /// - Returns: the exit code of the program.
    static nonisolated(nonsending) func run(
        _ arguments: () throws(ValidationError) -> Arguments,
        parse: (Arguments) throws -> any ParsableCommand = command
    ) async -> ExitCode {
        var given: Arguments?
        var running: (any ParsableCommand.Type)?
        do {
            let arguments = try arguments()
            given = arguments
            if let shell = try CompletionShell(requestedBy: arguments) {
                try StandardStreams.write(shell.script)
                return .success
            }
            running = arguments.command.isEmpty ? nil : arguments.commandType
            try CommandSuggestion.check(arguments)
            running = arguments.commandType
            var command = try parse(arguments)
            running = type(of: command)
            if var waiting = command as? any WaitingCommand {
                try end(await waiting.perform())
            } else if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return .success
        } catch {
            return end(with: error, of: running, given)
        }
    }

    /// The command that the arguments ask for.
    ///
    /// ArgumentParser looks at every option of every command before it parses. That takes longer than verifying a card, so only the named
    /// command is parsed here. If that does not give a command to run (but an error, help, the version), the root command parses everything
    /// again.
    static func command(_ arguments: Arguments) throws -> any ParsableCommand {
        if !arguments.isRequest, !arguments.all.isEmpty,
            let command = try? arguments.commandType.parseAsRoot(arguments.rest)
        {
            return command
        }
        if !arguments.isRequest { try CommandSuggestion.checkOptions(of: arguments) }
        return try ShcverifyCommand.parseAsRoot(arguments.all)
    }

    /// Ends a command that has already printed everything.
    fileprivate static func end(_ outcome: RunOutcome) throws {
        if outcome.reason != nil { throw ExitCode(outcome.exitCode) }
    }

    /// Prints the error, safe for a terminal, or the requested text.
    ///
    /// - Parameters:
    ///   - command: the command that ran; nil if none could be parsed.
    ///   - arguments: the arguments; nil if they could not be read. If they do not ask for help, the version or a completion script, the
    ///     exit code is not 0, whatever the parser says.
    /// - Returns: the exit code.
    private static func end(
        with error: any Error, of command: (any ParsableCommand.Type)?, _ arguments: Arguments?
    ) -> ExitCode {
        if let failure = error as? CommandFailure ?? (error as? InstallationFault).map(CommandFailure.init) {
            for line in failure.lines { StandardStreams.warn(line) }
            return ExitCode(failure.reason.exitCode)
        }
        let code = ShcverifyCommand.exitCode(for: error)
        guard arguments?.isRequest == true || !code.isSuccess else {
            StandardStreams.warn(
                "Error: Help, the version and completion scripts are only printed if nothing else is given: "
                    + "\"shcverify --help\", \"shcverify help COMMAND\", \"shcverify --version\".")
            return ExitCode(RunReason.usage.exitCode)
        }
        var message = ShcverifyCommand.fullMessage(for: error)
        if let error = error as? ValidationError, let command {
            // The parser knows only its own errors, and would show the usage of the program itself.
            let path = (["shcverify"] + (arguments.map(\.path) ?? [])).joined(separator: " ")
            message =
                "Error: \(error.message)\nUsage: \(ShcverifyCommand.usageString(for: command))\n"
                + "  See '\(path) --help' for more information."
        }
        if message.contains("Unknown option '--passcode'") {
            message +=
                "\nA passcode is never an argument, since other users can see arguments: use --passcode-file FILE, the environment "
                + "variable SHCVERIFY_PASSCODE, or wait to be asked."
        }
        if code.isSuccess {
            message = message == ShcverifyCommand.configuration.version ? ProgramVersion.text : inOrder(help: message)
        }
        if code.isSuccess, !message.isEmpty {
            do {
                try StandardStreams.write(Array((message + "\n").utf8))
            } catch {
                return end(with: error, of: command, arguments)
            }
        } else {
            for line in withoutCards(message, arguments?.words ?? []).split(separator: "\n") {
                StandardStreams.warn(String(line))
            }
        }
        return code
    }

    /// The parser's help, with the exit codes after the usage.
    private static func inOrder(help: String) -> String {
        var parts = help.split(separator: "\n\n")
        guard let usage = parts.firstIndex(where: { $0.hasPrefix("USAGE: ") }),
            let exits = parts[..<usage].firstIndex(where: { $0.hasPrefix("Exit codes: ") })
        else { return help }
        parts.insert(parts.remove(at: exits), at: usage)
        return parts.joined(separator: "\n\n")
    }

    /// The parser's message, with "…" in place of quoted arguments that are cards, because messages are logged.
    ///
    /// The arguments tell what the message quotes. Other text between quotation marks stays.
    private static func withoutCards(_ message: String, _ words: [String]) -> String {
        let quote = UInt8(ascii: "'")
        var message = Array(message.utf8)
        for word in words {
            let bytes = Array(word.utf8)
            let value = bytes.firstIndex(of: UInt8(ascii: "=")).map { Array(bytes[($0 + 1)...]) }
            for text in [bytes, value ?? []]
            where PastedInput(String(decoding: text, as: UTF8.self)) != nil {
                message.replace([quote] + text + [quote], with: Array("'…'".utf8))
            }
        }
        return String(decoding: message, as: UTF8.self)
    }
}

/// A command that may wait for a server or for a program that searches a picture, or that can end in more than one way.
///
/// It runs on the thread of its caller. In the program, that is the main thread: if the keys are known, no other thread is needed, and
/// starting one takes longer than verifying a card.
protocol WaitingCommand: AsyncParsableCommand {
    nonisolated(nonsending) mutating func perform() async throws -> RunOutcome
}

extension WaitingCommand {
    @MainActor mutating func run() async throws { try Main.end(await perform()) }
}

/// The error of a command that cannot do what it was asked to do. `Main` prints the lines, and nothing else does.
struct CommandFailure: Error {
    let reason: RunReason
    /// Lines for standard error.
    let lines: [String]

    /// - Parameters:
    ///   - reason: the reason for the exit code.
    ///   - message: what the program says.
    ///   - source: the subject of the message: the program itself, or an input.
    init(_ reason: RunReason, _ message: String, of source: String = "shcverify") {
        self.init(reason, lines: ["\(source): \(message)"])
    }

    init(_ reason: RunReason, lines: [String]) {
        self.reason = reason
        self.lines = lines
    }

    init(_ fault: InstallationFault) { self.init(.internalError, fault.message) }
}

/// The reasons of commands. The others come from verdicts.
extension RunReason {
    static let malformed = RunReason.given(.malformedInput)
    static let signatureInvalid = RunReason.given(.signatureInvalid)
    static let noKey = RunReason.given(.keyNotFound)
    static let notListed = RunReason.given(.issuerNotTrusted)
    static let unavailable = RunReason.given(.keysUnavailable)
    static let listUnavailable = RunReason.given(.revocationUnavailable)
    static let unreadable = RunReason.given(.unreadableInput)
}

extension RunOutcome {
    /// Notes a reason, and prints it on standard error.
    ///
    /// - Parameter isShown: whether the report shows it too. If one terminal shows both, once is enough.
    mutating func warn(_ source: String, _ reason: ReasonCode, _ message: String, isShown: Bool = false) {
        if !isShown || !StandardStreams.isSeenWithErrors {
            StandardStreams.warn("\(source): \(reason.rawValue): \(message)")
        }
        add(reason)
    }

    mutating func warn(_ source: String, _ failure: VerificationFailure, isShown: Bool = false) {
        warn(source, failure.code, failure.message, isShown: isShown)
    }
}
