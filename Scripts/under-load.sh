#!/usr/bin/env bash
# Runs tests again and again while all processors are busy with something else.
#
# usage: Scripts/under-load.sh COUNT [PATTERN]
#
# PATTERN says which tests, as in `swift test --filter`. Without one it is all that fetch, wait or time out. The tests must
# have been built (`swift build --build-tests`). The load is `openssl speed`, which this script ends. It prints a line for
# each run, what failed of it, and at the end how many runs passed. The exit code is 0 if all of them did.
#
# OPTIONS in the environment go to the test program: OPTIONS=--no-parallel runs one test at a time, as `make test` does.
set -uo pipefail
cd "$(dirname "$0")/.."

count=${1:?"usage: $0 COUNT [PATTERN]"}
suites='NetworkTests|CacheTests|CacheFaultTests|FetchSignalTests|FetchLimitTests|DirectoryTests|LintIssuerTests|FaultTests'
pattern=${2:-"URLSessionTransportTests|IssuerNetworkTests|CommandLineTests\\.(Batch)?($suites)"}
tests="$(swift build --show-bin-path)/shcverifyPackageTests.xctest"
log=$(mktemp)
# In a process group of its own, so that what it starts can be ended with it.
setsid bash -c 'while :; do openssl speed -multi 4 -seconds 60 ecdsap256; done' >/dev/null 2>&1 &
load=$!

end_load() {
    kill -- "-$load" 2>/dev/null
    wait "$load" 2>/dev/null
    rm -f "$log"
}
trap end_load EXIT
trap 'exit 130' INT TERM

passed=0
for ((run = 1; run <= count; run++)); do
    start=$SECONDS
    if "$tests" --testing-library swift-testing ${OPTIONS:-} --filter "$pattern" >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "run $run of $count: passed in $((SECONDS - start)) s: $(grep -oE 'Test run with [0-9]+ tests' "$log" | tail -1)"
    else
        echo "run $run of $count: FAILED in $((SECONDS - start)) s"
        grep -E '✘|↳|Fatal error' "$log"
    fi
done
echo "$passed of $count runs passed"
[ "$passed" -eq "$count" ]
