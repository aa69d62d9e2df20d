#!/usr/bin/env python3
"""Compares which photographs two builds of shcverify-scan read, and the processor time that each takes.

    /usr/bin/python3 -B Benchmarks/photographs.py PROGRAM OTHER --output DIR [--per-class 34] [--seed 47] [--class NAME ...]

The pictures are those of TestVectors/pictures (its README lists the Debian packages), in DIR; those that are there are used again. A
picture counts as read if all its texts were found. For the share that grid.cpp alone reads, OTHER is a build in which PageScan.read takes
`[]` for `copy.codesByGrid()`. On a busy machine the search ends early by the clock, so let nothing else run.
"""

import argparse
import json
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

PICTURES = Path(__file__).resolve().parent.parent / "TestVectors/pictures"


def made(options):
    """The entries of the manifest, after the pictures were made."""
    manifest = options.output / "manifest.json"
    if not manifest.exists():
        sys.path.insert(0, str(PICTURES))
        from classes import CLASSES
        names = options.names or [name for name in CLASSES if name.startswith("photo-")]
        subprocess.run([sys.executable, "-B", PICTURES / "generate.py", "--output", options.output, "--per-class", str(options.per_class),
                        "--seed", str(options.seed), "--class", *names], check=True)
    return [entry for entry in json.loads(manifest.read_text(encoding="utf-8")) if "file" in entry]


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def scanned(program, file):
    """The texts that a program finds in a picture, and the seconds of processor time that it took."""
    before = seconds()
    request = b"shcverify-scan/1 codes thorough 0 50\n" + file.read_bytes()
    answer = subprocess.run([program], input=request, stdout=subprocess.PIPE, check=False).stdout.decode().splitlines()
    texts = {bytes.fromhex(line.split()[-1]).decode("latin-1") for line in answer if line.startswith("code ")}
    return texts, seconds() - before


def main():
    parser = argparse.ArgumentParser(description="Compares which photographs two builds of shcverify-scan read.")
    parser.add_argument("programs", nargs=2, metavar="PROGRAM")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the pictures")
    parser.add_argument("--per-class", type=int, default=34, metavar="N")
    parser.add_argument("--seed", type=int, default=47)
    parser.add_argument("--class", dest="names", nargs="+", metavar="NAME", help="only these classes")
    options = parser.parse_args()
    rows, times = {}, [0.0, 0.0]
    for entry in made(options):
        wanted, is_read = set(entry["texts"]), []
        for number, program in enumerate(options.programs):
            texts, taken = scanned(program, options.output / entry["file"])
            times[number] += taken
            is_read.append(wanted <= texts)
            wrong = texts - wanted - set(entry["others"])
            if wrong:
                print(f"{program} reads in {entry['file']}: {sorted(wrong)}")
        outcome = {(True, True): "both", (True, False): "first", (False, True): "second", (False, False): "none"}[tuple(is_read)]
        rows.setdefault(entry["class"], Counter())[outcome] += 1
        if outcome in ("first", "second"):
            print(f"only the {outcome} program reads {entry['file']}")
    print(f"{'':28}{'both':>8}{'first':>8}{'second':>8}{'none':>8}")
    for name, row in rows.items():
        print(f"{name:28}" + "".join(f"{row[outcome]:>8}" for outcome in ("both", "first", "second", "none")))
    shares = [row["first"] / row.total() for row in rows.values()]
    print(f"the first alone reads {100 * sum(shares) / len(shares):.1f} %, each class weighing the same; {times[0]:.0f} s and {times[1]:.0f} s")


if __name__ == "__main__":
    main()
