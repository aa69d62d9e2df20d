#!/usr/bin/env bash
# Runs tests repeatedly while all processors are busy with something else.
#
# usage: Scripts/under-load.sh COUNT [PATTERN]
#
# PATTERN selects tests, as in `swift test --filter`. Without it, all tests that fetch, wait or time out are run. Build
# the tests first (`swift build --build-tests`). The load is `openssl speed`, which this script starts and ends. The
# script prints a line for each run, the failures, and at the end how many runs passed. The exit code is 0 if all runs
# passed.
#
# The environment variable OPTIONS is passed to the test program. OPTIONS=--no-parallel runs one test at a time, as
# `make test` does.
set -uo pipefail
cd "$(dirname "$0")/.."

count=${1:?"usage: $0 COUNT [PATTERN]"}
suites='NetworkTests|CacheTests|CacheFaultTests|FetchSignalTests|FetchLimitTests|DirectoryTests|LintIssuerTests|FaultTests'
pattern=${2:-"URLSessionTransportTests|IssuerNetworkTests|CommandLineTests\\.(Batch)?($suites)"}
tests="$(swift build --show-bin-path)/shcverifyPackageTests.xctest"
log=$(mktemp)
# The load gets a process group of its own, so that its child processes can be ended with it.
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
