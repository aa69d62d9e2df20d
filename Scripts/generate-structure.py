#!/usr/bin/env python3
"""Makes the tables of FHIR R4's structure that ship, Sources/Conformance/FHIR/Tables/, from HL7's XML Schema.

    Scripts/generate-structure.py [FOLDER]            writes the tables
    Scripts/generate-structure.py --check [FOLDER]    writes nothing; exit code 1 where a table is not what it would write

FOLDER is the folder of source data (default: ../shared/data beside the repository). It must hold fhir-r4/fhir-single.xsd,
the schema that HL7 publishes with FHIR 4.0.1:

    Copyright (c) 2011+, HL7, Inc. All rights reserved. Redistribution and use in source and binary forms are permitted
    under the terms of a three-clause BSD licence; its text stands in the header of the schema, and in that of
    Sources/Conformance/FHIR/Tables/StructureTable+Index.swift. FHIR's own definitions are in the public domain (CC0).

What a row says: StructureTable.swift. The output depends on the schema's bytes alone.
"""

import hashlib
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/Conformance/FHIR/Tables"
SCHEMA = "fhir-r4/fhir-single.xsd"
XS = "{http://www.w3.org/2001/XMLSchema}"

# Elements to which the schema gives another type than FHIR's definitions do.
CORRECTIONS = {
    # The schema lists three languages; the binding is an extensible one.
    ("Expression", "language"): "code",
}

# What XML has as an attribute, and JSON as a member that can have no extensions.
ATTRIBUTES = {"string-primitive": "@string", "uri-primitive": "@uri"}

# The element types that value[x] may have anywhere: a row of its own, which the others name as *.
OPEN = "OpenType"

# Elements of one type that are required, and choices: the walk marks them off in 64 bits.
TRACKED = 64


def capitalized(name):
    return name[0].upper() + name[1:]


def suffix(element):
    many = element.get("maxOccurs", "1")
    least = element.get("minOccurs", "1")
    if many not in ("1", "unbounded") or least not in ("0", "1"):
        sys.exit(f"{element.attrib}: an unexpected cardinality")
    return {("0", "1"): "", ("1", "1"): "!", ("0", "unbounded"): "*", ("1", "unbounded"): "+"}[least, many]


class Schema:
    def __init__(self, path):
        data = path.read_bytes()
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.licence = re.search(r"<!--\s*\n(.*?)\n\s*Generated on", data.decode("utf-8"), re.S)[1]
        root = ElementTree.fromstring(data)
        self.version = root.get("version")
        self.types = {each.get("name"): each for each in root.findall(f"{XS}complexType")}
        self.lists, self.primitives = {}, set()
        for each in root.findall(f"{XS}simpleType"):
            name, _, kind = each.get("name").rpartition("-")
            if kind == "list":
                self.lists[name] = [code.get("value") for code in each.iter(f"{XS}enumeration")]
            else:
                self.primitives.add(name)
        container = self.types.pop("ResourceContainer")
        self.resources = {each.get("ref") for each in container.iter(f"{XS}element")}
        self.open = None

    def rows(self):
        for name in sorted(self.types):
            if name in self.lists:
                yield f"{name} = {' '.join(self.lists[name])}"
            elif name not in self.primitives:
                yield self.row(name)
        yield f"{OPEN} = {' '.join(self.open)}"

    def row(self, name):
        node = self.types[name]
        extension = node.find(f"{XS}complexContent/{XS}extension")
        base = "-" if extension is None else extension.get("base")
        inner = node if extension is None else extension
        fields = []
        for attribute in inner.findall(f"{XS}attribute"):
            fields.append(f"{attribute.get('name')}:{ATTRIBUTES[attribute.get('type')]}"
                          + ("!" if attribute.get("use") == "required" else ""))
        tracked = 0
        for each in inner.find(f"{XS}sequence"):
            if each.tag == f"{XS}choice":
                fields.append(self.choice(each))
                tracked += 1
                continue
            if each.get("ref") == "xhtml:div":
                element, kind = "div", "@xhtml"
            else:
                element, kind = each.get("name"), each.get("type")
                if kind not in self.types and kind != "ResourceContainer":
                    sys.exit(f"{name}.{element} is of a type that is not there: {kind}")
            fields.append(f"{element}:{CORRECTIONS.get((name, element), kind)}{suffix(each)}")
            tracked += each.get("minOccurs") == "1"
        if tracked > TRACKED - 8:
            sys.exit(f"{name} has more required elements than the walk can mark off")
        is_resource = name in self.resources
        if is_resource != (base in ("Resource", "DomainResource") and name != "DomainResource"):
            sys.exit(f"{name}: a resource, or none?")
        return " ".join([name, base, *fields])

    def choice(self, node):
        members = [(each.get("name"), each.get("type")) for each in node]
        prefixes = {member.removesuffix(capitalized(kind)) for member, kind in members}
        if len(prefixes) != 1:
            sys.exit(f"{members}: a choice whose names do not begin alike")
        kinds = [kind for _, kind in members]
        if len(kinds) > 40:
            if self.open not in (None, kinds):
                sys.exit("two lists of all types that are not the same")
            self.open, kinds = kinds, ["*"]
        return f"{prefixes.pop()}[x]:{','.join(kinds)}{suffix(node)}"


class Table:
    """One generated file."""

    def __init__(self, name, lines):
        self.path = OUTPUT / f"StructureTable+{name}.swift"
        self.text = "\n".join(lines) + "\n"


def tables(schema):
    origin = [
        "// Generated by Scripts/generate-structure.py; for another schema, put it in place of the old one and run that.",
        "//",
        f"// {SCHEMA}: HL7 FHIR {schema.version}, the types, elements and code lists alone",
        f"//   sha256 {schema.sha256}",
        "// Copyright (c) 2011+, HL7, Inc. All rights reserved. The licence stands in StructureTable+Index.swift.",
    ]
    letters = {}
    for row in schema.rows():
        if re.search(r'\\|"""', row):
            sys.exit(f"{row!r} cannot stand in a table")
        letters.setdefault(row[0].upper(), []).append(row)
    for letter, rows in letters.items():
        yield Table(letter, [
            *origin,
            "",
            "// swift-format-ignore-file",
            "",
            "extension StructureTable {",
            f"    /// Types and code lists whose names begin with {letter}.",
            f"    static let {letter.lower()} = StructureTable(",
            '        """',
            *("        " + row for row in sorted(rows, key=str.encode)),
            '        """)',
            "}",
        ])
    licence = [("// " + line.strip()).rstrip() for line in schema.licence.strip().splitlines()]
    yield Table("Index", [
        *origin[:-1],
        "//",
        *licence,
        "",
        "extension StructureTable {",
        "    /// The table that has the names beginning with a letter, in either case; nil if none does.",
        "    static func table(ofInitial letter: UInt8) -> StructureTable? {",
        "        switch letter & ~0x20 {",
        *(f'        case UInt8(ascii: "{letter}"): {letter.lower()}' for letter in sorted(letters)),
        "        default: nil",
        "        }",
        "    }",
        "}",
    ])


def main(arguments):
    check = "--check" in arguments
    folders = [argument for argument in arguments if argument != "--check"]
    if len(folders) > 1 or any(folder.startswith("-") for folder in folders):
        sys.exit(__doc__)
    path = pathlib.Path(folders[0] if folders else ROOT / "../shared/data") / SCHEMA
    try:
        made = list(tables(Schema(path)))
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    stale = set(OUTPUT.glob("StructureTable+*.swift")) - {table.path for table in made}
    changed = [table for table in made if not table.path.exists() or table.path.read_text("utf-8") != table.text]
    for path in sorted([*stale, *(table.path for table in changed)]):
        print(f"{path.relative_to(ROOT)} {'is not' if check else 'was not'} what the schema makes")
    if check:
        return 1 if stale or changed else 0
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for table in changed:
        table.path.write_text(table.text, "utf-8")
    for path in stale:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
