#!/usr/bin/env python3
"""Writes Sources/CData/data/guide-codes.txt: the codes of the guide's value sets, without their names.

    Scripts/generate-guide.py [VALUE_SETS]

VALUE_SETS is value_sets.fsh of HL7's guide "SMART Health Cards: Vaccination & Testing"; without it, the file in
../shared/data/vaccination-ig.
"""

import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/CData/data/guide-codes.txt"
# The value sets, each with its name in the guide's sources and the code system of its codes.
SETS = (
    ("immunization-all-cvx", "ImmunizationAllCvxValueSet", "cvx"),
    ("lab-qualitative-test-covid", "LabQualitativeTestCovidValueSet", "loinc"),
    ("lab-qualitative-result", "LabQualitativeResultValueSet", "snomed"),
)


def main(arguments):
    path = pathlib.Path(arguments[0]) if arguments else ROOT.parent / "shared/data/vaccination-ig/value_sets.fsh"
    data = path.read_bytes()
    texts = re.split(r"(?m)^ValueSet:\s*", data.decode())[1:]
    found = {}
    for name, value_set, system in SETS:
        text = next(text for text in texts if text.startswith(value_set))
        codes = set(re.findall(rf"(?m)^\* \${system}#(\S+)", text))
        assert codes and not codes & found.keys(), value_set
        found |= dict.fromkeys(codes, name)
    rows = [f"{code}|{found[code]}" for code in sorted(found, key=str.encode)]
    OUTPUT.write_text("\n".join(
        [
            "# Codes of value sets of HL7's guide SMART Health Cards: Vaccination & Testing, Apache License 2.0, without their names:",
            "# code, value set. Scripts/generate-guide.py makes this file of the guide's value_sets.fsh.",
            f"#   sha256 {hashlib.sha256(data).hexdigest()}",
            *rows,
            "",
        ]))


main(sys.argv[1:])
