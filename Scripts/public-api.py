#!/usr/bin/env python3
"""Lists the public declarations of each library product in API/PRODUCT.txt, so that no release changes them unnoticed.

    Scripts/public-api.py BUILD GRAPHS            writes the files
    Scripts/public-api.py --check BUILD GRAPHS    writes nothing; the exit code is 1 if a file would change

BUILD is the folder of a build (swift build --show-bin-path) that has the libraries. The symbol graphs that `swift symbolgraph-extract` makes of
them stay in GRAPHS/PRODUCT, where the documentation is made from them. A line is the path of a declaration and the declaration itself, or the
type and a protocol to which it conforms. What the compiler adds by itself, such as members of Equatable, is left out.
"""

import concurrent.futures
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "API"
SWIFT = os.environ.get("SWIFT", "swift")
# The module maps that the libraries import.
HEADERS = ["Sources/CLibraries", "Sources/CData/include", "Sources/CLanes/include", "Sources/CProcess/include", ".build/checkouts/swift-system/Sources/CSystem/include"]


def products():
    package = (ROOT / "Package.swift").read_text()
    return re.findall(r'\.library\(name: "(\w+)", targets: \["\1"\]\)', package)


def reexported(module):
    """The modules that come with a product, and have no product of their own."""
    exports = ROOT / "Sources" / module / "Exports.swift"
    return re.findall(r"@_exported public import (\w+)$", exports.read_text(), re.M) if exports.exists() else []


def extract(module, build, graphs):
    """Makes the symbol graphs of a module."""
    folder = graphs / module
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json"):
        path.unlink()
    command = [SWIFT, "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public", "-skip-synthesized-members",
               "-output-dir", str(folder), "-target", f"{platform.machine()}-unknown-linux-gnu", "-I", str(build / "Modules")]
    modules = [name for name in reexported(module) if name not in products()]
    if modules:
        command.append(f"-experimental-allowed-reexported-modules={','.join(modules)}")
    for header in HEADERS:
        command += ["-I", header]
    for target in "CData", "CLanes", "CProcess":
        command += ["-Xcc", f"-fmodule-map-file={build}/{target}.build/module.modulemap"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"symbolgraph-extract {module}:\n{done.stderr}")


def listed(module, graphs):
    """The lines of a module."""
    lines = set()
    for path in sorted((graphs / module).glob("*.symbols.json")):
        graph = json.loads(path.read_text())
        paths = {}
        for symbol in graph["symbols"]:
            identifier = symbol["identifier"]["precise"]
            if "::SYNTHESIZED::" in identifier or symbol["kind"]["identifier"] == "swift.extension":
                continue
            words = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
            paths[identifier] = ".".join(symbol["pathComponents"])
            lines.add(f"{paths[identifier]}: {' '.join(words.split())}")
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in paths:
                target = relation.get("targetFallback") or paths.get(relation["target"]) or relation["target"]
                target = target.removeprefix("Swift.")
                if target not in ("Copyable", "Escapable", "SendableMetatype"):
                    lines.add(f"{paths[relation['source']]}: conforms to {target}")
    return sorted(lines)


def main():
    check = sys.argv[1:2] == ["--check"]
    build, graphs = (pathlib.Path(path).resolve() for path in sys.argv[1 + check:])
    modules = products()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda module: extract(module, build, graphs), modules))
    texts = {FOLDER / f"{module}.txt": listed(module, graphs) for module in modules}
    old = {path: path.read_text().splitlines() for path in FOLDER.glob("*.txt")}
    isSame = texts == old
    if check and not isSame:
        for path in sorted(texts.keys() | old.keys()):
            before, after = set(old.get(path, [])), set(texts.get(path, []))
            for sign, words in [("-", before - after), ("+", after - before)]:
                for line in sorted(words):
                    print(f"{sign} {path.stem}: {line}", file=sys.stderr)
        sys.exit("The public declarations are not those of API/. Run \"make api\". If a line went away or changed, programs that use it no longer "
                 "build: that needs a new major version and a line in CHANGELOG.md.")
    if not check:
        FOLDER.mkdir(exist_ok=True)
        for path in old.keys() - texts.keys():
            path.unlink()
        for path, lines in texts.items():
            path.write_text("".join(f"{line}\n" for line in lines))


main()
