import ArgumentParser
import CData
import Encodings

extension SortedRows {
    /// The fields behind a key.
    fileprivate func fields(of key: String) -> [String] {
        (row(of: key.utf8.span) ?? []).split(separator: separator, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CommandConfiguration {
    private static let texts = SortedRows(unsafe EmbeddedFile(data_command_help), separator: UInt8(ascii: "^"))

    /// A command with its help, from the page of all.
    ///
    /// - Parameters:
    ///   - path: the command; for a subcommand also what is before it.
    ///   - parent: the name of the command that it belongs to, if the parser has to know.
    ///   - usage: what has the lines of its usage on the page; nil to have them made.
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

    /// The help of an option, from the page of all.
    ///
    /// - Parameter key: its long name; with a word behind a dot if other commands have another option of this name.
    static func of(_ key: String) -> ArgumentHelp {
        let words = texts.fields(of: key)
        return ArgumentHelp(words.last ?? "", valueName: words.first.flatMap { $0.isEmpty ? nil : $0 })
    }
}
