/// The completion script for zsh.
struct ZshCompletion {
    let table: CompletionTable

    var script: String {
        """
        #compdef shcverify
        # Completion of shcverify for zsh, from "shcverify --generate-completion-script zsh".

        _shcverify_commands() {
            local -a commands=(
        \(descriptions(table.commands))
            )
            _describe -t commands command commands
        }

        \(groupFunctions)

        \(lineFunctions)

        _shcverify_files_or() {
            _alternative "words:name:($*)" 'files:file:_files'
        }

        _shcverify_inputs() {
            if ((CURRENT == 2)) && [[ $command == \(CompletionTable.defaultCommand) && ${+named} == 0 ]]; then
                _alternative 'commands:command:_shcverify_commands' 'files:input:_files'
            else
                _files
            fi
        }

        _shcverify() {
            local curcontext=$curcontext command=\(CompletionTable.defaultCommand) named context state state_descr line
            local -A opt_args
            local -a version
            unset named
            ((CURRENT == 2)) && version=('(- *)--version[Show the version]')
            if ((CURRENT > 2)); then
                case $words[2] in
                    (\(table.commands.map(\.name).joined(separator: "|")))
                        command=$words[2] named=1
                        shift words
                        ((CURRENT--))
                        ;;
                esac
            fi
            if ((CURRENT > 2)); then
                case "$command $words[2]" in
                    (\(table.groups.flatMap(\.commands).map(\.name.quotedForShell).joined(separator: "|")))
                        command+=" $words[2]"
                        shift words
                        ((CURRENT--))
                        ;;
                esac
            fi
            case $command in
        \(table.leaves.filter { $0.name != "help" }.map(arguments).joined(separator: "\n"))
        \(table.groups.map { group($0.name, "_shcverify_\($0.name)_commands") }.joined(separator: "\n"))
        \(group("help", "_shcverify_commands"))
            esac
        }

        if [[ $funcstack[1] == _shcverify ]]; then
            _shcverify "$@"
        else
            compdef _shcverify shcverify
        fi
        """
    }

    private func group(_ name: String, _ function: String) -> String {
        "        (\(name)) _arguments ': :\(function)' ;;"
    }

    /// A function for each command that has commands.
    private var groupFunctions: String {
        table.groups.map { group in
            """
            _shcverify_\(group.name)_commands() {
                local -a commands=(
            \(descriptions(group.commands))
                )
                _describe -t commands command commands
            }
            """
        }.joined(separator: "\n\n")
    }

    /// The shell commands that print words.
    private var lineCommands: [String] {
        let values = table.leaves.flatMap { $0.options.compactMap(\.value) + ($0.operand.map { [$0] } ?? []) }
        return values.compactMap(\.command).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A function for each of them.
    private var lineFunctions: String {
        lineCommands.enumerated().map { number, command in
            """
            _shcverify_lines_\(number + 1)() {
                local -a lines=(${(f)"$(\(command))"})
                compadd -a lines
            }
            """
        }.joined(separator: "\n\n")
    }

    private func descriptions(_ commands: [CompletionTable.Command]) -> String {
        commands.map { command in
            let summary = command.summary.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return "        " + "\(command.path.last ?? ""):\(summary)".quotedForShell
        }.joined(separator: "\n")
    }

    /// The case of a command: its options and what it takes.
    private func arguments(_ command: CompletionTable.Command) -> String {
        var items = command.options.flatMap {
            specifications($0, isDefault: command.name == CompletionTable.defaultCommand)
        }
        if let operand = command.operand {
            let action = operand.isFile ? "_shcverify_inputs" : self.action(operand)
            items.append("*:\(escaped(command.operandName)):\(action)".quotedForShell)
        }
        let pattern = command.path.count > 1 ? command.name.quotedForShell : command.name
        return "        (\(pattern))\n            _arguments -S : \\\n"
            + items.map { "                \($0)" }.joined(separator: " \\\n") + "\n            ;;"
    }

    /// The specifications of an option for `_arguments`, one for each of its names.
    private func specifications(_ option: CompletionTable.Option, isDefault: Bool) -> [String] {
        let isVersion = option.names == ["--version"]
        // Only the program itself has --version, as its first argument.
        guard !isVersion else { return isDefault ? ["$version"] : [] }
        let others = option.isRepeatable ? "*" : "(\(option.names.joined(separator: " ")))"
        return option.names.map { name in
            var text = "\(others)\(name)"
            if option.value != nil { text += name.utf8.starts(with: "--".utf8) ? "=" : "" }
            text += "[\(escaped(option.summary))]"
            if let value = option.value { text += ":\(escaped(option.valueName)):\(action(value))" }
            return text.quotedForShell
        }
    }

    private func action(_ value: CompletionTable.Value) -> String {
        let names = value.words.map(escaped).joined(separator: " ")
        if value.isFile, !value.words.isEmpty {
            // A space at the beginning: the function gets only these arguments.
            return " _shcverify_files_or \(names)"
        }
        if value.isFile { return "_files" }
        if value.isFolder { return "_files -/" }
        if let number = lineCommands.firstIndex(where: { $0 == value.command }) {
            return "_shcverify_lines_\(number + 1)"
        }
        // A space at the beginning: the function gets only these arguments.
        if value.isList { return " _values -s , name \(names)" }
        return value.words.isEmpty ? " " : "(\(names))"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
            .replacing("]", with: "\\]")
    }
}
