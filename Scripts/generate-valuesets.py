#!/usr/bin/env python3
"""Writes the built-in tables of the EU's value sets, Sources/CData/data/eu-*.txt.

    Scripts/generate-valuesets.py [FOLDER]

FOLDER is the folder of the value sets (default: ../shared/conformance/hcert/valuesets beside the repository). It must
hold the files that SETS names, in the form in which the EU publishes them.

To use a newer value set, replace the old one and run this script again. If the release has changed, change RELEASE,
too. The output depends only on the files' bytes. The names are the EU's, but for white space: a run of it, with
no-break spaces and the like, becomes one space, and none stays at either end. A code is never changed.
"""

import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/CData/data"

RELEASE = "ehn-dcc-development/ehn-dcc-valuesets, release 2.12.0"
DEVICES = "Digitaler-Impfnachweis/covpass-android, eu-value-sets.json"

# The property, the file, the `valueSetId` that it must have, the origin, the system for codes that the set does not
# have, and what the codes are for.
SETS = [
    ("disease", "disease-agent-targeted.json", "disease-agent-targeted", RELEASE,
     "http://snomed.info/sct", "diseases (`tg`)"),
    ("prophylaxis", "vaccine-prophylaxis.json", "sct-vaccines-covid-19", RELEASE,
     "http://snomed.info/sct", "kinds of vaccines (`vp`)"),
    ("product", "vaccine-medicinal-product.json", "vaccines-covid-19-names", RELEASE,
     "https://ec.europa.eu/health/documents/community-register/html/", "vaccines by product (`mp`)"),
    ("holder", "vaccine-mah-manf.json", "vaccines-covid-19-auth-holders", RELEASE,
     "https://spor.ema.europa.eu/v1/organisations", "marketing authorisation holders (`ma` of vaccines)"),
    ("test-type", "test-type.json", "covid-19-lab-test-type", RELEASE,
     "http://loinc.org", "types of tests (`tt`)"),
    ("device", "test-manufacturers.json", "covid-19-lab-test-manufacturer-and-name", DEVICES,
     "https://covid-19-diagnostics.jrc.ec.europa.eu/devices", "tests by maker and name (`ma` of tests)"),
    ("test-result", "test-result.json", "covid-19-lab-result", RELEASE,
     "http://snomed.info/sct", "results of tests (`tr`)"),
    ("country", "country-2-codes.json", "country-2-codes", RELEASE,
     "urn:iso:std:iso:3166", "countries (`co`)"),
]


class ValueSet:
    """A value set: its sorted rows, its systems, and the lines about its file."""

    def __init__(self, folder, property, path, identifier, origin, default, about):
        self.property, self.path, self.about = property, path, about
        try:
            data = (folder / path).read_bytes()
        except OSError as error:
            sys.exit(f"{folder / path}: {error.strerror}")
        try:
            value_set = json.loads(data, object_pairs_hook=self.object)
        except ValueError as error:
            sys.exit(f"{path}: {error}")
        if value_set["valueSetId"] != identifier:
            sys.exit(f"{path}: the value set is {value_set['valueSetId']!r}, not {identifier!r}")
        values = value_set["valueSetValues"]
        self.date = self.plain(value_set["valueSetDate"], "the date")
        self.origin = [
            f"{path}: {identifier} of {self.date}, from",
            f"  {origin}; Apache-2.0",
            f"  sha256 {hashlib.sha256(data).hexdigest()}",
        ]
        # The default system comes first, then the others in the order of their first codes.
        systems = [self.plain(value["system"], "a system") for value in values.values()]
        self.systems = list(dict.fromkeys([default, *systems]))
        if default not in systems:
            sys.exit(f"{path}: no code is of the system {default!r}")
        if len(self.systems) > 10:
            sys.exit(f"{path}: the table cannot hold {len(self.systems)} systems")
        self.rows = [
            f"{self.plain(code, 'a code')}|{self.systems.index(value['system'])}|{self.name(code, value)}"
            for code, value in sorted(values.items(), key=lambda item: item[0].encode())
        ]

    def object(self, pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a name occurs twice in one object")
        return dict(pairs)

    def name(self, code, value):
        if value["lang"] != "en":
            sys.exit(f"{self.path}: the name of {code!r} is in the language {value['lang']!r}, not en")
        return self.plain(" ".join(value["display"].split()), f"the name of {code!r}")

    def plain(self, text, what):
        """The text, if a table can hold it as it is."""
        is_plain = text and text == text.strip() and text.isprintable()
        if not is_plain or "|" in text:
            sys.exit(f"{self.path}: a table cannot hold {what}, {text!r}")
        return text

    def write(self):
        heading = [
            f"The EU's codes for {self.about}: code, index of the system, name. The names are those that the EU published, those of SNOMED CT",
            "and LOINC codes included. Their licence is the Apache License 2.0. Changed here: only codes, systems and names were taken, the codes",
            "are sorted, and runs of white space in names became one space.",
            "SPDX-License-Identifier: Apache-2.0",
            "Scripts/generate-valuesets.py makes this file of:",
            *self.origin,
            f"date: {self.date}",
            f"systems: {' '.join(self.systems)}",
        ]
        lines = [*(f"# {line}".rstrip() for line in heading), *self.rows, ""]
        (OUTPUT / f"eu-{self.property}.txt").write_text("\n".join(lines), "utf-8")


def main(arguments):
    if len(arguments) > 1:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0] if arguments else ROOT / "../shared/conformance/hcert/valuesets")
    for each in SETS:
        ValueSet(folder, *each).write()


main(sys.argv[1:])
