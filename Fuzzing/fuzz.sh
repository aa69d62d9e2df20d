#!/usr/bin/env bash
# Builds the fuzz targets and the tests of the parsers with the address sanitizer, and runs some of them.
#
# usage: Fuzzing/fuzz.sh SECONDS|corpora|seeds|tests|make [TARGET,…]
#   SECONDS: each target for some seconds, its corpus and its regressions first
#   corpora: invents nothing, and runs each corpus and the regressions
#   seeds: the same, and all seeds
#   tests: runs no target, but the tests of the parsers
#   make: makes the corpora again, from themselves, the seeds and what was found, and lists in COVERAGE.md which lines they run
#
# As many targets run at once as there are processors. The script fails if a target finds something, or if all targets together run too few
# lines of a parser (Scripts/fuzz-coverage.py; the environment variable COVERAGE is its last argument).
set -euo pipefail
cd "$(dirname "$0")/.."

mode=$1
all=json,base64url,jws,inflate,qr,artifact,jwks,revocation,directory,fhir,lint,verify,link,base45,cbor,cose,hcert,signers,list-proof,codes,check-in,scan,fetch
targets=${2:-$all}
swift=${SWIFT:-swift}
python=${PYTHON:-/usr/bin/python3}
tools=$(dirname "$(command -v "$swift")")
build=$PWD/.build/fuzz

# CI's build has the tests of the parsers too, and takes half the time of an optimised one. Who searches for long needs the latter.
configuration=release
export SHCVERIFY_TARGETS=Fuzz
case $mode in
    corpora|tests)
        configuration=debug
        SHCVERIFY_TARGETS+=,CryptographyTests,EncodingsTests ;;
esac
# The compiler's own option for libFuzzer would put its main function into each program, so only the code is made for it here, and
# Package.swift links it into one program.
options=(--configuration "$configuration" --scratch-path .build/address --sanitize address
    -Xswiftc -Xfrontend -Xswiftc -sanitize=fuzzer,address -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping)
[ "$configuration" = release ] || options+=(--build-tests)
"$swift" build "${options[@]}" 2>&1 | { grep -v 'ld.gold: warning: Cannot export local symbol' || true; }
folder=$("$swift" build "${options[@]}" --show-bin-path 2>/dev/null)
program=$folder/Fuzz

# The search for leaks is off: Swift tags pointers, so it does not find them.
if [ "$mode" = tests ]; then
    export SANITIZE=address ASAN_OPTIONS=detect_leaks=0 LLVM_PROFILE_FILE=/dev/null
    exec "$folder/shcverifyPackageTests.xctest" --testing-library swift-testing
fi

mkdir -p "$build" && rm -rf "$build/seeds" "$build/profiles"
"$python" -B Fuzzing/seeds.py TestVectors "$build"
"$python" -B Fuzzing/corpora.py unpack "$build"
if [ "$mode" = make ]; then
    "$python" -B Fuzzing/corpora.py make "$build" "$program" "${2:-}"
    rm -rf "$build/corpus" "$build/corpora"
    "$python" -B Fuzzing/corpora.py unpack "$build"
    mode=corpora targets=$all COVERAGE=write
fi

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
    if [ "$mode" != seeds ] && [ -d "$build/corpora/$target" ]; then seeds=; fi
    for folder in "$build/corpora/$target" "$seeds" "Fuzzing/Regressions/$target"; do
        if [ -d "$folder" ]; then folders+=("$folder"); fi
    done
    # Without inventing anything, only what hangs is ended.
    local run=(-runs=0 -timeout=600)
    # With the same seed, libFuzzer makes the same inputs. So a run in CI does not fail for what another one has missed.
    if [[ "$mode" =~ ^[0-9]+$ ]]; then run=(-max_total_time="$mode" -seed="${SEED:-0}" -timeout=60); fi
    LLVM_PROFILE_FILE=$build/profiles/$target.profraw FUZZ_TARGET=$target "$program" "${folders[@]}" "${run[@]}" \
        -max_len=16384 -report_slow_units=2 -rss_limit_mb=2048 -dict=Fuzzing/dictionary.txt \
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

failed=0 runs=()
for target in ${targets//,/ }; do
    # How each has ended is asked for below.
    while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || true; done
    fuzz "$target" &
    runs+=($!)
done
for run in "${runs[@]}"; do wait "$run" || failed=1; done
"$python" -B Scripts/fuzz-coverage.py "$tools" "$program" "$build/profiles" ${COVERAGE:-} || failed=1
exit $failed
