"""Finds the tests that read `../shared`, which a clone does not have, and checks how they do it.

usage: shared-tests.py

Prints each suite that reads the folder, and a pattern for those of its tests that are skipped without it. Fails if code of the tests names the
folder in another place than `SharedData`, or if a suite reads it of which no test is skipped without it.
"""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent / "Tests"
DOOR = TESTS / "TestSupport/SharedData.swift"
NAMED = re.compile(r'\.\./shared\b|["\'(/]shared["\'/]|SHCVERIFY_SHARED')
CONDITION = ".enabled(if: SharedData.isPresent"
DECLARED_SUITE = re.compile(r"^(?:@Suite.* )?struct (\w+Tests)\b", re.MULTILINE)
DECLARED = re.compile(r"\b(struct|func) (\w+)")


def code(path):
    """The text of a file without the lines that are comments."""
    marks = "#" if path.suffix == ".py" else "//"
    return "\n".join("" if line.lstrip().startswith(marks) else line for line in path.read_text().splitlines())


def uses(text, names):
    """Whether the code, without what is in quotes, has one of the names."""
    return re.search(rf"\b(?:{'|'.join(sorted(names))})\b", re.sub(r'"[^"\n]*"', '""', text)) is not None


files = {path: code(path) for path in sorted(TESTS.rglob("*")) if path.suffix in (".swift", ".py", ".sh") and path != DOOR}
errors = [
    f"{path.relative_to(TESTS.parent)}:{text.count(chr(10), 0, found.start()) + 1}: use SharedData to read ../shared"
    for path, text in files.items() for found in NAMED.finditer(text)
]

# What other files declare by means of SharedData leads to the folder too, for the tests of the same target.
suites = {}
for target in sorted(path for path in TESTS.iterdir() if path.is_dir()):
    own = {path: text for path, text in files.items() if path.is_relative_to(target) and path.suffix == ".swift"}
    names = {"SharedData"}
    for path, text in own.items():
        if not path.stem.endswith("Tests") and uses(text, names):
            names.update(re.findall(r"^(?:package |public )?(?:struct|enum|final class) (\w+)", text, re.MULTILINE))
    for path, text in own.items():
        if not path.stem.endswith("Tests") or not uses(text, names):
            continue
        if CONDITION not in text:
            errors.append(f"{path.relative_to(TESTS.parent)}: no test is skipped if ../shared is absent")
        for found in re.finditer(re.escape(CONDITION), text):
            # The condition is that of a suite, or of a test in the suite that was declared last.
            kind, name = DECLARED.search(text, found.end()).groups()
            suite = name if kind == "struct" else DECLARED_SUITE.findall(text, 0, found.start())[-1]
            suites.setdefault(f"{target.name}.{suite}", []).append("" if kind == "struct" else name + "[(]")

if errors:
    sys.exit("\n".join(errors))
for suite, tests in suites.items():
    print(suite, rf"^{re.escape(suite)}/({'|'.join(tests)})")
