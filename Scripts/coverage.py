#!/usr/bin/env python3
"""Runs the tests, and prints how many lines of each target they run.

    Scripts/coverage.py [lines]

With `lines`, it also prints the lines that no test runs, for the targets in which each such line needs a reason.

shcverify-fetch ends with _exit or by a signal and writes no profile, so lines that run only there count as not run.
"""

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARGUED = ("Cryptography/JOSE/", "Cryptography/Deflate/", "Encodings/StrictJSON/", "SMARTHealthCards/")


def counts(tools, programs, found, merged, only=()):
    """How often each line ran in any of the programs, by file below Sources. The merged profile is written to a file.

    With `only`, the files below Sources that count. To read all takes llvm-cov several times as long.
    """
    # A profile is incomplete if its process was killed. llvm-profdata skips such profiles, and fails only if all are
    # incomplete.
    subprocess.run([tools / "llvm-profdata", "merge", "--sparse", "--failure-mode=all", "-o", merged, *found],
                   stderr=subprocess.DEVNULL, check=True)
    objects = [argument for program in programs for argument in ("--object", program)][1:]
    report = subprocess.run([tools / "llvm-cov", "export", "--format=lcov", f"--instr-profile={merged}", *objects,
                             *(ROOT / "Sources" / file for file in only)], capture_output=True, text=True, check=True).stdout
    files = defaultdict(dict)
    for line in report.splitlines():
        if line.startswith("SF:"):
            path = Path(line[3:]).resolve()
            lines = files[path.relative_to(ROOT / "Sources")] if path.is_relative_to(ROOT / "Sources") else {}
        elif line.startswith("DA:"):
            number, count = map(int, line[3:].split(",")[:2])
            lines[number] = max(count, lines.get(number, 0))
    return files


def main(wanted=""):
    build = ROOT / ".build/coverage"
    profiles = build / "profiles"
    shutil.rmtree(profiles, ignore_errors=True)
    subprocess.run([sys.executable, "-B", ROOT / "Scripts/run-tests.py", "--coverage"], check=True)
    # The programs and the tests contain the same sources.
    programs = [build / "debug" / name for name in ("shcverifyPackageTests.xctest", "shcverify", "shcverify-fetch")]
    found = list(profiles.glob("*.profraw"))
    tools = Path(shutil.which(os.environ.get("SWIFT", "swift"))).parent
    files = counts(tools, programs, found, profiles / "all.profdata")
    print(f"{'target':24}{'lines':>8}{'covered':>9}{'%':>8}")
    for target in sorted({path.parts[0] for path in files}):
        ran = [count > 0 for path, lines in files.items() if path.parts[0] == target for count in lines.values()]
        print(f"{target:24}{len(ran):8}{sum(ran):9}{100 * sum(ran) / len(ran):8.2f}")
    if wanted != "lines":
        return
    for path in sorted(path for path in files if str(path).startswith(ARGUED)):
        source = (ROOT / "Sources" / path).read_text().splitlines()
        # A line with only a brace can be the end of an endless loop, which is never reached.
        idle = sorted(number for number, count in files[path].items() if count == 0 and source[number - 1].strip() != "}")
        for _, run in groupby(enumerate(idle), lambda pair: pair[1] - pair[0]):
            print(f"\n{path}")
            for _, number in run:
                print(f"{number:6}  {source[number - 1]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
