// These types are public, so the protocol and the types must be imported publicly.
public import ArgumentParser
import Bulk
import CData
public import Conformance
public import CredentialReports
import Credentials
import Encodings
public import LintReports

extension InputForm: ExpressibleByArgument {
    /// A form that lint can read; nil for the others.
    public init?(argument: String) {
        guard let form = InputForm(rawValue: argument), Self.linted.contains(form) else { return nil }
        self = form
    }

    public static var allValueStrings: [String] { linted.map(\.rawValue) }
}

/// A built-in profile, or the file of a user's own: a name with a dot or a slash.
enum GivenProfile: ExpressibleByArgument, Hashable {
    case named(LintPolicy.Profile)
    case file(String)

    init?(argument: String) {
        if let name = LintPolicy.Profile(rawValue: argument) {
            self = .named(name)
        } else if argument.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }) {
            self = .file(argument)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { LintPolicy.Profile.allCases.map(\.rawValue) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension Severity: ExpressibleByArgument {}
extension BatchFailure: ExpressibleByArgument {}

extension VerdictFormat: ExpressibleByArgument {}
extension LintFormat: ExpressibleByArgument {}
extension RecordsFormat: ExpressibleByArgument {}
extension SchemaFormat: ExpressibleByArgument {}
extension AuditFormat: ExpressibleByArgument {}
extension ChangeFormat: ExpressibleByArgument {}

/// The formats of commands that show what is installed.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// The formats of `status`.
enum StatusFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, prometheus
}

/// Whether text is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// Whether to use colours. `auto` means colours on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    var isOn: Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            return StandardStreams.isTerminal && (EnvironmentVariable.value(of: "NO_COLOR") ?? "").isEmpty
                && EnvironmentVariable.value(of: "TERM") != "dumb"
        }
    }
}

extension SortedRows {
    /// The values of a key.
    fileprivate func fields(of key: String) -> [String] {
        (row(of: key.utf8.span) ?? []).split(separator: separator, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CommandConfiguration {
    private static let texts = SortedRows(unsafe EmbeddedFile(data_command_help), separator: UInt8(ascii: "^"))

    /// A command with its help, from the page with all help texts.
    ///
    /// - Parameters:
    ///   - path: the command; for a subcommand, preceded by its parent.
    ///   - parent: the name of the command that it belongs to, if the parser needs it.
    ///   - usage: the key of the lines of usage on the page; nil to have the parser make them.
    ///   - more: the end of the discussion.
    static func of(
        _ path: String, in parent: String? = nil, usage: String? = nil, more: String = "", version: String = "",
        subcommands: [any ParsableCommand.Type] = [], default: (any ParsableCommand.Type)? = nil
    ) -> CommandConfiguration {
        let lines = texts.fields(of: path)
        var configuration = CommandConfiguration(
            commandName: path.split(separator: " ").last.map { String($0) }, abstract: lines.first ?? "",
            usage: usage.map { texts.fields(of: $0).joined(separator: "\n") },
            discussion: lines.dropFirst().joined(separator: "\n") + more, version: version, subcommands: subcommands,
            defaultSubcommand: `default`)
        configuration._superCommandName = parent
        return configuration
    }
}

extension ArgumentHelp {
    private static let texts = SortedRows(unsafe EmbeddedFile(data_option_help), separator: UInt8(ascii: "^"))

    /// The help of an option, from the page with all help texts.
    ///
    /// - Parameter key: its long name, followed by a dot and a word if other commands have another option of this name.
    static func of(_ key: String) -> ArgumentHelp {
        let words = texts.fields(of: key)
        return ArgumentHelp(words.last ?? "", valueName: words.first.flatMap { $0.isEmpty ? nil : $0 })
    }
}

/// The exit codes of the program, for its help. `Credentials` has those of credentials.
enum ExitCodes {
    /// Those that do not come from a credential. Those of signals are left out, because they explain themselves.
    private static let own: [(Int32, String)] = [
        (RunOutcome().exitCode, "verified"),
        (RunReason.internalError.exitCode, "internal error or faulty installation"),
        (RunReason.usage.exitCode, "usage"),
    ]

    /// All exit codes with their words, as in `0 verified, 1 internal error or faulty installation`.
    ///
    /// The manual page takes the words from here.
    static var list: String {
        let reasons = ReasonCode.exitCodes.map { ($0, ReasonCode.words(forExitCode: $0) ?? "") }
        return (own + reasons).sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
