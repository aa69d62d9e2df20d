#!/usr/bin/env python3
"""Checks how the programs fail.

    Scripts/check-errors.py

shcverify writes to standard error in at most two files (one asks for secrets, and is C), a number of its exit codes is in one, and
there are at most 35 error types. The exit code is 1 if one of these rules is broken.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = {".swift", ".c", ".cpp", ".h"}
TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)
MOST_WRITERS, MOST_TYPES = 2, 35
TABLE = "Sources/Credentials/ExitCodes.swift"

WRITES = re.compile(r"\bstandardError\s*\.\s*write|\bd?printf\(\s*STDERR_FILENO|\bwrite\(\s*STDERR_FILENO|\bstderr\b|\bperror\(")
NUMBER = re.compile(r"\bExitCode\(\s*-?\d|\b_?exit\(\s*-?[1-9]|\bexit(?:Code|Status)?\b\s*(?::|=|==|!=|<|>|<=|>=|\?\?)\s*-?[1-9]|\d\)?\s*\.contains\([\w.]*[eE]xitCode")
# Parameters of types are left out before.
TYPE = re.compile(r"^[^\n\"]*\b(?:struct|enum|class|actor|extension) [\w. ]*: *(?:[\w. ]+, *)*(?:Swift\.)?Error\b[^\n]*\{", re.M)
PARAMETERS = re.compile(r"<[^<>{}()\n]*>")
# Programs that shcverify starts, and not people: their exit codes and standard error are not its own.
HELPERS = ("Sources/shcverify-fetch/", "Sources/shcverify-scan/", "Sources/CPictures/")


def main():
    writers, numbers, types = set(), [], []
    for path in sorted((ROOT / "Sources").rglob("*")):
        if path.suffix not in CODE:
            continue
        name = path.relative_to(ROOT).as_posix()
        code = TEXT.sub(lambda text: '""' if text[0][0] == '"' else " ", path.read_text())
        if not name.startswith(HELPERS) and WRITES.search(code):
            writers.add(name)
        if path.suffix == ".swift" and name != TABLE and not name.startswith(HELPERS):
            numbers += [f"{name}: {match[0]}" for match in NUMBER.finditer(code)]
        if path.suffix == ".swift":
            types += [f"{name}: {match[0].strip()}" for match in TYPE.finditer(PARAMETERS.sub("", code))]
    problems = [f"an exit code stands outside of {TABLE}: {number}" for number in numbers]
    if len(writers) > MOST_WRITERS:
        problems.append(f"shcverify writes to standard error in more than {MOST_WRITERS} files: {', '.join(sorted(writers))}")
    if len(types) > MOST_TYPES:
        problems.append("\n  ".join([f"there are {len(types)} error types, and at most {MOST_TYPES} are wanted:"] + types))
    print("\n".join(problems) or f"{len(types)} error types, and one table of exit codes")
    sys.exit(bool(problems))


main()
