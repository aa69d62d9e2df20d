#!/usr/bin/env bash
# Fuzzes the code around the decoders of pictures. The libraries themselves are not instrumented.
#
# usage: Fuzzing/pictures.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
build=.build/fuzz-pictures
mkdir -p $build/corpus $build/seeds Fuzzing/Regressions/pictures
"${CLANG:-$(dirname "$(command -v "${SWIFT:-swift}")")/clang}++" -std=c++17 -Werror -O1 -g -fsanitize=fuzzer,address,undefined \
    -fno-sanitize-recover=undefined -ISources/CPictures/include Sources/CPictures/*.cpp Fuzzing/Pictures/fuzz.cpp -o $build/fuzz \
    -lZXing -lzbar -lpng16 -ljpeg -lwebp -lwebpdemux -lgif -ltiff -lheif -lqpdf
for file in TestVectors/pictures/*.*; do
    # The first byte says whether a PDF follows.
    case $file in
        *.py|*.md|*.json) ;;
        *.pdf) { printf '\001'; cat "$file"; } >"$build/seeds/$(basename "$file")" ;;
        *) { printf '\000'; cat "$file"; } >"$build/seeds/$(basename "$file")" ;;
    esac
done
cd $build
ASAN_OPTIONS=detect_leaks=0 ./fuzz -max_total_time="$1" -timeout=120 -rss_limit_mb=3000 -max_len=200000 corpus seeds \
    ../../Fuzzing/Regressions/pictures
