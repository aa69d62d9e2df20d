// These types are public, so the protocol and the types must be imported publicly.
public import ArgumentParser
import Bulk
public import Conformance
public import CredentialReports
import Credentials
public import LintReports

extension InputForm: ExpressibleByArgument {
    /// A form that lint reads; nil for the others.
    public init?(argument: String) {
        guard let form = InputForm(rawValue: argument), Self.linted.contains(form) else { return nil }
        self = form
    }

    public static var allValueStrings: [String] { linted.map(\.rawValue) }
}

/// A profile of this program, or the file of a user's own: a name with a dot or a slash.
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
