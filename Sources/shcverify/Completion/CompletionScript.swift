import ArgumentParser
import CData
import Conformance
import Credentials
import Directories
import Encodings
import FHIR
import SMARTHealthCards

/// A shell for which there is a completion script (`--generate-completion-script SHELL`).
///
/// ArgumentParser's own scripts (1.8.2) complete nothing as long as no command is named, and most calls name none. They also do not know
/// `--option=value`, lists with commas, the colon in a URL, or a file or a word in the same place. So of the 44 lines in `CompletionTests`,
/// they complete 26 in another way in bash, 20 in zsh and 21 in fish. These scripts ask the
/// program (`Completion`): the installed one, and not a file that has its name.
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
    var script: [UInt8] {
        // Unsafe: the files are constant.
        switch self {
        case .bash: Array(unsafe EmbeddedFile(data_completion_bash))
        case .zsh: Array(unsafe EmbeddedFile(data_completion_zsh))
        case .fish: Array(unsafe EmbeddedFile(data_completion_fish))
        }
    }
}

/// What options and arguments can be completed with, if it is not a file.
enum KnownWords {
    /// The issuers of the installed directory.
    static let issuers = CompletionKind.custom { _, _, _ in installedIssuers }

    /// Shells expand what is completed, so URLs with unusual characters are left out.
    static var installedIssuers: [String] {
        guard let directory = try? OptionFile.issuers(ListStore.Name.vci.rawValue) else { return [] }
        var issuers = TrustedIssuers()
        issuers.add(directory)
        return issuers.entries.map(\.issuer.url).filter { url in
            url.utf8.starts(with: "https://".utf8)
                && url.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "._~:/%-".utf8.contains(byte)
                }
        }
    }

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
