#!/usr/bin/env python3
"""Writes what known weaknesses of OpenSSL, zlib and libcurl mean for a release, as OpenVEX 0.2.0: vex.py DIST TABLE FILE

DIST has the programs and their list of parts (sbom.py). TABLE is vulnerabilities.json. Each of its entries has one reason:

- `absent`: functions that lead to the weakness. The programs must have none of them, neither among the symbols that they import nor as a
  name that they could look up (dlsym). Otherwise nothing is written. The statement is `not_affected`.
- `fixed`: the versions of the library in which it was fixed, the oldest line first; `debian` is that of Debian's package. The statement is
  `fixed` if the library that was linked is one of these or later, and otherwise `under_investigation`: distributions fix older versions too.
"""

import fnmatch
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

CONTEXT = "https://openvex.dev/ns/v0.2.0"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def names(program):
    """The names of functions that a program imports, and all words that it could look up as such."""
    imported = {line.split()[-1].split("@")[0] for line in output("nm", "--dynamic", "--undefined-only", program).splitlines()}
    return imported | {word.decode() for word in re.findall(rb"(?<=\0)[A-Za-z_][A-Za-z0-9_]{3,80}(?=\0)", program.read_bytes())}


def upstream(version):
    """The numbers of the version that a library's authors gave it: (1, 2, 13) of 1:1.2.13.dfsg-1."""
    numbers = re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", version)[1]
    return tuple(int(number) for number in numbers.split("."))


def is_fixed(version, entry):
    """Whether the version of a Debian package has the fix for certain."""
    mine = upstream(version)
    fixes = [upstream(each) for each in entry["fixed"]]
    # A later fix of another line of versions says nothing about this one.
    if mine >= fixes[-1] or any(mine[:2] == fix[:2] and mine >= fix for fix in fixes):
        return True
    return "debian" in entry and subprocess.run(["dpkg", "--compare-versions", version, "ge", entry["debian"]]).returncode == 0


def libraries(parts):
    """The Debian package of each library that a program is linked with: {(program, library): package}"""
    packages = {each["SPDXID"]: each for each in parts["packages"]}
    return {(packages[each["spdxElementId"]]["name"], each["comment"]): packages[each["relatedSpdxElement"]]
            for each in parts["relationships"] if each["relationshipType"] == "DYNAMIC_LINK"}


def statement(entry, dist, linked, version, date):
    program, library = entry["program"], entry["library"]
    package = linked.get((program, library))
    if package is None:
        sys.exit(f"vex: {entry['id']}: {program} is not linked with {library}")
    location = package["externalRefs"][0]["referenceLocator"]
    result = {
        "vulnerability": {"name": entry["id"]}, "timestamp": date,
        "products": [{
            "@id": f"pkg:generic/{program}@{version}",
            "hashes": {"sha-256": hashlib.sha256((dist / program).read_bytes()).hexdigest()},
            "subcomponents": [{"@id": location}]}]}
    if "absent" in entry:
        found = sorted(name for name in names(dist / program) if any(fnmatch.fnmatchcase(name, each) for each in entry["absent"]))
        if found:
            sys.exit(f"vex: {entry['id']}: the table says that {program} has none of these functions: {', '.join(found)}")
        result |= {"status": "not_affected", "justification": "vulnerable_code_not_in_execute_path", "impact_statement": entry["reason"]}
        notes = f"Shown by: no import and no name {', '.join(entry['absent'])}."
    elif is_fixed(package["versionInfo"], entry):
        result |= {"status": "fixed"}
        notes = (f"{entry['reason']} Fixed since {' and '.join(entry['fixed'])}; built with {package['name']} {package['versionInfo']}. "
                 "The library that counts is the system's: keep it up to date.")
    else:
        result |= {"status": "under_investigation"}
        notes = (f"{entry['reason']} Fixed since {' and '.join(entry['fixed'])}. {package['name']} {package['versionInfo']} is older; the "
                 "distribution may have fixed it there, and says so in its tracker.")
    return result | {"status_notes": f"{notes} Source: {entry['source']}."}


def main(dist, table, file):
    dist, table = Path(dist), json.loads(Path(table).read_text())
    parts = json.loads((dist / "shcverify.spdx.json").read_text())
    version = next(each["versionInfo"] for each in parts["packages"] if each["name"] == "shcverify")
    for entry in table["vulnerabilities"]:
        if ("absent" in entry) == ("fixed" in entry) or not (entry.get("absent") or entry.get("fixed")):
            sys.exit(f"vex: {entry['id']} needs either absent or fixed")
    linked = libraries(parts)
    # A statement holds from the day on which the table was reviewed, and the document from the day of the release.
    reviewed = f"{table['reviewed']}T00:00:00Z"
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    statements = [statement(entry, dist, linked, version, reviewed) for entry in table["vulnerabilities"]]
    digest = hashlib.sha256(json.dumps(statements, sort_keys=True).encode()).hexdigest()
    document = {"@context": CONTEXT, "@id": f"urn:shcverify:vex:{version}:{digest}", "author": table["author"], "timestamp": date,
                "version": 1, "tooling": "Packaging/vex.py", "statements": statements}
    Path(file).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
