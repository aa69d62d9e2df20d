import ArgumentParser
import Directories
import StrictJSON

/// The commands, options and arguments of the program, as completion scripts need them.
///
/// They come from the descriptions from which the help is made, so a new option is completed without further work.
struct CompletionTable {
    /// What can stand for a value on the command line.
    struct Value: Hashable {
        /// Words that are known, such as the names of formats.
        var words: [String] = []
        /// Whether several of the words can be given, separated by commas.
        var isList = false
        /// A shell command that prints more words, one per line.
        var command: String?
        var isFile = false
        var isFolder = false
    }

    /// An option or a flag.
    struct Option {
        /// The names with their hyphens, as in `["-q", "--quiet"]`.
        let names: [String]
        /// The first sentence of the help.
        let summary: String
        /// The name of the value, as in the help.
        let valueName: String
        /// The value; nil for a flag.
        let value: Value?
        let isRepeatable: Bool
    }

    /// A command, or a command of a command.
    struct Command {
        /// The words that name it, as in `["directory", "show"]`.
        let path: [String]
        /// The first sentence of the help.
        let summary: String
        let options: [Option]
        /// What it takes besides options; nil if it takes nothing.
        let operand: Value?
        /// The name of that, as in the help.
        let operandName: String
        let commands: [Command]

        var name: String { path.joined(separator: " ") }
    }

    /// The commands of the program, `help` among them.
    let commands: [Command]
    /// The options of the program itself.
    let options: [Option]

    /// The command that is meant if none is named.
    static let defaultCommand = "verify"

    init() throws {
        let program = try JSONDocument.parse(Array(ShcverifyCommand._dumpHelp().utf8))["command"]
        let root = program.map { Self.command($0, path: []) }
        commands = root?.commands ?? []
        options = root?.options ?? []
    }

    /// All commands that have options or arguments of their own.
    var leaves: [Command] { commands.flatMap { $0.commands.isEmpty ? [$0] : $0.commands } }

    /// The commands that have commands themselves.
    var groups: [Command] { commands.filter { !$0.commands.isEmpty } }

    private static func command(_ description: JSONValue, path: [String]) -> Command {
        let arguments = list(description, "arguments").filter { $0["shouldDisplay"]?.boolean != false }
        let operands = arguments.filter { text($0, "kind") == "positional" }
        let commands = list(description, "subcommands").map { command($0, path: path + [text($0, "commandName")]) }
        return Command(
            path: path, summary: sentence(text(description, "abstract")),
            options: arguments.filter { text($0, "kind") != "positional" }.map(option),
            operand: operands.first.map(value), operandName: operands.first.map { text($0, "valueName") } ?? "",
            commands: commands)
    }

    private static func option(_ description: JSONValue) -> Option {
        let names = list(description, "names").map { name in
            (text(name, "kind") == "long" ? "--" : "-") + text(name, "name")
        }
        return Option(
            names: names, summary: sentence(text(description, "abstract")), valueName: text(description, "valueName"),
            value: text(description, "kind") == "option" ? value(description) : nil,
            isRepeatable: description["isRepeating"]?.boolean == true)
    }

    private static func value(_ description: JSONValue) -> Value {
        let kind = description["completionKind"]
        var value = Value()
        value.words = kind?["list"].map { list($0, "values").compactMap { $0.string?.description } } ?? []
        value.isList = text(description, "valueName").hasSuffix(",…")
        value.command = kind?["shellCommand"].map { text($0, "command") }
        value.isFile = kind?["file"] != nil
        value.isFolder = kind?["directory"] != nil
        // ArgumentParser has no kind for "a file or one of these words".
        let names = list(description, "names").map { text($0, "name") }
        if value.isFile, names == ["directory"] { value.words = ListStore.Name.directories.map(\.rawValue) }
        return value
    }

    private static func list(_ object: JSONValue, _ name: String) -> [JSONValue] {
        object[name]?.elements.map { Array($0) } ?? []
    }

    private static func text(_ object: JSONValue, _ name: String) -> String {
        object[name]?.string?.description ?? ""
    }

    /// The first sentence, without its full stop.
    private static func sentence(_ text: String) -> String {
        var end = text.utf8.startIndex
        while let stop = text.utf8[end...].firstIndex(of: UInt8(ascii: ".")) {
            end = text.utf8.index(after: stop)
            if end == text.utf8.endIndex || text.utf8[end] == UInt8(ascii: " ") { return String(text[..<stop]) }
        }
        return text
    }
}

extension String {
    /// The text between single quotes, for bash and zsh.
    var quotedForShell: String { "'" + replacing("'", with: "'\\''") + "'" }
}
