#!/usr/bin/env python3
"""Writes the table of FHIR R4's structure, Sources/CData/data/structure.txt, from HL7's XML Schema.

    Scripts/generate-structure.py [FOLDER]

FOLDER is the folder of source data (default: ../shared/data beside the repository). It must hold fhir-r4/fhir-single.xsd,
the schema that HL7 publishes with FHIR 4.0.1:

    Copyright (c) 2011+, HL7, Inc. All rights reserved. Redistribution and use in source and binary forms are permitted
    under the terms of a three-clause BSD licence; its text is in the header of the schema, and in that of the table.
    FHIR's own definitions are in the public domain (CC0).

FHIRType.swift explains the rows. The output depends only on the schema's bytes.
"""

import hashlib
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/CData/data/structure.txt"
SCHEMA = "fhir-r4/fhir-single.xsd"
XS = "{http://www.w3.org/2001/XMLSchema}"

# Elements whose type in the schema is not the one in FHIR's definitions.
CORRECTIONS = {
    # The schema lists three languages, but the binding is extensible.
    ("Expression", "language"): "code",
}

# Types of attributes in XML. In JSON they are members that can have no extensions.
ATTRIBUTES = {"string-primitive": "@string", "uri-primitive": "@uri"}

# The types that value[x] may have anywhere. They have a row of their own, which other rows name as *.
OPEN = "OpenType"

# The most required elements and choices that a type may have: the walk keeps a bit for each, in 64 bits.
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
                    sys.exit(f"{name}.{element} is of a type that does not exist: {kind}")
            fields.append(f"{element}:{CORRECTIONS.get((name, element), kind)}{suffix(each)}")
            tracked += each.get("minOccurs") == "1"
        if tracked > TRACKED - 8:
            sys.exit(f"{name} has more required elements than the walk has bits for")
        is_resource = name in self.resources
        if is_resource != (base in ("Resource", "DomainResource") and name != "DomainResource"):
            sys.exit(f"{name}: it is not clear whether this is a resource")
        return " ".join([name, base, *fields])

    def choice(self, node):
        members = [(each.get("name"), each.get("type")) for each in node]
        prefixes = {member.removesuffix(capitalized(kind)) for member, kind in members}
        if len(prefixes) != 1:
            sys.exit(f"{members}: a choice whose names do not begin with the same word")
        kinds = [kind for _, kind in members]
        if len(kinds) > 40:
            if self.open not in (None, kinds):
                sys.exit("two lists of all types differ")
            self.open, kinds = kinds, ["*"]
        return f"{prefixes.pop()}[x]:{','.join(kinds)}{suffix(node)}"


def text(schema):
    """The text of the data file."""
    return "\n".join(
        [
            f"# {SCHEMA}: HL7 FHIR {schema.version}, the types, elements and code lists alone. Scripts/generate-structure.py makes this file",
            "# of it, and FHIRType.swift explains the rows.",
            f"#   sha256 {schema.sha256}",
            "#",
            *(("# " + line.strip()).rstrip() for line in schema.licence.strip().splitlines()),
            *sorted(schema.rows(), key=str.encode),
            "",
        ])


def main(arguments):
    if len(arguments) > 1:
        sys.exit(__doc__)
    path = pathlib.Path(arguments[0] if arguments else ROOT / "../shared/data") / SCHEMA
    try:
        OUTPUT.write_text(text(Schema(path)), "utf-8")
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")


main(sys.argv[1:])
