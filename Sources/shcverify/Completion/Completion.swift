import ArgumentParser
import CredentialReports
import Directories
import Encodings

/// What can stand at the end of an unfinished command line. The completion scripts ask for it with `shcverify ---completion WORD…`.
///
/// It comes from the descriptions from which the help is made, so a new option is completed without further work.
struct Completion {
    private typealias Description = JSONValue

    /// The word up to the cursor.
    private let word: String
    private let program: Description
    /// The lines for the script: words, some with a tab and a description behind them, and what else can stand there (`:files`, `:folders`).
    private(set) var lines: [String] = []

    /// The words of a request; nil if this is none. The last one is to be completed.
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
    /// - Parameter head: what stands before the value in the same word.
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

    /// Adds a word if it continues what is there.
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
