import ArgumentParser
import CData
import Conformance
import CredentialReports
import Credentials
import Directories
import Encodings
import FHIR
import SMARTHealthCards

/// What can come at the end of an unfinished command line. The completion scripts ask for it with `shcverify ---completion WORD…`.
///
/// It is made from the same descriptions as the help, so a new option needs no further work.
struct Completion {
    private typealias Description = JSONValue

    /// The word up to the cursor.
    private let word: String
    private let program: Description
    /// The lines for the script: words, some followed by a tab and a description, and what else can come there (`:files`, `:folders`).
    private(set) var lines: [String] = []

    /// The words of a request; nil if this is not a request. The last one is to be completed.
    ///
    /// - Parameter arguments: the arguments, without the program's name.
    static func words(requestedBy arguments: ArraySlice<String>) -> [String]? {
        guard arguments.count > 1, arguments.first?.utf8.elementsEqual("---completion".utf8) == true else { return nil }
        return Array(arguments.dropFirst())
    }

    /// - Parameter words: the words up to the cursor, without the program's name.
    init(of words: [String]) throws {
        var before = words.dropLast()[...]
        word = words.last ?? ""
        // What "--experimental-dump-help" prints, which the parser throws.
        var help = ""
        do { _ = try ShcverifyCommand.parseAsRoot(["--experimental-dump-help"]) } catch {
            help = ShcverifyCommand.message(for: error)
        }
        let whole = try JSONDocument.parse(Array(help.utf8))
        program = whole["command"] ?? whole
        let isFirst = before.isEmpty
        var command = program
        while let name = before.first, let named = Self.command(name, of: command) {
            command = named
            before = before.dropFirst()
        }
        switch Self.text(command, "commandName") {
        case "help": add(commandsOf: program)
        case Tool.shcverify.name: add(Self.command("verify", of: program) ?? command, after: before, isFirst: isFirst)
        case _ where Self.list(command, "subcommands").isEmpty || word.hasPrefix("-"):
            add(command, after: before, isFirst: false)
        default: add(commandsOf: command)
        }
    }

    /// Adds what a command takes.
    private mutating func add(_ command: Description, after words: ArraySlice<String>, isFirst: Bool) {
        let arguments = Self.list(command, "arguments").filter { $0["shouldDisplay"]?.boolean != false }
        let options = arguments.filter { Self.text($0, "kind") != "positional" }
        let option = { (name: String) in
            options.first { Self.text($0, "kind") == "option" && Self.names($0).contains(name) }
        }
        var open: Description?
        var hasEnded = false
        for word in words where !hasEnded {
            hasEnded = open == nil && word == "--"
            open = open == nil ? option(word) : nil
        }
        if let open { return add(valuesOf: open, word) }
        if !hasEnded, word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
            let name = String(word[..<equals])
            if let option = option(name) {
                add(valuesOf: option, String(word[word.index(after: equals)...]), after: name + "=")
            }
            return
        }
        if !hasEnded, word.hasPrefix("-") {
            for option in options {
                // Only the program itself has --version.
                for name in Self.names(option) where isFirst || name != "--version" { add(name, "", option) }
            }
            return
        }
        if isFirst { add(commandsOf: program) }
        if let operand = arguments.first(where: { Self.text($0, "kind") == "positional" }) {
            add(valuesOf: operand, word)
        }
    }

    private mutating func add(commandsOf command: Description) {
        for each in Self.list(command, "subcommands") { add(Self.text(each, "commandName"), "", each) }
    }

    /// Adds the values of an option or an argument that begin with a text.
    ///
    /// - Parameter head: what comes before the value in the same word.
    private mutating func add(valuesOf argument: Description, _ text: String, after head: String = "") {
        let kind = argument["completionKind"]
        var head = head
        var words = kind?["list"].map { Self.list($0, "values").compactMap { $0.string?.description } } ?? []
        if Self.text(argument, "valueName").hasSuffix(",…"), let comma = text.lastIndex(of: ",") {
            head += text[...comma]
        }
        if kind?["custom"] != nil { words = KnownWords.installedIssuers }
        // ArgumentParser has no kind for "a file or one of these words".
        if kind?["file"] != nil, Self.names(argument) == ["--directory"] {
            words = ListStore.Name.directories.map(\.rawValue)
        }
        for word in words { add(word, head, nil) }
        if kind?["file"] != nil { lines.append(":files") }
        if kind?["directory"] != nil { lines.append(":folders") }
    }

    /// Adds a word if it continues what has been typed.
    private mutating func add(_ text: String, _ head: String, _ description: Description?) {
        let whole = head + text
        guard whole.utf8.starts(with: word.utf8) else { return }
        let abstract = description.map { Self.text($0, "abstract") } ?? ""
        let sentence = (abstract + " ").firstRange(of: ". ").map { abstract[..<$0.lowerBound] } ?? abstract[...]
        lines.append(sentence.isEmpty ? whole : "\(whole)\t\(sentence)")
    }

    // MARK: Descriptions

    private static func command(_ name: String, of command: Description) -> Description? {
        list(command, "subcommands").first { text($0, "commandName").utf8.elementsEqual(name.utf8) }
    }

    /// The names of an option with their hyphens, as in `["-q", "--quiet"]`.
    private static func names(_ argument: Description) -> [String] {
        list(argument, "names").map { (text($0, "kind") == "long" ? "--" : "-") + text($0, "name") }
    }

    private static func list(_ object: Description, _ name: String) -> [Description] {
        object[name]?.elements.map { Array($0) } ?? []
    }

    private static func text(_ object: Description, _ name: String) -> String {
        object[name]?.string?.description ?? ""
    }
}

/// A shell for which there is a completion script (`--generate-completion-script SHELL`).
///
/// ArgumentParser's own scripts (1.8.2) complete nothing until a command is named, and most calls name none. They also do not support
/// `--option=value`, lists with commas, the colon in a URL, or a file and a word in the same place. So they complete 26 of the 44 lines in
/// `CompletionTests` differently in bash, 20 in zsh and 21 in fish. These scripts ask the program (`Completion`). They ask the installed
/// one, not some file that has its name.
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

/// How options and arguments can be completed, if not with a file.
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

    /// The codes and IDs of lint's rules, for `--exclude`.
    static let rules = unique(Rule.all.flatMap { [$0.code, $0.id] })

    /// What `explain` accepts.
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
