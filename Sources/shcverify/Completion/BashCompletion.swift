/// The completion script for bash.
struct BashCompletion {
    let table: CompletionTable

    var script: String {
        """
        # Completion of shcverify for bash, from "shcverify --generate-completion-script bash".

        # Sets `words` to the words up to the cursor. Bash splits words at = and :, which is undone here.
        _shcverify_words() {
            local rest=${COMP_LINE:0:COMP_POINT} trimmed token last i
            words=()
            for ((i = 0; i <= COMP_CWORD; i++)); do
                trimmed=${rest#"${rest%%[![:space:]]*}"}
                token=${COMP_WORDS[i]}
                ((i < COMP_CWORD)) || token=$trimmed
                last=$((${#words[@]} - 1))
                if ((last >= 0)) && [[ $trimmed == "$rest" && ($token == [:=]* || ${words[last]} == *[:=]) ]]; then
                    words[last]+=$token
                else
                    words+=("$token")
                fi
                rest=${trimmed#"$token"}
            done
        }

        # Offers those of the arguments that begin with `value`. Bash replaces only what follows the last = or :.
        _shcverify_offer() {
            local candidate whole
            for candidate in "$@"; do
                whole=$prefix$candidate
                [[ $candidate == "$value"* ]] && COMPREPLY+=("${whole#"$kept"}")
            done
        }

        # Offers the lines of the argument.
        _shcverify_offer_lines() {
            local -a lines
            mapfile -t lines <<<"$1"
            _shcverify_offer "${lines[@]}"
        }

        # Offers files. If nothing else is offered, readline does that better.
        _shcverify_offer_files() {
            local file
            ((${#COMPREPLY[@]})) || return
            compopt -o filenames
            while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$1" -- "$value")
        }

        # Offers what can follow an option, or what a command takes.
        _shcverify_offer_values() {
            case $1 in
        \(cases)
            *) compopt +o default ;;
            esac
        }

        # Sets the options of a command, and those of them that take a value.
        _shcverify_options() {
            case $1 in
        \(options)
            *) options='-h --help' valued='' ;;
            esac
        }

        _shcverify() {
            local -a words
            local command=\(CompletionTable.defaultCommand) option='' ended='' first=1 prefix='' value kept breaks options valued word i
            COMPREPLY=()
            _shcverify_words
            local last=$((${#words[@]} - 1))
            if ((last > 1)); then
                case ${words[1]} in
                \(names(table.commands))) command=${words[1]} first=2 ;;
                esac
            fi
            if ((last > 2)); then
                case "${words[1]} ${words[2]}" in
                \(names(table.groups.flatMap(\.commands)))) command="${words[1]} ${words[2]}" first=3 ;;
                esac
            fi
            _shcverify_options "$command"
            for ((i = first; i < last; i++)); do
                word=${words[i]}
                if [[ $option ]]; then
                    option=''
                elif [[ $word == -- ]]; then
                    ended=1
                    break
                elif [[ " $valued " == *" $word "* ]]; then
                    option=$word
                fi
            done
            value=${words[last]}
            breaks=${COMP_WORDBREAKS//[!:=]/}
            [[ $breaks && $value == *[$breaks]* ]] && kept=${value%"${value##*[$breaks]}"}
            if [[ $option ]]; then
                _shcverify_offer_values "$command $option"
            elif [[ ! $ended && $value == --*=* ]]; then
                prefix=${value%%=*}=
                value=${value#*=}
                _shcverify_offer_values "$command ${prefix%=}"
            elif [[ ! $ended && $value == -* ]]; then
                compopt +o default
                ((last > 1)) || options+=' --version'
                _shcverify_offer $options
            else
                ((last > 1)) || _shcverify_offer \(table.commands.map(\.name).joined(separator: " "))
                _shcverify_offer_values "$command"
            fi
        }

        complete -o default -F _shcverify shcverify
        """
    }

    /// The names of commands, as a pattern.
    private func names(_ commands: [CompletionTable.Command]) -> String {
        commands.map { $0.path.count > 1 ? $0.name.quotedForShell : $0.name }.joined(separator: "|")
    }

    /// The cases of `_shcverify_offer_values`. Options with equal values share one.
    private var cases: String {
        var order: [CompletionTable.Value] = []
        var patterns: [CompletionTable.Value: [String]] = [:]
        func add(_ value: CompletionTable.Value, _ pattern: String) {
            if patterns[value] == nil { order.append(value) }
            patterns[value, default: []].append(pattern.contains(" ") ? pattern.quotedForShell : pattern)
        }
        for command in table.leaves where command.name != "help" {
            if let operand = command.operand { add(operand, command.name) }
            for option in command.options {
                for name in option.names { option.value.map { add($0, "\(command.name) \(name)") } }
            }
        }
        for group in table.groups {
            add(CompletionTable.Value(words: group.commands.compactMap(\.path.last)), group.name)
        }
        add(CompletionTable.Value(words: table.commands.map(\.name)), "help")
        return order.compactMap { value in
            let actions = actions(value)
            return actions.isEmpty
                ? nil
                : "    \((patterns[value] ?? []).joined(separator: "|")))\n"
                    + (actions + [";;"]).map { "        \($0)" }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The commands that offer a value.
    private func actions(_ value: CompletionTable.Value) -> [String] {
        var actions: [String] = []
        let isOnlyWords = !value.isFile && !value.isFolder
        if isOnlyWords, !value.words.isEmpty || value.command != nil { actions.append("compopt +o default") }
        if value.isList { actions.append(#"prefix+=${value%"${value##*,}"} value=${value##*,}"#) }
        if !value.words.isEmpty {
            actions.append("_shcverify_offer \(value.words.map(\.quotedForShell).joined(separator: " "))")
        }
        if let command = value.command { actions.append("_shcverify_offer_lines \"$(\(command))\"") }
        if value.isFile { actions.append("_shcverify_offer_files -f") }
        if value.isFolder { actions += ["compopt -o dirnames +o default"] }
        return actions
    }

    /// The cases of `_shcverify_options`.
    private var options: String {
        table.leaves.filter { $0.name != "help" }.map { command in
            let names = { (options: [CompletionTable.Option]) in options.flatMap(\.names).joined(separator: " ") }
            // Only the program itself has --version.
            let options = command.options.filter { $0.names != ["--version"] }
            return "    \(self.names([command])))\n"
                + "        options=\(names(options).quotedForShell)\n"
                + "        valued=\(names(options.filter { $0.value != nil }).quotedForShell)\n        ;;"
        }.joined(separator: "\n")
    }
}
