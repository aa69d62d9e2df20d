#!/usr/bin/env bash
# Runs tests one at a time, in two groups that run side by side: tests that mostly wait for servers, and tests that
# mostly compute. Some of the latter are in the first group, so that both groups end at about the same time.
#
# usage: test-one-by-one.sh BIN-PATH (--skip|--filter) PATTERN
#
# Failures are printed again at the end.
set -uo pipefail
run=("$1/shcverifyPackageTests.xctest" --testing-library swift-testing --no-parallel)
waiting='URLSessionTransportTests|IssuerNetworkTests|NetworkTests|CacheTests|HostileServerTests|LiveIssuer|DirectoryTests|DirectoryAuditTests'
waiting+='|ListUpdateTests|LintCaseTests|FlippedCharacterTests|CombiningMarkTests|CommandLineTests\.LinkTests|FetchCardsTests|ArgumentTests'
log=$(mktemp)
other=$(mktemp)
trap 'rm -f "$log" "$other"' EXIT

if [ "$2" = --skip ]; then
    "${run[@]}" --filter "$waiting" --skip "$3" >"$log" 2>&1 &
    "${run[@]}" --skip "$3|$waiting" 2>&1 | tee "$other"
else
    "${run[@]}" --filter "$waiting" >"$log" 2>&1 &
    "${run[@]}" --filter "$3" --skip "$waiting" 2>&1 | tee "$other"
fi
computed=$?
wait $!
waited=$?
cat "$log"
grep -hE '✘|Fatal error' "$other" "$log"
exit $((computed != 0 ? computed : waited))
