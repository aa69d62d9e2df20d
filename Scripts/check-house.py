#!/usr/bin/env python3
"""Checks the size and the shape of the house.

    Scripts/check-house.py            checks
    Scripts/check-house.py --write    writes the lines of code that each target has now to the table of ARCHITECTURE.md

A target of Sources/ may have 5 % more lines of code in Swift (neither blank nor comment alone) than the table says. A new feature pays with what it replaces, or
the commit that raises the number says why. All together have at most MOST_LINES. Only `Evidence` asks issuers, for checks that need something. `Conformance` parses nothing. The package has at most four library products, a target imports at most ten others (but for those in
MORE, which must not grow), and unsafe flags are for builds that ask for them. SECURITY.md has at most MOST_WORDS. The exit code is 1 if one of these rules is broken.
"""

import importlib.util
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
ROW = re.compile(r"^(\| \d \| `([\w-]+)` \| )([\d,]*)( \|)", re.M)
SPARE = 1.05
# All targets together.
MOST_LINES = 52_500
MOST_PRODUCTS = 4
MOST_IMPORTS = 10
# A reviewer reads SECURITY.md in ten minutes. Details belong on docs/threats.md and docs/limits.md.
MOST_WORDS = 2_500
# What asks for evidence, refuses to ask an unknown issuer, or casts a query back, and where it may: in the store, and in the checks that ask.
ASKING = re.compile(r"\.needs\b|\.unaskedFailure\(request|\bsource\.answer\b|as\? (?:any )?(?:IssuerKeysQuery|RevocationListQuery|FetchedQuery)")
MAY_ASK = {"Evidence", "SMARTHealthCards"}
# What parses. Lint judges what the owners of the formats have read: a reading has the value and all that is wrong with it.
PARSING = re.compile(
    r"\b(?:JSONDocument|CBORDocument)\.parse\b|\b(?:Base64URL|Base45)\.decode\(|\.inflate\w*\(|\b(?:CompactJWS|COSEParts|COSEReading|Certificate)\("
)
# Targets that import more than ten others today. They may import fewer, not more.
MORE = {"shcverify": 20, "Bulk": 13, "VerificationTesting": 11}


def lines(target):
    """The lines of code of a target in Swift."""
    text = "\n".join(path.read_text() for path in (ROOT / "Sources" / target).rglob("*.swift"))
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def main():
    page = PAGE.read_text()
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(ROW.sub(lambda row: f"{row[1]}{lines(row[2]) or '':,}{row[4]}" if lines(row[2]) else row[0], page))
        return
    problems = []
    budgets = {row[2]: int(row[3].replace(",", "")) for row in ROW.finditer(page) if row[3]}
    for target in sorted(path.name for path in (ROOT / "Sources").iterdir() if any(path.rglob("*.swift"))):
        if target not in budgets:
            problems.append(f"ARCHITECTURE.md has no number of lines for {target}")
        elif lines(target) > budgets[target] * SPARE:
            problems.append(f"{target} has {lines(target):,} lines of code, more than 5 % above the {budgets[target]:,} of ARCHITECTURE.md")
    total = sum(lines(path.name) for path in (ROOT / "Sources").iterdir())
    if total > MOST_LINES:
        problems.append(f"the targets have {total:,} lines of code, and at most {MOST_LINES:,} are allowed")
    package = (ROOT / "Package.swift").read_text()
    products = re.findall(r'\.library\(name: "(\w+)"', package)
    if len(products) > MOST_PRODUCTS:
        problems.append(f"the package has {len(products)} library products, and at most {MOST_PRODUCTS} are promised")
    spec = importlib.util.spec_from_file_location("imports", ROOT / "Scripts/check-imports.py")
    imports = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(imports)
    for target in sorted(budgets):
        count = len(imports.imports(target))
        most = MORE.get(target, MOST_IMPORTS)
        if count > most:
            problems.append(f"{target} imports {count} other targets, and may import {most}")
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        target = path.relative_to(ROOT).parts[1]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.strip().startswith("//"):
                continue
            if ASKING.search(line) and target not in MAY_ASK:
                problems.append(f"{path.relative_to(ROOT)}:{number}: only the store asks for evidence")
            if PARSING.search(line) and target == "Conformance":
                problems.append(f"{path.relative_to(ROOT)}:{number}: lint parses nothing: take a reading of its owner")
    # The compiler writes the length of the path of the file into the program, which then differs from one that was built elsewhere.
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if "withoutActuallyEscaping" in path.read_text():
            problems.append(f"{path.relative_to(ROOT)}: withoutActuallyEscaping makes a build differ by its folder: take an escaping closure")
    # Before the targets that are built on request, unsafe flags are in one place, and need an environment variable.
    flags = package[:package.index("let onRequest")].count(".unsafeFlags(")
    if flags != 1:
        problems.append("a target has unsafe flags in every build, so SwiftPM refuses it in packages that depend on a version of this one")
    words = len((ROOT / "SECURITY.md").read_text().split())
    if words > MOST_WORDS:
        problems.append(f"SECURITY.md has {words:,} words, and may have {MOST_WORDS:,}")
    print("\n".join(problems) or "all targets keep to their size and shape")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
