#!/usr/bin/env python3
"""Writes the built-in tables of names in ICVP, Sources/CData/data/who-products.txt and who-icd11.txt.

    Scripts/generate-icvp.py [FOLDER]

FOLDER is the folder of source data (default: ../shared/who/data beside the repository). It must hold:

    icvp-products.tsv    the vaccines that WHO has prequalified against yellow fever and polio, each with its ID
    icd11-codes.tsv      ICD-11's codes for vaccines and diseases, with names

To use newer lists, replace the old ones, change RELEASE and DATE, and run this script again.
The output depends only on the files' bytes.
"""

import csv
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/CData/data"

RELEASE = "WorldHealthOrganization/smart-icvp, version 0.3.0"
DATE = "2025-10-30"
# What the licence asks for.
NOTICE = [
    "The names are those that WHO uses in its certificate of vaccination (ICVP). Their licence is",
    "Creative Commons Attribution-ShareAlike 3.0 IGO (https://creativecommons.org/licenses/by-sa/3.0/igo/):",
    "copyright World Health Organization. Changed here: of a product, only the ID, the name and what it is against",
    "were taken; the rows are sorted. WHO does not endorse this program.",
    "SPDX-License-Identifier: CC-BY-SA-3.0-IGO",
    "Scripts/generate-icvp.py makes this file of:",
]
# The letters of `CodeArchive`'s marks for what a code is about.
MARKS = {"": "", "yellow-fever": "y", "polio": "p", "covid19": "ci"}


class Source:
    """The rows of a file, and the lines about it."""

    def __init__(self, folder, path):
        self.path = path
        try:
            data = (folder / path).read_bytes()
        except OSError as error:
            sys.exit(f"{folder / path}: {error.strerror}")
        self.rows = list(csv.DictReader(data.decode().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
        self.origin = [f"{path}: from", f"  {RELEASE}; CC-BY-SA-3.0-IGO", f"  sha256 {hashlib.sha256(data).hexdigest()}"]

    def plain(self, text, what):
        """The text, if a table can hold it as it is."""
        is_plain = text and text == text.strip() and text.isprintable()
        if not is_plain or "|" in text:
            sys.exit(f"{self.path}: a table cannot hold {what}, {text!r}")
        return text

    def kind(self, row):
        if row["kind"] not in MARKS:
            sys.exit(f"{self.path}: the kind {row['kind']!r} is not known")
        return MARKS[row["kind"]]

    def write(self, name, about, rows):
        rows = ["|".join(field and self.plain(field, "a field") for field in row) for row in rows]
        rows.sort(key=lambda row: row.split("|")[0].encode())
        if len({row.split("|")[0] for row in rows}) != len(rows):
            sys.exit(f"{self.path}: a code occurs twice")
        heading = [*about, *NOTICE, *self.origin, f"date: {DATE}"]
        (OUTPUT / f"{name}.txt").write_text("\n".join([*(f"# {line}".rstrip() for line in heading), *rows, ""]), "utf-8")


def main(arguments):
    if len(arguments) > 1:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0] if arguments else ROOT / "../shared/who/data")
    products, codes = Source(folder, "icvp-products.tsv"), Source(folder, "icd11-codes.tsv")
    products.write(
        "who-products", ["WHO's prequalified vaccines: ID, marks of the disease, an empty field, name."],
        [[row["id"], products.kind(row), "", row["display"]] for row in products.rows])
    codes.write(
        "who-icd11", ["ICD-11's codes for vaccines and diseases: code, marks of the disease, an empty field, name."],
        [[row["code"], codes.kind(row), "", row["name"]] for row in codes.rows])


main(sys.argv[1:])
