#!/usr/bin/env python3
"""Checks that what the program prints as JSON is written in one place.

Only the folders JSON/ of the reports use the writer (JSONWriter, JSONFragment), and those in OTHERS, which make JSON that is no report. No
command does.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS = ("Sources/CredentialReports/JSON/", "Sources/LintReports/JSON/")
OTHERS = {
    "Sources/Encodings/StrictJSON/": "the writer",
    "Sources/FHIR/Codes/CodeArchive.swift": "installed lists of codes",
    "Sources/Directories/Issuers/": "snapshots of directories, and digests of keys",
    "Sources/HealthCertificates/Contents/": "certificates as FHIR",
    "Sources/HealthCertificates/Envelope/": "CBOR as JSON",
    "Sources/HealthCertificates/Signers/ListProof/ListKeys.swift": "installed keys of lists",
    "Sources/HTTPSFetch/": "what the program and its helper say to each other",
    "Sources/Containers/": "requests",
    "Sources/Evidence/": "requests, and the files of the cache",
    "Sources/Bulk/Batch/BatchState.swift": "the file of --resume",
    "Sources/VerificationTesting/": "credentials for tests",
}
# JSONWriter.quoted makes a text for a message.
WRITER = re.compile(r"\bJSON(Writer(?!\.quoted\b)|Fragment)\b")

problems, used = [], set()
for path in sorted((ROOT / "Sources").rglob("*.swift")):
    name = str(path.relative_to(ROOT))
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not WRITER.search(line.partition("//")[0]):
            continue
        place = next((place for place in (*REPORTS, *OTHERS) if name.startswith(place)), None)
        used.add(place)
        if place is None:
            problems.append(f"{name}:{number}: JSON that the program prints is written in a folder JSON/ of the reports")
problems += [f"Scripts/check-json.py: {place} does not use the writer of JSON any more" for place in OTHERS.keys() - used]
print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
sys.exit(1 if problems else 0)
