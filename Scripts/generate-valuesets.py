#!/usr/bin/env python3
"""Makes the built-in tables of the EU's value sets, Sources/FHIR/Codes/EUValueSets+Generated.swift.

    Scripts/generate-valuesets.py [FOLDER]            writes the file
    Scripts/generate-valuesets.py --check [FOLDER]    writes nothing; the exit code is 1 if the file would change

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
OUTPUT = ROOT / "Sources/FHIR/Codes/EUValueSets+Generated.swift"

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
    ("testType", "test-type.json", "covid-19-lab-test-type", RELEASE,
     "http://loinc.org", "types of tests (`tt`)"),
    ("device", "test-manufacturers.json", "covid-19-lab-test-manufacturer-and-name", DEVICES,
     "https://covid-19-diagnostics.jrc.ec.europa.eu/devices", "tests by maker and name (`ma` of tests)"),
    ("testResult", "test-result.json", "covid-19-lab-result", RELEASE,
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
        if not is_plain or any(part in text for part in ("|", "\\", '"""')):
            sys.exit(f"{self.path}: a table cannot hold {what}, {text!r}")
        return text

    @property
    def table(self):
        name = f"eu{self.property[0].upper()}{self.property[1:]}"
        rows = "1 row" if len(self.rows) == 1 else f"{len(self.rows)} rows"
        return "\n".join(
            [
                f"    /// The EU's codes for {self.about}: code, index of the system in `EUValueSet.systems`, name.",
                "    ///",
                f"    /// {rows}, from {self.path}.",
                f"    static let {name} = CodeTable(",
                '        """',
                *("        " + row for row in self.rows),
                '        """)',
            ])

    @property
    def case(self):
        systems = ", ".join(f'"{system}"' for system in self.systems)
        line = f"        case .{self.property}: [{systems}]"
        return line if len(line) <= 120 else line.replace(" [", "\n            [")


def swift(sets):
    """The text of the generated file."""
    return "\n".join(
        [
            "// Generated by Scripts/generate-valuesets.py. For a newer value set, replace the old one and run it again.",
            "//",
            "// The value sets for EU Digital COVID Certificates, with the names that the EU published, those of SNOMED CT",
            "// and LOINC codes included. Their licence is the Apache License 2.0. Changed here: only codes, systems and",
            "// names were taken, the codes are sorted, and runs of white space in names became one space.",
            "//",
            *(f"// {line}".rstrip() for each in sets for line in [*each.origin, ""]),
            "// SPDX-License-Identifier: Apache-2.0",
            "",
            "// swift-format-ignore-file",
            "",
            "import JSON",
            "",
            "extension EUValueSet {",
            "    /// The systems of the set's codes, the default one first. The tables give their indexes.",
            "    var systems: [UTF8Text] {",
            "        switch self {",
            *(each.case for each in sets),
            "        }",
            "    }",
            "}",
            "",
            "extension CodeTable {",
            "    /// The date of the newest of the EU's value sets.",
            f'    static let euDate = "{max(each.date for each in sets)}"',
            "",
            "\n\n".join(each.table for each in sets),
            "}",
            "",
        ])


def main(arguments):
    check = "--check" in arguments
    folders = [argument for argument in arguments if argument != "--check"]
    if len(folders) > 1 or any(folder.startswith("-") for folder in folders):
        sys.exit(__doc__)
    folder = pathlib.Path(folders[0] if folders else ROOT / "../shared/conformance/hcert/valuesets")
    text = swift([ValueSet(folder, *each) for each in SETS])
    if OUTPUT.exists() and OUTPUT.read_text("utf-8") == text:
        return 0
    print(f"{OUTPUT.relative_to(ROOT)} {'differs' if check else 'differed'} from the tables made of the value sets")
    if check:
        return 1
    OUTPUT.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
