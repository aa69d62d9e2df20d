#!/usr/bin/env bash
# Makes the test vectors, or checks that they are what the scripts make.
#
# usage: vectors.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/../TestVectors"
checks=()
for folder in . links hcert handover check-in gdhcn edges; do
    make=("${PYTHON:-/usr/bin/python3}" -B $folder/generate.py)
    # A check writes nothing, so they run at once.
    if [ "${1:-}" = --check ]; then "${make[@]}" --check & checks+=($!); else "${make[@]}"; fi
done
failed=0
for check in "${checks[@]}"; do wait "$check" || failed=1; done
exit $failed
