#!/usr/bin/env python3
"""Writes what the programs of a release are made of, as SPDX 2.3 in JSON: sbom.py DIST PINS FILE

DIST has the programs, and PINS is SwiftPM's Package.resolved. Listed are the programs, the Swift packages and Swift's own libraries
and the C++ library that are linked statically, and the shared libraries that the programs name, each with its Debian package. The file depends only on
these, and on SOURCE_DATE_EPOCH.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

PROGRAMS = ["shcverify", "shcverify-fetch", "shcverify-scan"]
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"
# The Swift packages that only tests use.
TESTS_ONLY = {"swift-subprocess"}
# The system package, to which each program goes through libc alone.
NOT_LISTED = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def package(name, version, license, supplier="NOASSERTION", location="NOASSERTION", **others):
    return {"SPDXID": identifier("Package", name), "name": name, "versionInfo": version, "supplier": supplier,
            "downloadLocation": location, "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": license,
            "copyrightText": "NOASSERTION", **others}


def swift_packages(pins):
    """The packages of Package.resolved that programs are linked with."""
    for pin in json.loads(pins.read_text())["pins"]:
        if pin["identity"] in TESTS_ONLY:
            continue
        state, location = pin["state"], pin["location"].removesuffix(".git")
        yield package(pin["identity"], state["version"], SWIFT_LICENSE, "Organization: Apple Inc. and the Swift project authors",
                      f"git+{location}@{state['revision']}", externalRefs=[{
                          "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:swift/{location.removeprefix('https://')}@{state['version']}"}])


def shared_libraries(program):
    """The shared libraries that a program names, each with its Debian package and the version of that."""
    paths = dict(re.findall(r"(\S+) => (\S+)", output("ldd", program)))
    for name in sorted(set(re.findall(r"NEEDED +(\S+)", output("objdump", "-p", program))) - NOT_LISTED):
        # dpkg knows the path before or after /lib became a link to /usr/lib.
        path = Path(paths[name])
        candidates = [str(path), str(path.resolve()), str(path).removeprefix("/usr"), f"/usr{path}"]
        found = subprocess.run(["dpkg-query", "--search", *candidates], capture_output=True, text=True).stdout
        debian = found.splitlines()[0].split(": ")[0].split(":")[0]
        version = output("dpkg-query", "--show", "--showformat", "${Version}\n", debian).splitlines()[0]
        yield name, debian, version


def compiler_libraries():
    """The libraries of the C++ compiler that releases link statically, each with its Debian package and the version of that."""
    for name in ("libstdc++.a", "libgcc.a"):
        path = Path(output(os.environ.get("CLANG") or "clang", f"-print-file-name={name}").strip())
        if not path.is_absolute():
            # There is no such archive, so the shared library was linked.
            continue
        debian = output("dpkg-query", "--search", str(path.resolve())).splitlines()[0].split(": ")[0].split(":")[0]
        yield debian, output("dpkg-query", "--show", "--showformat", "${Version}\n", debian).splitlines()[0]


def debian_package(name, version, license="NOASSERTION"):
    return package(name, version, license, externalRefs=[{
        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/debian/{name}@{version}"}])


def main(dist, pins, file):
    dist = Path(dist)
    words = output(dist / "shcverify", "--version").splitlines()
    version = words[0]
    commit = next(line.split()[1] for line in words if line.startswith("commit "))
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())))
    packages, relationships = {}, []

    def add(each):
        packages[each["SPDXID"]] = each
        return each["SPDXID"]

    def relate(one, kind, other):
        relationships.append({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other})

    toolchain = re.search(r"Swift version (\S+)", output(os.environ.get("SWIFT") or "swift", "--version"))[1]
    swift = add(package("swift-runtime", toolchain, SWIFT_LICENSE, "Organization: Apple Inc. and the Swift project authors",
                        "https://www.swift.org/install/", comment="The standard library, Foundation and ICU."))
    pinned = [add(each) for each in swift_packages(Path(pins))]
    for program in PROGRAMS:
        content = (dist / program).read_bytes()
        own = add(package(program, version, "Apache-2.0", sourceInfo=f"commit {commit}", primaryPackagePurpose="APPLICATION", checksums=[
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}]))
        relate("SPDXRef-DOCUMENT", "DESCRIBES", own)
        relate(own, "STATIC_LINK", swift)
        for each in pinned if program != "shcverify-scan" else []:
            relate(own, "STATIC_LINK", each)
        for debian, debian_version in compiler_libraries() if program != "shcverify-scan" else []:
            relate(own, "STATIC_LINK", add(debian_package(debian, debian_version, "GPL-3.0-or-later WITH GCC-exception-3.1")))
        for library, debian, debian_version in shared_libraries(dist / program):
            relate(own, "DYNAMIC_LINK", add(debian_package(debian, debian_version)))
            relationships[-1]["comment"] = library
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"shcverify-{version}",
                "documentNamespace": "", "creationInfo": {"created": date, "creators": ["Tool: shcverify-sbom.py"]},
                "packages": [packages[each] for each in sorted(packages)], "relationships": relationships}
    # The same content has the same name, and other content another.
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["documentNamespace"] = f"urn:shcverify:sbom:{version}:{digest}"
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
