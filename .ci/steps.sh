# Runs a step, prints how long it took, and fails if it did. A warning of the compiler on code of ours is an error. For .ci/run and .ci/deep.
step() {
    local start=$SECONDS log status=0
    log=$(mktemp)
    echo "== $*"
    "$@" 2>&1 | tee "$log" || status=$?
    if grep -E "^($PWD/[^:]*:[0-9]+:[0-9]+|warning: '($(basename "${PWD,,}")|scanner)'): " "$log" | grep -E 'warning: ' | grep -v "^$PWD/[^:]*\.build/" | sort -u; then
        echo "== these warnings are errors here" && status=1
    fi
    rm -f "$log"
    echo "== $* took $((SECONDS - start)) s"
    return $status
}

# Runs several steps at once, each of which uses one processor. What they print comes one after the other.
together() {
    local runs=() logs=() status=0 command number
    for command in "$@"; do
        logs+=("$(mktemp)")
        step $command >"${logs[-1]}" 2>&1 &
        runs+=($!)
    done
    for number in "${!runs[@]}"; do
        wait "${runs[number]}" || status=$?
        cat "${logs[number]}"
        rm -f "${logs[number]}"
    done
    return $status
}
