#!/usr/bin/env bash
# Compares the public declarations of the libraries with those in API/, and makes their documentation in .build/docs, a folder for each library.
# A warning is an error.
#
# usage: docs.sh check|write
#   write: writes the declarations to API/, and makes no documentation
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
docs=.build/docs
rm -rf $docs
# The build of the tests has all modules.
build=$("${PYTHON:-/usr/bin/python3}" -B Scripts/run-tests.py --build-only)
declarations=("${PYTHON:-/usr/bin/python3}" -B Scripts/public-api.py)
if [ "$1" = write ]; then exec "${declarations[@]}" "$build" $docs/graphs; fi
"${declarations[@]}" --check "$build" $docs/graphs
for target in Verification VerificationTesting; do
    "${DOCC:-docc}" convert Sources/$target/$target.docc --additional-symbol-graph-dir $docs/graphs/$target --warnings-as-errors \
        --fallback-display-name $target --fallback-bundle-identifier shcverify.$target --output-path $docs/$target.doccarchive
    echo "$docs/$target.doccarchive"
done
