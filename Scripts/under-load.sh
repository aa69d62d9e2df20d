#!/usr/bin/env bash
# Runs tests while all processors are busy with something else: four processes of `openssl speed`, which this script starts and ends.
#
# usage: Scripts/under-load.sh                    all of `make test`, once (PROGRAMS=.build/dist: with the programs of a release)
#        Scripts/under-load.sh COUNT [PATTERN]    some tests, again and again
#
# PATTERN selects tests, as in `swift test --filter`. Without it, these are all tests that fetch, wait or time out. Build them first
# (`swift build --build-tests`). The environment variable OPTIONS is passed to the test program. OPTIONS=--no-parallel runs one test at a
# time, as `make test` does. The script prints a line for each run, the failures, and at the end how many runs passed. The exit code is 0
# if all did.
set -uo pipefail
cd "$(dirname "$0")/.."

suites='NetworkTests|CacheTests|CacheFaultTests|FetchSignalTests|FetchLimitTests|DirectoryTests|LintIssuerTests|FaultTests'
pattern=${2:-"URLSessionTransportTests|EvidenceTests|CommandLineTests\\.(Batch)?($suites)"}
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

if [ $# = 0 ]; then
    if make test; then ended=passed status=0; else ended=FAILED status=1; fi
    echo "under a load of four processes on $(nproc) processors, make test $ended after $SECONDS s"
    exit $status
fi

count=$1
tests="$(swift build --show-bin-path)/shcverifyPackageTests.xctest"
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
