#!/usr/bin/env bash
# Lints files in CI with the shcverify that is on the PATH.
#
# usage: lint.sh [OPTION]... -- FILE...    the hook of pre-commit (.pre-commit-hooks.yaml)
#        lint.sh                           the GitHub action (action.yml), whose inputs are in the environment
#
# The action's inputs: LINT_FILES has paths and patterns, and LINT_ARGS options of `shcverify lint`, one on each line. LINT_FAIL_ON is the
# value of --fail-on. LINT_SARIF and LINT_JUNIT are the files for reports in SARIF and in the format of JUnit, or empty. LINT_BASELINE is the value
# of --baseline, or empty. If the SARIF report takes its place, that report has all findings, and annotations only the new ones. Nothing in them
# is evaluated by the shell: only *, ? and
# [...] in LINT_FILES stand for other characters, and ** for any folders. Hidden files and folders match too, because key sets are in
# .well-known/. Only what is in .git does not.
#
# Links that lead out of the working folder are not followed, because anyone who may commit them could have any file of the machine read or
# overwritten: such an input is skipped, which standard error says, and such a report is an error (64).
#
# The exit code is that of `shcverify lint`; 66 also if a pattern matches no file or something that cannot be read, such as a named pipe; 64
# also if the call is wrong.
set -euo pipefail
shopt -s globstar nullglob dotglob

options=() baseline=() files=()

# Says what is wrong and ends with an exit code: fail CODE MESSAGE
fail() {
    printf 'lint.sh: %s\n' "$2" >&2
    exit "$1"
}

# Whether a name in the working folder leads out of it by links.
leads_out() {
    local here named real
    here=$(realpath .) named=$(realpath -ms -- "$1") real=$(realpath -m -- "$1")
    # A name outside was not committed.
    case $named/ in "${here%/}"/* | "${PWD%/}"/*) ;; *) return 1 ;; esac
    case $real/ in "${here%/}"/*) return 1 ;; esac
}

if [ $# -gt 0 ]; then
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    # Without "--", a file whose name begins with "-" would be an option.
    [ $# -gt 0 ] || fail 64 'put "--" between the options and the files; with pre-commit, as the last of "args"'
    shift
    files=("$@")
else
    IFS=
    while read -r option; do
        # A file of an option may be a link out of the working folder too: its own word, or behind "=".
        for file in "$option" "${option#*=}" "${option##*=}"; do
            [ -z "$file" ] || [ ! -e "$file" ] || ! leads_out "$file" ||
                fail 64 "a file of an option is a link out of the working folder: $(printf %q "$file")"
        done
        [ -z "$option" ] || options+=("$option")
    done <<<"${LINT_ARGS-}"
    while read -r pattern; do
        [ -n "$pattern" ] || continue
        matches=()
        # The empty IFS keeps a pattern in one piece.
        if [ -e "$pattern" ]; then matches=("$pattern"); else
            for match in $pattern; do
                # Lint says what is wrong with a link to nothing.
                [ -e "$match" ] || [ -L "$match" ] || continue
                case /$match/ in */.git/*) continue ;; esac
                [ -d "$match" ] || matches+=("$match")
            done
        fi
        [ ${#matches[@]} -gt 0 ] || fail 66 "no file matches $(printf %q "$pattern")"
        files+=("${matches[@]}")
    done <<<"${LINT_FILES-}"
    if [ -n "${LINT_BASELINE-}" ]; then
        ! leads_out "$LINT_BASELINE" || fail 64 "the baseline is a link out of the working folder: $(printf %q "$LINT_BASELINE")"
        [ -f "$LINT_BASELINE" ] || fail 66 "the baseline is no file: $(printf %q "$LINT_BASELINE")"
        [ -z "${LINT_JUNIT-}" ] || [ ! "$LINT_BASELINE" -ef "$LINT_JUNIT" ] ||
            fail 64 "the report of JUnit would overwrite the baseline: $(printf %q "$LINT_BASELINE")"
        baseline=("--baseline=$LINT_BASELINE")
    fi
    options+=("--fail-on=${LINT_FAIL_ON:-error}" --format=github)
fi
[ ${#files[@]} -gt 0 ] || fail 64 'no files are named'
for place in "${!files[@]}"; do
    if leads_out "${files[place]}"; then
        printf 'lint.sh: skipped, since it is a link out of the working folder: %q\n' "${files[place]}" >&2
        unset "files[place]"
        continue
    fi
    # "-" would be standard input.
    [ "${files[place]}" != - ] || files[place]=./-
    file=${files[place]}
    # Reading from a named pipe or a device could wait for ever. Lint itself refuses a folder and a link to nothing.
    [ -f "$file" ] || [ -d "$file" ] || [ ! -e "$file" ] || fail 66 "this is not a regular file: $(printf %q "$file")"
    [ -z "${LINT_SARIF-}" ] || [ ! "$file" -ef "$LINT_SARIF" ] ||
        fail 64 "the report in SARIF would overwrite a file that is linted: $(printf %q "$file")"
    [ -z "${LINT_JUNIT-}" ] || [ ! "$file" -ef "$LINT_JUNIT" ] ||
        fail 64 "the report of JUnit would overwrite a file that is linted: $(printf %q "$file")"
done
[ ${#files[@]} -gt 0 ] || fail 66 'all files are links out of the working folder'
[ -z "${LINT_SARIF-}" ] || { [ ! -L "$LINT_SARIF" ] && ! leads_out "$LINT_SARIF"; } ||
    fail 64 "the report in SARIF would be written through a link: $(printf %q "$LINT_SARIF")"
[ -z "${LINT_JUNIT-}" ] || { [ ! -L "$LINT_JUNIT" ] && ! leads_out "$LINT_JUNIT"; } ||
    fail 64 "the report of JUnit would be written through a link: $(printf %q "$LINT_JUNIT")"
command -v shcverify >/dev/null || fail 1 'shcverify is not on the PATH. Install it first'
# On a system that is older than the one for which it was built, only the loader speaks, and of a version of a library.
if ! words=$(shcverify --version 2>&1); then
    printf '%s\n' "$words" >&2
    fail 1 'shcverify cannot run on this system: a release needs a C library as new as that of the system on which it was built (glibc 2.36 on Debian 12), OpenSSL 3 and zlib'
fi

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# Makes a report beside the annotations: make_report FORMAT FILE [OPTION]...
make_report() {
    [ -n "$2" ] || return 0
    local code=0
    shcverify lint "${options[@]}" "${@:3}" "--format=$1" -- "${files[@]}" >"$reports/$1" || code=$?
    # 10 and 66 are in the report. With any other code there is none, and an earlier one is kept.
    case $code in 0 | 10 | 66) ;; *) exit "$code" ;; esac
}

# A report that takes the place of the baseline is the next baseline, so it has what this one has too.
kept=("${baseline[@]}")
[ ! "${LINT_SARIF-}" -ef "${LINT_BASELINE-}" ] || kept=()
make_report sarif "${LINT_SARIF-}" "${kept[@]}"
make_report junit "${LINT_JUNIT-}" "${baseline[@]}"
code=0
shcverify lint "${options[@]}" "${baseline[@]}" -- "${files[@]}" || code=$?
# Only now, since a report may take the place of a file that was read above.
[ -z "${LINT_SARIF-}" ] || cat "$reports/sarif" >"$LINT_SARIF"
[ -z "${LINT_JUNIT-}" ] || cat "$reports/junit" >"$LINT_JUNIT"
exit "$code"
