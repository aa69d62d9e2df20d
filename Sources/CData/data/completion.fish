# Completion of shcverify for fish, from "shcverify --generate-completion-script fish".

function __shcverify_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l lines (command shcverify ---completion $words[2..] "$token" 2>/dev/null)
    string match -v ':*' -- $lines
    set -l value (string replace -r '^--[^=]*=' '' -- $token)
    set -l name (string sub -l (math (string length -- "$token") - (string length -- "$value")) -- "$token")
    contains :files $lines; and printf "$name%s\n" (__fish_complete_path "$value")
    contains :folders $lines; and printf "$name%s\n" (__fish_complete_directories "$value" '')
end

complete -c shcverify -f -a '(__shcverify_complete)'
