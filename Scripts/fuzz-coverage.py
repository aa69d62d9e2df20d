"""Prints how many lines of each parser of strangers' bytes the fuzz targets ran, from the profiles that Fuzzing/fuzz.sh writes.

    fuzz-coverage.py LLVM_TOOLS PROGRAM PROFILES [lines | write]

LLVM_TOOLS is the folder of llvm-cov and llvm-profdata, PROGRAM the program of the targets. Fuzzing/parsers.txt lists the parsers.
With `lines`, it also prints the lines that did not run. With `write`, it writes the table to Fuzzing/COVERAGE.md.

If all targets ran, it fails if they ran less than 90 % of the lines of a parser.
"""

import sys
from datetime import date
from pathlib import Path

from coverage import ROOT, counts

FUZZING = ROOT / "Fuzzing"
SOURCES = ROOT / "Sources"
# In per cent.
LEAST = 90


def parsers():
    """The parsers: for each its name, its target and its files."""
    table = []
    for line in (FUZZING / "parsers.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, target = line.rsplit(": ", 1)
            table.append((name, target, []))
            continue
        place = SOURCES / line.strip()
        found = sorted(place.rglob("*.swift")) if line.endswith("/") else [place]
        if not found or not all(file.is_file() for file in found):
            sys.exit(f"fuzz-coverage: {line.strip()} in Fuzzing/parsers.txt does not exist")
        table[-1][2].extend(file.relative_to(SOURCES) for file in found)
    return table


def share(ran, files):
    """The number of lines of files, and how many of them ran."""
    lines = [count > 0 for file in files for count in ran.get(file, {}).values()]
    return len(lines), sum(lines)


def main(tools, program, profiles, wanted=""):
    table = parsers()
    found = {target: Path(profiles) / f"{target}.profraw" for _, target, _ in table}
    missing = [target for target, profile in found.items() if not profile.is_file()]
    every = sorted(Path(profiles).glob("*.profraw"))
    if not every:
        sys.exit(f"fuzz-coverage: no profiles in {profiles}")
    by_all = counts(Path(tools), [program], every, Path(profiles) / "all.profdata")
    by_target = {target: counts(Path(tools), [program], [profile], profile.with_suffix(".profdata"))
                 for target, profile in found.items() if target not in missing}
    rows = []
    for name, target, files in table:
        if target not in missing:
            lines, own = share(by_target[target], files)
            rows.append((name, target, lines, 100 * own / lines, 100 * share(by_all, files)[1] / lines))
    print(f"{'parser':34}{'target':12}{'lines':>6}{'its target':>12}{'all targets':>13}")
    for name, target, lines, own, together in rows:
        print(f"{name:34}{target:12}{lines:6}{own:10.1f} %{together:11.1f} %")
    if wanted == "lines":
        print_idle(table, by_all)
    if missing:
        print("These targets did not run:", ", ".join(sorted(missing)))
        return 0
    if wanted == "write":
        write(rows)
    few = [row for row in rows if row[4] < LEAST]
    for name, _, _, _, together in few:
        print(f"{name}: fuzzing runs {together:.1f} % of the lines, less than {LEAST} %; COVERAGE=lines lists the others")
    return 1 if few else 0


def print_idle(table, ran):
    """Prints the lines that no target ran."""
    for file in sorted({file for _, _, files in table for file in files}):
        source = (SOURCES / file).read_text().splitlines()
        for number, count in sorted(ran.get(file, {}).items()):
            if count == 0:
                print(f"{file}:{number}: {source[number - 1]}")


def write(rows):
    text = [
        "# What fuzzing runs", "",
        "How many lines of each parser (`parsers.txt`) the targets run with the corpora alone. Made by `make fuzz SECONDS=make` on",
        f"{date.today()}. `make fuzz` prints the same table, and fails if all targets together run less than {LEAST} % of a parser.", "",
        "| parser | target | lines | its target, % | all targets, % |", "|---|---|---|---|---|",
    ]
    for name, target, lines, own, together in rows:
        text.append(f"| {name} | `{target}` | {lines} | {own:.1f} | {together:.1f} |")
    (FUZZING / "COVERAGE.md").write_text("\n".join(text) + "\n")


sys.exit(main(*sys.argv[1:]))
