import ArgumentParser
import Glibc

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

    /// Looks for an option that the command does not have. The parser would complain of another thing first, such as a missing input, and
    /// guesses short names.
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
    /// Options that the help of a command does not list, since it always refuses them, or only alone.
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

    /// The commands that need a further one.
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

    /// The name that is nearest to a short word; nil if none is near.
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
