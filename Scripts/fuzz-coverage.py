"""Prints how many lines of each parser of strangers' bytes the fuzz targets ran, from the profiles that Fuzzing/fuzz.sh writes.

    fuzz-coverage.py LLVM_TOOLS PROGRAM PROFILES [lines | write]

LLVM_TOOLS is the folder of llvm-cov and llvm-profdata, PROGRAM the program of the targets. Fuzzing/parsers.txt lists the parsers.
With `lines`, it also prints the lines that did not run. With `write`, it writes the table to Fuzzing/COVERAGE.md.

If all targets ran, it fails if they ran less than 90 % of the lines of a parser.
"""

import functools
import re
import sys
from datetime import date
from pathlib import Path

from coverage import ROOT, counts

FUZZING = ROOT / "Fuzzing"
SOURCES = ROOT / "Sources"
# In per cent.
LEAST = 90


def parsers():
    """The parsers: for each its name, its target, and its files with the names of the types that count."""
    table = []
    for line in (FUZZING / "parsers.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, target = line.rsplit(": ", 1)
            table.append((name, target, []))
            continue
        name, _, types = line.strip().partition(": ")
        place = SOURCES / name
        found = sorted(place.rglob("*.swift")) if name.endswith("/") else [place]
        if not found or not all(file.is_file() for file in found):
            sys.exit(f"fuzz-coverage: {name} in Fuzzing/parsers.txt does not exist")
        table[-1][2].extend((file.relative_to(SOURCES), tuple(types.split(", ")) if types else ()) for file in found)
    return table


@functools.cache
def lines_of(file, types):
    """The numbers of the lines that some types and their extensions have in a file."""
    numbers, found, counts = set(), set(), False
    for number, line in enumerate((SOURCES / file).read_text().splitlines(), 1):
        if begin := re.match(r"(?=[a-z@])[^{:]*?\b(?:struct|enum|class|actor|extension|protocol) (\w+)", line):
            counts = begin[1] in types
            found.update({begin[1]} & set(types))
        if counts:
            numbers.add(number)
    if len(found) < len(types):
        sys.exit(f"fuzz-coverage: {file} does not have {', '.join(sorted(set(types) - found))}")
    return numbers


def hits(ran, file, types):
    """How often each line of a file ran, or each of some types."""
    lines = ran.get(file, {})
    return {number: count for number, count in lines.items() if number in lines_of(file, types)} if types else lines


def share(ran, files):
    """The number of lines of files, and how many of them ran."""
    lines = [count > 0 for file, types in files for count in hits(ran, file, types).values()]
    return len(lines), sum(lines)


def main(tools, program, profiles, wanted=""):
    table = parsers()
    found = {target: Path(profiles) / f"{target}.profraw" for _, target, _ in table}
    missing = [target for target, profile in found.items() if not profile.is_file()]
    every = sorted(Path(profiles).glob("*.profraw"))
    if not every:
        sys.exit(f"fuzz-coverage: no profiles in {profiles}")
    places = {target: {file for _, other, files in table if other == target for file, _ in files} for target in found}
    by_all = counts(Path(tools), [program], every, Path(profiles) / "all.profdata", set().union(*places.values()))
    by_target = {target: counts(Path(tools), [program], [profile], profile.with_suffix(".profdata"), places[target])
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
    for file, types in sorted({place for _, _, files in table for place in files}):
        source = (SOURCES / file).read_text().splitlines()
        for number, count in sorted(hits(ran, file, types).items()):
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
