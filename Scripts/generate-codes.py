#!/usr/bin/env python3
"""Writes the built-in tables of codes, which are files in Sources/CData/data, from their owners' lists.

    Scripts/generate-codes.py [FOLDER]

FOLDER is the folder of source data (default: ../shared/data beside the repository). It must hold:

    cvx/cvx_cdc.txt                    CDC's CVX list, as CDC publishes it (fields separated by |)
    cvx/name_cdc.txt                   CDC's trade names, with CVX and MVX codes
    cvx/immunization-covid-cvx.json    a FHIR ValueSet: the CVX codes of COVID-19 vaccines, with names for consumers
    vaccination-ig/value_sets.fsh      FHIR Shorthand: its value set immunization-all-cvx has the newest names of CVX codes
    lists/*-covid-*.txt                only codes, one per line: a record with one of them is about COVID-19
    lists/lab-results.csv              system, code, and its meaning in the project's own words
    fhir-r4/fhir-single.xsd            the names of FHIR's resource types

To use a newer list, replace the old one and run this script again. The output depends only on the files' bytes.
The names of LOINC, SNOMED CT and WHO are in none of them: their licences require notices for names, not for codes.
"""

import csv
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/CData/data"

CDC = "CDC, public domain"

# Vaccine groups, found in CDC's short description. A group is for vaccines against one disease only. The first match
# wins. CDC's own list of groups is not among the sources. A vaccine without a match is counted by its own code.
GROUPS = [
    ("influenza H1N1-09", r"novel influenza-h1n1"),
    ("influenza", r"influenza\b(?!.*(h5|avian))"),
    ("hepatitis A", r"hep a(,|$)"),
    ("hepatitis B", r"hep ?b(,|$|-cpg| recombinant)"),
    ("HPV", r"hpv"),
    ("Hib", r"hib(,| \()"),
    ("polio", r"(ipv|opv|polio|poliovirus)\b"),
    ("rotavirus", r"rotavirus"),
    ("zoster", r"zoster"),
    ("typhoid", r"typhoid"),
    ("rabies", r"rabies"),
    ("Japanese encephalitis", r"japanese encephalitis"),
    ("tick-borne encephalitis", r"tick-borne encephalitis"),
    ("yellow fever", r"yellow fever"),
    ("cholera", r"cholera"),
    ("Ebola", r"ebola"),
    ("meningococcal B", r"meningococcal b\b"),
]
COVID = "COVID-19"

# The diseases that a row can say its code is about, with the letters of `CodeArchive`'s marks. These are codes of vaccines and tests, so none has
# the mark `i`: a condition with the code is the disease.
MARKS = {"covid19": "c", "yellow-fever": "y", "polio": "p"}
# Vaccines against them, found in the group and in CDC's short description. Those against COVID-19 are found as their group is.
DISEASES = [("yellow-fever", r"\byellow fever\b"), ("polio", r"\b(ipv|opv|polio)")]

# The kind of vaccine, found in CDC's short description. The first match wins.
KINDS = [
    ("mRNA", r"\bmRNA\b"),
    ("viral vector", r"\bvector|\bVVnr\b"),
    ("live attenuated", r"\bLAV\b"),
    ("virus-like particles", r"\bVLP\b"),
    ("DNA", r"\bDNA\b"),
    ("protein subunit", r"\bsubunit\b|\bPS\b|\brecomb\b"),
    ("inactivated", r"\bIV\b|(?i:\binactivated\b)"),
    ("product unknown", r"(?i:\bproduct unknown\b)"),
    ("unspecified", r"(?i:\bunspecified\b)"),
]

# The marks of kinds of tests (nucleic acid, antigen, antibody), found in LOINC's short name. The first match wins.
TESTS = [("m", r"\bNAA\b"), ("a", r"\bAg\b"), ("b", r"\b(Ab|NAb|Ig[AGM])\b")]

# The classes of lab-results.csv which mean that the thing tested for is, or was, present.
POSITIVE = {"detected", "positive", "reactive", "past infection", "recent infection"}

# Resource types of DSTU2 (1.0.2) that R4 does not have.
DSTU2_ONLY = """
    BodySite Conformance DataElement DeviceComponent DeviceUseRequest DiagnosticOrder EligibilityRequest
    EligibilityResponse ImagingObjectSelection MedicationOrder Order OrderResponse ProcedureRequest ProcessRequest
    ProcessResponse ReferralRequest
""".split()


class Source:
    """The folder of source data, and the hashes of the files that were read from it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.hashes = {}
        self.descriptions = {}
        self.dates = {}

    def text(self, path):
        try:
            data = (self.folder / path).read_bytes()
        except OSError as error:
            sys.exit(f"{self.folder / path}: {error.strerror}")
        self.hashes[path] = hashlib.sha256(data).hexdigest()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252")

    def rows(self, path, fields):
        """The lines of one of CDC's files, as lists of fields without the padding."""
        for number, line in enumerate(self.text(path).splitlines(), 1):
            if not line.strip():
                continue
            row = [" ".join(field.split()) for field in line.split("|")]
            if len(row) < fields:
                sys.exit(f"{path}:{number}: the line has {len(row)} fields, not {fields} or more")
            yield row

    def codes(self, path):
        return [line.strip() for line in self.text(path).splitlines() if line.strip()]

    def describe(self, path, words):
        """Describes a file for the heading of the output."""
        self.descriptions[path] = words

    def origin(self, path):
        """The lines about a file in the heading of the output."""
        return [f"{path}: {self.descriptions[path]}", f"  sha256 {self.hashes[path]}"]


def two_digits(code):
    """CVX 1 becomes 01."""
    if not re.fullmatch(r"[0-9]{1,3}", code):
        sys.exit(f"the CVX code {code!r} is not one to three digits")
    return code.lstrip("0").rjust(2, "0")


def newest(dates):
    """The newest of CDC's dates, with 2022/09/07 written as 2022-09-07."""
    return max(date.replace("/", "-") for date in dates if date)


def company(name):
    """A company's short name: Moderna for Moderna US, Inc."""
    name = re.split(r"/| \+ ", name)[0]
    name = re.sub(r"(,? (Inc|Ltd|Limited|US|USA|Co|Corporation|International|Biopharm))+\.?$", "", name)
    return {"Pfizer": "Pfizer-BioNTech"}.get(name, name)


def covid_name(short, consumer, manufacturers):
    """COVID-19, mRNA (Moderna): the kind of vaccine and its maker.

    The maker is the text in brackets at the end of CDC's description, or else the text before COVID-19 in the name for
    consumers, or else the manufacturer if the code has exactly one.
    """
    parts = [COVID]
    parts += [kind for kind, pattern in KINDS if re.search(pattern, short)][:1]
    parts += [word for word in ("bivalent", "pediatric") if re.search(rf"\b{word}\b", short, re.I)]
    maker = None
    brackets = re.search(r"\(([^()]+)\)$", short)
    brand = re.match(r"(.+?) COVID-19\b", consumer)
    if brackets and brackets[1] != COVID:
        maker = company(brackets[1])
    elif brand:
        maker = company(brand[1])
    elif len(manufacturers) == 1:
        maker = company(next(iter(manufacturers)))
    return ", ".join(parts) + (f" ({maker})" if maker else "")


def newest_names(source):
    """The codes and names of the guide's value set of all CVX codes, and its date."""
    path = "vaccination-ig/value_sets.fsh"
    block = re.search(r"^Id: immunization-all-cvx$(.*?)(?=^ValueSet:|\Z)", source.text(path), re.S | re.M)
    version = block and re.search(r'^\* \^version = "(\d{4})(\d\d)(\d\d)"$', block[1], re.M)
    if not version:
        sys.exit(f"{path}: the value set immunization-all-cvx is missing, or its version is not a date")
    names = {}
    for code, name in re.findall(r'^\* \$cvx#(\S+) "(.*)"\s*$', block[1], re.M):
        if names.setdefault(two_digits(code), " ".join(name.split())) != " ".join(name.split()):
            sys.exit(f"{path}: the code {code} has two names")
    if len(names) != block[1].count("$cvx#"):
        sys.exit(f"{path}: a code of immunization-all-cvx was not understood")
    date = "-".join(version.groups())
    source.describe(path, f"Immunization / All / CVX, HL7's vaccination guide, names by {CDC}; {len(names)} codes of {date}")
    return names, date


def group_of(short, is_vaccine):
    if is_vaccine:
        for group, pattern in GROUPS:
            if re.match(pattern, short.lower()):
                return group
    return ""


def vaccines(source):
    """The tables CVX, TradeNames and MVX."""
    cvx, dates = {}, []
    for code, short, _, _, _, non_vaccine, date, *_ in source.rows("cvx/cvx_cdc.txt", 7):
        cvx[two_digits(code)] = (short, non_vaccine == "False")
        dates.append(date)

    trade_names, makers, mvx, trade_dates = {}, {}, {}, []
    for trade, _, code, maker, maker_code, _, _, date, *_ in source.rows("cvx/name_cdc.txt", 8):
        code = two_digits(code)
        if trade not in trade_names.setdefault(code, []):
            trade_names[code].append(trade)
        if maker_code:
            makers.setdefault(code, set()).add(maker)
            if mvx.setdefault(maker_code, maker) != maker:
                sys.exit(f"MVX {maker_code} has two names: {mvx[maker_code]!r}, {maker!r}")
        trade_dates.append(date)

    value_set = json.loads(source.text("cvx/immunization-covid-cvx.json"))
    consumer = {}
    for include in value_set["compose"]["include"]:
        if include["system"] != "http://hl7.org/fhir/sid/cvx":
            sys.exit(f"immunization-covid-cvx.json has codes of {include['system']}")
        for concept in include["concept"]:
            names = [each["value"] for each in concept.get("designation", []) if each["language"] == "en-US"]
            code = two_digits(concept["code"])
            consumer[code] = names[0] if names else ""
            cvx.setdefault(code, (" ".join(concept["display"].split()), True))

    names, names_date = newest_names(source)
    rows = []
    for code in {**cvx, **names}:
        known = cvx.get(code)
        short, is_vaccine = known or (names[code], not re.search(r"\bmAb\b|globulin", names[code], re.I))
        newest_name = names.get(code, short)
        if code in consumer or re.search(r"COVID-19|SARS-COV-2", f"{short} {newest_name}", re.I):
            # Only the older lists say who makes a vaccine. A newer one has the name that CDC gives it.
            is_older = known is not None
            name = covid_name(short, consumer.get(code, ""), makers.get(code, set())) if is_older else newest_name
            group = COVID
        else:
            group, name = group_of(short, is_vaccine), newest_name
        marks = MARKS["covid19"] if group == COVID else ""
        marks += "".join(MARKS[disease] for disease, pattern in DISEASES if re.search(pattern, f"{group} {name}", re.I))
        rows.append([code, marks, group, name])
    source.dates["cvx"] = names_date
    source.dates["trade-names"] = source.dates["mvx"] = newest(trade_dates)
    # The codes for COVID-19 have the date of their publisher's value set.
    source.dates |= dict.fromkeys(("covid19-snomed", "covid19-icd11", "covid19-loinc", "results-snomed", "results-loinc"), value_set["date"])
    source.describe("cvx/cvx_cdc.txt", f"CVX, {CDC}; newest entry of {newest(dates)}")
    source.describe("cvx/name_cdc.txt", f"trade names and MVX, {CDC}; newest entry of {newest(trade_dates)}")
    source.describe(
        "cvx/immunization-covid-cvx.json",
        f"{value_set['title']}, {value_set['copyright']}; version {value_set['version']} of {value_set['date']}")
    paths = [
        "vaccination-ig/value_sets.fsh", "cvx/cvx_cdc.txt", "cvx/name_cdc.txt", "cvx/immunization-covid-cvx.json"]
    yield Table("cvx", paths, rows, """
        CDC's vaccine codes: code, marks of the diseases, vaccine group, name.

        The name is CDC's short description; for a COVID-19 vaccine whose maker is known, its kind and its maker.
        """)
    yield Table("trade-names", paths[2:3], [[code, "", "", *names] for code, names in trade_names.items()], """
        The trade names of vaccines: CVX code, two empty fields, names.
        """)
    yield Table("mvx", paths[2:3], [[code, "", "", name] for code, name in mvx.items()], """
        CDC's codes for manufacturers of vaccines: code, two empty fields, name.
        """)


def covid(source):
    """The tables of the codes for records about COVID-19."""
    names = re.findall(r'\$loinc#(\S+) "([^"]*)"', source.text("vaccination-ig/value_sets.fsh"))
    tests = {code: next((mark for mark, pattern in TESTS if re.search(pattern, name)), "") for code, name in names}
    for property, path, group, about in (
        ("covid19-snomed", "snomed-covid-vaccines", COVID, "SNOMED CT's codes for COVID-19 vaccines, without names"),
        ("covid19-icd11", "icd11-covid-vaccines", COVID, "ICD-11's codes for COVID-19 vaccines, without names"),
        ("covid19-loinc", "loinc-covid-tests", "", "LOINC's codes for tests for COVID-19, without names"),
    ):
        path = f"lists/{path}.txt"
        marks = "marks of the disease" + (" and of the test (m nucleic acid, a antigen, b antibody)" if "loinc" in property else "")
        rows = [[code, MARKS["covid19"] + tests.get(code, ""), group] for code in source.codes(path)]
        source.describe(path, "codes listed by the shc-terminology project; their names are licensed")
        yield Table(property, [path], rows, f"{about}: code, {marks}, vaccine group.")


def results(source):
    """The tables of laboratory results."""
    path = "lists/lab-results.csv"
    systems = {"http://snomed.info/sct": ("snomed", []), "http://loinc.org": ("loinc", [])}
    for row in csv.DictReader(source.text(path).splitlines()):
        rows = systems[row["system"]][1]
        words = row["class"]
        rows.append([row["code"], "+" if words in POSITIVE else "", "", words[0].upper() + words[1:]])
    source.describe(path, "the project's own list")
    for name, rows in systems.values():
        yield Table(f"results-{name}", [path], rows, f"""
            {name.upper()} codes for laboratory results: code, `+` if it means that the thing tested for is or was present, an empty field,
            and its meaning in the project's own words.
            """)


def resource_types(source):
    """The table of FHIR's resource types."""
    path = "fhir-r4/fhir-single.xsd"
    text = source.text(path)
    container = re.search(r'<xs:complexType name="ResourceContainer">(.*?)</xs:complexType>', text, re.S)
    version = re.search(r'<xs:schema [^>]*version="([0-9.]+)"', text)[1]
    types = re.findall(r'<xs:element ref="([A-Za-z]+)"/>', container[1])
    source.describe(path, f"FHIR {version}, HL7; only the names of resource types, to which those of DSTU2 are added")
    yield Table("resource-types", [path], [[name] for name in {*types, *DSTU2_ONLY}], """
        The names of FHIR's resource types, of R4 and DSTU2.
        """)


class Table:
    """A table of codes: its sorted rows, and the file that has them."""

    def __init__(self, name, paths, rows, about):
        self.name, self.paths, self.rows = name, paths, rows
        self.about = [line.strip() for line in about.strip().splitlines()]

    def write(self, source):
        lines = []
        for row in sorted(self.rows, key=lambda row: row[0].encode()):
            for field in row:
                if re.search(r"[|\n]", field) or field != field.strip():
                    sys.exit(f"{self.name}: a table cannot hold the field {field!r}")
            if not row[0] or not any(row[1:]) and len(row) > 1:
                sys.exit(f"{self.name}: {row[0]!r} says nothing")
            lines.append("|".join(row))
        keys = [line.split("|")[0] for line in lines]
        if len(set(keys)) != len(keys) or "" in keys:
            sys.exit(f"{self.name}: a code is empty, or occurs twice")
        heading = [*self.about, "Scripts/generate-codes.py makes this file of:"]
        heading += [line for path in self.paths for line in source.origin(path)]
        date = source.dates.get(self.name)
        heading += [f"date: {date}"] if date else []
        (OUTPUT / f"{self.name}.txt").write_text("\n".join([*(f"# {line}".rstrip() for line in heading), *lines, ""]), "utf-8")


def main(arguments):
    if len(arguments) > 1:
        sys.exit(__doc__)
    source = Source(arguments[0] if arguments else ROOT / "../shared/data")
    for table in [*vaccines(source), *covid(source), *results(source), *resource_types(source)]:
        table.write(source)


main(sys.argv[1:])
