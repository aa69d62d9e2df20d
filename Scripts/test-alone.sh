#!/usr/bin/env bash
# Runs the tests that read ../shared as they run in a new clone, which does not have that folder: they must be skipped, not fail.
#
# usage: test-alone.sh BIN-PATH
#
# The tests are those that were built already. They know the folder of the package, so the script makes a clone and shows it to
# them in the place of the package, without ../shared, in a mount namespace. If it may not make one, it only names a folder
# that does not exist with SHCVERIFY_SHARED.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
binaries=$(realpath --relative-base="$root" "$1")
suites=$(${PYTHON:-python3} -B Scripts/shared-tests.py)
# These read TestVectors only. The other tests of their suites have run before as well, but not without ../shared.
vectors='VectorTests/agrees\(with|HealthCertificateCaseTests/agrees\(with'

folder=$(mktemp -d)
log=$(mktemp)
trap 'rm -rf "$folder" "$log"' EXIT
git clone --quiet --no-hardlinks . "$folder/package"
mkdir -p "$folder/package/.build" "$folder/none"

run() { "$binaries/shcverifyPackageTests.xctest" --testing-library swift-testing --no-parallel --filter "$suites" --skip "$vectors"; }
enter() {
    mount --bind "$root/.build" "$1/package/.build"
    [ ! -e "$root/../shared" ] || mount --bind "$1/none" "$(realpath "$root/../shared")"
    mount --rbind "$1/package" "$root"
    cd "$root"
    "${@:2}"
}
export binaries suites vectors root
export -f run enter
unset SHCVERIFY_SHARED
namespace=(unshare --mount)
[ "$(id -u)" = 0 ] || namespace+=(--map-root-user)
if "${namespace[@]}" bash -c 'set -e; enter "$@"' _ "$folder" true 2>/dev/null; then
    "${namespace[@]}" bash -c 'set -e; enter "$@"' _ "$folder" run 2>&1 | tee "$log" && passed=1 || passed=0
else
    echo "No right to make a mount namespace: ../shared is hidden with SHCVERIFY_SHARED alone."
    SHCVERIFY_SHARED=$folder/none run 2>&1 | tee "$log" && passed=1 || passed=0
fi
grep -E '✘|Fatal error' "$log" || true
skipped=$(grep -c 'skipped: .*\.\./shared is missing' "$log" || true)
echo "$skipped tests and suites were skipped because ../shared is missing."
[ "$passed" = 1 ] && [ "$skipped" -gt 0 ]
