# Completion of shcverify for bash, from "shcverify --generate-completion-script bash".

_shcverify() {
    local rest=${COMP_LINE:0:COMP_POINT} trimmed token last line value kept='' has='' i
    local -a words=()
    # Bash splits words at = and :, which is undone here.
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
    value=${words[${#words[@]} - 1]}
    # It replaces only what follows the last of them.
    token=${COMP_WORDBREAKS//[!:=]/}
    [[ $token && $value == *[$token]* ]] && kept=${value%"${value##*[$token]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r line _; do
        case $line in
            :*) has=$line ;;
            *) COMPREPLY+=("${line#"$kept"}") ;;
        esac
    done < <(command shcverify ---completion "${words[@]:1}" 2>/dev/null)
    case $has in
        :folders) compopt -o dirnames +o default ;;
        :files)
            # If nothing else is offered, readline offers files better.
            ((${#COMPREPLY[@]})) || return
            compopt -o filenames
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${value#"$kept"}")
            ;;
        *) compopt +o default ;;
    esac
}

complete -o default -F _shcverify shcverify
