#!/usr/bin/env bash
# Runs each target for some seconds, its corpus and its regressions first. As many targets run at once as there are processors.
# Fails if a target finds something. Each target writes which lines it ran to a profile, for Scripts/fuzz-coverage.py.
# usage: fuzz.sh SECONDS|seeds|corpora [TARGET,…]
#   seeds: invents nothing, but runs each corpus, all seeds and the regressions
#   corpora: invents nothing, and runs each corpus and the regressions
set -euo pipefail
cd "$(dirname "$0")"

seconds=$1
targets=${2:-}
[ -n "$targets" ] || targets=json,base64url,jws,inflate,qr,artifact,jwks,revocation,directory,fhir,lint,verify,link,base45,cbor,cose,hcert,signers,list-proof,codes,check-in,scan,fetch
build=$PWD/.build/fuzz
program=$("${SWIFT:-swift}" build -c release --show-bin-path 2>/dev/null)/Fuzz

# Without this, Swift would print its own crash report before libFuzzer's, which takes long.
export SWIFT_BACKTRACE=enable=no
# fatalError traps (SIGILL). libFuzzer must handle that signal, not the address sanitizer.
export ASAN_OPTIONS=handle_sigill=0:detect_leaks=0:quarantine_size_mb=32

fuzz() {
    local target=$1 corpus=$build/corpus/$1 crashes=$build/crashes/$1 log=$build/$1.log status=0 folder
    mkdir -p "$corpus" "$crashes"
    local folders=("$corpus")
    # The corpus runs all code that the seeds run, in a tenth of the time.
    local seeds=$build/seeds/$target
    if [ "$seconds" != seeds ] && [ -d "$build/corpora/$target" ]; then seeds=; fi
    for folder in "$build/corpora/$target" "$seeds" "Regressions/$target"; do
        if [ -d "$folder" ]; then folders+=("$folder"); fi
    done
    local run=(-runs=0)
    if [[ "$seconds" =~ ^[0-9]+$ ]]; then run=(-max_total_time="$seconds" -seed="${FUZZ_SEED:-0}"); fi
    LLVM_PROFILE_FILE=$build/profiles/$target.profraw FUZZ_TARGET=$target "$program" "${folders[@]}" "${run[@]}" \
        -max_len=16384 -timeout=60 -report_slow_units=2 -rss_limit_mb=2048 -dict=dictionary.txt \
        -artifact_prefix="$crashes/" -print_final_stats=1 >"$log" 2>&1 </dev/null || status=$?
    if [ $status != 0 ]; then
        grep -E 'oracle:|Fatal error|ERROR|SUMMARY|Test unit written' "$log" || tail -20 "$log"
        echo "$target: failed; its whole output is in $log"
        echo "to reproduce: FUZZ_TARGET=$target SWIFT_BACKTRACE=enable=no $program FILE"
        return 1
    fi
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs," \
        "$(grep -o 'cov: [0-9]*' "$log" | tail -1), nothing found"
    grep -E 'Slowest unit|slow-unit' "$log" || true
}

rm -rf "$build/profiles"
failed=0
for target in ${targets//,/ }; do
    while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || failed=1; done
    fuzz "$target" &
done
while (($(jobs -rp | wc -l) > 0)); do wait -n || failed=1; done
wait || failed=1
exit $failed
