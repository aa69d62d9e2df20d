#compdef shcverify
# Completion of shcverify for zsh, from "shcverify --generate-completion-script zsh".

_shcverify() {
    local line has
    local -a found shown
    for line in "${(@f)$(command shcverify ---completion "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
            ('') ;;
            (:*) has=$line ;;
            (*)
                found+=("${line%%$'\t'*}")
                shown+=("${line/$'\t'/  -- }")
                ;;
        esac
    done
    compadd -d shown -a found
    [[ $PREFIX == --*=* ]] && compset -P '*='
    case $has in
        (:folders) _files -/ ;;
        (:files) _files ;;
    esac
}

if [[ $funcstack[1] == _shcverify ]]; then
    _shcverify "$@"
else
    compdef _shcverify shcverify
fi
