#!/usr/bin/env python3
"""Checks that each target imports only targets on lower floors.

    Scripts/check-imports.py

Package.swift and Scanner/Package.swift list the targets by floor, below comments such as "// Floor 3". A target must import only
targets on lower floors, and the package must name for it exactly the targets that it imports. The table in
ARCHITECTURE.md must have the same floors. Only a target that no program links makes keys and signs. The exit code is 1 if one of these rules is
broken.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

PACKAGE = (ROOT / "Package.swift").read_text()
SCANNER = (ROOT / "Scanner" / "Package.swift").read_text().partition("// Tests")[0]
TARGET = re.compile(r"\.(?:target|executableTarget|systemLibrary)\(\s*name: \"([\w-]+)\"(.*?)\n    (?:    )?(?=\.|//|\]|$)", re.S)


def floors():
    """The targets of Sources/, each with its floor, by the comments in Package.swift."""
    targets = PACKAGE[PACKAGE.index("// Floor 0"):PACKAGE.index("        // Tests")]
    found = {}
    for part in targets.split("// Floor ")[1:] + SCANNER.split("// Floor ")[1:]:
        for name in re.findall(r'name: "([\w-]+)"(?!, package)', re.sub(r"\.product\([^)]*\)", "", part)):
            found[name] = int(part.split()[0])
    return found


FLOORS = floors()
# The targets that may be linked into the program that talks to hostile servers. It has no OpenSSL of its own, no zlib,
# and no code for cards.
FETCHER = {"HTTPSFetch", "Processes", "Encodings", "CURLHook", "CProcess"}
# Imports of modules that are not in FLOORS are ignored: Swift's own modules, the C library's, and those of packages.
IMPORT = re.compile(r"(?:^|[\s;])import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)\s+)?(\w+)", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
# Only this target, which no program links, makes keys and signs.
SIGNER = "VerificationTesting"
SIGNING = re.compile(r"\b(?:EVP_Digest_?Sign\w*|EVP_PKEY_(?:sign|keygen|generate)\w*|EVP_SignFinal|X509_sign)\b")
# Only the kinds of credential, on floor 4, may say what checks find. `Credentials` makes the verdict from it.
VERDICT = re.compile(r"\b(?:CheckList|KeyNotes\.Draft|Verdict)\s*\(|:[^{=()]*\bCredentialChecks\b[^{=()]*\{")


def imports(target):
    found = collections.defaultdict(list)
    for path in sorted((ROOT / "Sources" / target).rglob("*.swift")):
        for module in IMPORT.findall(COMMENT.sub(" ", path.read_text())):
            if module in FLOORS and module != target:
                found[module].append(path.relative_to(ROOT))
    return found


def dependencies(*packages):
    """The targets of the packages, each with the targets that it depends on."""
    targets = {}
    for match in [match for package in packages for match in TARGET.finditer(package)]:
        listed = re.search(r"dependencies: \[(.*?)\]", match[2], re.S)
        targets[match[1]] = set(re.findall(r'"([\w-]+)"', listed[1])) & set(FLOORS) if listed else set()
    return targets


def documented():
    """The targets in the table of ARCHITECTURE.md, each with its floor."""
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", (ROOT / "ARCHITECTURE.md").read_text(), re.M)
    return {name: int(floor) for floor, names in rows for name in re.findall(r"`([\w-]+)`", names)}


def main():
    problems = []
    named = dependencies(PACKAGE, SCANNER)
    folders = {path.name for path in (ROOT / "Sources").iterdir() if path.is_dir()}
    for target in sorted(folders - set(FLOORS)):
        problems.append(f"Sources/{target} has no floor: list it in Package.swift, and in the table of ARCHITECTURE.md")
    for target, floor in sorted((documented().items() ^ FLOORS.items())):
        problems.append(f"ARCHITECTURE.md and Package.swift disagree on the floor of {target}")
    for target in sorted(folders & set(FLOORS)):
        imported = imports(target)
        for module, paths in imported.items():
            if FLOORS[module] >= FLOORS[target]:
                problems.append(
                    f"{paths[0]} imports {module}: {target} is on floor {FLOORS[target]}, {module} on floor {FLOORS[module]}")
            if module not in named.get(target, set()):
                problems.append(f"{paths[0]} imports {module}, but Package.swift does not name it for {target}")
        is_swift = any((ROOT / "Sources" / target).rglob("*.swift"))
        for module in sorted(named.get(target, set()) - set(imported)) if is_swift else []:
            problems.append(f"Package.swift names {module} for {target}, which does not import it")
    for target in sorted(target for target in folders & set(FLOORS) if FLOORS[target] > 4):
        for path in sorted((ROOT / "Sources" / target).rglob("*.swift")):
            if VERDICT.search(COMMENT.sub(" ", path.read_text())):
                problems.append(f"{path.relative_to(ROOT)} makes a list of checks or a verdict, which only a verifier may do")
    for target in sorted(folders & set(FLOORS) - {SIGNER}):
        if SIGNER in named.get(target, set()):
            problems.append(f"{target} must not link {SIGNER}, which is for tests of other programs")
        for path in sorted((ROOT / "Sources" / target).rglob("*")):
            if path.suffix in (".swift", ".c", ".h", ".cpp") and SIGNING.search(COMMENT.sub(" ", path.read_text())):
                problems.append(f"{path.relative_to(ROOT)} makes keys or signs, which only {SIGNER} may do")
    for target in sorted(FETCHER | {"shcverify-fetch"}):
        for module in sorted(named.get(target, set()) - FETCHER):
            problems.append(f"shcverify-fetch must not link {module}, which {target} depends on")
    print("\n".join(problems) or "all imports lead to lower floors")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
