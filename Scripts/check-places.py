#!/usr/bin/env python3
"""Checks the table "Where to add something" in ARCHITECTURE.md.

    Scripts/check-places.py

Each file and folder of `Sources/` that a row names exists, as does each suite of tests and page of Tests/Sessions, and no row names
more than three files that change. The exit code is 1 if one of these rules is broken.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 3


def main():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    section = text[text.index("## Where to add something"):text.index("## Decisions")]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")][1:]
    tests = "\n".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    problems = []
    for what, new, changed, guards in rows:
        what = what.strip()
        files = re.findall(r"`(Sources/[^`]+)`", changed)
        if not files or len(files) > MOST:
            problems.append(f"{what}: {len(files)} files change, and 1 to {MOST} should")
        for path in files + re.findall(r"`(Sources/[^`]+)`", new):
            if not (ROOT / path).exists():
                problems.append(f"{what}: there is no {path}")
        suites = re.findall(r"`(\w+)`", guards)
        pages = re.findall(r"`([\w-]+\.md)`", guards)
        for page in pages:
            if not (ROOT / "Tests" / "Sessions" / page).exists():
                problems.append(f"{what}: there is no page {page} in Tests/Sessions")
        if not suites and not pages:
            problems.append(f"{what}: no test guards it")
        for suite in suites:
            if not re.search(rf"(?:struct|class|enum) {suite}\b", tests):
                problems.append(f"{what}: there is no suite {suite}")
    print("\n".join(problems) or f"all {len(rows)} places exist")
    sys.exit(1 if problems else 0)


main()
