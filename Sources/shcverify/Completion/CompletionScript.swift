import ArgumentParser
import Conformance
import Credentials
import FHIR

/// A shell for which there is a completion script (`--generate-completion-script SHELL`).
///
/// ArgumentParser's own scripts complete nothing as long as no command is named, and most calls name none.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish

    /// The shell that the arguments ask for; nil if they ask for something else. If they name no shell, it is the user's.
    ///
    /// - Throws: if there is no script for the shell.
    init?(requestedBy arguments: Arguments) throws(ValidationError) {
        let option = "--generate-completion-script"
        guard arguments.isRequest, arguments.command.isEmpty, let first = arguments.rest.first,
            first.utf8.starts(with: option.utf8)
        else { return nil }
        let joined = first.utf8.count > option.utf8.count ? String(first.dropFirst(option.count + 1)) : nil
        let name = joined ?? arguments.rest.dropFirst().first ?? Self.usersShell
        guard let shell = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(option) needs the name of a shell: one of \(names).")
        }
        self = shell
    }

    /// The name of the user's shell; empty if it is not known.
    private static var usersShell: String {
        let path = EnvironmentVariable.value(of: "SHELL") ?? ""
        return path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    }

    /// The completion script.
    func script() throws -> String {
        let table = try CompletionTable()
        return switch self {
        case .bash: BashCompletion(table: table).script
        case .zsh: ZshCompletion(table: table).script
        case .fish: FishCompletion(table: table).script
        }
    }
}

/// What options and arguments can be completed with, if it is not a file.
enum KnownWords {
    /// A shell command that prints the issuers of the installed directory. Shells expand what is completed, so URLs with unusual
    /// characters are left out.
    static let issuers =
        "shcverify directory show 2>/dev/null | sed -n 's|^\\(https://[A-Za-z0-9._~:/%-]*\\)[[:space:]].*|\\1|p'"

    /// The codes and IDs of the rules of lint, which `--exclude` takes.
    static let rules = unique(Rule.all.flatMap { [$0.code, $0.id] })

    /// What `explain` takes.
    static var codes: [String] {
        unique(
            ExplainTopic.words + ReasonCode.allCases.map(\.rawValue) + CredentialWarning.Code.allCases.map(\.rawValue)
                + rules
                + SpecificationFact.all.map(\.number))
    }

    private static func unique(_ words: [String]) -> [String] {
        var known: Set<String> = []
        return words.filter { known.insert($0).inserted }
    }
}
