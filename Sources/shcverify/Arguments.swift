import ArgumentParser
import CProcess
import Encodings
import Glibc
import Processes

/// The arguments of the program, rewritten so that the parser can read them in only one way.
///
/// ArgumentParser treats every argument that begins with a hyphen as an option, before it knows which options take a value. It also looks
/// for `--help` and the like anywhere. The text of a stranger's QR code could be `--help`, and a gate would see exit code 0.
///
/// So this type decides what each argument is: an argument that follows an option with a value is that value. Then it joins each value to
/// its option (`--qr=--help`) and puts the inputs behind `--`.
///
/// The parser's time also grows with the square of the number of arguments. So all values of a repeatable option become one argument, and
/// so do all inputs. `GivenValues` takes them apart again.
struct Arguments {
    /// The command; empty if none is named, which means `verify`.
    private(set) var command: [String] = []
    /// The options and inputs of the command, ready for the parser. `GivenValues` takes apart the values of repeatable options.
    private(set) var rest: [String] = []
    /// The inputs that are not behind `--` on the command line. They may be misspelt commands.
    private(set) var unprotectedInputs: [String] = []
    /// Whether the first of these inputs is the first argument.
    private(set) var beginsWithInput = false
    /// The arguments as they were given.
    let words: [String]
    /// Whether the arguments ask for help, the version or a completion script, and for nothing else.
    let isRequest: Bool

    /// The words that call the command.
    var path: [String] { command.isEmpty ? ["verify"] : command }

    /// All arguments, for the parser of the root command.
    var all: [String] { command + rest }

    /// The long options of all commands that take a value. No command has a flag with one of these names.
    static let optionsWithValue: Set<String> = [
        "anchor", "app", "as", "at", "baseline", "ca-file", "cache", "card-url", "certificate", "codes", "color",
        "compare", "crl", "directory", "exclude", "fail-on", "fields", "format", "from", "handover", "identifier",
        "iss", "issuer", "jobs", "jwks", "lines", "link-origin", "list-key", "max-age", "max-directory-age",
        "max-stale", "origin", "output", "passcode-file", "patient", "profile", "qr", "recipient", "recipient-key",
        "record-type", "request", "require", "resource-type", "resume", "signature", "since", "time-limit", "timeout",
        "token-file", "trust", "type", "until", "url", "value-set",
    ]

    /// Those of `optionsWithValue` that can be repeated.
    static let repeatableOptions: Set<String> = [
        "anchor", "app", "card-url", "codes", "crl", "directory", "exclude", "identifier", "issuer", "jwks",
        "link-origin", "list-key", "qr", "record-type", "require", "resource-type", "trust", "type", "value-set",
    ]

    /// The options that take several values in a row (`--from FILE …`) and can be repeated, by command.
    static let optionsWithSeveralValues: [[String]: Set<String>] = [["codes", "update"]: ["from", "url"]]

    /// The commands that take any number of inputs.
    static let commandsWithInputs: Set<[String]> = [
        [], ["verify"], ["lint"], ["inspect"], ["records"], ["directory", "collect"],
    ]

    /// Those of `commandsWithInputs` that have the option `--qr`. An input that is the text of a QR code becomes its value, unless it
    /// follows `--` or is the path of a file.
    private static let commandsWithCodes: Set<[String]> = [[], ["verify"], ["lint"], ["inspect"], ["records"]]

    /// The most arguments that the parser gets. Inputs, and all values of a repeatable option, count as one.
    static let maximumCount = 1000

    /// The maximum length in bytes of a value that names an issuer or a file. Longer values are not compared with
    /// anything. The text of a QR code may be longer.
    private static let longestValue = 8192

    /// Sorts the arguments.
    ///
    /// - Parameter words: the arguments, without the program's name.
    init(_ words: [String]) throws(ValidationError) {
        self.words = words
        command = Self.command(words)
        var words = words.dropFirst(command.count)
        isRequest = try Self.isRequest(words, of: command)
        guard !isRequest else {
            rest = Array(words)
            return
        }
        var inputs: [String] = []
        var hasTerminator = false
        var options: [[String]] = []
        var repeated: [String: (place: Int, values: [String])] = [:]
        let takesCodes = Self.commandsWithCodes.contains(command)
        beginsWithInput = command.isEmpty && words.first.map { !Self.isOption($0) && !PastedInput.isCode($0) } ?? false
        while let word = words.popFirst() {
            if Self.isSame(word, "--") {
                unprotectedInputs = inputs
                hasTerminator = true
                inputs += words
                break
            }
            guard Self.isOption(word) else {
                guard takesCodes, PastedInput.isCode(word), !InputReader.exists(word) else {
                    inputs.append(word)
                    continue
                }
                if repeated["qr"] == nil { options.append([]) }
                repeated["qr", default: (options.count - 1, [])].values.append(word)
                continue
            }
            let (name, joined) = try Self.split(word)
            guard word.utf8.starts(with: "--".utf8), Self.optionsWithValue.contains(name),
                let value = joined ?? words.popFirst()
            else {
                options.append([word])
                continue
            }
            let takesSeveral = Self.optionsWithSeveralValues[command]?.contains(name) == true
            let more = takesSeveral ? words.prefix { !Self.isOption($0) } : []
            words = words.dropFirst(more.count)
            guard ([value] + more).allSatisfy({ $0.utf8.count <= Self.longestValue }) || Self.isSame(name, "qr") else {
                throw ValidationError("The value of --\(name) is longer than \(Self.longestValue) bytes.")
            }
            guard takesSeveral || Self.repeatableOptions.contains(name) else {
                options.append(Self.option(name, value))
                continue
            }
            if repeated[name] == nil { options.append([]) }
            repeated[name, default: (options.count - 1, [])].values += [value] + more
        }
        if !hasTerminator { unprotectedInputs = inputs }
        for (name, option) in repeated {
            options[option.place] = Self.option(name, GivenValues.argument(for: option.values))
        }
        if Self.commandsWithInputs.contains(command), !inputs.isEmpty { inputs = [GivenValues.argument(for: inputs)] }
        rest = options.flatMap(\.self)
        guard rest.count + inputs.count <= Self.maximumCount else {
            throw ValidationError(
                "There are more than \(Self.maximumCount) arguments, without counting inputs and repeatable options.")
        }
        if hasTerminator || !inputs.isEmpty { rest += ["--"] + inputs }
    }

    // MARK: Words

    /// Whether an argument looks like an option. A single hyphen means standard input.
    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") && word.utf8.count > 1 }

    private static func isSame(_ word: String, _ other: String) -> Bool { word.utf8.elementsEqual(other.utf8) }

    /// The name in `--name`, `--name=value` or `-n`, and the joined value; nil if there is none.
    ///
    /// - Throws: if no option can have this name. The parser does not see such names.
    private static func split(_ word: String) throws(ValidationError) -> (name: String, value: String?) {
        let hyphens = word.utf8.starts(with: "--".utf8) ? 2 : 1
        let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = word.utf8.dropFirst(hyphens).prefix(upTo: equals ?? word.utf8.endIndex)
        let isName =
            name.first != UInt8(ascii: "-") && !name.isEmpty && name.count <= 40
            && name.allSatisfy { byte in
                byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
        guard isName else { throw ValidationError("Unknown option \(word.quoted(upTo: 60)).") }
        let value = equals.map { String(word[word.utf8.index(after: $0)...]) }
        return (String(decoding: name, as: UTF8.self), value)
    }

    /// An option and its value, in a form that the parser can read in only one way.
    private static func option(_ name: String, _ value: String) -> [String] {
        // In the form with "=", a combining mark at the beginning of a value would combine with "=", and an empty value would be missing.
        // As separate arguments, neither can be mistaken for an option.
        guard let first = value.utf8.first, first < 0x80 else { return ["--\(name)", value] }
        return ["--\(name)=\(value)"]
    }

    // MARK: Commands

    /// The arguments at the beginning that name a command.
    private static func command(_ words: [String]) -> [String] {
        guard let first = words.first, let command = Self.command(first, among: ShcverifyCommand.commands) else {
            return []
        }
        guard words.count > 1, Self.command(words[1], among: command.configuration.subcommands) != nil else {
            return [first]
        }
        return [first, words[1]]
    }

    /// The command of this name; nil if there is none.
    private static func command(
        _ name: String, among commands: [any ParsableCommand.Type]
    ) -> (any ParsableCommand.Type)? {
        commands.first { $0.configuration.commandName.map { isSame($0, name) } ?? false }
    }

    /// The type of the command.
    var commandType: any ParsableCommand.Type {
        path.reduce(ShcverifyCommand.self as any ParsableCommand.Type) { type, name in
            let commands = type == ShcverifyCommand.self ? ShcverifyCommand.commands : type.configuration.subcommands
            return Self.command(name, among: commands) ?? type
        }
    }

    // MARK: Requests

    private static let help = ["-h", "--help", "-help", "--help-hidden"]

    /// Whether the arguments ask for help, the version or a completion script.
    ///
    /// These end with exit code 0, and arguments may come from strangers. So the request must come first, and nothing
    /// else may be given.
    private static func isRequest(
        _ words: ArraySlice<String>, of command: [String]
    ) throws(ValidationError) -> Bool {
        guard let first = words.first else { return false }
        if command.isEmpty, isSame(first, "help") {
            let topic = Array(words.dropFirst())
            let known = self.command(topic)
            guard let unknown = topic.dropFirst(known.count).first, topic != ["help"] else { return true }
            throw CommandSuggestion.noCommand(unknown, after: known)
        }
        let others = words.count - 1
        if help.contains(where: { isSame(first, $0) }) || isSame(first, "--experimental-dump-help") {
            return others == 0
        }
        if isSame(first, "--version") { return others == 0 }
        guard command.isEmpty else { return false }
        if isSame(first, "--generate-completion-script") {
            return others == 0 || others == 1 && !words.dropFirst().contains { isOption($0) }
        }
        return others == 0 && first.utf8.starts(with: "--generate-completion-script=".utf8)
    }
}

/// The values of a repeatable option, or the inputs of a command, which `Arguments` has joined to one argument.
struct GivenValues: ExpressibleByArgument {
    let values: [String]

    /// No argument of a process contains a zero byte.
    private static let separator: UInt8 = 0

    /// Joins values to one argument, in order. A single value stays as it is.
    static func argument(for values: [String]) -> String {
        guard values.count != 1 else { return values[0] }
        var text: [UInt8] = []
        for value in values {
            text.append(separator)
            text += value.utf8
        }
        return String(decoding: text, as: UTF8.self)
    }

    init(argument: String) {
        guard argument.utf8.first == Self.separator else {
            values = [argument]
            return
        }
        values = argument.utf8.dropFirst().split(separator: Self.separator, omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }
}

extension [GivenValues] {
    /// All values, in order.
    var all: [String] { flatMap(\.values) }
}

extension Arguments {
    /// The arguments of this process.
    ///
    /// - Throws: if one is not UTF-8. Swift would replace the wrong bytes, and the argument could name a different
    ///   file.
    static func ofProcess() throws(ValidationError) -> Arguments {
        var words: [String] = []
        for number in 0..<Int32(program_argument_count()) {
            // Unsafe: the text ends with a zero byte, and nothing in this program changes it.
            guard let argument = unsafe program_argument(number), let word = unsafe String(validatingCString: argument)
            else {
                throw ValidationError(
                    "Argument \(number) is not UTF-8; a file with such a name can be given on standard input.")
            }
            words.append(word)
        }
        return try Arguments(Array(words.dropFirst()))
    }
}

/// Suggests a command for an argument that is neither a command nor a file.
enum CommandSuggestion {
    /// Looks for inputs that were meant as commands.
    ///
    /// - Throws: if an input is not a file, and is a command in the wrong place or a misspelt one.
    static func check(_ arguments: Arguments) throws(ValidationError) {
        if let word = arguments.unprotectedInputs.first, Self.group(arguments.command) != nil {
            throw noCommand(word, after: arguments.command)
        }
        guard arguments.command.isEmpty else { return }
        for (number, word) in arguments.unprotectedInputs.enumerated() where isWord(word) && !isFile(word) {
            if number == 0, arguments.beginsWithInput {
                guard let meant = meant(by: word, after: []) else { continue }
                throw ValidationError(
                    "There is no command and no file \"\(word)\"; did you mean \"shcverify \(meant)\"?")
            }
            guard names(after: []).contains(where: { $0.utf8.elementsEqual(word.utf8) }) else { continue }
            throw ValidationError(
                "There is no file \"\(word)\", and a command comes first; did you mean \"shcverify \(word) …\"?")
        }
    }

    /// Looks for an option that the command does not have. The parser would report something else first, such as a missing input, and would
    /// guess short names.
    static func checkOptions(of arguments: Arguments) throws {
        let lines = try Completion(of: arguments.command + ["-"]).lines
        let known = Set(lines.map { String($0.prefix { $0 != "\t" }) })
        for word in arguments.rest.prefix(while: { !$0.utf8.elementsEqual("--".utf8) }) where word.utf8.first == hyphen
        {
            let name = String(decoding: word.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            let letters = name.hasPrefix("--") ? "" : name.dropFirst()
            guard !known.contains(name), !refused.contains(name),
                !letters.allSatisfy({ known.contains("-\($0)") }) || letters.isEmpty
            else { continue }
            let plain = String(name.drop { $0 == "-" })
            let names = known.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) } + Array(otherOptions.keys)
            let near =
                otherOptions[plain] != nil ? plain : plain.count > 2 ? nearest(to: plain, among: names.sorted()) : nil
            let option = near.map { otherOptions[$0] ?? "--\($0)" }.flatMap { option in
                known.contains(String(option.prefix { $0 != " " })) ? option : nil
            }
            let meant = option ?? (arguments.command.isEmpty ? otherWords[plain].map { "shcverify \($0)" } : nil)
            throw ValidationError("Unknown option '\(name)'." + (meant.map { " Did you mean '\($0)'?" } ?? ""))
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    /// Options that are not in the help of a command, because the command always refuses them or accepts them only alone.
    private static let refused: Set = ["--offline", "--cache", "--no-cache", "--max-stale", "--version"]
    /// Options of other programs, with what does the same here.
    private static let otherOptions = [
        "json": "--format json", "html": "--format html", "csv": "--format csv", "sarif": "--format sarif",
        "V": "--version", "keys": "--jwks", "key": "--jwks", "no-color": "--color never", "silent": "--quiet",
    ]

    /// The error for an argument that should be a command and is not one.
    ///
    /// - Parameter path: the command before it; empty for the program itself.
    static func noCommand(_ word: String, after path: [String]) -> ValidationError {
        guard isWord(word), let meant = meant(by: word, after: path) else {
            let commands = names(after: path).joined(separator: ", ")
            return ValidationError("There is no such command. The commands here are: \(commands).")
        }
        let whole = (["shcverify"] + path + [meant]).joined(separator: " ")
        return ValidationError("There is no command \"\(word)\"; did you mean \"\(whole)\"?")
    }

    /// The commands that need a subcommand.
    private static let groups: [any ParsableCommand.Type] = [DirectoryCommand.self, CodesCommand.self]

    private static func group(_ command: [String]) -> (any ParsableCommand.Type)? {
        groups.first { command == [$0.configuration.commandName] }
    }

    /// The names of the subcommands of a command.
    private static func names(after path: [String]) -> [String] {
        let command: any ParsableCommand.Type = group(path) ?? ShcverifyCommand.self
        return command.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// Names that other programs use, with the option or command that does the same here.
    private static let otherWords = [
        "version": "--version", "completion": "--generate-completion-script bash",
        "completions": "--generate-completion-script bash", "update": "directory update", "doctor": "status",
        "check": "verify",
    ]

    private static func meant(by word: String, after path: [String]) -> String? {
        let word = word.lowercased()
        if path.isEmpty, let other = otherWords[word] { return other }
        return nearest(to: word, among: names(after: path) + (path.isEmpty ? ["help"] : []))
    }

    /// The name that is most similar to a short word; nil if none is similar.
    static func nearest(to word: String, among names: [String]) -> String? {
        let near = names.map { name in
            (name: name, distance: name.hasPrefix(word) && word.count > 2 ? 0 : distance(word, name))
        }
        return near.filter { $0.distance <= max(1, word.count / 3) }.min { $0.distance < $1.distance }?.name
    }

    /// Whether the text could be a command. Long or unusual text is neither compared nor repeated.
    private static func isWord(_ text: String) -> Bool {
        (3...16).contains(text.utf8.count) && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }

    private static func isFile(_ path: String) -> Bool {
        // Unsafe: the C library reads the path during the call and does not keep it.
        unsafe access(path, F_OK) == 0
    }

    /// The edit distance: the number of letters to add, remove, change, or swap with their neighbour.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var line = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(
                    line[column] + 1, rows[row][column + 1] + 1, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                line.append(least)
            }
            rows.append(line)
        }
        return rows[left.count][right.count]
    }
}
