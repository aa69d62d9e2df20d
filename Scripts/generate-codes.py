#!/usr/bin/env python3
"""Makes the tables of codes that ship, Sources/FHIR/Codes/CodeTable+*.swift, from the lists of their owners.

    Scripts/generate-codes.py [FOLDER]            writes the tables
    Scripts/generate-codes.py --check [FOLDER]    writes nothing; exit code 1 where a table is not what it would write

FOLDER is the folder of source data (default: ../shared/data beside the repository). What it must hold:

    cvx/cvx_cdc.txt                    CDC's CVX list, as CDC publishes it (fields separated by |)
    cvx/name_cdc.txt                   CDC's trade names, with CVX and MVX codes
    cvx/immunization-covid-cvx.json    a FHIR ValueSet: the CVX codes of COVID-19 vaccines, with names for consumers
    lists/*-covid-*.txt                codes alone, one a line: what makes a record one of COVID-19
    lists/lab-results.csv              system, code, and what it says in our own words
    fhir-r4/fhir-single.xsd            the names of FHIR's resource types

A newer list is put in place of the old one, and this is run again. The output depends on the files' bytes alone.
LOINC's, SNOMED's and WHO's names never pass through here: their licences ask for notices, codes do not.
"""

import csv
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "Sources/FHIR/Codes"

CDC = "CDC, public domain"

# Vaccine groups, by CDC's short description: of one disease, and of nothing beside it. First match wins. CDC's own list
# of groups is not among the sources; a vaccine that no line names is counted by its own code.
GROUPS = [
    ("influenza H1N1-09", r"novel influenza-h1n1"),
    ("influenza", r"influenza\b(?!.*h5n1)"),
    ("hepatitis A", r"hep a(,|$)"),
    ("hepatitis B", r"hep ?b(,|$|-cpg| recombinant)"),
    ("HPV", r"hpv"),
    ("Hib", r"hib(,| \()"),
    ("polio", r"(ipv|opv|polio)\b"),
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

# What kind of vaccine it is, by CDC's short description. First match wins.
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

# Of lab-results.csv: the classes that say that the thing looked for is, or was, there.
POSITIVE = {"detected", "positive", "reactive", "past infection", "recent infection"}

# Resource types of DSTU2 (1.0.2) that R4's structure does not have.
DSTU2_ONLY = """
    BodySite Conformance DataElement DeviceComponent DeviceUseRequest DiagnosticOrder EligibilityRequest
    EligibilityResponse ImagingObjectSelection MedicationOrder Order OrderResponse ProcedureRequest ProcessRequest
    ProcessResponse ReferralRequest
""".split()


class Source:
    """The folder of source data, and the hashes of what was read from it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.hashes = {}

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
        """The lines of a file of CDC's, as lists of fields without the padding."""
        for number, line in enumerate(self.text(path).splitlines(), 1):
            if not line.strip():
                continue
            row = [" ".join(field.split()) for field in line.split("|")]
            if len(row) < fields:
                sys.exit(f"{path}:{number}: {len(row)} fields, not {fields}")
            yield row

    def codes(self, path):
        return [line.strip() for line in self.text(path).splitlines() if line.strip()]

    def origin(self, path, words):
        return f"{path}: {words}\n  sha256 {self.hashes[path]}"


def two_digits(code):
    """CVX 1 is 01."""
    if not re.fullmatch(r"[0-9]{1,3}", code):
        sys.exit(f"CVX code {code!r} is not of one to three digits")
    return code.lstrip("0").rjust(2, "0")


def newest(dates):
    """The newest of CDC's dates, 2022/09/07, as 2022-09-07."""
    return max(date.replace("/", "-") for date in dates if date)


def company(name):
    """What people call a company: Moderna US, Inc. is Moderna."""
    name = re.split(r"/| \+ ", name)[0]
    name = re.sub(r"(,? (Inc|Ltd|Limited|US|USA|Co|Corporation|International|Biopharm))+\.?$", "", name)
    return {"Pfizer": "Pfizer-BioNTech"}.get(name, name)


def covid_name(short, consumer, manufacturers):
    """COVID-19, mRNA (Moderna): what kind of vaccine, and whose.

    Whose: what CDC's description ends with in brackets; else what stands before COVID-19 in the name for consumers;
    else the manufacturer, where the code has exactly one.
    """
    parts = [COVID]
    parts += [kind for kind, pattern in KINDS if re.search(pattern, short)][:1]
    parts += [word for word in ("bivalent", "pediatric") if re.search(rf"\b{word}\b", short, re.I)]
    whose = None
    brackets = re.search(r"\(([^()]+)\)$", short)
    brand = re.match(r"(.+?) COVID-19\b", consumer)
    if brackets and brackets[1] != COVID:
        whose = company(brackets[1])
    elif brand:
        whose = company(brand[1])
    elif len(manufacturers) == 1:
        whose = company(next(iter(manufacturers)))
    return ", ".join(parts) + (f" ({whose})" if whose else "")


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

    rows = []
    for code, (short, is_vaccine) in cvx.items():
        if code in consumer or re.search(r"COVID-19|SARS-COV-2", short, re.I):
            group, name = COVID, covid_name(short, consumer.get(code, ""), makers.get(code, set()))
        else:
            group, name = group_of(short, is_vaccine), short
        rows.append([code, group, name])
    origins = [
        source.origin("cvx/cvx_cdc.txt", f"CVX, {CDC}; newest entry of {newest(dates)}"),
        source.origin("cvx/name_cdc.txt", f"trade names and MVX, {CDC}; newest entry of {newest(trade_dates)}"),
        source.origin(
            "cvx/immunization-covid-cvx.json",
            f"{value_set['title']}, {value_set['copyright']}; version {value_set['version']} of {value_set['date']}"),
    ]
    yield Table("CVX", "cvx", origins, rows, """
        CDC's vaccine codes: code, vaccine group, name.

        The name is CDC's short description; of a COVID-19 vaccine, its kind and whose it is.
        """)
    rows = [[code, *names] for code, names in trade_names.items()]
    yield Table("TradeNames", "tradeNames", origins[1:2], rows, """
        What vaccines are sold as: CVX code, names.
        """)
    yield Table("MVX", "mvx", origins[1:2], [[code, name] for code, name in mvx.items()], """
        CDC's codes for manufacturers of vaccines: code, name.
        """)


def covid(source):
    """The tables of codes that make a record one of COVID-19."""
    for name, property, path, of in (
        ("COVID19+SNOMED", "covid19SNOMED", "snomed-covid-vaccines", "SNOMED CT's codes for COVID-19 vaccines."),
        ("COVID19+ICD11", "covid19ICD11", "icd11-covid-vaccines", "ICD-11's codes for COVID-19 vaccines."),
        ("COVID19+LOINC", "covid19LOINC", "loinc-covid-tests", "LOINC's codes for tests for COVID-19."),
    ):
        path = f"lists/{path}.txt"
        rows = [[code] for code in source.codes(path)]
        origin = source.origin(path, "identifiers listed by the shc-terminology project; no names, which are licensed")
        yield Table(name, property, [origin], rows, f"{of} Codes alone.")


def results(source):
    """The tables of what a laboratory answers."""
    path = "lists/lab-results.csv"
    systems = {"http://snomed.info/sct": ("SNOMED", []), "http://loinc.org": ("LOINC", [])}
    for row in csv.DictReader(source.text(path).splitlines()):
        rows = systems[row["system"]][1]
        words = row["class"]
        rows.append([row["code"], "positive" if words in POSITIVE else "other", words[0].upper() + words[1:]])
    origin = source.origin(path, "the project's own")
    for name, rows in systems.values():
        yield Table(f"Results+{name}", f"results{name}", [origin], rows, f"""
            {name} codes that laboratories answer with: code, whether it says that the thing is or was there, and what
            it says in this project's words.
            """)


def resource_types(source):
    """The table of FHIR's resource types."""
    path = "fhir-r4/fhir-single.xsd"
    text = source.text(path)
    container = re.search(r'<xs:complexType name="ResourceContainer">(.*?)</xs:complexType>', text, re.S)
    version = re.search(r'<xs:schema [^>]*version="([0-9.]+)"', text)[1]
    types = re.findall(r'<xs:element ref="([A-Za-z]+)"/>', container[1])
    origin = source.origin(path, f"FHIR {version}, HL7; the names alone, with those that only DSTU2 has")
    yield Table("ResourceTypes", "resourceTypes", [origin], [[name] for name in {*types, *DSTU2_ONLY}], """
        The names of FHIR's resource types, of R4 and DSTU2.
        """)


class Table:
    """One generated file."""

    def __init__(self, name, property, origins, rows, about):
        self.path = OUTPUT / f"CodeTable+{name}.swift"
        lines = []
        for row in sorted(rows, key=lambda row: row[0].encode()):
            for field in row:
                if re.search(r'[|\n\\]|"""', field) or field != field.strip():
                    sys.exit(f"{name}: {field!r} cannot stand in a table")
            if not row[-1]:
                sys.exit(f"{name}: {row[0]!r} has no name")
            lines.append("|".join(row))
        keys = [line.split("|")[0] for line in lines]
        if len(set(keys)) != len(keys) or "" in keys:
            sys.exit(f"{name}: a code stands there twice, or is empty")
        source = "\n//\n".join(
            "\n".join("// " + line for line in origin.splitlines()) for origin in origins)
        about = [line.strip() for line in about.strip().splitlines()]
        self.text = "\n".join(
            [
                "// Generated by Scripts/generate-codes.py; for a newer list, put it in place of the old one and run that.",
                "//",
                source,
                "//",
                f"// {len(lines)} rows. No name of LOINC's, SNOMED CT's or ICD-11's is in here: their licences ask for"
                " notices, codes do not.",
                "",
                "// swift-format-ignore-file",
                "",
                "extension CodeTable {",
                *(("    /// " + line).rstrip() for line in about),
                f"    static let {property} = CodeTable(",
                '        """',
                *("        " + line for line in lines),
                '        """)',
                "}",
                "",
            ])


def main(arguments):
    check = "--check" in arguments
    folders = [argument for argument in arguments if argument != "--check"]
    if len(folders) > 1 or any(folder.startswith("-") for folder in folders):
        sys.exit(__doc__)
    source = Source(folders[0] if folders else ROOT / "../shared/data")
    tables = [*vaccines(source), *covid(source), *results(source), *resource_types(source)]
    stale = {path for path in OUTPUT.glob("CodeTable+*.swift")} - {table.path for table in tables}
    changed = [table for table in tables if not table.path.exists() or table.path.read_text("utf-8") != table.text]
    for path in sorted([*stale, *(table.path for table in changed)]):
        print(f"{path.relative_to(ROOT)} {'is not' if check else 'was not'} what the lists make")
    if check:
        return 1 if stale or changed else 0
    for table in changed:
        table.path.write_text(table.text, "utf-8")
    for path in stale:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
