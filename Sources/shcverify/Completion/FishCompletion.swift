/// The completion script for fish.
struct FishCompletion {
    let table: CompletionTable

    var script: String {
        """
        # Completion of shcverify for fish, from "shcverify --generate-completion-script fish".

        # Prints the command that the words before the cursor name.
        function __shcverify_command
            set -l words (commandline -opc)
            switch "$words[2]"
                case \(table.groups.map(\.name).joined(separator: " "))
                    switch "$words[2] $words[3]"
                        case \(table.groups.flatMap(\.commands).map(quoted).joined(separator: " "))
                            echo "$words[2] $words[3]"
                        case '*'
                            echo $words[2]
                    end
                case \(table.commands.filter(\.commands.isEmpty).map(\.name).joined(separator: " "))
                    echo $words[2]
                case '*'
                    echo \(CompletionTable.defaultCommand)
            end
        end

        # Whether the words before the cursor name this command.
        function __shcverify_is
            test (__shcverify_command) = "$argv"
        end

        # Whether no word is complete yet.
        function __shcverify_begins
            test (count (commandline -opc)) -eq 1
        end

        complete -c shcverify -f
        \(lines.joined(separator: "\n"))
        """
    }

    private func quoted(_ command: CompletionTable.Command) -> String { quoted(command.name) }

    private var lines: [String] {
        var lines = table.commands.map { command in
            complete(if: "__shcverify_begins", "-a \(command.name) -d \(quoted(command.summary))")
        }
        lines += table.groups.flatMap(\.commands).map { command in
            let parent = command.path.dropLast().joined(separator: " ")
            return complete(
                if: "__shcverify_is \(parent)", "-a \(command.path.last ?? "") -d \(quoted(command.summary))")
        }
        let names = table.commands.map(\.name).joined(separator: " ")
        lines.append(complete(if: "__shcverify_is help", "-a \(quoted(names))"))
        lines.append(complete(if: "__shcverify_begins", "-l version -d 'Show the version'"))
        for command in table.leaves where command.name != "help" {
            let condition = "__shcverify_is \(command.name)"
            if let operand = command.operand { lines += values(operand).map { complete(if: condition, $0) } }
            for option in command.options where option.names != ["--version"] {
                let flags = option.names.map { name in
                    let hyphens = name.utf8.starts(with: "--".utf8) ? 2 : 1
                    return (hyphens == 2 ? "-l " : "-s ") + name.dropFirst(hyphens)
                }
                let head = "\(flags.joined(separator: " ")) -d \(quoted(option.summary))"
                guard let value = option.value else {
                    lines.append(complete(if: condition, head))
                    continue
                }
                let values = values(value)
                lines += (values.isEmpty ? ["-x"] : values.map { "-r \($0)" }).map {
                    complete(if: condition, "\(head) \($0)")
                }
            }
        }
        return lines
    }

    private func complete(if condition: String, _ rest: String) -> String {
        "complete -c shcverify -n \(quoted(condition)) \(rest)"
    }

    /// The ways to offer a value, each for a call of its own.
    private func values(_ value: CompletionTable.Value) -> [String] {
        var values: [String] = []
        let force = value.isFile ? "-F" : "-f"
        let words = value.words.joined(separator: " ")
        if value.isList {
            // The earlier words of the list, before each word.
            let list = "(set -l token (commandline -ct); string match -rq '^(?:.*=)?(?<begin>.*,)?' -- $token; "
            values.append("\(force) -a \(quoted(list + "printf \"$begin%s\\n\" \(words))"))")
        } else if !words.isEmpty {
            values.append("\(force) -a \(quoted(words))")
        }
        if let command = value.command { values.append("-f -a \(quoted("(\(command))"))") }
        if value.isFile, value.words.isEmpty { values.append("-F") }
        if value.isFolder { values.append("-f -a '(__fish_complete_directories (commandline -ct))'") }
        return values
    }

    /// The text between single quotes, in which fish knows two escapes.
    private func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
